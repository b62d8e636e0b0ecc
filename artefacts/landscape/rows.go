package landscape

import (
	"mappe/shared/geo/geom"
	land "mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/format"
)

// Flat has the place of a thing as two columns of degrees in the place of one.
func Flat[T any](fields format.Fields[T], place, lon, lat string, at func(*T) geom.Point) format.Fields[T] {
	part := func(name, doc string, of func(geom.Point) format.Value) format.Field[T] {
		return format.Field[T]{Column: format.Column{Name: name, Type: format.TypeDegrees, Unit: "°", Doc: doc},
			Get: func(t *T) format.Value {
				p := at(t)
				if p == NoPlace {
					return format.Null
				}
				return of(p)
			}}
	}
	var out format.Fields[T]
	for _, f := range fields {
		if f.Name == place {
			out = append(out, part(lon, "Longitude, WGS84.", func(p geom.Point) format.Value { return format.Degrees(p.X) }),
				part(lat, "Latitude, WGS84.", func(p geom.Point) format.Value { return format.Degrees(p.Y) }))
			continue
		}
		out = append(out, f)
	}
	return out
}

// SegmentFields are the columns of segments in answers and files: the stored ones, and those that follow from them.
var SegmentFields = func() format.Fields[Segment] {
	kind := func(s *Segment) *land.TypeInfo { return s.Type.Info() }
	whole := func(name, doc string, get func(*Segment) int) format.Field[Segment] {
		return format.Field[Segment]{Column: format.Column{Name: name, Type: format.TypeInt, Doc: doc}, Get: func(s *Segment) format.Value {
			if n := get(s); n >= 0 {
				return format.Int(int64(n))
			}
			return format.Null
		}}
	}
	number := func(name, unit string, decimals int, doc string, get func(*Segment) float64) format.Field[Segment] {
		return format.Field[Segment]{Column: format.Column{Name: name, Type: format.TypeFloat, Unit: unit, Decimals: decimals, Doc: doc},
			Get: func(s *Segment) format.Value { return format.Float(get(s), decimals) }}
	}
	derived := format.Fields[Segment]{
		whole("type_code", "Code of the type.", func(s *Segment) int { return int(s.Type) }),
		whole("group_id", "Code of the group that it is put in; null: in none.", func(s *Segment) int {
			if g := kind(s).Group; g > 0 {
				return int(g)
			}
			return -1
		}),
		{Column: format.Column{Name: "group_type", Doc: "Name of the group."},
			Get: func(s *Segment) format.Value { return format.Text(kind(s).Group.String()) }},
		{Column: format.Column{Name: "is_manmade", Type: format.TypeBool, Doc: "Whether people made it."},
			Get: func(s *Segment) format.Value { return format.Bool(kind(s).ManMade) }},
		number("texture_complexity", "", 3, "glcm_entropy / 10 · (1 - glcm_homogeneity).",
			func(s *Segment) float64 { return float64(s.Entropy) / 10 * (1 - float64(s.Homogeneity)) }),
		{Column: format.Column{Name: "terrain_class", Enum: terrain.Classes[:], Doc: "Ruggedness by the mean TRI of cells of 1 m."},
			Get: func(s *Segment) format.Value {
				if v := float64(s.TRI); v == v {
					return format.String(terrain.ClassOf(v))
				}
				return format.Null
			}},
		number("dtm_range_m", "m", 2, "Highest minus lowest terrain.",
			func(s *Segment) float64 { return float64(s.ElevationMax) - float64(s.ElevationMin) }),
		number("sar_ratio", "dB", 2, "sar_vv - sar_vh.", func(s *Segment) float64 { return float64(s.SARVV) - float64(s.SARVH) }),
	}
	return append(Flat(SegmentColumns.Fields(), "at", "lon", "lat", func(s *Segment) geom.Point { return s.At }), derived...)
}()
