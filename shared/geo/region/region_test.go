package region

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/geom"
)

func ring(xy ...int32) geom.Ring {
	r := make(geom.Ring, 0, len(xy)/2)
	for i := 0; i < len(xy); i += 2 {
		r = append(r, geom.Point{X: xy[i], Y: xy[i+1]})
	}
	return r
}

func poly(r ...geom.Ring) geom.MultiPolygon {
	m, ok := Tidy(geom.MultiPolygon{r})
	if !ok {
		panic("test polygon without area")
	}
	return m
}

func square(x, y, side int32) geom.MultiPolygon {
	return poly(ring(x, y, x+side, y, x+side, y+side, x, y+side))
}

func TestRelations(t *testing.T) {
	base := square(0, 0, 10)
	holed := poly(ring(0, 0, 10, 0, 10, 10, 0, 10), ring(3, 3, 7, 3, 7, 7, 3, 7))
	for _, c := range []struct {
		name          string
		area, feature geom.MultiPolygon
		overlap, with bool
	}{
		{"the same polygon", base, base, true, true},
		{"inside, apart from the border", base, square(2, 2, 3), true, true},
		{"inside, along the border", base, square(0, 0, 5), true, true},
		{"around the area", square(2, 2, 3), base, true, false},
		{"neighbour sharing a whole border", base, square(10, 0, 10), false, false},
		{"neighbour sharing a part of a border", base, square(10, 2, 3), false, false},
		{"touching at a corner", base, square(10, 10, 4), false, false},
		{"apart", base, square(20, 0, 4), false, false},
		{"crossing", base, square(5, 5, 10), true, false},
		{"crossing through vertices only", poly(ring(0, 0, 4, 0, 4, 4, 0, 4)), poly(ring(2, -2, 6, 2, 2, 6, -2, 2)), true, false},
		{"vertex on an edge from inside", base, poly(ring(0, 5, 5, 2, 5, 8)), true, true},
		{"vertex on an edge from outside", base, poly(ring(0, 5, -5, 8, -5, 2)), false, false},
		{"fills the hole", holed, square(3, 3, 4), false, false},
		{"inside the hole", holed, square(4, 4, 2), false, false},
		{"over the hole", holed, square(2, 2, 6), true, false},
		{"has the hole too", holed, holed, true, true},
		{"feature with the area in its hole", square(3, 3, 4), holed, false, false},
		{"diagonal cut through two corners", base, poly(ring(-5, -5, 15, 15, -5, 15)), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Of(c.area)
			if got := a.Overlaps(c.feature, c.feature.Bounds()); got != c.overlap {
				t.Errorf("want overlap %v, got %v", c.overlap, got)
			}
			if got := a.Covers(c.feature, c.feature.Bounds()); got != c.with {
				t.Errorf("want covers %v, got %v", c.with, got)
			}
		})
	}
}

// star makes a random star-shaped polygon on a coarse grid, so that touching and running along each
// other are common.
func star(r *rand.Rand, size int32) geom.MultiPolygon {
	for {
		n := 3 + r.IntN(6)
		var out geom.Ring
		for k := range n {
			a := 2 * math.Pi * float64(k) / float64(n)
			d := 1 + r.Float64()*float64(size)
			out = append(out, geom.Point{X: size + int32(math.Round(d*math.Cos(a))) + r.Int32N(3),
				Y: size + int32(math.Round(d*math.Sin(a))) + r.Int32N(3)})
		}
		m, ok := Tidy(geom.MultiPolygon{{out}})
		if !ok {
			continue
		}
		if c, err := Check(m); c == nil && err == nil {
			if toSF(m).Validate() == nil {
				return m
			}
		}
	}
}

func toSF(m geom.MultiPolygon) sf.Geometry {
	var b strings.Builder
	b.WriteString("POLYGON(")
	for i, r := range m[0] {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("(")
		for _, p := range r {
			fmt.Fprintf(&b, "%d %d,", p.X, p.Y)
		}
		fmt.Fprintf(&b, "%d %d)", r[0].X, r[0].Y)
	}
	b.WriteString(")")
	g, err := sf.UnmarshalWKT(b.String(), sf.NoValidate{})
	if err != nil {
		panic(err)
	}
	return g
}

// The relations agree with the area of an independently computed intersection.
func TestRelationsAgainstIntersection(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	overlaps, covers := 0, 0
	for range 4000 {
		p, q := star(r, 6), star(r, 1+r.Int32N(4))
		dx, dy := r.Int32N(6), r.Int32N(6)
		for i := range q[0][0] {
			q[0][0][i].X += dx
			q[0][0][i].Y += dy
		}
		x, err := sf.Intersection(toSF(p), toSF(q))
		if err != nil {
			continue
		}
		wantOverlap := x.Area() > 1e-9
		wantCovers := math.Abs(x.Area()-toSF(q).Area()) < 1e-9
		a := Of(p)
		gotOverlap, gotCovers := a.Overlaps(q, q.Bounds()), a.Covers(q, q.Bounds())
		if gotOverlap != wantOverlap || gotCovers != wantCovers {
			t.Fatalf("area %v feature %v: want overlap %v covers %v, got %v %v (shared area %g)", p, q, wantOverlap, wantCovers, gotOverlap,
				gotCovers, x.Area())
		}
		if s := a.Side(q.Bounds()); s == Inside && !wantCovers || s == Outside && wantOverlap {
			t.Fatalf("area %v box of %v: side %v contradicts overlap %v", p, q, s, wantOverlap)
		}
		overlaps += b2i(gotOverlap)
		covers += b2i(gotCovers)
	}
	if overlaps < 500 || covers < 100 {
		t.Fatalf("the cases are too alike: %d overlaps, %d covers", overlaps, covers)
	}
}

// A rectangle, which has shorter ways, answers as the polygon of its corners.
func TestRectanglesAsTheirPolygons(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	overlaps, covers, border := 0, 0, 0
	for range 20_000 {
		q := star(r, 6)
		x, y := r.Int32N(14)-8, r.Int32N(14)-8
		box := geom.Box{MinX: x, MinY: y, MaxX: x + 1 + r.Int32N(12), MaxY: y + 1 + r.Int32N(12)}
		a, p := OfBox(box), Of(geom.MultiPolygon{{ring(box.MinX, box.MinY, box.MaxX, box.MinY, box.MaxX, box.MaxY, box.MinX, box.MaxY)}})
		b := q.Bounds()
		gotOverlap, gotCovers := a.Overlaps(q, b), a.Covers(q, b)
		if wantOverlap, wantCovers := p.Overlaps(q, b), p.Covers(q, b); gotOverlap != wantOverlap || gotCovers != wantCovers {
			t.Fatalf("box %v feature %v: want overlap %v covers %v, got %v %v", box, q, wantOverlap, wantCovers, gotOverlap, gotCovers)
		}
		overlaps += b2i(gotOverlap)
		covers += b2i(gotCovers)
		border += b2i(!gotOverlap && box.Intersects(b))
	}
	if overlaps < 2000 || covers < 100 || border < 200 {
		t.Fatalf("the cases are too alike: %d overlaps, %d covers, %d beside each other", overlaps, covers, border)
	}
}

// The same for shapes of many edges, by the library's own relations.
func TestRelationsOfLargeShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	blob := func(x, y int32, n int, size float64) geom.MultiPolygon {
		out := make(geom.Ring, 0, n)
		for k := range n {
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			d := size * (0.3 + 0.7*r.Float64())
			out = append(out, geom.Point{X: x + int32(d*c), Y: y + int32(d*s)})
		}
		return geom.MultiPolygon{{out}}
	}
	overlaps, covers := 0, 0
	for range 4000 {
		p := blob(0, 0, 3+r.IntN(60), 1000)
		q := blob(r.Int32N(2400)-1200, r.Int32N(2400)-1200, 3+r.IntN(9), float64(20+r.IntN(800)))
		if r.IntN(4) == 0 {
			q[0][0][0] = p[0][0][0]
		}
		gp, gq := toSF(p), toSF(q)
		if gp.Validate() != nil || gq.Validate() != nil {
			continue
		}
		touches, err1 := sf.Touches(gp, gq)
		wantCovers, err2 := sf.Covers(gp, gq)
		if err1 != nil || err2 != nil {
			continue
		}
		wantOverlap := sf.Intersects(gp, gq) && !touches
		a := Of(p)
		gotOverlap, gotCovers := a.Overlaps(q, q.Bounds()), a.Covers(q, q.Bounds())
		if gotOverlap != wantOverlap || gotCovers != wantCovers {
			t.Fatalf("area %v feature %v: want overlap %v covers %v, got %v %v", p, q, wantOverlap, wantCovers, gotOverlap, gotCovers)
		}
		if !a.Covers(p, p.Bounds()) {
			t.Fatalf("%v does not cover itself", p)
		}
		b := q.Bounds()
		box := poly(ring(b.MinX, b.MinY, b.MaxX, b.MinY, b.MaxX, b.MaxY, b.MinX, b.MaxY))
		if s := a.Side(b); s == Outside && sf.Intersects(gp, toSF(box)) || s == Inside && !a.Covers(box, b) {
			t.Fatalf("area %v: the box %v is on side %v", p, b, s)
		}
		overlaps += b2i(gotOverlap)
		covers += b2i(gotCovers)
	}
	if overlaps < 500 || covers < 100 {
		t.Fatalf("the cases are too alike: %d overlaps, %d covers", overlaps, covers)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Contains follows geom's half-open rule point for point.
func TestContainsAsGeom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		m := star(r, 7)
		a := Of(m)
		for x := int32(-2); x < 20; x++ {
			for y := int32(-2); y < 20; y++ {
				p := geom.Point{X: x, Y: y}
				if want, got := m.Contains(p), a.Contains(p); want != got {
					t.Fatalf("%v in %v: want %v, got %v", p, m, want, got)
				}
			}
		}
	}
}

func TestBufferReachesNeighbours(t *testing.T) {
	// Two squares of about 111 m side, 50 units of 1e-5 degrees (55.6 m) of latitude apart.
	base := poly(ring(160_000_000, 480_000_000, 160_015_000, 480_000_000, 160_015_000, 480_010_000, 160_000_000, 480_010_000))
	north := poly(ring(160_000_000, 480_015_000, 160_015_000, 480_015_000, 160_015_000, 480_025_000, 160_000_000, 480_025_000))
	for _, c := range []struct {
		buffer float64
		want   bool
	}{{0, false}, {55, false}, {56, true}, {500, true}} {
		a := Buffered(base, c.buffer)
		if got := a.Overlaps(north, north.Bounds()); got != c.want {
			t.Errorf("buffer %g m: want %v, got %v", c.buffer, c.want, got)
		}
		if got := a.Contains(north[0][0][0]); got != c.want {
			t.Errorf("buffer %g m, point: want %v, got %v", c.buffer, c.want, got)
		}
	}
}

func BenchmarkOverlaps(b *testing.B) {
	a := Of(wheel(1000, 900_000, 1_000_000))
	f := square(160_000_000, 480_940_000, 20_000)
	box := f.Bounds()
	for b.Loop() {
		a.Overlaps(f, box)
		a.work = 0
	}
}
