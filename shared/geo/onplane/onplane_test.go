package onplane

import (
	"math"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
)

// A polygon that goes to the plane and back is itself, ring by ring; Turned is the same the other way round.
func TestThereAndBack(t *testing.T) {
	at := func(lon, lat float64) geom.Point {
		p, ok := geom.PointAt(lon, lat)
		if !ok {
			t.Fatalf("no point %g %g", lon, lat)
		}
		return p
	}
	m := geom.MultiPolygon{{{at(13.23, 47.32), at(13.25, 47.32), at(13.24, 47.33)},
		{at(13.238, 47.322), at(13.239, 47.324), at(13.242, 47.322)}},
		{{at(16.3, 48.2), at(16.4, 48.2), at(16.4, 48.25)}}}
	plane := Polygons(m)
	back, turned := Outline(plane), Turned(plane)
	for i, p := range m {
		for k, ring := range p {
			for n, v := range ring {
				if got := back[i][k][n]; got != v {
					t.Errorf("ring %d.%d: %v came back as %v", i, k, v, got)
				}
				if got := turned[i][k][len(ring)-1-n]; got != v {
					t.Errorf("ring %d.%d, turned: %v came back as %v", i, k, v, got)
				}
			}
		}
	}
	if x, y := crs.LAEA.Forward(13.23, 47.32); math.Hypot(plane[0][0][0].X-x, plane[0][0][0].Y-y) > 1e-6 {
		t.Errorf("%v, want %g %g", plane[0][0][0], x, y)
	}
}

// A box of 1 km lacks at most 2 cm of what lies in it, anywhere in the country.
func TestBox(t *testing.T) {
	for _, c := range []raster.XY{{X: 4_290_000, Y: 2_690_000}, {X: 4_850_000, Y: 2_840_000}, {X: 4_560_000, Y: 2_600_000}} {
		b := raster.Box{West: c.X, South: c.Y, East: c.X + 1000, North: c.Y + 1000}
		in := Box(b)
		grown := crs.Grow(in, 0.02)
		for i := range 101 {
			s := float64(i) * 10
			for _, p := range []raster.XY{{X: b.West + s, Y: b.South}, {X: b.West + s, Y: b.North}, {X: b.West, Y: b.South + s},
				{X: b.East, Y: b.South + s}} {
				if q := Degrees(p); !grown.Contains(q) {
					t.Fatalf("%v of %v lies outside of %v", p, b, in)
				}
			}
		}
	}
}

// Outlines that share vertices are turned as each is by itself.
func TestNeighboursAreTurnedAsOneIs(t *testing.T) {
	var n Neighbours
	for i := range 400 {
		x, y := 4_600_000+0.5*float64(i%37), 2_700_000-0.5*float64(i/37)
		parts := []raster.Polygon{{{{X: x, Y: y}, {X: x + 3, Y: y}, {X: x + 3, Y: y - 2.5}, {X: x, Y: y - 2.5}}}}
		want, got := Turned(parts), n.Turned(parts)
		for k, v := range want[0][0] {
			if got[0][0][k] != v {
				t.Fatalf("outline %d: vertex %d is %v, by itself %v", i, k, got[0][0][k], v)
			}
		}
	}
}
