package packtree

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/geo/geom"
)

func boxes(t *rapid.T) []geom.Box {
	c := rapid.Int32Range(-300, 300)
	n := rapid.IntRange(0, 700).Draw(t, "n") // several levels deep, not the few items a free slice gets
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) geom.Box {
		x, y := c.Draw(t, "x"), c.Draw(t, "y")
		if rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
			return geom.EmptyBox
		}
		return geom.Box{MinX: x, MinY: y, MaxX: x + rapid.Int32Range(0, 80).Draw(t, "w"), MaxY: y + rapid.Int32Range(0, 80).Draw(t, "h")}
	}), n, n).Draw(t, "boxes")
}

func search(tree *Tree, q geom.Box) []int {
	var got []int
	tree.Search(q, func(i int) bool { got = append(got, i); return true })
	return got
}

func TestSearchEqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boxes(t)
		ordered, packed := Ordered(b), Pack(b)
		c := rapid.Int32Range(-350, 350)
		q := geom.Box{MinX: c.Draw(t, "x0"), MinY: c.Draw(t, "y0"), MaxX: c.Draw(t, "x1"), MaxY: c.Draw(t, "y1")}
		var want []int
		for i := range b {
			if !b[i].Empty() && !q.Empty() && b[i].Intersects(q) {
				want = append(want, i)
			}
		}
		if got := search(ordered, q); !slices.Equal(got, want) {
			t.Fatalf("ordered: want %v, got %v", want, got)
		}
		got := search(packed, q)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("packed: want %v, got %v", want, got)
		}
	})
}

func TestVisitStops(t *testing.T) {
	b := make([]geom.Box, 100)
	n := 0
	Ordered(b).Search(geom.Box{}, func(int) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("want 3 visits, got %d", n)
	}
	if got := search(&Tree{}, geom.Box{}); got != nil || (&Tree{}).Len() != 0 || !(&Tree{}).Bounds().Empty() {
		t.Errorf("the zero tree finds %v", got)
	}
}

func TestHilbertWalksWithoutJumps(t *testing.T) {
	// The order of the cells of a small square visits neighbours one after the other.
	const n = 16
	box := geom.Box{MaxX: 1<<16 - 1, MaxY: 1<<16 - 1}
	var cells []geom.Point
	for x := range int32(n) {
		for y := range int32(n) {
			cells = append(cells, geom.Point{X: x * (1 << 12), Y: y * (1 << 12)})
		}
	}
	slices.SortFunc(cells, func(a, b geom.Point) int { return cmp.Compare(Hilbert(a, box)>>24, Hilbert(b, box)>>24) })
	for i := 1; i < len(cells); i++ {
		dx, dy := (cells[i].X-cells[i-1].X)>>12, (cells[i].Y-cells[i-1].Y)>>12
		if dx*dx+dy*dy != 1 {
			t.Fatalf("step %d goes from %v to %v", i, cells[i-1], cells[i])
		}
	}
}

func city(n int) []geom.Box {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]geom.Box, n)
	for i := range b {
		x, y := rng.Int32N(10_000_000), rng.Int32N(10_000_000)
		b[i] = geom.Box{MinX: x, MinY: y, MaxX: x + rng.Int32N(20_000), MaxY: y + rng.Int32N(20_000)}
	}
	return b
}

func BenchmarkPack(b *testing.B) {
	c := city(20000)
	for b.Loop() {
		Pack(c)
	}
}

func BenchmarkSearch(b *testing.B) {
	t := Pack(city(20000))
	b.ReportAllocs()
	n, i := 0, int32(0)
	for b.Loop() {
		x := i * 7919 % 9_000_000
		t.Search(geom.Box{MinX: x, MinY: x, MaxX: x + 300_000, MaxY: x + 300_000}, func(int) bool { n++; return true })
		i++
	}
	b.ReportMetric(float64(n)/float64(i), "hits/op")
}

func TestFourLevels(t *testing.T) {
	b := city(5000)
	tree := Pack(b)
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		x, y := rng.Int32N(10_000_000), rng.Int32N(10_000_000)
		q := geom.Box{MinX: x, MinY: y, MaxX: x + rng.Int32N(2_000_000), MaxY: y + rng.Int32N(2_000_000)}
		var want []int
		for i := range b {
			if b[i].Intersects(q) {
				want = append(want, i)
			}
		}
		got := search(tree, q)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v: want %d items, got %d", q, len(want), len(got))
		}
	}
}
