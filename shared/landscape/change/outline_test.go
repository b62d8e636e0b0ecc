package change

import (
	"math/rand/v2"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/raster"
)

// Outlines of random cells hold these cells and no other; outer rings run against the clock, holes with it, and no ring meets
// a corner twice.
func TestOutlinesHoldTheirCells(t *testing.T) {
	for seed := range oracles.Rounds(t, 60) {
		r := rand.New(rand.NewPCG(seed, 3))
		w, h := 4+r.IntN(30), 4+r.IntN(30)
		b := &bitmap{w: w, h: h, x0: 5, y0: 7, in: make([]bool, w*h)}
		share, n := r.Float64(), 0
		for i := range b.in {
			if x, y := i%w, i/w; x > 0 && y > 0 && x < w-1 && y < h-1 && r.Float64() < share {
				b.in[i] = true
				n++
			}
		}
		f := &finder{area: cells{100, 200, 300, 400}}
		polygons := f.outline(b)
		g := raster.New(100, 400, 1, 200, 200)
		m := raster.MaskOf(g, polygons)
		if m.Count() != n {
			t.Fatalf("seed %d: %d cells of %d", seed, m.Count(), n)
		}
		for i, in := range b.in {
			if m.Has(5+i%w, 7+i/w) != in {
				t.Fatalf("seed %d: cell %d, %d is wrong", seed, i%w, i/w)
			}
		}
		for _, p := range polygons {
			for k, ring := range p {
				if a := area(ring); (a > 0) != (k == 0) {
					t.Fatalf("seed %d: ring %d of area %g", seed, k, a)
				}
				seen := map[raster.XY]bool{}
				for _, v := range ring {
					if seen[v] {
						t.Fatalf("seed %d: a ring meets %v twice", seed, v)
					}
					seen[v] = true
				}
			}
		}
	}
}

func area(ring []raster.XY) (sum float64) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += a.X*b.Y - b.X*a.Y
	}
	return sum / 2
}

// Closing fills gaps of twice its width and leaves the outer border of what is convex.
func TestClosing(t *testing.T) {
	b := &bitmap{w: 30, h: 20, in: make([]bool, 600)}
	for y := 6; y < 14; y++ {
		for x := 6; x < 24; x++ {
			b.in[y*30+x] = x < 12 || x >= 16
		}
	}
	b.spread(2, true)
	b.spread(2, false)
	for i, in := range b.in {
		x, y := i%30, i/30
		if want := x >= 6 && x < 24 && y >= 6 && y < 14; in != want {
			t.Fatalf("cell %d, %d is %t", x, y, in)
		}
	}
}

// Interpolating keeps planes and parabolas, and between four cells the heights of the middle two.
func TestCubic(t *testing.T) {
	const n = 12
	z := make([]float32, n*n)
	height := func(x, y float64) float64 { return 3 + 0.5*x - 0.25*y + 0.125*x*x - 0.0625*x*y }
	for i := range z {
		z[i] = float32(height(float64(i%n), float64(i/n)))
	}
	for _, by := range [][2]float64{{0, 0}, {0.25, -0.5}, {-1.75, 1.25}, {2, -2}, {-0.125, 0}} {
		k := kernelOf(by[0], by[1])
		got := k.cubic(z, n, 6, 6)
		if want := height(6+by[0], 6-by[1]); got-want > 1e-6 || want-got > 1e-6 {
			t.Errorf("moved by %v: %g, expected %g", by, got, want)
		}
	}
}
