package geom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// sieve is a square with n by n square holes of a side, and as many squares as parts.
func sieve(n int, side int32) (holes, parts MultiPolygon) {
	square := func(x, y, side int32) Ring { return Ring{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}} }
	p := Polygon{square(-10, -10, int32(n)*2*side+20)}
	for i := range int32(n) {
		for k := range int32(n) {
			r := square(i*2*side, k*2*side, side)
			parts = append(parts, Polygon{r})
			hole := slices.Clone(r)
			slices.Reverse(hole)
			p = append(p, hole)
		}
	}
	return MultiPolygon{p}, parts
}

// What lies in what is told of many rings as of few, and of rings that lie around each other in a deep nest only up to a bound.
func TestNestingOfManyRings(t *testing.T) {
	holes, parts := sieve(60, 10)
	for name, m := range map[string]MultiPolygon{"holes": holes, "parts": parts} {
		if f := m.Check(); len(f) > 0 {
			t.Errorf("%s: %v", name, f[0])
		}
		if f := m.Validate(); f != nil {
			t.Errorf("%s: %v", name, f)
		}
	}
	inner := Ring{{22, 22}, {22, 26}, {26, 26}, {26, 22}}
	within := MultiPolygon{append(slices.Clone(holes[0]), inner)}
	if f := within.Check(); len(f) != 1 || f[0].Kind != FaultHoleInHole || f[0].Ring != 3601 {
		t.Errorf("a hole in a hole: %v", f)
	}
	if f := within.Validate(); f == nil || f.Kind != FaultHoleInHole || f.Ring != 3601 {
		t.Errorf("a hole in a hole: %v", f)
	}
	outer := slices.Clone(inner)
	slices.Reverse(outer)
	over := append(slices.Clone(parts), Polygon{outer})
	if f := over.Check(); len(f) != 1 || f[0].Kind != FaultPartsOverlap {
		t.Errorf("a part over a part: %v", f)
	}
	if f := over.Validate(); f == nil || f.Kind != FaultPartsOverlap || f.Part != 3600 {
		t.Errorf("a part over a part: %v", f)
	}
	island := append(MultiPolygon{{outer}}, holes...)
	if f := island.Validate(); f != nil {
		t.Errorf("an island in a hole: %v", f)
	}
	outside := MultiPolygon{append(slices.Clone(holes[0]), Ring{{-40, 0}, {-40, 5}, {-30, 5}, {-30, 0}})}
	if f := outside.Validate(); f == nil || f.Kind != FaultHoleOutside || f.Ring != 3601 {
		t.Errorf("a hole outside: %v", f)
	}
}

// Nested wedges, of which each lies in the box of all before it and in none of them: looking at all pairs has a bound.
func TestNestingHasABound(t *testing.T) {
	const n = 16_000
	p := Polygon{{{-10, -10}, {4*n + 10, -10}, {4*n + 10, 4*n + 10}, {-10, 4*n + 10}}}
	for i := range int32(n) {
		d := 2 * i
		p = append(p, Ring{{d, d}, {d, 4*n - d}, {d + 1, 4*n - d}, {d + 1, d + 1}, {4*n - d, d + 1}, {4*n - d, d}})
	}
	if f := (MultiPolygon{p}).Check(); len(f) != 1 || f[0].Kind != FaultTooComplex {
		t.Errorf("%d wedges: %d faults", n, len(f))
	}
	if f := (MultiPolygon{p}).Validate(); f == nil || f.Kind != FaultTooComplex {
		t.Errorf("%d wedges: %v", n, f)
	}
}

// The points of a box are found whatever their places.
func TestPointGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for round := range 200 {
		var points []Point
		spread := int32(1) << r.IntN(31)
		for range r.IntN(300) {
			points = append(points, Point{r.Int32N(spread) - spread/2, r.Int32N(1 + spread/int32(1+round))})
		}
		known := func(i int) bool { return i%7 != 3 }
		g := newPointGrid(points, known)
		for range 20 {
			b := EmptyBox.Extend(Point{r.Int32N(spread) - spread/2, r.Int32N(spread)}).Extend(Point{r.Int32N(spread) - spread/2,
				r.Int32N(spread)})
			var want []int32
			for i, p := range points {
				if known(i) && b.Contains(p) {
					want = append(want, int32(i))
				}
			}
			if got, _ := g.in(b, nil); !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", b, got, want)
			}
		}
	}
}

func BenchmarkCheckOfASieve(b *testing.B) {
	holes, parts := sieve(150, 10)
	for b.Loop() {
		holes.Check()
		parts.Check()
	}
}
