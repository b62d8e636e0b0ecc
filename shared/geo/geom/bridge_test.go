package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBridger(t *testing.T) {
	b := Box{0, 0, 100, 100}
	for _, c := range []struct {
		name string
		in   Ring
		want Ring
	}{
		{"inside", Ring{{10, 10}, {90, 10}, {50, 90}}, Ring{{10, 10}, {90, 10}, {50, 90}}},
		{"beside", Ring{{110, 10}, {190, 10}, {150, 90}}, nil},
		{"around", Ring{{-50, -50}, {150, -50}, {150, 150}, {-50, 150}}, Ring{{0, 0}, {100, 0}, {100, 100}, {0, 100}}},
		{"two pieces stay one ring", Ring{{50, 50}, {200, 20}, {200, 80}}, Ring{{50, 50}, {100, 40}, {100, 60}}},
		{"nothing", nil, nil},
	} {
		var g Bridger
		got := slices.Clone(g.Clip(c.in, b))
		got.Rotate()
		want := slices.Clone(c.want)
		want.Rotate()
		if !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", c.name, want, got)
		}
	}
}

// The area of what Bridger keeps is that of Clip: bridges enclose nothing.
func TestBridgerKeepsTheArea(t *testing.T) {
	var g Bridger // one for all: buffers must not show
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		r := starRing(rnd, Point{}, rapid.IntRange(3, 40).Draw(t, "n"), 1e6)
		b := Box{-rnd.Int32N(1e6), -rnd.Int32N(1e6), 1 + rnd.Int32N(1e6), 1 + rnd.Int32N(1e6)}
		given := slices.Clone(r)
		got := g.Clip(r, b)
		if !slices.Equal(r, given) {
			t.Fatal("the ring given has changed")
		}
		for i, p := range got {
			if !b.Contains(p) || p == got[(i+1)%len(got)] && len(got) > 1 {
				t.Fatalf("%v in %v", p, got)
			}
		}
		want := MultiPolygon{{r}}.Clip(b).Area(flatPlane)
		if d := math.Abs(got.Area2().Float()/2 - want); d > 4e6 { // a unit along some cuts
			t.Fatalf("area off by %g of %g", d, want)
		}
	})
}

func TestBridgerCutsBothDirectionsAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPoint(t), drawPoint(t)
		for _, h := range []half{{false, int64(a.X/2 + b.X/2), 1}, {true, int64(a.Y/2 + b.Y/2), -1}} {
			if h.holds(a) != h.holds(b) && h.cut(a, b) != h.cut(b, a) {
				t.Fatalf("%v and %v", h.cut(a, b), h.cut(b, a))
			}
		}
	})
}

func BenchmarkBridger(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	r := starRing(rnd, Point{0, 0}, 20, 1e6)
	box := Box{-300000, -2000000, 400000, 2000000}
	var g Bridger
	b.ReportAllocs()
	for b.Loop() {
		g.Clip(r, box)
	}
}
