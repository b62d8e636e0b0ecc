package terrain

import (
	"math"
	"math/rand/v2"
	"testing"

	"mappe/shared/geo/raster"
)

// What areas that overlap sum to is what each sums to by itself, bit for bit.
func TestAFieldSumsAsSummariseDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g := raster.New(0, 300, 1, 200, 300)
	for i := range g.Z {
		if g.Z[i] = 700 + 3*r.Float32(); i%97 == 0 || i%200 > 190 {
			g.Z[i] = float32(math.NaN())
		}
	}
	f := NewField(g)
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
	for range 40 {
		w, s := float64(1+r.IntN(150)), float64(1+r.IntN(250))
		b := raster.Box{West: w, South: s, East: w + float64(1+r.IntN(48)), North: s + float64(1+r.IntN(48))}
		part := g.Part(b.Grown(1))
		m := raster.MaskOf(part, []raster.Polygon{{{{X: b.West, Y: b.South}, {X: b.East, Y: b.South},
			{X: b.East, Y: b.North - 0.6*(b.North-b.South)}, {X: b.West, Y: b.North}}}})
		want := Summarise(part, m)
		got := f.Relief(m, int(part.West-g.West), int(g.North-part.North))
		if got.Cells != want.Cells || got.Known() != want.Known || got.Derived() != want.Derived || got.Aspects != want.Aspects {
			t.Fatalf("%v: want %d cells, %d known, %d derived, %v, got %+v", b, want.Cells, want.Known, want.Derived, want.Aspects, got)
		}
		for i, v := range [][2]float64{{got.Elevation().Mean, want.Elevation.Mean}, {got.Elevation().Min, want.Elevation.Min},
			{got.Elevation().Max, want.Elevation.Max}, {got.Slope().Mean, want.Slope.Mean}, {got.Slope().Max, want.Slope.Max},
			{got.TRI(), want.TRI.Mean}, {got.TPI(), want.TPI.Mean}, {got.AspectMean(), want.AspectMean}} {
			if !same(v[0], v[1]) {
				t.Errorf("%v, figure %d: want %v, got %v", b, i, v[1], v[0])
			}
		}
	}
}

// Summarise sums the terrain of the meant cells of a grid. The grid has a margin of a cell around them, or the cells at
// its border have a height only.
func Summarise(g *raster.Grid, m *raster.Mask) *Summary {
	var s Sum
	s.Add(g, m, 0, g.Rows)
	return s.Summary()
}
