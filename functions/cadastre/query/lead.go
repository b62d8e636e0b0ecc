package query

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
)

const (
	// leadKGs bounds the KG files that are looked into in place of columns.
	leadKGs = 256
	// leadDistricts is how many districts' columns are at least to be spared so: their rows are read together, and of a
	// few districts they are read sooner than files.
	leadDistricts = 8
)

// lead finds the hits in the KG files that have them, where summaries tell all else: the files of the page are opened anyway,
// the columns of a whole country are a hundred times as much. false: it does not apply, or a file cannot be read; then nothing
// is found.
func (s *scan) lead(ctx context.Context, leaders []int) (bool, error) {
	if len(leaders) > leadKGs || s.districts(leaders) < leadDistricts {
		return false, nil
	}
	codes := make([]austria.KGCode, len(leaders))
	for n, i := range leaders {
		codes[n] = s.plan.places[i].kg.Code
	}
	ahead := s.plan.view.Ahead(codes).Decoding(view.Parcels)
	for n, i := range leaders {
		ahead.Next(ctx)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if !s.needed(i) {
			continue
		}
		f, err := s.plan.view.KG(ctx, codes[n])
		if err != nil { // it keeps its rows and their places in the order, which its columns know
			s.best = best{n: s.best.n}
			return false, ctx.Err()
		}
		parcels, err := f.Parcels()
		if err != nil {
			return false, generation.Fault(ctx, err)
		}
		s.leading(i, parcels)
	}
	s.out.hits, s.out.inFile = s.best.page(s.plan.offset), true
	for i := range s.out.hits {
		h := &s.out.hits[i]
		h.row = s.rowsOf[h.place][h.row]
	}
	return true, nil
}

// leaders are the places that have the first hits of an order by area, nil where the summaries do not tell, or all places do. Each has
// a row of the rank that its summary says: behind as many as hits are wanted come only those that are level with the last.
func (s *scan) leaders(list []int) []int {
	if s.plan.by != areaAsc && s.plan.by != areaDesc || s.best.n == 0 || len(list) <= s.best.n {
		return nil
	}
	for _, i := range list {
		if !s.whole[i] {
			return nil
		}
	}
	last := s.first(list[s.best.n-1])
	n := s.best.n
	for n < len(list) && s.first(list[n]) == last {
		n++
	}
	return list[:n]
}

// districts counts the districts of places.
func (s *scan) districts(places []int) int {
	seen := map[austria.DistrictCode]bool{}
	for _, i := range places {
		seen[s.plan.places[i].sum.District] = true
	}
	return len(seen)
}

// leading adds the first hits of a KG's file. Their rows are numbered in the order of parcel ids, as those of columns are;
// rowsOf has the rows of the file.
func (s *scan) leading(place int, parcels []kgfile.Parcel) {
	f := &s.plan.filter
	var found []hit
	for i := range parcels {
		p := &parcels[i]
		h := hit{a: columns.Hundredths(p.AreaSqm), place: int32(place), row: int32(i)}
		if f.Built != 0 && (p.BuildingCount+p.FootprintCount > 0) != (f.Built > 0) {
			continue
		}
		if s.plan.by == areaDesc {
			h.a = ^h.a
		}
		if !s.best.full || h.a <= s.best.last.a {
			found = append(found, h)
		}
	}
	slices.SortFunc(found, func(x, y hit) int {
		if x.a != y.a {
			return cmp.Compare(x.a, y.a)
		}
		a, b := parcels[x.row].GNR, parcels[y.row].GNR
		return cmp.Or(cmp.Compare(columns.CanonicalNumber(a), columns.CanonicalNumber(b)), cmp.Compare(a, b), cmp.Compare(x.row, y.row))
	})
	found = found[:min(len(found), s.best.n)]
	rows := make([]int32, len(found))
	for n, h := range found {
		rows[n] = h.row
		h.row = int32(n)
		s.best.add(h)
	}
	if s.rowsOf == nil {
		s.rowsOf = map[int32][]int32{}
	}
	s.rowsOf[int32(place)] = rows
}
