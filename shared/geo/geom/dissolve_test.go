package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"
	"pgregory.net/rapid"
)

func parts(ps ...Polygon) (out []MultiPolygon) {
	for _, p := range ps {
		out = append(out, MultiPolygon{p})
	}
	return out
}

func TestDissolve(t *testing.T) {
	sq := func(x, y, s int32) Polygon { return Polygon{{{x, y}, {x + s, y}, {x + s, y + s}, {x, y + s}}} }
	flip := func(p Polygon) Polygon {
		r := slices.Clone(p[0])
		slices.Reverse(r)
		return Polygon{r}
	}
	framed := Polygon{sq(0, 0, 100)[0], flip(sq(20, 20, 60))[0]}
	for _, c := range []struct {
		name  string
		in    []Polygon
		snap  int32
		parts int
		rings int
		area  float64
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"one", []Polygon{sq(0, 0, 10)}, 0, 1, 1, 100},
		{"one, clockwise", []Polygon{flip(sq(0, 0, 10))}, 0, 1, 1, 100},
		{"twice the same", []Polygon{sq(0, 0, 10), sq(0, 0, 10)}, 0, 1, 1, 100},
		{"side by side", []Polygon{sq(0, 0, 10), sq(10, 0, 10)}, 0, 1, 1, 200},
		{"side by side, one clockwise", []Polygon{sq(0, 0, 10), flip(sq(10, 0, 10))}, 0, 1, 1, 200},
		{"a corner in common", []Polygon{sq(0, 0, 10), sq(10, 10, 10)}, 0, 2, 2, 200},
		{"apart", []Polygon{sq(0, 0, 10), sq(20, 0, 10)}, 0, 2, 2, 200},
		{"T-junction", []Polygon{sq(0, 0, 20), sq(20, 0, 10), sq(20, 10, 10)}, 0, 1, 1, 600},
		{"overlap", []Polygon{sq(0, 0, 10), sq(5, 5, 10)}, 0, 1, 1, 175},
		{"inside", []Polygon{sq(0, 0, 10), sq(2, 2, 3)}, 0, 1, 1, 100},
		{"three on one place", []Polygon{sq(0, 0, 10), sq(2, 0, 10), sq(4, 0, 10)}, 0, 1, 1, 140},
		{"hole stays", []Polygon{framed}, 0, 1, 2, 6400},
		{"hole filled", []Polygon{framed, sq(20, 20, 60)}, 0, 1, 1, 10000},
		{"hole filled in part", []Polygon{framed, sq(20, 20, 30)}, 0, 1, 2, 7300},
		{"island in a hole", []Polygon{framed, sq(40, 40, 20)}, 0, 2, 3, 6800},
		{"four around a hole", []Polygon{
			{{{0, 0}, {30, 0}, {30, 10}, {0, 10}}}, {{{20, 10}, {30, 10}, {30, 30}, {20, 30}}},
			{{{0, 20}, {20, 20}, {20, 30}, {0, 30}}}, {{{0, 10}, {10, 10}, {10, 20}, {0, 20}}}}, 0, 1, 2, 800},
		{"a gap of two units stays", []Polygon{sq(0, 0, 100), sq(102, 0, 100)}, 0, 2, 2, 20000},
		{"a gap of two units closes", []Polygon{sq(0, 0, 100), sq(102, 0, 100)}, 2, 1, 1, 20200},
		{"a T-junction a unit off closes", []Polygon{sq(0, 0, 200), {{{201, 0}, {300, 0}, {300, 100}, {199, 100}}},
			{{{199, 100}, {300, 100}, {300, 200}, {200, 200}}}}, 2, 1, 1, 60000},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Dissolve(parts(c.in...), c.snap)
			if err != nil {
				t.Fatal(err)
			}
			if f := m.Validate(); f != nil {
				t.Errorf("%v in %v", f, m)
			}
			if a := m.Area(flatPlane); len(m) != c.parts || len(m.Rings()) != c.rings || a != c.area {
				t.Errorf("want %d parts, %d rings, area %g, got %d, %d, %g: %v", c.parts, c.rings, c.area, len(m), len(m.Rings()), a, m)
			}
		})
	}
}

// Cells of a tessellation share all borders: what any set of them covers is exactly the sum.
func TestDissolvedTessellation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		cells := tessellation(rnd, rapid.IntRange(2, 9).Draw(t, "n"), 1000, Point{-1234, 99})
		if !valid(cells) {
			return
		}
		keep := rapid.Float64Range(0, 1.2).Draw(t, "share")
		rnd.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		var in []MultiPolygon
		var sum float64
		for _, c := range cells {
			if rnd.Float64() < keep {
				if rnd.IntN(2) == 0 {
					c[0].Orient(false)
				}
				in = append(in, MultiPolygon{c})
				sum += in[len(in)-1].Area(flatPlane)
			}
		}
		m, err := Dissolve(in, 0)
		if err != nil {
			t.Fatal(err)
		}
		noFaults(t, m)
		if got := m.Area(flatPlane); got != sum {
			t.Fatalf("area %g, want %g", got, sum)
		}
		if keep > 1 && (len(m) != 1 || len(m[0]) != 1) {
			t.Fatalf("all cells make %v", m)
		}
		slices.Reverse(in)
		if again, err := Dissolve(in, 0); err != nil || !again.Equal(m) {
			t.Fatalf("the order counts: %v, %v", again, err)
		}
	})
}

// Polygons that lie over each other anyhow, beside another engine.
func TestDissolvedOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		span := rapid.SampledFrom([]float64{40, 1e5, 1e8}).Draw(t, "span")
		var in []MultiPolygon
		var judged []sf.Geometry
		for range rapid.IntRange(1, 12).Draw(t, "n") {
			p := blob(rnd, Point{int32(span * 2 * rnd.Float64()), int32(span * 2 * rnd.Float64())}, 3+rnd.IntN(20), span)
			if m := (MultiPolygon{p}); m.Validate() == nil {
				in = append(in, m)
				judged = append(judged, judge(m))
			}
		}
		m, err := Dissolve(in, 0)
		if err != nil {
			t.Fatal(err)
		}
		noFaults(t, m)
		var rings []Ring
		for _, p := range in {
			rings = append(rings, p.Rings()...)
		}
		for range 200 {
			p := Point{int32(span * (4*rnd.Float64() - 1)), int32(span * (4*rnd.Float64() - 1))}
			want := slices.ContainsFunc(in, func(m MultiPolygon) bool { return m.Contains(p) })
			if m.Contains(p) != want && borderDistance(rings, p) > 4 {
				t.Fatalf("%v: want %v", p, want)
			}
		}
		if union, err := sf.UnionMany(judged); err == nil {
			length := 0.0
			for _, r := range rings {
				length += r.Perimeter(flatPlane)
			}
			if got, want := m.Area(flatPlane), union.Area(); math.Abs(got-want) > 1+2*length {
				t.Fatalf("area %g, simplefeatures %g", got, want)
			}
		}
		if again, err := Dissolve([]MultiPolygon{m}, 0); err != nil || !again.Equal(m) {
			t.Fatalf("not stable: %v, %v, %v", m, again, err)
		}
	})
}

// A tessellation whose cells were rounded apart by a unit closes with a snap of two.
func TestDissolveClosesRoundedGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		cells := tessellation(rnd, rapid.IntRange(2, 7).Draw(t, "n"), 1000, Point{})
		if !valid(cells) {
			return
		}
		var in []MultiPolygon
		want, length := 0.0, 0.0
		for _, c := range cells {
			want += MultiPolygon{c}.Area(flatPlane)
			for i := range c[0] {
				c[0][i].X += rnd.Int32N(2)
				c[0][i].Y += rnd.Int32N(2)
			}
			if rnd.IntN(2) == 0 { // a vertex that the neighbour lacks
				a, b := c[0][0], c[0][1]
				c[0] = slices.Insert(c[0], 1, Point{(a.X + b.X) / 2, (a.Y + b.Y) / 2})
			}
			length += c[0].Perimeter(flatPlane)
			in = append(in, MultiPolygon{c})
		}
		m, err := Dissolve(in, 2)
		if err != nil {
			t.Fatal(err)
		}
		noFaults(t, m)
		if got := m.Area(flatPlane); len(m) != 1 || len(m[0]) != 1 || math.Abs(got-want) > 3*length {
			t.Fatalf("%d parts, %d rings, area %g of %g", len(m), len(m.Rings()), got, want)
		}
	})
}

func TestDissolveTakesHostileRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []MultiPolygon
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			in = append(in, MultiPolygon{{drawRing(t, 12), drawRing(t, 6)}})
		}
		m, err := Dissolve(in, rapid.Int32Range(0, 5).Draw(t, "snap"))
		if err == nil {
			noFaults(t, m)
		}
	})
}

func BenchmarkDissolve(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var in []MultiPolygon
	for _, c := range tessellation(rnd, 50, 1000, Point{}) {
		in = append(in, MultiPolygon{c})
	}
	var judged []sf.Geometry
	for _, m := range in {
		judged = append(judged, judge(m))
	}
	b.Run("own", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Dissolve(in, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("simplefeatures", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := sf.UnionMany(judged); err != nil {
				b.Fatal(err)
			}
		}
	})
}
