package geom

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawRings draws rings of any kind: tiny, wide, empty, crossing.
func drawRings(t *rapid.T) MultiPolygon {
	var m MultiPolygon
	for range rapid.IntRange(0, 3).Draw(t, "parts") {
		var p Polygon
		for range rapid.IntRange(0, 3).Draw(t, "rings") {
			p = append(p, drawRing(t, 40))
		}
		m = append(m, p)
	}
	return m
}

func TestIndexFindsEveryEdgeOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawRings(t)
		a, b := drawPoint(t), drawPoint(t)
		box := Box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
		x := NewIndex(m)
		var want []int32
		for i, e := range x.Edges() {
			if e.Box().Intersects(box) {
				want = append(want, int32(i))
			}
		}
		if got, _ := x.Search(nil, box); !slices.Equal(got, want) {
			t.Fatalf("want %v, got %v", want, got)
		}
	})
}

func TestIndexContainsAsRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		m := drawRings(t)
		if rapid.Bool().Draw(t, "outline") { // many levels, and holes
			o := blob(rnd, Point{1000, 1000}, rapid.IntRange(3, 600).Draw(t, "n"), 3000)
			m = append(m, append(o, blob(rnd, Point{1000, 1000}, 20, 900)...))
		}
		x := NewIndex(m)
		for range 50 {
			p := drawPoint(t)
			if e := x.Edges(); len(e) > 0 && rnd.IntN(2) == 0 {
				p = e[rnd.IntN(len(e))].A
				p.X += rnd.Int32N(3) - 1
			} else if rnd.IntN(2) == 0 {
				p = Point{rnd.Int32N(4000) - 1000, rnd.Int32N(4000) - 1000}
			}
			want := false
			for _, r := range m.Rings() {
				want = want != r.Contains(p)
			}
			if got := x.Contains(p); got != want {
				t.Fatalf("%v: want %v, got %v in %v", p, want, got, m)
			}
		}
	})
}

// The place of a middle on a grid is the place of a grid point on a grid twice as fine.
func TestPlaceOfMiddles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := drawRand(t)
		span := int32(rapid.SampledFrom([]int{6, 40, 1 << 29}).Draw(t, "span"))
		m, fine := MultiPolygon{{}}, Polygon{}
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			var r, f Ring
			for range rapid.IntRange(3, 20).Draw(t, "n") {
				p := Point{rnd.Int32N(span) - span/2, rnd.Int32N(span) - span/2}
				r, f = append(r, p), append(f, Point{2 * p.X, 2 * p.Y})
			}
			m[0], fine = append(m[0], r), append(fine, f)
		}
		x := NewIndex(m)
		for range 100 {
			p := Middle(Point{rnd.Int32N(span) - span/2, rnd.Int32N(span) - span/2},
				Point{rnd.Int32N(span) - span/2, rnd.Int32N(span) - span/2})
			if rnd.IntN(3) == 0 {
				e := x.Edges()
				if len(e) == 0 {
					continue
				}
				p = Middle(e[0].A, e[0].B)
			}
			q := Point{int32(p.X), int32(p.Y)}
			want := placed(fine.Contains(q))
			if fine.onBorder(q) {
				want = OnBorder
			}
			if got := m.Place(p); got != want {
				t.Fatalf("%v: want %v, got %v in %v", p, want, got, m)
			}
			if got, _ := x.Place(p); got != want {
				t.Fatalf("index, %v: want %v, got %v in %v", p, want, got, m)
			}
		}
	})
}

func TestOrientMidIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawPoint(t), drawPoint(t), Middle(drawPoint(t), drawPoint(t))
		if rapid.Bool().Draw(t, "straight") {
			c = Middle(a, b)
		}
		ux, uy := big.NewInt(int64(b.X)-int64(a.X)), big.NewInt(int64(b.Y)-int64(a.Y))
		vx, vy := big.NewInt(c.X-2*int64(a.X)), big.NewInt(c.Y-2*int64(a.Y))
		if want, got := ux.Mul(ux, vy).Cmp(uy.Mul(uy, vx)), orientMid(a, b, c); got != want {
			t.Fatalf("want %d, got %d", want, got)
		}
	})
}
