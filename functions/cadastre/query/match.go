package query

import (
	"mappe/artefacts/columns"
	"mappe/shared/austria"
)

func statusCode(s austria.Status) uint8 { return columns.StatusCode(s) }

// verdict is what the summary of a KG says of its rows.
type verdict uint8

const (
	some verdict = iota // the rows have to be looked at
	noneFits
	allFit
)

// judge says from its summary what of a KG passes; cut says that it is the summary of those parcels alone that has_buildings lets
// pass.
func (f *filter) judge(k *columns.KG, cut bool) verdict {
	switch {
	case k.Parcels == 0, k.Greatest < f.least, k.Least > f.most:
		return noneFits
	case f.LandUse != nil && !meets(*f.LandUse, k.Codes):
		return noneFits
	case f.box != nil && !f.box.Intersects(k.Box):
		return noneFits
	}
	inBox := f.box == nil || f.box.Holds(k.Box)
	if f.LandUse == nil && (f.Built == 0 || cut) && f.status == 0 && f.ez == 0 && inBox && k.Least > 0 && k.Least >= f.least &&
		k.Greatest <= f.most {
		return allFit
	}
	return some
}

// meets says whether two sets share a code.
func meets(a, b austria.LandUseSet) bool {
	for i := range a {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

// groups are the columns that the filter looks at.
func (f *filter) groups() []columns.Group {
	var list []columns.Group
	add := func(needed bool, g columns.Group) {
		if needed {
			list = append(list, g)
		}
	}
	add(f.box != nil, columns.At)
	add(f.Built != 0, columns.Built)
	add(f.ez != 0, columns.Folio)
	add(f.status != 0, columns.Status)
	add(f.LandUse != nil, columns.Use)
	return list
}

// matches appends the rows from lo up to hi that pass, in their order.
func (f *filter) matches(t *columns.Table, lo, hi int, found []int32) []int32 {
	found = f.first(t, lo, hi, found)
	if f.status != 0 {
		found = keep(found, func(i int32) bool { return t.Statuses[i] == f.status })
	}
	if f.Built != 0 {
		found = keep(found, func(i int32) bool { return t.HasBuilding(int(i)) == (f.Built > 0) })
	}
	if f.LandUse != nil {
		fits := make([]bool, len(t.Sets))
		for i := range fits {
			fits[i] = meets(*f.LandUse, t.Sets[i])
		}
		found = keep(found, func(i int32) bool { return fits[t.Use[i]] })
	}
	if f.box != nil {
		found = keep(found, func(i int32) bool { return f.box.Contains(t.Point(int(i))) })
	}
	return found
}

// first appends the rows from lo up to hi that pass what is looked at first: the folio, which few rows are of, and the area.
func (f *filter) first(t *columns.Table, lo, hi int, found []int32) []int32 {
	switch {
	case f.ez != 0:
		for i, ez := range t.EZ[lo:hi] {
			if ez == f.ez && t.Areas[lo+i] >= f.least && t.Areas[lo+i] <= f.most {
				found = append(found, int32(lo+i))
			}
		}
	case f.status != 0:
		for i, s := range t.Statuses[lo:hi] {
			if s == f.status && t.Areas[lo+i] >= f.least && t.Areas[lo+i] <= f.most {
				found = append(found, int32(lo+i))
			}
		}
	default:
		for i, a := range t.Areas[lo:hi] {
			if a >= f.least && a <= f.most {
				found = append(found, int32(lo+i))
			}
		}
	}
	return found
}

// keep drops rows that do not pass, in place.
func keep(rows []int32, passes func(int32) bool) []int32 {
	out := rows[:0]
	for _, i := range rows {
		if passes(i) {
			out = append(out, i)
		}
	}
	return out
}
