package params

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Position is a place by two parameters, longitude and latitude.
type Position struct{ lon, lat *endpoint.Param[float64] }

// At is a place by the parameters of these names; which follows "Longitude": "of the point". Without endpoint.Required it
// may be absent, but not by half.
func At(lon, lat, which string, opts ...endpoint.Option) Position {
	which = strings.TrimSpace(" " + which)
	if which != "" {
		which = " " + which
	}
	with := func(bound float64, example string) []endpoint.Option {
		return append([]endpoint.Option{endpoint.Between(-bound, bound), endpoint.Example(example)}, opts...)
	}
	return Position{endpoint.Float(lon, "Longitude"+which+", degrees (WGS84).", with(180, "13.2742")...),
		endpoint.Float(lat, "Latitude"+which+", degrees (WGS84).", with(90, "47.3208")...)}
}

// Params are the two parameters.
func (p Position) Params() []endpoint.AnyParam { return []endpoint.AnyParam{p.lon, p.lat} }

// Given says whether the request names one of them.
func (p Position) Given(r *endpoint.Request) bool { return p.lon.Given(r) || p.lat.Given(r) }

// Of is the place on the grid of 1e-7 degrees. The fault says which of the two is missing, or that they are swapped. Where
// none of them is given it is the zero place.
func (p Position) Of(r *endpoint.Request) (geom.Point, error) {
	lon, lat, err := p.Degrees(r)
	return geom.Point{X: grid(lon), Y: grid(lat)}, err
}

// Degrees is the place as it was given.
func (p Position) Degrees(r *endpoint.Request) (lon, lat float64, err error) {
	switch lon, lat = p.lon.Of(r), p.lat.Of(r); {
	case !p.Given(r):
		return 0, 0, nil
	case !p.lat.Given(r):
		return 0, 0, fault.Of(fault.Missing, p.lat.Name(), "", "a latitude, together with "+p.lon.Name())
	case !p.lon.Given(r):
		return 0, 0, fault.Of(fault.Missing, p.lon.Name(), "", "a longitude, together with "+p.lat.Name())
	case austria.Swapped(lon, lat):
		return 0, 0, p.lon.Bad(r, "a longitude: "+p.lon.Name()+" and "+p.lat.Name()+" look swapped, "+austria.Where)
	}
	return lon, lat, nil
}

// grid is a coordinate on the grid of 1e-7 degrees.
func grid(degrees float64) int32 { return int32(math.Round(degrees * geom.Scale)) }

var errPosition = errors.New("lon,lat in degrees (WGS84), for example 13.2742,47.3208")

// Point is a place in one parameter: lon,lat. A body may give it as an array of two.
func Point(name, doc string, opts ...endpoint.Option) *endpoint.Param[geom.Point] {
	return endpoint.Parsed(name, doc+": lon,lat in degrees (WGS84).", ParsePosition,
		append([]endpoint.Option{endpoint.Example("13.2742,47.3208"), endpoint.Parts}, opts...)...)
}

// ParsePosition reads lon,lat.
func ParsePosition(text string) (geom.Point, error) {
	v, err := numbers(text)
	if err != nil || len(v) != 2 {
		return geom.Point{}, errPosition
	}
	if austria.Swapped(v[0], v[1]) {
		return geom.Point{}, errors.New("the longitude before the latitude: they look swapped, " + austria.Where)
	}
	p, ok := geom.PointAt(v[0], v[1])
	if !ok {
		return p, errPosition
	}
	return p, nil
}

// mostNumbers bounds a list of coordinates.
const mostNumbers = 6

// numbers reads finite numbers with commas between.
func numbers(text string) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) > mostNumbers {
		return nil, errBox
	}
	v := make([]float64, len(parts))
	for i, part := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errBox
		}
		v[i] = f
	}
	return v, nil
}
