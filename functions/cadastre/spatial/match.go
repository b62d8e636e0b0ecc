package spatial

import (
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/functions/cadastre/parcelfilter"
	"mappe/functions/rows"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// search is what a feature must be to match: its place and, for parcels, its attributes.
type search struct {
	area   *region.Area
	rel    relation
	filter parcelfilter.Filter
	field  string // what the client gave the area as, for faults
}

// matches says whether a feature of this geometry has the place asked for; at stands for a feature that
// has no area left.
func (q *search) matches(m geom.MultiPolygon, box geom.Box, at geom.Point) bool {
	if len(m) == 0 {
		return q.area.Contains(at)
	}
	switch q.area.Side(box) {
	case region.Inside:
		return true
	case region.Outside:
		return false
	}
	if q.rel == within {
		return q.area.Covers(m, box)
	}
	return q.area.Overlaps(m, box)
}

// parcels appends the indexes of the matching parcels in snapshot order.
func (q *search) parcels(at *rows.Place, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.Parcels()
	if err != nil {
		return found, err
	}
	all := q.filter.All()
	if at.Whole {
		for i := range table {
			if all || q.filter.Passes(&table[i]) {
				found = append(found, int32(i))
			}
		}
		return found, nil
	}
	start := len(found)
	f.InBox(q.area.Box(), func(i int) bool {
		if (all || q.filter.Passes(&table[i])) && q.matches(f.ParcelGeometry(i), f.ParcelBox(i), table[i].Inside) {
			found = append(found, int32(i))
		}
		return true
	})
	if points := degenerate(f); points {
		for i := range table {
			if len(table[i].Geometry) == 0 && (all || q.filter.Passes(&table[i])) && q.area.Contains(table[i].Inside) {
				found = append(found, int32(i))
			}
		}
		slices.Sort(found[start:])
	}
	return found, q.explain(q.area.Err())
}

// degenerate says whether the KG has parcels without area, which are in no index.
func degenerate(f *kgfile.File) bool {
	for _, r := range f.Build().Repairs {
		if r.Repair == kgfile.RepairDegenerate && r.N > 0 {
			return true
		}
	}
	return false
}

// footprints appends the indexes of the matching footprints by number.
func (q *search) footprints(at *rows.Place, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.Footprints()
	if err != nil {
		return found, err
	}
	if at.Whole {
		for i := range table {
			found = append(found, int32(i))
		}
		return found, nil
	}
	err = f.FootprintsInBox(q.area.Box(), func(i int) bool {
		if m := table[i].Geometry; q.matches(m, m.Bounds(), table[i].Inside) {
			found = append(found, int32(i))
		}
		return true
	})
	if err == nil {
		err = q.explain(q.area.Err())
	}
	return found, err
}

// buildings appends the indexes of the matching address points by id.
func (q *search) buildings(_ *rows.Place, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.Buildings()
	if err != nil {
		return found, err
	}
	start := len(found)
	err = f.BuildingsInBox(q.area.Box(), func(i int) bool {
		if q.area.Contains(table[i].At) {
			found = append(found, int32(i))
		}
		return true
	})
	if err == nil {
		err = q.explain(q.area.Err())
	}
	slices.Sort(found[start:])
	return found, err
}
