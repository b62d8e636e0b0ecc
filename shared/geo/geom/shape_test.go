package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestShapeOfKnownForms(t *testing.T) {
	circle := Ring{}
	for i := range 720 {
		s, c := math.Sincos(float64(i) * math.Pi / 360)
		circle = append(circle, Point{int32(1e6 * c), int32(1e6 * s)})
	}
	for _, c := range []struct {
		name                   string
		p                      Polygon
		compactness            float64
		elongation, long, turn float64
	}{
		{"square", Polygon{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}, math.Pi / 4, 1, 10, 0},
		{"circle", Polygon{circle}, 1, 1, 2e6, -1},
		{"strip", Polygon{{{0, 0}, {100, 0}, {100, 10}, {0, 10}}}, 4 * math.Pi * 1000 / (220 * 220), 10, 100, 0},
		{"turned strip", Polygon{{{0, 0}, {30, 40}, {22, 46}, {-8, 6}}}, 4 * math.Pi * 500 / (120 * 120), 5, 50, 53.13010235},
		{"falling strip", Polygon{{{0, 0}, {40, -30}, {46, -22}, {6, 8}}}, 4 * math.Pi * 500 / (120 * 120), 5, 50, 143.13010235},
		{"line", Polygon{{{0, 0}, {3, 4}, {6, 8}}}, 0, math.Inf(1), 10, 53.13010235},
		{"point", Polygon{{{1, 1}}}, 0, 1, 0, 0},
	} {
		if got := c.p.Compactness(flatPlane); math.Abs(got-c.compactness) > 1e-4 {
			t.Errorf("%s: compactness: want %g, got %g", c.name, c.compactness, got)
		}
		b := MultiPolygon{c.p}.SmallestBox(flatPlane)
		if got := b.Elongation(); math.Abs(got-c.elongation) > 1e-4 {
			t.Errorf("%s: elongation: want %g, got %g", c.name, c.elongation, got)
		}
		if math.Abs(b.Long-c.long) > 1e-3*c.long || (c.turn >= 0 && math.Abs(b.Angle-c.turn) > 1e-6 && c.elongation > 1) {
			t.Errorf("%s: want %g m at %g°, got %g at %g", c.name, c.long, c.turn, b.Long, b.Angle)
		}
	}
}

// Every hull edge tried in turn gives the same least area as the calipers.
func TestSmallestBoxIsSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := MultiPolygon{{starRing(drawRand(t), Point{}, rapid.IntRange(3, 60).Draw(t, "n"), 1e5)}}
		hull := m.ConvexHull()
		for i, v := range hull {
			a, b := hull[(i+len(hull)-1)%len(hull)], hull[(i+1)%len(hull)]
			if Orient(a, v, b) <= 0 {
				t.Fatalf("the hull does not turn left at %v", v)
			}
		}
		for _, v := range m[0][0] {
			for i, a := range hull {
				if Orient(a, hull[(i+1)%len(hull)], v) < 0 {
					t.Fatalf("%v is outside the hull", v)
				}
			}
		}
		want := math.Inf(1)
		for i, a := range hull {
			b := hull[(i+1)%len(hull)]
			l := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
			ux, uy := float64(b.X-a.X)/l, float64(b.Y-a.Y)/l
			minU, maxU, minV, maxV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
			for _, p := range hull {
				u, v := float64(p.X)*ux+float64(p.Y)*uy, float64(p.Y)*ux-float64(p.X)*uy
				minU, maxU, minV, maxV = min(minU, u), max(maxU, u), min(minV, v), max(maxV, v)
			}
			want = min(want, (maxU-minU)*(maxV-minV))
		}
		got := m.SmallestBox(flatPlane)
		if math.Abs(got.Long*got.Short-want) > 1e-9*want || got.Short > got.Long {
			t.Fatalf("want area %g, got %g x %g", want, got.Long, got.Short)
		}
	})
}

func TestSimplifyKeepsTheTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := starRing(drawRand(t), Point{}, rapid.IntRange(3, 80).Draw(t, "n"), 1e5)
		tol := float64(rapid.IntRange(0, 200000).Draw(t, "tolerance"))
		s := r.Simplify(tol, flatPlane)
		if len(s) < 3 || len(s) > len(r) {
			t.Fatalf("%d vertices of %d", len(s), len(r))
		}
		for _, v := range r {
			if d := borderDistance([]Ring{s}, v); d > tol+1e-6 {
				t.Fatalf("%v is %g from the line, tolerance %g", v, d, tol)
			}
		}
		if tol == 0 && len(s) != len(r) {
			t.Fatalf("tolerance 0 took %d vertices", len(r)-len(s))
		}
	})
}

func TestPerimeter(t *testing.T) {
	p := Polygon{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{2, 2}, {2, 4}, {4, 4}, {4, 2}}}
	if got := (MultiPolygon{p, p}).Perimeter(flatPlane); got != 96 {
		t.Errorf("want 96, got %g", got)
	}
	if got := p.Area(flatPlane); got != 96 {
		t.Errorf("want 96 m², got %g", got)
	}
}
