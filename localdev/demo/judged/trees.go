// Package judged holds what is found in made-up landscapes against their truth. It shares no code with what finds it.
package judged

import (
	"cmp"
	"math"
	"slices"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
)

// Found is a tree that a search has found.
type Found struct {
	X, Y, Height float64
	Conifer      bool
}

// Trees is how a search for trees did.
type Trees struct {
	Truth, Found, Matched int     // trees that can be seen from above, found ones, and pairs of them
	Bias, SD              float64 // of heights of pairs, found minus truth, metres
	LeafRight             int     // pairs whose leaf type is right
	Conifers              int     // of the pairs
	Pairs                 []Pair  // within the box, hidden trees left out
}

// Pair is a found tree and the one of the truth that it is.
type Pair struct {
	Found int
	Tree  scene.Tree
}

// Recall, Precision and F1 are the usual ones; 0 where there is nothing.
func (t *Trees) Recall() float64    { return float64(t.Matched) / max(float64(t.Truth), 1) }
func (t *Trees) Precision() float64 { return float64(t.Matched) / max(float64(t.Found), 1) }
func (t *Trees) F1() float64        { return 2 * float64(t.Matched) / max(float64(t.Truth+t.Found), 1) }

// OfTrees matches found trees to those of the scene of at least some height on a date within a box: greedily by distance in
// space over what is allowed, 2.1 m + 0.14 h (Monnet 2011), in the plane at most the radius of the crown or 1.5 m. Trees
// that stand below the crowns of others can neither be missed nor invented.
func OfTrees(s *scene.Scene, date int, least float64, within raster.Box, found []Found) Trees {
	var truth []scene.Tree
	var hidden []bool
	for row := range s.Options().Rows {
		for col := range s.Options().Cols {
			trees, _ := s.Owned(col, row)
			tile := s.Tile(col, row, date)
			for _, t := range trees {
				if !t.Stands(date) || t.Height[date] < least {
					continue
				}
				top := float64(tile.DSM.At(t.Crown.X, t.Crown.Y) - tile.Ground.At(t.Crown.X, t.Crown.Y))
				truth, hidden = append(truth, t), append(hidden, t.Understorey || !(top <= t.Height[date]+1.5))
			}
		}
	}
	const cell = 8.0
	type square [2]int
	at := func(x, y float64) square { return square{int(math.Floor(x / cell)), int(math.Floor(y / cell))} }
	near := map[square][]int{}
	for i := range truth {
		k := at(truth[i].Apex.X, truth[i].Apex.Y)
		near[k] = append(near[k], i)
	}
	type pair struct {
		t, f int
		d    float64
	}
	var pairs []pair
	for f := range found {
		k := at(found[f].X, found[f].Y)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				for _, i := range near[square{k[0] + dx, k[1] + dy}] {
					t := &truth[i]
					h := t.Height[date]
					plane := math.Hypot(found[f].X-t.Apex.X, found[f].Y-t.Apex.Y)
					space := math.Hypot(plane, found[f].Height-h) / (2.1 + 0.14*h)
					if plane <= max(t.Radius[date], 1.5) && space <= 1 {
						pairs = append(pairs, pair{i, f, space})
					}
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.t, b.t), cmp.Compare(a.f, b.f))
	})
	usedT, usedF := make([]bool, len(truth)), make([]bool, len(found))
	var out Trees
	var sum, square2 float64
	inside := func(x, y float64) bool {
		return x >= within.West && x < within.East && y >= within.South && y < within.North
	}
	for _, p := range pairs {
		if usedT[p.t] || usedF[p.f] {
			continue
		}
		usedT[p.t], usedF[p.f] = true, true
		if hidden[p.t] || !inside(found[p.f].X, found[p.f].Y) || !inside(truth[p.t].Apex.X, truth[p.t].Apex.Y) {
			continue
		}
		out.Matched++
		out.Pairs = append(out.Pairs, Pair{p.f, truth[p.t]})
		d := found[p.f].Height - truth[p.t].Height[date]
		sum, square2 = sum+d, square2+d*d
		if truth[p.t].Species.Conifer() {
			out.Conifers++
		}
		if truth[p.t].Species.Conifer() == found[p.f].Conifer {
			out.LeafRight++
		}
	}
	for i := range truth {
		if !hidden[i] && inside(truth[i].Apex.X, truth[i].Apex.Y) {
			out.Truth++
		}
	}
	for f := range found {
		if inside(found[f].X, found[f].Y) {
			out.Found++
		}
	}
	// Pairs with hidden trees count on neither side.
	for _, p := range pairs {
		if usedF[p.f] && usedT[p.t] && hidden[p.t] && inside(found[p.f].X, found[p.f].Y) {
			usedF[p.f] = false
			out.Found--
		}
	}
	n := max(float64(out.Matched), 1)
	out.Bias = sum / n
	out.SD = math.Sqrt(max(square2/n-out.Bias*out.Bias, 0))
	return out
}
