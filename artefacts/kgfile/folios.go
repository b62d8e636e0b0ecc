package kgfile

import (
	"math"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Folios derives the folios from the parcels: grouped by EZ (0 belongs to none), rising, sums of the
// stored steps; the box takes in the position of a parcel without area. A builder that fills Snapshot.Folios with this pays nothing for
// them in the file.
func Folios(p []Parcel) []Folio {
	of := map[austria.EZ]int{}
	var out []Folio
	for i := range p {
		if p[i].EZ == 0 {
			continue
		}
		k, ok := of[p[i].EZ]
		if !ok {
			k = len(out)
			of[p[i].EZ] = k
			out = append(out, Folio{EZ: p[i].EZ, Box: geom.EmptyBox})
		}
		out[k].Parcels = append(out[k].Parcels, int32(i))
	}
	slices.SortFunc(out, func(a, b Folio) int { return int(int64(a.EZ) - int64(b.EZ)) })
	for i := range out {
		out[i].sum(p)
	}
	return out
}

// sum fills everything but EZ and Parcels. Areas are summed in steps, so no order of adding matters.
func (f *Folio) sum(p []Parcel) {
	var area int64
	var counts [256]int
	var uses [256]int64
	for _, k := range f.Parcels {
		q := &p[k]
		area += sqmSteps(q.AreaSqm)
		f.BuildingCount += q.BuildingCount
		if b := boxOf(q.Geometry); b.Empty() {
			f.Box = f.Box.Extend(q.Inside)
		} else {
			f.Box = f.Box.Union(b)
		}
		for _, c := range q.SymbolCounts {
			counts[c.Code] += c.N
		}
		for _, c := range q.UseAreas {
			uses[c.Code] += sqmSteps(c.Sqm)
		}
	}
	f.TotalAreaSqm = float64(area) / perSqm
	for code := range 256 {
		if counts[code] != 0 {
			f.SymbolCounts = append(f.SymbolCounts, CodeCount{austria.LandUse(code), counts[code]})
		}
		if uses[code] != 0 {
			f.UseAreas = append(f.UseAreas, CodeArea{austria.LandUse(code), float64(uses[code]) / perSqm})
		}
	}
}

// sqmSteps is an area in steps, 0 for none.
func sqmSteps(v float64) int64 {
	if q, err := column.Steps(v, perSqm); err == nil && q > 0 {
		return int64(q) - 1
	}
	return 0
}

func sameFolio(a, b Folio) bool {
	return a.EZ == b.EZ && slices.Equal(a.Parcels, b.Parcels) && onGrid(a.TotalAreaSqm, perSqm) == b.TotalAreaSqm &&
		!math.IsNaN(a.TotalAreaSqm) && a.BuildingCount == b.BuildingCount && a.Box == b.Box &&
		slices.Equal(a.SymbolCounts, b.SymbolCounts) &&
		slices.EqualFunc(a.UseAreas, b.UseAreas, func(a, b CodeArea) bool { return a.Code == b.Code && onGrid(a.Sqm, perSqm) == b.Sqm })
}

// putFolios writes one byte 1 when the folios are what Folios derives, else 0 and all columns.
func putFolios(w *column.Writer, s *Snapshot) {
	f := s.Folios
	if slices.EqualFunc(f, Folios(s.Parcels), sameFolio) {
		w.Buf = append(w.Buf, 1)
		return
	}
	w.Buf = append(w.Buf, 0)
	w.Ints(each(f, func(f *Folio) uint64 { return uint64(f.EZ) }))
	var members []int32
	w.Ints(each(f, func(f *Folio) uint64 { members = append(members, f.Parcels...); return uint64(len(f.Parcels)) }))
	w.List(len(members))
	putParcelIndex(w, len(members), len(s.Parcels), func(i int) int32 { return members[i] })
	putSteps(w, "folio area", f, perSqm, func(f *Folio) float64 { return f.TotalAreaSqm })
	w.Ints(each(f, func(f *Folio) uint64 { return small(w, "building count", f.BuildingCount) }))
	for _, c := range []func(*Folio) int32{
		func(f *Folio) int32 { return f.Box.MinX }, func(f *Folio) int32 { return f.Box.MinY },
		func(f *Folio) int32 { return f.Box.MaxX }, func(f *Folio) int32 { return f.Box.MaxY },
	} {
		w.Ints(each(f, func(f *Folio) uint64 { return column.Zig(int64(c(f))) }))
	}
	putCodeCounts(w, func(i int) []CodeCount { return f[i].SymbolCounts }, len(f))
	putCodeAreas(w, func(i int) []CodeArea { return f[i].UseAreas }, func(i int) float64 { return f[i].TotalAreaSqm }, len(f))
}

func readFolios(r *column.Reader, p []Parcel, n int) []Folio {
	switch r.Byte() {
	case 1:
		f := Folios(p)
		if len(f) != n && r.Err == nil {
			r.Fail("%d folios are declared, the parcels give %d", n, len(f))
		}
		return f
	case 0:
	default:
		r.Fail("folio form: expected 0 or 1")
		return nil
	}
	f := make([]Folio, n)
	for i, v := range column.Ints[uint32](r, n) {
		f[i].EZ = austria.EZ(v)
	}
	sizes := column.Ints[uint32](r, n)
	total := r.List()
	end := column.Ends(r, sizes, total)
	if r.Err != nil {
		return nil
	}
	members := make([]int32, total)
	readParcelIndex(r, total, len(p), func(i int, k int32) { members[i] = k })
	readSteps(r, n, perSqm, func(i int, v float64) { f[i].TotalAreaSqm = v })
	for i, v := range column.Ints[uint32](r, n) {
		f[i].BuildingCount = int(v)
	}
	for _, c := range []func(*Folio) *int32{
		func(f *Folio) *int32 { return &f.Box.MinX }, func(f *Folio) *int32 { return &f.Box.MinY },
		func(f *Folio) *int32 { return &f.Box.MaxX }, func(f *Folio) *int32 { return &f.Box.MaxY },
	} {
		for i, v := range column.Ints[uint64](r, n) {
			*c(&f[i]) = int32(column.Unzig(v))
		}
	}
	for i := range f {
		if a, b := span(end, i); a < b {
			f[i].Parcels = members[a:b:b]
			if slices.Contains(f[i].Parcels, -1) {
				r.Fail("folio %d holds no parcel -1", f[i].EZ)
			}
		}
	}
	readCodeCounts(r, n, func(i int, c []CodeCount) { f[i].SymbolCounts = c })
	readCodeAreas(r, n, func(i int) float64 { return f[i].TotalAreaSqm }, func(i int, c []CodeArea) { f[i].UseAreas = c })
	return f
}
