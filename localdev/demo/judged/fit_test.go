package judged

import (
	"fmt"
	"math"
	"os"
	"testing"

	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

// solve solves a small system by elimination.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		p := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		a[i], a[p], b[i], b[p] = a[p], a[i], b[p], b[i]
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < n; j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= a[i][j] * b[j]
		}
		b[i] /= a[i][i]
	}
	return b
}

// newton fits a logistic model with a little ridge.
func newton(x [][]float64, y []bool) []float64 {
	n := len(x[0])
	w := make([]float64, n)
	for range 30 {
		h, g := make([][]float64, n), make([]float64, n)
		for i := range h {
			h[i] = make([]float64, n)
			h[i][i], g[i] = 1, -w[i]
		}
		for k, row := range x {
			s := 0.0
			for i, v := range row {
				s += w[i] * v
			}
			p := 1 / (1 + math.Exp(-s))
			e := -p
			if y[k] {
				e++
			}
			for i := range n {
				g[i] += e * row[i]
				for j := range n {
					h[i][j] += p * (1 - p) * row[i] * row[j]
				}
			}
		}
		d := solve(h, g)
		for i := range w {
			w[i] += d[i]
		}
	}
	return w
}

// linear fits by least squares.
func linear(x [][]float64, y []float64) []float64 {
	n := len(x[0])
	h, g := make([][]float64, n), make([]float64, n)
	for i := range h {
		h[i] = make([]float64, n)
		h[i][i] = 1e-6
	}
	for k, row := range x {
		for i := range n {
			g[i] += row[i] * y[k]
			for j := range n {
				h[i][j] += row[i] * row[j]
			}
		}
	}
	return solve(h, g)
}

// TestFit prints the weights of the logistic models of the canopy, fitted to scenes of the set tune. It holds nothing.
func TestFit(t *testing.T) {
	if os.Getenv("MAPPE_FIT") == "" {
		t.Skip("MAPPE_FIT=1 prints the weights of the canopy's models")
	}
	var leafX, likeX, highX [][]float64
	var leafY, likeY []bool
	var highY []float64
	for n := range 4 {
		for _, stems := range []float64{0, 300, 700} {
			s := sceneOf(t, "tune", n, 1, stems)
			trees := find(s, 2, canopy.Default(), false)
			found := make([]Found, len(trees))
			for i, x := range trees {
				found[i] = Found{x.X, x.Y, x.Height, true}
			}
			b := s.Bounds()
			r := OfTrees(s, 2, 3, raster.Box{West: b.West + 20, South: b.South + 20, East: b.East - 20, North: b.North - 20}, found)
			is := map[int]bool{}
			for _, p := range r.Pairs {
				x := &trees[p.Found]
				is[p.Found] = true
				leafX, leafY = append(leafX, canopy.LeafInputs(x)), append(leafY, p.Tree.Species.Conifer())
				highX, highY = append(highX, canopy.HeightInputs(x)), append(highY, p.Tree.Height[2]-x.Height)
			}
			for i := range trees {
				likeX, likeY = append(likeX, canopy.LikelihoodInputs(&trees[i])), append(likeY, is[i])
			}
		}
	}
	fmt.Printf("height %.4f\n", linear(highX, highY))
	fmt.Printf("leaf %.4f\n", newton(leafX, leafY))
	fmt.Printf("likelihood %.4f\n", newton(likeX, likeY))
}
