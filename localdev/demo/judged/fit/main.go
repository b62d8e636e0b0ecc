// Command fit prints the weights of the logistic models of shared/landscape/canopy, fitted to made-up scenes of the set tune,
// which no test looks at.
package main

import (
	"fmt"
	"math"
	"os"

	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/canopy"
)

func main() {
	for _, fit := range []func() error{heights, colours} {
		if err := fit(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// tune is a scene of 1 km² with so many stems a hectare in its stands; 0: each stand has its own.
func tune(n int, stems float64) (*scene.Scene, error) {
	seed, err := scene.Seed("tune", "", n)
	if err != nil {
		return nil, err
	}
	o := scene.Default(seed, 1)
	o.Stems = stems
	return scene.New(o)
}

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

// heights prints the weights of the models that look at heights alone.
func heights() error {
	var leafX, likeX, highX [][]float64
	var leafY, likeY []bool
	var highY []float64
	for n := range 4 {
		for _, stems := range []float64{0, 300, 700} {
			s, err := tune(n, stems)
			if err != nil {
				return err
			}
			trees := canopy.Find(judged.Layers(s, 2, false), s.Bounds(), canopy.Default())
			all := make([]judged.Found, len(trees))
			for i, x := range trees {
				all[i] = judged.Found{X: x.X, Y: x.Y, Height: x.Height, Conifer: true}
			}
			r := judged.OfTrees(s, 2, 3, judged.Inner(s), all)
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
	fmt.Printf("height, to be added to missedApex: %.4f\n", linear(highX, highY))
	fmt.Printf("leaf %.4f\n", newton(leafX, leafY))
	fmt.Printf("likelihood %.4f\n", newton(likeX, likeY))
	return nil
}

// colours prints the weights of the model of leaf types with an orthophoto.
func colours() error {
	var leafX [][]float64
	var leafY []bool
	for n := range 3 {
		s, err := tune(n, 0)
		if err != nil {
			return err
		}
		for _, series := range []int{2, 3} {
			l := judged.Layers(s, 2, true)
			l.Photo = judged.Photo(s, series)
			trees := canopy.Find(l, s.Bounds(), canopy.Default())
			all := make([]judged.Found, len(trees))
			for i, x := range trees {
				all[i] = judged.Found{X: x.X, Y: x.Y, Height: x.Height, Conifer: true}
			}
			for _, p := range judged.OfTrees(s, 2, 3, judged.Inner(s), all).Pairs {
				if x := &trees[p.Found]; x.Colours != nil && !p.Tree.Dead {
					leafX, leafY = append(leafX, canopy.LeafInputs(x)), append(leafY, p.Tree.Species.Conifer())
				}
			}
		}
	}
	fmt.Printf("leaf with colours %.4f of %d\n", newton(leafX, leafY), len(leafX))
	return nil
}
