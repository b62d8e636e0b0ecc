// Package buffer grows and shrinks polygons by metres. It owns the one use of the overlay library, so
// that shared/geo/geom stays light; the spatial endpoints call it for their buffer parameter.
package buffer

import (
	"fmt"
	"math"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// QuadrantSegments is the number of lines that stand for a quarter of a circle: the border lies at most
// 0.5 % of the distance inside the true curve.
const QuadrantSegments = 8

// MaxReach bounds the distance in metres.
const MaxReach = 100_000

// Grow is the multipolygon grown by metres, or shrunk where metres is negative, in a metric plane around
// the middle of its box (crs.Plane). The input should be valid (geom.MultiPolygon.Repair); the result is
// valid and in canonical form, empty where nothing is left.
func Grow(m geom.MultiPolygon, metres float64) (geom.MultiPolygon, error) {
	if !(math.Abs(metres) <= MaxReach) {
		return nil, fmt.Errorf("buffer of %g m: expected at most %d m", metres, MaxReach)
	}
	box := m.Bounds()
	if box.Empty() {
		return nil, nil
	}
	if metres == 0 {
		return m.Normalise(), nil
	}
	plane := crs.Around(box.Center())
	grown, err := sf.Buffer(toPlane(m, &plane), metres, sf.BufferQuadSegments(QuadrantSegments))
	if err != nil {
		return nil, fmt.Errorf("buffer of %g m: %w", metres, err)
	}
	rings, err := fromPlane(grown, &plane)
	if err != nil {
		return nil, fmt.Errorf("buffer of %g m: %w", metres, err)
	}
	// Rounding to the grid can make narrow places touch: the even-odd rebuild sorts that out.
	return geom.Rebuild(rings)
}

// Disc is the circle of a radius in metres around a point, as a polygon of 64 vertices.
func Disc(at geom.Point, metres float64) (geom.MultiPolygon, error) {
	if !(metres > 0 && metres <= MaxReach) {
		return nil, fmt.Errorf("radius of %g m: expected more than 0 and at most %d m", metres, MaxReach)
	}
	plane := crs.Around(at)
	const n = 64
	ring := make(geom.Ring, 0, n)
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		p, ok := plane.Point(metres*c, metres*s)
		if !ok {
			return nil, fmt.Errorf("radius of %g m around %.7f %.7f leaves the map", metres, at.Lon(), at.Lat())
		}
		ring = append(ring, p)
	}
	return geom.MultiPolygon{{ring}}.Normalise(), nil
}

func toPlane(m geom.MultiPolygon, plane *crs.Plane) sf.Geometry {
	ps := make([]sf.Polygon, 0, len(m))
	for _, p := range m {
		rings := make([]sf.LineString, 0, len(p))
		for _, r := range p {
			if len(r) < 3 {
				continue
			}
			xy := make([]float64, 0, 2*len(r)+2)
			for i := range len(r) + 1 {
				x, y := plane.Project(r[i%len(r)])
				xy = append(xy, x, y)
			}
			rings = append(rings, sf.NewLineStringXY(xy...))
		}
		if len(rings) > 0 {
			ps = append(ps, sf.NewPolygon(rings))
		}
	}
	return sf.NewMultiPolygon(ps).AsGeometry()
}

func fromPlane(g sf.Geometry, plane *crs.Plane) ([]geom.Ring, error) {
	var rings []geom.Ring
	for _, part := range g.Dump() {
		p, ok := part.AsPolygon()
		if !ok {
			continue
		}
		for _, line := range p.DumpRings() {
			seq := line.Coordinates()
			ring := make(geom.Ring, 0, seq.Length())
			for i := range seq.Length() - 1 {
				xy := seq.GetXY(i)
				q, ok := plane.Point(xy.X, xy.Y)
				if !ok {
					return nil, fmt.Errorf("the result leaves the map at %g %g m from the middle", xy.X, xy.Y)
				}
				ring = append(ring, q)
			}
			rings = append(rings, ring)
		}
	}
	return rings, nil
}
