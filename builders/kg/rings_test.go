package kg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/shared/geo/geom"
)

// square is a ring of side n with its corner at x, y: positive, or turned the other way.
func squareRing(x, y, n int32, positive bool) []pt {
	r := []pt{{X: x, Y: y}, {X: x + n, Y: y}, {X: x + n, Y: y + n}, {X: x, Y: y + n}}
	if !positive {
		slices.Reverse(r)
	}
	return r
}

func signs(rings [][]pt) (out []int) {
	for _, r := range rings {
		switch a := area2(r); {
		case a > 0:
			out = append(out, 1)
		case a < 0:
			out = append(out, -1)
		default:
			out = append(out, 0)
		}
	}
	return out
}

// Exteriors become positive and holes negative, whichever way the tile turns them and in whatever order they
// stand; a sliver without area says nothing about the others.
func TestOrient(t *testing.T) {
	outer := func(positive bool) []pt { return squareRing(0, 0, 100, positive) }
	hole := func(positive bool) []pt { return squareRing(10, 10, 20, positive) }
	island := func(positive bool) []pt { return squareRing(15, 15, 5, positive) }
	apart := func(positive bool) []pt { return squareRing(200, 0, 50, positive) }
	sliver := []pt{{X: 0, Y: 0}, {X: 50, Y: 50}, {X: 100, Y: 100}}
	for _, c := range []struct {
		name             string
		rings            [][]pt
		turned, inverted bool
		want             []int
	}{
		{"an exterior", [][]pt{outer(true)}, false, false, []int{1}},
		{"an exterior turned", [][]pt{outer(false)}, true, false, []int{1}},
		{"with a hole", [][]pt{outer(true), hole(false)}, false, false, []int{1, -1}},
		{"with a hole, all turned", [][]pt{outer(false), hole(true)}, true, false, []int{1, -1}},
		{"two exteriors, the second with no hole", [][]pt{outer(true), hole(false), apart(true)}, false, false, []int{1, -1, 1}},
		{"a sliver first", [][]pt{slices.Clone(sliver), outer(true), hole(false)}, false, false, []int{0, 1, -1}},
		{"a sliver first, the others turned", [][]pt{slices.Clone(sliver), outer(false), hole(true)}, true, false, []int{0, 1, -1}},
		{"the hole first", [][]pt{hole(false), outer(true)}, true, true, []int{-1, 1}},
		{"a hole outside of the exterior is one itself", [][]pt{outer(true), apart(false)}, false, true, []int{1, 1}},
		{"an island in the hole, wound as its hole", [][]pt{outer(true), hole(false), island(false)}, false, false, []int{1, -1, -1}},
	} {
		turned, inverted := orient(c.rings)
		if got := signs(c.rings); turned != c.turned || inverted != c.inverted || !slices.Equal(got, c.want) {
			t.Errorf("%s: want %v, turned %t, inverted %t; got %v, %t, %t", c.name, c.want, c.turned, c.inverted, got, turned, inverted)
		}
	}
}

// A ring's depth is the number of larger rings that it lies in: not of smaller ones, not of larger ones
// elsewhere, not of one whose bay it lies in.
func TestTurnByDepth(t *testing.T) {
	// open below
	bay := []pt{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 100}, {X: 90, Y: 100}, {X: 90, Y: 10}, {X: 10, Y: 10}, {X: 10, Y: 100},
		{X: 0, Y: 100}}
	for _, c := range []struct {
		name  string
		rings [][]pt
		want  []int
	}{
		{"nested", [][]pt{squareRing(0, 0, 100, false), squareRing(10, 10, 80, false), squareRing(20, 20, 60, false),
			squareRing(30, 30, 10, true)}, []int{1, -1, 1, -1}},
		{"side by side", [][]pt{squareRing(0, 0, 100, true), squareRing(200, 0, 50, false)}, []int{1, 1}},
		{"the small one first", [][]pt{squareRing(10, 10, 5, true), squareRing(0, 0, 100, false)}, []int{-1, 1}},
		{"in a bay", [][]pt{bay, squareRing(40, 40, 10, false)}, []int{1, 1}},
	} {
		turnByDepth(c.rings)
		if got := signs(c.rings); !slices.Equal(got, c.want) {
			t.Errorf("%s: want %v, got %v", c.name, c.want, got)
		}
	}
}

// Where several borders go on from the end of one, the walk takes the one furthest to the right: on the
// screen, y down, those from hard right over straight on to hard left.
func TestSharper(t *testing.T) {
	o := border{a: pt{X: 0, Y: 0}, b: pt{X: 10, Y: 0}} // to the east
	from := []pt{{X: 5, Y: 8}, {X: 10, Y: 10}, {X: 18, Y: 5}, {X: 20, Y: 0}, {X: 18, Y: -5}, {X: 10, Y: -10}, {X: 5, Y: -8}}
	for i, p := range from {
		for j, q := range from {
			if want := i < j; sharper(o, p, q) != want {
				t.Errorf("%v before %v: want %t", p, q, want)
			}
		}
	}
}

// Every cell within two pixels of a line is visited, however the line runs.
func TestVisitCells(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	coordinate := func() int32 { return random.Int32N(12)*cornerCell/4 + random.Int32N(5) - 2 }
	for range 3000 {
		a, b := pt{X: coordinate(), Y: coordinate()}, pt{X: coordinate(), Y: coordinate()}
		seen := map[pt]bool{}
		visitCells(a, b, func(c pt) { seen[c] = true })
		const steps = 64
		for i := range int32(steps + 1) {
			x, y := a.X+(b.X-a.X)*i/steps, a.Y+(b.Y-a.Y)*i/steps
			for _, near := range []pt{{X: x, Y: y}, {X: x - 2, Y: y}, {X: x + 2, Y: y}, {X: x, Y: y - 2}, {X: x, Y: y + 2}} {
				if c := (pt{X: near.X &^ (cornerCell - 1), Y: near.Y &^ (cornerCell - 1)}); !seen[c] {
					t.Fatalf("line %v-%v: the cell %v of %v is not visited", a, b, c, near)
				}
			}
		}
	}
}

// Parts that lie over each other are one area; a single part that crosses itself is read by the even-odd rule.
func TestSoundUnitesParts(t *testing.T) {
	box := func(x, y, n int32) geom.Polygon {
		return geom.Polygon{{{X: x, Y: y}, {X: x + n, Y: y}, {X: x + n, Y: y + n}, {X: x, Y: y + n}}}
	}
	corners := func(m geom.MultiPolygon) geom.Box { return m.Bounds() }
	for _, c := range []struct {
		name   string
		m      geom.MultiPolygon
		parts  int
		rings  int
		bounds geom.Box
	}{
		{"one over the other's corner", geom.MultiPolygon{box(0, 0, 1000), box(500, 500, 1000)}, 1, 1, geom.Box{MaxX: 1500, MaxY: 1500}},
		{"one within the other", geom.MultiPolygon{box(0, 0, 1000), box(200, 200, 100)}, 1, 1, geom.Box{MaxX: 1000, MaxY: 1000}},
		{"the same twice", geom.MultiPolygon{box(0, 0, 1000), box(0, 0, 1000)}, 1, 1, geom.Box{MaxX: 1000, MaxY: 1000}},
	} {
		got, mended := sound(c.m)
		if !mended || len(got) != c.parts || len(got.Rings()) != c.rings || corners(got) != c.bounds {
			t.Errorf("%s: want %d parts with %d rings in %v, mended; got %v, %t", c.name, c.parts, c.rings, c.bounds, got, mended)
		}
	}
}

// Repeated vertices and spikes go, at the ring's ends too, and spikes of spikes; corners stay.
func TestTidy(t *testing.T) {
	for _, c := range []struct{ name, ring, want string }{
		{"a square", "abcd", "abcd"},
		{"a repeated vertex", "aabccd", "abcd"},
		{"a spike", "abxbcd", "abcd"},
		{"a spike at the beginning", "axabcd", "abcd"},
		{"a spike of two edges", "abxyxbcd", "abcd"},
		{"a vertex repeated on a spike", "abxxbcd", "abcd"},
		{"the first vertex again at the end", "abcda", "abcd"},
		{"a spike whose tip is the first vertex", "xabcda", "abcd"},
		{"a spike whose tip is the last vertex", "abcdax", "abcd"},
	} {
		ring := func(s string) (r []pt) {
			for _, b := range s {
				r = append(r, pt{X: b, Y: b * b % 31})
			}
			return r
		}
		if got := tidy(ring(c.ring)); !slices.Equal(got, ring(c.want)) {
			t.Errorf("%s: want %v, got %v", c.name, ring(c.want), got)
		}
	}
}
