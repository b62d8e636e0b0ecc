package geometry

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// Numbers are those of bbox: west, south, east, north, or in the order of another system's axes.
type Numbers []float64

func (n Numbers) String() string {
	parts := make([]string, len(n))
	for i, v := range n {
		parts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(parts, ",")
}

var errNumbers = errors.New("four numbers with commas between them: west,south,east,north")

// ParseNumbers reads four numbers, or six of which the heights are left out.
func ParseNumbers(text string) (Numbers, error) {
	parts := strings.Split(text, ",")
	if len(parts) > 6 {
		return nil, errNumbers
	}
	out := make(Numbers, len(parts))
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errNumbers
		}
		out[i] = v
	}
	return out.Flat()
}

// Flat are four numbers of four, or of six without the heights.
func (n Numbers) Flat() (Numbers, error) {
	switch len(n) {
	case 4:
		return n, nil
	case 6:
		return Numbers{n[0], n[1], n[3], n[4]}, nil
	}
	return nil, errNumbers
}

// BoxExpected is what is said to a client whose box is invalid.
const BoxExpected = "longitudes from -180 to 180 and latitudes from -90 to 90 with south at most north: west,south,east,north"

// Box is the area of west, south, east, north in degrees; false where they are not a box. It is grown by a unit of the
// grid, 1e-7 degrees, so that what only touches the box is found too, as the OGC's standards want. A west greater than
// the east crosses the antimeridian.
func (n Numbers) Box() (*region.Area, bool) {
	west, south, east, north := n[0], n[1], n[2], n[3]
	if west < -180 || west > 180 || east < -180 || east > 180 || south < -90 || north > 90 || south > north {
		return nil, false
	}
	box := func(west, east float64) geom.Box {
		lo, _ := Position(west, south)
		hi, _ := Position(east, north)
		return geom.Box{MinX: lo.X - 1, MinY: lo.Y - 1, MaxX: hi.X + 1, MaxY: hi.Y + 1}
	}
	if west <= east {
		return region.OfBox(box(west, east)), true
	}
	// Across the antimeridian: two boxes, of which Austria can lie in one only.
	var m geom.MultiPolygon
	for _, half := range []geom.Box{box(west, 180), box(-180, east)} {
		m = append(m, geom.Polygon{Ring(half)})
	}
	return region.Of(m), true
}

// Ring is the border of a box, counter-clockwise.
func Ring(b geom.Box) geom.Ring {
	return geom.Ring{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}
}

// Position is a longitude and a latitude on the grid; false where they are not a position.
func Position(lon, lat float64) (geom.Point, bool) {
	if !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
		return geom.Point{}, false
	}
	return geom.Point{X: int32(math.Round(lon * geom.Scale)), Y: int32(math.Round(lat * geom.Scale))}, true
}
