package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"
	"pgregory.net/rapid"
)

// judge is the same geometry in simplefeatures.
func judge(m MultiPolygon) sf.Geometry {
	var ps []sf.Polygon
	for _, p := range m {
		var rings []sf.LineString
		for _, r := range p {
			var xy []float64
			for _, v := range append(slices.Clone(r), r[0]) {
				xy = append(xy, float64(v.X), float64(v.Y))
			}
			rings = append(rings, sf.NewLineStringXY(xy...))
		}
		ps = append(ps, sf.NewPolygon(rings))
	}
	return sf.NewMultiPolygon(ps).AsGeometry()
}

// borderDistance is how far p is from the nearest line of the rings.
func borderDistance(rings []Ring, p Point) float64 {
	best := math.Inf(1)
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			best = min(best, SegmentDistance2(float64(a.X)-float64(p.X), float64(a.Y)-float64(p.Y), float64(b.X)-float64(p.X),
				float64(b.Y)-float64(p.Y)))
		}
	}
	return math.Sqrt(best)
}

func noFaults(t *rapid.T, m MultiPolygon) {
	t.Helper()
	if f := m.Check(); len(f) > 0 {
		t.Fatalf("%v in %v", f, m)
	}
	if err := judge(m).Validate(); err != nil {
		t.Fatalf("simplefeatures: %v in %v", err, m)
	}
}

func TestClipKeepsWhatIsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		m := MultiPolygon{blob(rnd, Point{1300000, 4700000}, rapid.IntRange(3, 30).Draw(t, "n"), 100000)}
		if len(m.Check()) > 0 {
			return
		}
		b := Box{1300000 - rnd.Int32N(90000), 4700000 - rnd.Int32N(90000), 1300000 + rnd.Int32N(90000), 4700000 + rnd.Int32N(90000)}
		if rnd.IntN(3) == 0 { // a box edge through vertices
			b.MaxX = max(b.MinX, m[0][0][0].X)
			b.MinY = min(b.MaxY, m[0][0][1].Y)
		}
		if b.MinX == b.MaxX || b.MinY == b.MaxY {
			return
		}
		c := m.Clip(b)
		if cb := c.Bounds(); !c.Bounds().Empty() &&
			cb != (Box{max(cb.MinX, b.MinX), max(cb.MinY, b.MinY), min(cb.MaxX, b.MaxX), min(cb.MaxY, b.MaxY)}) {
			t.Fatalf("%v reaches out of %v", cb, b)
		}
		noFaults(t, c)
		for range 200 {
			p := Point{b.MinX + rnd.Int32N(b.MaxX-b.MinX), b.MinY + rnd.Int32N(b.MaxY-b.MinY)}
			if borderDistance(m.Rings(), p) > 2 && m.Contains(p) != c.Contains(p) {
				t.Fatalf("%v: whole %v, clipped %v", p, m.Contains(p), c.Contains(p))
			}
		}
		// The parts left and right of a line add up to the whole, but for the rounding of the cuts.
		all := m.Bounds()
		l, r := all, all
		l.MaxX, r.MinX = b.MaxX, b.MaxX
		sum := m.Clip(l).Area(flatPlane) + m.Clip(r).Area(flatPlane)
		if d := math.Abs(sum - m.Area(flatPlane)); d > float64(m.Vertices())*200000 {
			t.Fatalf("parts are off by %g of %g", d, sum)
		}
	})
}

// Neighbours that share an edge are cut at the same points: clipped cells still tile the box exactly.
func TestClippedTessellationHasNoGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		cells := tessellation(rnd, 5, 1000, Point{})
		if !valid(cells) {
			return
		}
		b := Box{rnd.Int32N(2000) + 200, rnd.Int32N(2000) + 200, rnd.Int32N(2000) + 2500, rnd.Int32N(2000) + 2500}
		var sum Int128
		for _, c := range cells {
			for _, p := range c.Clip(b) {
				for _, r := range p {
					sum = sum.Add(r.Area2())
				}
			}
		}
		want := 2 * float64(b.MaxX-b.MinX) * float64(b.MaxY-b.MinY)
		if sum.Float() != want {
			t.Fatalf("want %g, got %g", want, sum.Float())
		}
	})
}

func TestClipTakesHostileRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m MultiPolygon
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			var p Polygon
			for range rapid.IntRange(0, 3).Draw(t, "rings") {
				p = append(p, drawRing(t, 12))
			}
			m = append(m, p)
		}
		a, b := drawPoint(t), drawPoint(t)
		box := Box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
		for _, p := range m.Clip(box) {
			for _, r := range p {
				for _, v := range r {
					if !box.Contains(v) {
						t.Fatalf("%v is outside %v", v, box)
					}
				}
			}
		}
		m.Check()
		m.Normalise()
		m.Centroid()
		m.SmallestBox(flatPlane)
		m.Simplify(2, flatPlane)
	})
}

func TestRebuildIsEvenOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		span := int32(rapid.SampledFrom([]int{10, 1000, 10000000}).Draw(t, "span"))
		var rings []Ring
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			var r Ring
			for range rapid.IntRange(3, 10).Draw(t, "n") {
				r = append(r, Point{rnd.Int32N(span), rnd.Int32N(span)})
			}
			rings = append(rings, r)
		}
		m, err := Rebuild(rings)
		if err != nil {
			t.Fatal(err)
		}
		noFaults(t, m)
		for range 200 {
			p := Point{rnd.Int32N(span), rnd.Int32N(span)}
			want := false
			for _, r := range rings {
				want = want != r.Contains(p)
			}
			if borderDistance(rings, p) > 4 && m.Contains(p) != want {
				t.Fatalf("%v: want %v, got %v in %v", p, want, !want, m)
			}
		}
		again, err := Rebuild(m.Rings())
		if err != nil || !again.Equal(m) {
			t.Fatalf("not stable: %v, %v, %v", m, again, err)
		}
	})
}

func TestRebuildLeavesValidInputAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		m := MultiPolygon{blob(rnd, Point{}, rapid.IntRange(3, 30).Draw(t, "n"), 1e6)}
		if len(m.Check()) > 0 {
			return
		}
		got, err := Rebuild(m.Rings())
		if err != nil || !got.Equal(m.Normalise()) {
			t.Fatalf("want %v, got %v, %v", m.Normalise(), got, err)
		}
	})
}

func TestRepair(t *testing.T) {
	sq := func(x, y, s int32) Ring { return Ring{{x, y}, {x + s, y}, {x + s, y + s}, {x, y + s}} }
	cw := func(r Ring) Ring { r = slices.Clone(r); slices.Reverse(r); return r }
	for _, c := range []struct {
		name   string
		in     MultiPolygon
		faults []FaultKind
		at     Point // of the first fault
		parts  int
		rings  int
		area   float64
	}{
		{"valid", MultiPolygon{{sq(0, 0, 10), cw(sq(2, 2, 3))}}, nil, Point{}, 1, 2, 91},
		{"valid, hole touches", MultiPolygon{{sq(0, 0, 10), {{0, 5}, {3, 6}, {3, 4}}}}, nil, Point{}, 1, 2, 97},
		{"valid, parts share a corner", MultiPolygon{{sq(0, 0, 10)}, {sq(10, 10, 10)}}, nil, Point{}, 2, 2, 200},
		{"exterior clockwise", MultiPolygon{{cw(sq(0, 0, 10))}}, []FaultKind{FaultRingOrder}, Point{0, 10}, 1, 1, 100},
		{"hole counter-clockwise", MultiPolygon{{sq(0, 0, 10), sq(2, 2, 3)}}, []FaultKind{FaultRingOrder}, Point{2, 2}, 1, 2, 91},
		{"duplicate vertex", MultiPolygon{{{{0, 0}, {10, 0}, {10, 0}, {10, 10}}}}, []FaultKind{FaultDuplicate}, Point{10, 0}, 1, 1, 50},
		{"inverted rings", MultiPolygon{{sq(0, 0, 1), cw(sq(10, 10, 100)), cw(sq(200, 10, 100))}}, []FaultKind{FaultHoleOutside},
			Point{10, 110}, 3, 3, 20001},
		{"inverted rings, the small one in the middle", MultiPolygon{{sq(40, 40, 20), cw(sq(0, 0, 100))}}, []FaultKind{FaultHoleOutside},
			Point{0, 100}, 1, 2, 9600},
		{"inverted rings, small one inside", MultiPolygon{{sq(50, 50, 1), cw(sq(10, 10, 100))}}, []FaultKind{FaultHoleOutside},
			Point{10, 110}, 1, 2, 9999},
		{"bow-tie", MultiPolygon{{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}}}, []FaultKind{FaultTooFew, FaultCrossing}, Point{5, 5}, 2, 2, 50},
		{"duplicate hole", MultiPolygon{{sq(0, 0, 10), cw(sq(2, 2, 3)), cw(sq(2, 2, 3))}}, []FaultKind{FaultDuplicateRing}, Point{2, 2}, 1,
			1, 100},
		{"pinch", MultiPolygon{{{{0, 0}, {10, 0}, {5, 5}, {10, 10}, {0, 10}, {5, 5}}}}, []FaultKind{FaultPinch}, Point{5, 5}, 2, 2, 50},
		{"hole through the border", MultiPolygon{{sq(0, 0, 10), cw(sq(5, 5, 10))}}, []FaultKind{FaultCrossing}, Point{5, 10}, 2, 2, 150},
		{"parts overlap", MultiPolygon{{sq(0, 0, 10)}, {sq(5, 5, 10)}}, []FaultKind{FaultPartsOverlap}, Point{5, 10}, 2, 2, 150},
		{"part inside part", MultiPolygon{{sq(0, 0, 10)}, {sq(2, 2, 3)}}, []FaultKind{FaultPartsOverlap}, Point{3, 3}, 1, 2, 91},
		{"hole in hole", MultiPolygon{{sq(0, 0, 100), cw(sq(10, 10, 50)), cw(sq(20, 20, 10))}}, []FaultKind{FaultHoleInHole}, Point{20, 30},
			2, 3, 7600},
		{"spike", MultiPolygon{{{{0, 0}, {10, 0}, {20, 0}, {10, 0}, {10, 10}}}}, []FaultKind{FaultSpike}, Point{20, 0}, 1, 1, 50},
		{"line", MultiPolygon{{{{0, 0}, {10, 0}, {5, 0}}}}, []FaultKind{FaultTooFew}, Point{0, 0}, 0, 0, 0},
		{"two vertices", MultiPolygon{{{{0, 0}, {10, 0}}}}, []FaultKind{FaultTooFew}, Point{0, 0}, 0, 0, 0},
		{"no rings", MultiPolygon{{}}, []FaultKind{FaultTooFew}, Point{}, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.in.Repair()
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range c.faults {
				i := slices.IndexFunc(r.Faults, func(f Fault) bool { return f.Kind == k })
				if i < 0 && !(k == FaultTooFew && c.name == "bow-tie") {
					t.Errorf("want fault %v, got %v", k, r.Faults)
				} else if i >= 0 && k == c.faults[len(c.faults)-1] && r.Faults[i].At != c.at {
					t.Errorf("want %v at %v, got %v", k, c.at, r.Faults[i].At)
				}
			}
			if len(c.faults) == 0 && len(r.Faults) > 0 {
				t.Errorf("want no faults, got %v", r.Faults)
			}
			if f := r.Geometry.Check(); len(f) > 0 {
				t.Errorf("still faulty: %v", f)
			}
			rings := len(r.Geometry.Rings())
			if a := r.Geometry.Area(flatPlane); len(r.Geometry) != c.parts || rings != c.rings || a != c.area {
				t.Errorf("want %d parts, %d rings, area %g, got %d, %d, %g: %v", c.parts, c.rings, c.area, len(r.Geometry), rings, a,
					r.Geometry)
			}
		})
	}
}

func TestHostileGeometryIsRefusedQuickly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		vertices int
		fault    FaultKind
	}{{100000, FaultTooComplex}, {8000, FaultCrossing}} {
		var r Ring
		for range c.vertices {
			r = append(r, Point{rnd.Int32(), rnd.Int32()})
		}
		m := MultiPolygon{{r}}
		if _, err := Rebuild(m.Rings()); err != ErrTooComplex {
			t.Errorf("%d vertices: want %v, got %v", c.vertices, ErrTooComplex, err)
		}
		if f := m.Check(); !slices.ContainsFunc(f, func(f Fault) bool { return f.Kind == c.fault }) {
			t.Errorf("%d vertices: want %v, got %v", c.vertices, c.fault, f)
		}
	}
}

func TestCommonAreaAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		cells := tessellation(rnd, 6, 1000, Point{})
		if !valid(cells) {
			return
		}
		a := MultiPolygon{blob(rnd, Point{3000, 3000}, rapid.IntRange(3, 40).Draw(t, "n"), 2900)}
		if len(a.Check()) > 0 {
			return
		}
		ca := NewCover(a, flatPlane)
		want := a.Area(flatPlane)
		if math.Abs(ca.Area()-want) > 1e-6*want || math.Abs(ca.Common(ca)-want) > 1e-6*want {
			t.Fatalf("want %g, got %g and with itself %g", want, ca.Area(), ca.Common(ca))
		}
		sum := 0.0
		for _, c := range cells {
			cc := NewCover(MultiPolygon{c}, flatPlane)
			x, y := ca.Common(cc), cc.Common(ca)
			if math.Abs(x-y) > 1e-3 {
				t.Fatalf("not symmetric: %g, %g", x, y)
			}
			// A∩B and A\B by another engine.
			if rnd.IntN(8) == 0 {
				is, err1 := sf.Intersection(judge(a), judge(MultiPolygon{c}))
				df, err2 := sf.Difference(judge(a), judge(MultiPolygon{c}))
				if err1 == nil && err2 == nil && (math.Abs(is.Area()-x) > 1e-3 || math.Abs(df.Area()+x-want) > 1e-3) {
					t.Fatalf("want %g and %g, got %g and %g", is.Area(), df.Area(), x, want-x)
				}
			}
			sum += x
		}
		if math.Abs(sum-want) > 1e-6*want {
			t.Fatalf("the cells hold %g of %g", sum, want)
		}
	})
}

func BenchmarkClip(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	m := MultiPolygon{blob(rnd, Point{0, 0}, 20, 1e6)}
	box := Box{-300000, -2000000, 400000, 2000000}
	b.ReportAllocs()
	for b.Loop() {
		m.Clip(box)
	}
}

func BenchmarkCheck(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{20, 2000} {
		m := MultiPolygon{blob(rnd, Point{0, 0}, n, 1e6)}
		b.Run(map[int]string{20: "parcel20", 2000: "outline2000"}[n], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Check()
			}
		})
	}
}

func BenchmarkCommonArea(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	parcel := NewCover(MultiPolygon{blob(rnd, Point{0, 0}, 15, 5000)}, flatPlane)
	for _, n := range []int{30, 1000} {
		use := NewCover(MultiPolygon{blob(rnd, Point{2000, 0}, n, 5000*float64(n)/30)}, flatPlane)
		b.Run(map[int]string{30: "15x30", 1000: "15x1000"}[n], func(b *testing.B) {
			for b.Loop() {
				parcel.Common(use)
			}
		})
	}
}

func BenchmarkRebuild(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	m := MultiPolygon{blob(rnd, Point{0, 0}, 20, 1e6)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Rebuild(m.Rings()); err != nil {
			b.Fatal(err)
		}
	}
}
