package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Degrees are the edges of a box in degrees (WGS84), west before east by at least 1e-7, south before north.
type Degrees struct{ West, South, East, North float64 }

// Grid is the box on the grid of 1e-7 degrees.
func (d Degrees) Grid() geom.Box {
	return geom.Box{MinX: grid(d.West), MinY: grid(d.South), MaxX: grid(d.East), MaxY: grid(d.North)}
}

// Within says whether the box is at most so many degrees wide and high, but for what sums of decimals bring.
func (d Degrees) Within(most float64) bool {
	const slack = 1e-9
	return d.East-d.West <= most+slack && d.North-d.South <= most+slack
}

// Box is the parameter bbox: west,south,east,north. A body may give it as an array.
func Box(doc string, opts ...endpoint.Option) *endpoint.Param[Degrees] {
	return endpoint.Parsed("bbox", doc+" west,south,east,north in degrees (WGS84); of six numbers the heights are passed over.", ParseBox,
		append([]endpoint.Option{endpoint.Example("13.27,47.318,13.28,47.325"), endpoint.Parts}, opts...)...)
}

var (
	errBox     = errors.New("four numbers with commas between them: west,south,east,north in degrees, longitudes from -180 to 180 and latitudes from -90 to 90")
	errExtent  = errors.New("west,south,east,north with west before east and south before north by at least 1e-7 degrees")
	errSwapped = errors.New("west,south,east,north: longitudes and latitudes look swapped, " + austria.Where)
)

// ParseBox reads west,south,east,north.
func ParseBox(text string) (Degrees, error) {
	v, err := numbers(text)
	if err != nil {
		return Degrees{}, err
	}
	if len(v) == 6 {
		v = []float64{v[0], v[1], v[3], v[4]}
	}
	if len(v) != 4 {
		return Degrees{}, errBox
	}
	d := Degrees{v[0], v[1], v[2], v[3]}
	switch {
	case d.swapped():
		return d, errSwapped
	case !(d.West >= -180 && d.West <= 180 && d.East >= -180 && d.East <= 180 && d.South >= -90 && d.South <= 90 && d.North >= -90 &&
		d.North <= 90):
		return d, errBox
	case !d.extended():
		return d, errExtent
	}
	return d, nil
}

// BoxArea reads a box of a body, an array or a text of west, south, east, north, as a GeoJSON polygon; field is its name.
func BoxArea(field string, value json.RawMessage) (json.RawMessage, error) {
	var edges []json.Number
	var text string
	if json.Unmarshal(value, &edges) == nil {
		text = strings.Trim(strings.Join(strings.Fields(fmt.Sprint(edges)), ","), "[]")
	} else {
		_ = json.Unmarshal(value, &text) // what is neither is no box
	}
	d, err := ParseBox(text)
	if err != nil {
		return nil, fault.BadValue(field, fault.Shorten(string(value)), "[west, south, east, north]: "+err.Error())
	}
	const ring = `{"type":"Polygon","coordinates":[[[%[1]v,%[2]v],[%[3]v,%[2]v],[%[3]v,%[4]v],[%[1]v,%[4]v],[%[1]v,%[2]v]]]}`
	return fmt.Appendf(nil, ring, d.West, d.South, d.East, d.North), nil
}

func (d Degrees) swapped() bool {
	return austria.Swapped(d.West, d.South) && austria.Swapped(d.East, d.North)
}

func (d Degrees) extended() bool {
	b := d.Grid()
	return b.MinX < b.MaxX && b.MinY < b.MaxY
}

// Sides is a box by four parameters.
type Sides struct{ west, south, east, north *endpoint.Param[float64] }

// edgeNames are the spellings of edges; those that a parameter does not have for its name are its aliases.
var edgeNames = [][4]string{{"west", "south", "east", "north"}, {"min_lon", "min_lat", "max_lon", "max_lat"},
	{"minlon", "minlat", "maxlon", "maxlat"}}

// Edges is a box by the parameters west, south, east, north; which follows "Western edge": "of the box". Without
// endpoint.Required it may be absent, but not in part.
func Edges(which string, opts ...endpoint.Option) Sides { return sidesOf(0, which, opts) }

// MinMax is Edges with the names min_lon, min_lat, max_lon, max_lat.
func MinMax(which string, opts ...endpoint.Option) Sides { return sidesOf(1, which, opts) }

func sidesOf(own int, which string, opts []endpoint.Option) Sides {
	var of [4]*endpoint.Param[float64]
	for i, side := range []string{"Western", "Southern", "Eastern", "Northern"} {
		kind, bound := "longitude", 180.0
		if i%2 == 1 {
			kind, bound = "latitude", 90
		}
		var aliases []string
		for n, names := range edgeNames {
			if n != own {
				aliases = append(aliases, names[i])
			}
		}
		example := []string{"13.27", "47.318", "13.28", "47.325"}[i]
		of[i] = endpoint.Float(edgeNames[own][i], side+" edge "+which+", degrees of "+kind+" (WGS84).",
			append([]endpoint.Option{endpoint.Alias(aliases...), endpoint.Between(-bound, bound), endpoint.Example(example)}, opts...)...)
	}
	return Sides{of[0], of[1], of[2], of[3]}
}

// Params are the four parameters.
func (s Sides) Params() []endpoint.AnyParam {
	return []endpoint.AnyParam{s.west, s.south, s.east, s.north}
}

// Given says whether the request names an edge.
func (s Sides) Given(r *endpoint.Request) bool {
	return s.west.Given(r) || s.south.Given(r) || s.east.Given(r) || s.north.Given(r)
}

// Of is the box on the grid of 1e-7 degrees. The fault names the edge that is missing, wrong or swapped. Where no edge is
// given it is the zero box.
func (s Sides) Of(r *endpoint.Request) (geom.Box, error) {
	if !s.Given(r) {
		return geom.Box{}, nil
	}
	for _, p := range []*endpoint.Param[float64]{s.west, s.south, s.east, s.north} {
		if !p.Given(r) {
			return geom.Box{}, fault.Of(fault.Missing, p.Name(), "", "all four edges of the box: "+s.west.Name()+", "+s.south.Name()+", "+
				s.east.Name()+", "+s.north.Name())
		}
	}
	d := Degrees{s.west.Of(r), s.south.Of(r), s.east.Of(r), s.north.Of(r)}
	switch b := d.Grid(); {
	case d.swapped():
		return b, s.west.Bad(r, "a longitude: "+s.west.Name()+" and "+s.south.Name()+" (and "+s.east.Name()+" and "+s.north.Name()+
			") look swapped, "+austria.Where)
	case b.MinX >= b.MaxX:
		return b, s.east.Bad(r, "a longitude east of "+s.west.Name()+" by at least 1e-7 degrees")
	case b.MinY >= b.MaxY:
		return b, s.north.Bad(r, "a latitude north of "+s.south.Name()+" by at least 1e-7 degrees")
	default:
		return b, nil
	}
}
