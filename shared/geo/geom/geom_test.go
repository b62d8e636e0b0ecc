package geom

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func bigCross(a, b, c Point) *big.Int {
	d := func(u, v int32) *big.Int { return new(big.Int).Sub(big.NewInt(int64(u)), big.NewInt(int64(v))) }
	l := new(big.Int).Mul(d(b.X, a.X), d(c.Y, a.Y))
	return l.Sub(l, new(big.Int).Mul(d(b.Y, a.Y), d(c.X, a.X)))
}

func TestOrientIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawPoint(t), drawPoint(t), drawPoint(t)
		if want, got := bigCross(a, b, c).Sign(), Orient(a, b, c); got != want {
			t.Fatalf("want %d, got %d", want, got)
		}
	})
}

// Of the corners of the grid, where differences need 33 bits, every triple.
func TestOrientIsExactAtTheEdgesOfTheGrid(t *testing.T) {
	var corners []Point
	for _, x := range []int32{math.MinInt32, -1, 0, math.MaxInt32 - 1, math.MaxInt32} {
		for _, y := range []int32{math.MinInt32, -1, 1, math.MaxInt32} {
			corners = append(corners, Point{x, y})
		}
	}
	for _, a := range corners {
		for _, b := range corners {
			for _, c := range corners {
				if want, got := bigCross(a, b, c).Sign(), Orient(a, b, c); got != want {
					t.Fatalf("%v %v %v: want %d, got %d", a, b, c, want, got)
				}
			}
		}
	}
}

func TestAreaIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRing(t, 12)
		want := new(big.Int)
		for i := 1; i+1 < len(r); i++ {
			want.Add(want, bigCross(r[0], r[i], r[i+1]))
		}
		a := r.Area2()
		got := new(big.Int).Lsh(big.NewInt(a.Hi), 64)
		got.Add(got, new(big.Int).SetUint64(a.Lo))
		if got.Cmp(want) != 0 || a.Sign() != want.Sign() {
			t.Fatalf("want %v, got %v (sign %d)", want, got, a.Sign())
		}
	})
}

// The even-odd rule in big.Int: p is left of the edge's X at its height.
func bigContains(r Ring, p Point) bool {
	in := false
	for i, b := range r {
		a := r[(i+len(r)-1)%len(r)]
		if (a.Y > p.Y) != (b.Y > p.Y) {
			if a.Y > b.Y {
				a, b = b, a
			}
			if bigCross(a, b, p).Sign() > 0 {
				in = !in
			}
		}
	}
	return in
}

func TestContainsIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRing(t, 12)
		p := drawPoint(t)
		if len(r) > 0 && rapid.Bool().Draw(t, "vertex") {
			p = r[rapid.IntRange(0, len(r)-1).Draw(t, "which")]
		}
		if want, got := bigContains(r, p), r.Contains(p); got != want {
			t.Fatalf("want %v, got %v", want, got)
		}
		if want, got := r.Contains(p), NewIndex(MultiPolygon{{r}}).Contains(p); got != want {
			t.Fatalf("index: want %v, got %v", want, got)
		}
	})
}

func TestPointLiesInExactlyOneCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		n := rapid.IntRange(1, 8).Draw(t, "n")
		cells := tessellation(rnd, n, int32(rapid.IntRange(8, 1<<20).Draw(t, "cell")), Point{130000000, 470000000})
		box := EmptyBox
		var try []Point
		for _, c := range cells {
			box = box.Union(c.Bounds())
			try = append(try, c[0]...)
			for i, a := range c[0] {
				b := c[0][(i+1)%len(c[0])]
				try = append(try, Box{a.X, a.Y, b.X, b.Y}.Center())
			}
		}
		for range 100 {
			try = append(try, Point{box.MinX + rnd.Int32N(box.MaxX-box.MinX), box.MinY + rnd.Int32N(box.MaxY-box.MinY)})
		}
		for _, p := range try {
			// Half-open: the left and lower border of the whole belong to it, the right and upper do not.
			if p.X >= box.MaxX || p.Y >= box.MaxY || p.X < box.MinX || p.Y < box.MinY {
				continue
			}
			hits := 0
			for _, c := range cells {
				if c.Contains(p) {
					hits++
				}
			}
			if hits%2 != 1 || (hits != 1 && valid(cells)) {
				t.Fatalf("%v lies in %d cells", p, hits)
			}
		}
	})
}

func TestInsideIsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		m := MultiPolygon{blob(rnd, Point{130000000, 470000000}, rapid.IntRange(3, 40).Draw(t, "n"),
			float64(rapid.IntRange(3, 1<<20).Draw(t, "radius")))}
		p, ok := m.Inside()
		if ok != m.Contains(p) {
			t.Fatalf("inside says %v for %v", ok, p)
		}
		if !ok {
			// No grid point at all may lie inside.
			b := m.Bounds()
			for x := b.MinX; x <= b.MaxX && x-b.MinX < 200; x++ {
				for y := b.MinY; y <= b.MaxY && y-b.MinY < 200; y++ {
					if m.Contains(Point{x, y}) {
						t.Fatalf("%v lies inside and was not found", Point{x, y})
					}
				}
			}
		}
	})
}

func TestInsideOfHardShapes(t *testing.T) {
	sq := func(x, y, s int32) Ring { return Ring{{x, y}, {x + s, y}, {x + s, y + s}, {x, y + s}} }
	for _, c := range []struct {
		name string
		m    MultiPolygon
		ok   bool
	}{
		{"square", MultiPolygon{{sq(0, 0, 10)}}, true},
		{"hole in the middle", MultiPolygon{{sq(0, 0, 10), sq(2, 2, 6)}}, true},
		{"U, centroid outside", MultiPolygon{{{{0, 0}, {30, 0}, {30, 30}, {20, 30}, {20, 10}, {10, 10}, {10, 30}, {0, 30}}}}, true},
		{"second part larger", MultiPolygon{{sq(0, 0, 2)}, {sq(100, 100, 50)}}, true},
		{"one unit", MultiPolygon{{sq(5, 5, 1)}}, true},
		{"whole grid", MultiPolygon{{{{-1 << 31, -1 << 31}, {1<<31 - 1, -1 << 31}, {1<<31 - 1, 1<<31 - 1}, {-1 << 31, 1<<31 - 1}}}}, true},
		{"line", MultiPolygon{{{{0, 0}, {10, 10}, {5, 5}}}}, false},
		{"point", MultiPolygon{{{{3, 3}}}}, false},
		{"no rings", MultiPolygon{{}}, false},
		{"nothing", nil, false},
	} {
		p, ok := c.m.Inside()
		if ok != c.ok || ok != c.m.Contains(p) {
			t.Errorf("%s: want %v, got %v at %v, contained %v", c.name, c.ok, ok, p, c.m.Contains(p))
		}
	}
}

func TestNormaliseIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		var m MultiPolygon
		for i := range rapid.IntRange(1, 4).Draw(t, "parts") {
			m = append(m, blob(rnd, Point{int32(i) * 3000, 0}, rapid.IntRange(3, 12).Draw(t, "n"), 1000))
		}
		want := m.Normalise()
		var other MultiPolygon
		for _, p := range m {
			var q Polygon
			for _, r := range p {
				k := rnd.IntN(len(r))
				s := append(slices.Clone(r[k:]), r[:k]...)
				if rnd.IntN(2) == 0 {
					slices.Reverse(s)
				}
				k = rnd.IntN(len(s))
				s = slices.Insert(s, k, s[k]) // a duplicate
				if rnd.IntN(2) == 0 {
					s = append(s, s[0]) // a closing vertex
				}
				q = append(q, s)
			}
			rnd.Shuffle(len(q)-1, func(i, j int) { q[i+1], q[j+1] = q[j+1], q[i+1] })
			other = append(other, q)
		}
		rnd.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		if got := other.Normalise(); !got.Equal(want) {
			t.Fatalf("want %v, got %v", want, got)
		}
		if got := want.Normalise(); !got.Equal(want) {
			t.Fatalf("not idempotent: %v, %v", want, got)
		}
		for _, p := range want {
			for i, r := range p {
				if s := r.Area2().Sign(); (s > 0) != (i == 0) {
					t.Fatalf("ring %d turns by %d", i, s)
				}
			}
		}
	})
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want Ring
	}{
		{"nothing to do", Ring{{0, 0}, {4, 0}, {4, 4}}, Ring{{0, 0}, {4, 0}, {4, 4}}},
		{"straight vertex stays", Ring{{0, 0}, {2, 0}, {4, 0}, {4, 4}}, Ring{{0, 0}, {2, 0}, {4, 0}, {4, 4}}},
		{"duplicate", Ring{{0, 0}, {4, 0}, {4, 0}, {4, 4}}, Ring{{0, 0}, {4, 0}, {4, 4}}},
		{"closing vertex", Ring{{0, 0}, {4, 0}, {4, 4}, {0, 0}}, Ring{{0, 0}, {4, 0}, {4, 4}}},
		{"spike", Ring{{0, 0}, {4, 0}, {9, 0}, {4, 0}, {4, 4}}, Ring{{0, 0}, {4, 0}, {4, 4}}},
		{"spike of two vertices", Ring{{0, 0}, {4, 0}, {9, 9}, {14, 18}, {9, 9}, {4, 0}, {4, 4}}, Ring{{0, 0}, {4, 0}, {4, 4}}},
		{"spike back beyond", Ring{{2, 0}, {6, 0}, {4, 0}, {4, 4}, {2, 4}}, Ring{{2, 0}, {4, 0}, {4, 4}, {2, 4}}},
		{"spike at the seam", Ring{{9, 0}, {4, 0}, {4, 4}, {0, 0}, {4, 0}}, Ring{{4, 0}, {4, 4}, {0, 0}}},
		{"line", Ring{{0, 0}, {4, 4}, {2, 2}}, nil},
		{"point", Ring{{1, 1}, {1, 1}, {1, 1}}, nil},
		{"nothing", nil, nil},
	} {
		before := slices.Clone(c.in)
		got := c.in.Clean()
		got.Rotate()
		want := slices.Clone(c.want)
		want.Rotate()
		if !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", c.name, want, got)
		}
		if !slices.Equal(before, c.in) {
			t.Errorf("%s: the input was changed", c.name)
		}
	}
}

func TestCentroid(t *testing.T) {
	m := MultiPolygon{{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{6, 2}, {6, 8}, {9, 8}, {9, 2}}}}
	// (100*5 - 18*7.5) / 82 = 4.45
	if c, ok := m.Centroid(); !ok || c != (Point{4, 5}) {
		t.Errorf("want 4 5, got %v", c)
	}
	slices.Reverse(m[0][0])
	if c, ok := m.Centroid(); !ok || c != (Point{4, 5}) {
		t.Errorf("turned: want 4 5, got %v", c)
	}
	if c, ok := (MultiPolygon{{{{0, 0}, {10, 10}}}}).Centroid(); !ok || c != (Point{5, 5}) {
		t.Errorf("without area: want 5 5, got %v", c)
	}
	if _, ok := (MultiPolygon{}).Centroid(); ok {
		t.Error("nothing has a centroid")
	}
}

func TestPointAt(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, c := range []struct {
		lon, lat float64
		want     Point
		ok       bool
	}{
		{16.3725, 48.2085, Point{163725000, 482085000}, true},
		{13.72530105, 47.07343034, Point{137253011, 470734303}, true},
		{-180, -90, Point{-1800000000, -900000000}, true},
		{180.0001, 0, Point{}, false},
		{0, 90.1, Point{}, false},
		{nan, 48, Point{}, false},
		{16, nan, Point{}, false},
		{1e300, 48, Point{}, false},
	} {
		if p, ok := PointAt(c.lon, c.lat); ok != c.ok || p != c.want {
			t.Errorf("%v %v: want %v %v, got %v %v", c.lon, c.lat, c.want, c.ok, p, ok)
		}
	}
}

func BenchmarkContains(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	m := MultiPolygon{blob(rnd, Point{130000000, 470000000}, 20, 5000)}
	big := MultiPolygon{blob(rnd, Point{130000000, 470000000}, 2000, 5000000)}
	x := NewIndex(big)
	p := Point{130000100, 470000100}
	b.Run("parcel20", func(b *testing.B) {
		for b.Loop() {
			sink = m.Contains(p)
		}
	})
	b.Run("outline2000", func(b *testing.B) {
		for b.Loop() {
			sink = big.Contains(p)
		}
	})
	b.Run("outline2000index", func(b *testing.B) {
		for b.Loop() {
			sink = x.Contains(p)
		}
	})
}

var sink bool
