package line

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"
	"pgregory.net/rapid"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// at makes a line of pairs of X and Y.
func at(xy ...int32) (s String) {
	for i := 0; i < len(xy); i += 2 {
		s = append(s, geom.Point{X: xy[i], Y: xy[i+1]})
	}
	return s
}

// walk draws a line of n vertices in a square around the origin, now and then back over its own vertices.
func walk(rnd *rand.Rand, n int, span int32, corners []geom.Point) String {
	var s String
	for range n {
		p := geom.Point{X: rnd.Int32N(span), Y: rnd.Int32N(span)}
		if len(corners) > 0 && rnd.IntN(3) == 0 {
			p = corners[rnd.IntN(len(corners))]
		}
		s = append(s, p)
	}
	return s
}

// stripes cut the square of a span into areas that share bent borders.
func stripes(rnd *rand.Rand, n, span int32) (out []geom.MultiPolygon) {
	border := func(x int32) (r geom.Ring) {
		for y := int32(0); y <= 4; y++ {
			p := geom.Point{X: x, Y: span / 4 * y}
			if x > 0 && x < span/n*n {
				p.X += rnd.Int32N(max(1, span/n/3))
			}
			r = append(r, p)
		}
		return r
	}
	left := border(0)
	for k := int32(1); k <= n; k++ {
		right := border(span / n * k)
		up, down := slices.Clone(right), slices.Clone(left)
		slices.Reverse(down)
		out = append(out, geom.MultiPolygon{{append(up, down...)}})
		left = right
	}
	return out
}

func drawRand(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
}

func gridLength(m Multi) (sum float64) {
	for _, s := range m {
		for i := 1; i < len(s); i++ {
			sum += math.Hypot(float64(s[i].X)-float64(s[i-1].X), float64(s[i].Y)-float64(s[i-1].Y))
		}
	}
	return sum
}

func TestClip(t *testing.T) {
	square := geom.MultiPolygon{{{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 100}, {X: 0, Y: 100}}}}
	framed := geom.MultiPolygon{{square[0][0], {{X: 40, Y: 40}, {X: 40, Y: 60}, {X: 60, Y: 60}, {X: 60, Y: 40}}}}
	for _, c := range []struct {
		name string
		area geom.MultiPolygon
		in   String
		want Multi
	}{
		{"inside", square, at(10, 10, 90, 90), Multi{at(10, 10, 90, 90)}},
		{"outside", square, at(110, 10, 190, 90), nil},
		{"through", square, at(-50, 50, 150, 50), Multi{at(0, 50, 100, 50)}},
		{"in and out again", square, at(50, 50, 150, 50, 150, 60, 50, 60), Multi{at(50, 50, 100, 50), at(100, 60, 50, 60)}},
		{"through a hole", framed, at(-50, 50, 150, 50), Multi{at(0, 50, 40, 50), at(60, 50, 100, 50)}},
		{"through corners", square, at(-50, -50, 150, 150), Multi{at(0, 0, 100, 100)}},
		{"along the western border", square, at(0, -50, 0, 150), Multi{at(0, 0, 0, 100)}},
		{"along the southern border", square, at(150, 0, -50, 0), Multi{at(100, 0, 0, 0)}},
		{"along the eastern border", square, at(100, -50, 100, 150), nil},
		{"along the northern border", square, at(150, 100, -50, 100), nil},
		{"touches a corner", square, at(-50, 50, 50, -50), nil},
		{"touches a corner from outside", square, at(-50, 150, 50, 250), nil},
		{"ends on the border", square, at(50, 50, 100, 50), Multi{at(50, 50, 100, 50)}},
		{"one vertex", square, at(50, 50), nil},
		{"no length", square, at(50, 50, 50, 50), nil},
		{"stands still", square, at(50, 50, 50, 50, 60, 50), Multi{at(50, 50, 60, 50)}},
	} {
		got := c.in.Clip(geom.NewIndex(c.area))
		if !slices.EqualFunc(got, c.want, slices.Equal[String]) {
			t.Errorf("%s: want %v, got %v", c.name, c.want, got)
		}
		if box := c.in.ClipBox(square.Bounds()); len(c.area[0]) == 1 && gridLength(box) != gridLength(c.want) {
			t.Errorf("%s, as a box: want %v, got %v", c.name, c.want, box)
		}
	}
}

// Areas without gaps divide a line among them: nothing is lost and nothing is counted twice, also where it
// runs along borders and through corners.
func TestClippedPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		span := rapid.SampledFrom([]int32{40, 1000, 1e9}).Draw(t, "span")
		n := rapid.Int32Range(1, 6).Draw(t, "n")
		areas := stripes(rnd, n, span)
		var corners []geom.Point
		for _, a := range areas {
			corners = append(corners, a[0][0]...)
		}
		s := walk(rnd, rapid.IntRange(2, 30).Draw(t, "vertices"), span, corners)
		for i := range s { // the northern and eastern sides belong to no area
			s[i].X, s[i].Y = min(s[i].X, span/n*n-1), min(s[i].Y, span/4*4-1)
		}
		var all Multi
		cuts := 0
		for _, a := range areas {
			got := s.Clip(geom.NewIndex(a))
			cuts += 2 * len(got)
			all = append(all, got...)
		}
		if want, got := gridLength(Multi{s}), gridLength(all); math.Abs(want-got) > float64(cuts)*1.5+1e-9*want {
			t.Fatalf("the parts are %g of %g: %v of %v in %v", got, want, all, s, areas)
		}
	})
}

// The length inside beside another engine.
func TestClipBesideSimplefeatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		span := int32(1e8)
		s := walk(rnd, rapid.IntRange(2, 12).Draw(t, "vertices"), span, nil)
		var ring geom.Ring
		for i := range 12 {
			a, r := 2*math.Pi*float64(i)/12, float64(span)*(0.1+0.4*rnd.Float64())
			ring = append(ring, geom.Point{X: span/2 + int32(r*math.Cos(a)), Y: span/2 + int32(r*math.Sin(a))})
		}
		var xy, pxy []float64
		for _, p := range s {
			xy = append(xy, float64(p.X), float64(p.Y))
		}
		for _, p := range append(slices.Clone(ring), ring[0]) {
			pxy = append(pxy, float64(p.X), float64(p.Y))
		}
		judged, err := sf.Intersection(sf.NewLineStringXY(xy...).AsGeometry(),
			sf.NewPolygon([]sf.LineString{sf.NewLineStringXY(pxy...)}).AsGeometry())
		if err != nil {
			return
		}
		x := geom.NewIndex(geom.MultiPolygon{{ring}})
		got := gridLength(s.Clip(x))
		if want := judged.Length(); math.Abs(got-want) > 2*float64(len(s))*12 {
			t.Fatalf("length %g, simplefeatures %g", got, want)
		}
		if meets := s.Intersects(x); meets != !judged.IsEmpty() {
			t.Fatalf("intersects %v, simplefeatures %v", meets, judged)
		}
	})
}

func TestAtAndNearest(t *testing.T) {
	s := at(163000000, 482000000, 163010000, 482000000, 163010000, 482020000)
	l := s.Length()
	for _, share := range []float64{0, 0.1, 0.25, 0.7, 0.999} {
		p, ok := s.At(share * l)
		if !ok {
			t.Fatalf("nothing at %g of the line", share)
		}
		near, _ := s.Nearest(p)
		back := s[:near.Segment+1].Length() + near.Share*segmentLength(s[near.Segment], s[near.Segment+1])
		if near.Metres > 0.01 || math.Abs(back-share*l) > 0.02 {
			t.Errorf("%g of %g m: back at %g m, %g m off", share, l, back, near.Metres)
		}
	}
	if _, ok := s.At(l + 1); ok {
		t.Error("a point beyond the end")
	}
	if _, ok := s.At(-1); ok {
		t.Error("a point before the start")
	}
	if _, ok := s.At(math.NaN()); ok {
		t.Error("a point at no number")
	}
	if _, ok := String(nil).Nearest(geom.Point{}); ok {
		t.Error("a distance to nothing")
	}
	p := geom.Point{X: 163020000, Y: 482010000}
	want := crs.Distance(p, geom.Point{X: 163010000, Y: 482010000})
	if near, ok := s.Nearest(p); !ok || near.Segment != 1 || math.Abs(near.Metres-want) > 0.01 {
		t.Errorf("want %g m from segment 1, got %+v", want, near)
	}
	if near, ok := at(163000000, 482000000).Nearest(p); !ok || near.Metres < 100 {
		t.Errorf("a single vertex: %+v", near)
	}
}

// A profile has the points that At gives one by one, and the end.
func TestSample(t *testing.T) {
	s := at(163000000, 482000000, 163010000, 482000000, 163010001, 482000000, 163010000, 482020000)
	l := s.Length()
	for _, step := range []float64{0.5, 7, 60, l / 2.5, 2 * l} {
		got, ok := s.Sample(step, 10000)
		if want := int(l/step) + 2; !ok || len(got) != want {
			t.Fatalf("step %g: want %d points, got %d, %v", step, want, len(got), ok)
		}
		for i, p := range got[:len(got)-1] {
			want, _ := s.At(float64(i) * step)
			if d := crs.Distance(p, want); d > 0.02 {
				t.Fatalf("step %g: point %d is %g m off", step, i, d)
			}
		}
		if got[len(got)-1] != s[len(s)-1] {
			t.Errorf("step %g: the end is missing", step)
		}
	}
	for _, step := range []float64{0, -1, math.NaN(), 1e-9} {
		if _, ok := s.Sample(step, 10000); ok {
			t.Errorf("step %g gave a profile", step)
		}
	}
}

// meeting counts the pairs of segments of a drawing that cross, touch or cover each other.
func meeting(lines []String) int {
	type segment struct{ a, b geom.Point }
	var all []segment
	for _, s := range lines {
		for i := 1; i < len(s); i++ {
			if s[i] != s[i-1] {
				all = append(all, segment{s[i-1], s[i]})
			}
		}
	}
	n := 0
	for i, e := range all {
		for _, f := range all[i+1:] {
			if !(geom.Edge{A: e.a, B: e.b}).Box().Intersects(geom.Edge{A: f.a, B: f.b}.Box()) {
				continue
			}
			if m := geom.Meet(e.a, e.b, f.a, f.b); m != geom.Apart && m != geom.AtEnds {
				n++
			}
		}
	}
	return n
}

func TestSimplifyIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		var lines []String
		for k := range rapid.IntRange(1, 6).Draw(t, "lines") { // side by side, wavy, never crossing
			var s String
			for i := range int32(30) {
				s = append(s, geom.Point{X: 160000000 + 1000*i, Y: 480000000 + int32(k)*300 + rnd.Int32N(290)})
			}
			lines = append(lines, s)
		}
		if rnd.IntN(2) == 0 { // a branch from a vertex of the first line
			p := lines[0][15]
			lines = append(lines, String{p, {X: p.X + 100, Y: p.Y - 1000}, {X: p.X, Y: p.Y - 3000}})
		}
		if meeting(lines) > 0 {
			t.Fatal("the drawing is bad")
		}
		metres := rapid.Float64Range(0, 8).Draw(t, "metres")
		got := Simplify(lines, metres)
		if n := meeting(got); n > 0 {
			t.Fatalf("%d pairs of segments meet in %v", n, got)
		}
		for i, s := range lines {
			if got[i][0] != s[0] || got[i][len(got[i])-1] != s[len(s)-1] {
				t.Fatalf("line %d lost an end", i)
			}
			for _, p := range s {
				if near, _ := got[i].Nearest(p); near.Metres > metres+1e-3 {
					t.Fatalf("%v lies %g m from line %d: %v", p, near.Metres, i, got[i])
				}
			}
		}
		if last := got[len(got)-1]; len(lines[len(lines)-1]) == 3 && !slices.Contains(got[0], last[0]) {
			t.Fatalf("the branch at %v hangs in the air: %v", last[0], got[0])
		}
	})
}

func TestSimplifyExamples(t *testing.T) {
	straight := at(160000000, 480000000, 160001000, 480000001, 160002000, 480000000)
	loop := at(160000000, 480000000, 160000100, 480000000, 160000100, 480000100, 160000000, 480000000)
	for _, c := range []struct {
		name   string
		in     String
		metres float64
		want   int
	}{
		{"a straight line", straight, 1, 2},
		{"nothing allowed", straight, 0, 3},
		{"a small ring stays a ring", loop, 1000, 4},
		{"one vertex", straight[:1], 1, 1},
		{"none", nil, 1, 0},
	} {
		if got := Simplify([]String{c.in}, c.metres); len(got) != 1 || len(got[0]) != c.want {
			t.Errorf("%s: want %d vertices, got %v", c.name, c.want, got)
		}
	}
}
