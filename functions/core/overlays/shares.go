package overlays

import (
	"math"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/format"
)

// ShareColumns are what rows of parcels have of an area that they are asked for.
var ShareColumns = []format.Column{
	{Name: "overlap_sqm", Sparse: true, Type: format.TypeFloat, Decimals: 2, Unit: "m²",
		Doc: "Area of the parcel that lies in the area, where it is asked for."},
	{Name: "overlap_pct", Sparse: true, Type: format.TypeFloat, Decimals: 2, Unit: "%", Doc: "The same as a share of the parcel."},
}

// Shares tells what of a geometry lies in an area. Work is what is left of the pairs of edges that may be looked at.
type Shares struct {
	Area  *region.Area
	Cover *geom.Cover
	Work  *int64
}

// Sqm is the area in m² that a geometry shares with the area; own is its whole area. Overlaps are taken with vertices along
// long edges, which makes a whole geometry larger or smaller by some hundred-thousandths: what is told is held to the area that
// its row tells, of straight edges in the plane. false: the work did not last.
func (s *Shares) Sqm(m geom.MultiPolygon, box geom.Box, own float64) (float64, bool) {
	switch s.Area.Side(box) {
	case region.Inside:
		return own, true
	case region.Outside:
		return 0, true
	}
	c := CoverOf(m)
	sqm, ok := c.CommonWithin(s.Cover, s.Work)
	if !ok {
		return 0, false
	}
	if whole := c.Area(); whole > 0 {
		sqm *= m.Area(crs.EqualArea) / whole
	}
	return sqm, s.Area.Err() == nil
}

// Described is a schema of parcels with the columns, for its description.
func Described(schema *format.Schema[rowschema.ParcelRow]) *format.Schema[rowschema.ParcelRow] {
	return schema.With(shareFields(func(int, *rowschema.ParcelRow) format.Value { return format.Omit })...)
}

// Source draws parcels with the columns, null where the work did not last.
func (s *Shares) Source(schema *format.Schema[rowschema.ParcelRow]) rows.Source {
	var last *kgfile.Parcel
	sqm, pct := 0.0, 0.0
	return rows.Parcels(schema.With(shareFields(func(column int, r *rowschema.ParcelRow) format.Value {
		if r.P != last {
			last = r.P
			var ok bool
			if sqm, ok = s.Sqm(r.P.Geometry, r.P.Geometry.Bounds(), r.P.AreaSqm); !ok {
				sqm = math.NaN()
			}
			pct = Percent(sqm, r.P.AreaSqm)
		}
		value := []float64{sqm, pct}[column]
		if math.IsNaN(value) {
			return format.Null
		}
		return format.Float(value, 2)
	})...).Record())
}

func shareFields(get func(column int, r *rowschema.ParcelRow) format.Value) []format.Field[rowschema.ParcelRow] {
	var out []format.Field[rowschema.ParcelRow]
	for i, c := range ShareColumns {
		out = append(out, format.Field[rowschema.ParcelRow]{Column: c, Get: func(r *rowschema.ParcelRow) format.Value { return get(i, r) }})
	}
	return out
}

// Percent is a part of a whole, at most 100; NaN of a whole without area.
func Percent(part, of float64) float64 {
	if of <= 0 {
		return math.NaN()
	}
	return min(100*part/of, 100)
}
