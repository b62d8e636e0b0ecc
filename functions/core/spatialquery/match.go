package spatialquery

import (
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/rows"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// Matches says whether a feature of this geometry has the place asked for; at stands for a feature that
// has no area left.
func (q *Search) Matches(m geom.MultiPolygon, box geom.Box, at geom.Point) bool {
	if len(m) == 0 {
		return q.Area.Contains(at)
	}
	switch q.Area.Side(box) {
	case region.Inside:
		return true
	case region.Outside:
		return false
	}
	if q.Within {
		return q.Area.Covers(m, box)
	}
	return q.Area.Overlaps(m, box)
}

// parcels appends the indexes of the matching parcels in snapshot order.
func (q *Search) parcels(at *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.Parcels()
	if err != nil {
		return found, err
	}
	all := q.Filter.All()
	if at.Whole {
		for i := range table {
			if all || q.Filter.Passes(&table[i]) {
				found = append(found, int32(i))
			}
		}
		return found, nil
	}
	start := len(found)
	f.InBox(q.Area.Box(), func(i int) bool {
		if (all || q.Filter.Passes(&table[i])) && q.Matches(f.ParcelGeometry(i), f.ParcelBox(i), table[i].Inside) {
			found = append(found, int32(i))
		}
		return true
	})
	if points := Degenerate(f); points {
		for i := range table {
			if len(table[i].Geometry) == 0 && (all || q.Filter.Passes(&table[i])) && q.Area.Contains(table[i].Inside) {
				found = append(found, int32(i))
			}
		}
		slices.Sort(found[start:])
	}
	return found, q.Explain(q.Area.Err())
}

// Degenerate says whether the KG has parcels without area, which are in no index.
func Degenerate(f *kgfile.File) bool {
	for _, r := range f.Build().Repairs {
		if r.Repair == kgfile.RepairDegenerate && r.N > 0 {
			return true
		}
	}
	return false
}

// footprints appends the indexes of the matching footprints by number.
func (q *Search) footprints(at *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
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
	err = f.FootprintsInBox(q.Area.Box(), func(i int) bool {
		if m := table[i].Geometry; q.Matches(m, m.Bounds(), table[i].Inside) {
			found = append(found, int32(i))
		}
		return true
	})
	if err == nil {
		err = q.Explain(q.Area.Err())
	}
	return found, err
}

// buildings appends the indexes of the matching address points by id.
func (q *Search) buildings(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.Buildings()
	if err != nil {
		return found, err
	}
	start := len(found)
	err = f.BuildingsInBox(q.Area.Box(), func(i int) bool {
		if q.Area.Contains(table[i].At) {
			found = append(found, int32(i))
		}
		return true
	})
	if err == nil {
		err = q.Explain(q.Area.Err())
	}
	slices.Sort(found[start:])
	return found, err
}

// landUse appends the numbers of the matching land-use areas in snapshot order.
func (q *Search) landUse(at *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
	table, err := f.LandUse()
	if err != nil {
		return found, err
	}
	for i := range table {
		if m := table[i].Geometry; at.Whole || q.Matches(m, m.Bounds(), table[i].Inside) {
			found = append(found, int32(i))
		}
	}
	return found, q.Explain(q.Area.Err())
}
