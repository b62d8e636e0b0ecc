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
	m := &match{date: date, within: within, found: found}
	m.see(s, least)
	pairs := m.pairs()
	usedT, usedF := make([]bool, len(m.truth)), make([]bool, len(found))
	var out Trees
	var sum, squares float64
	for _, p := range pairs {
		if usedT[p.t] || usedF[p.f] {
			continue
		}
		usedT[p.t], usedF[p.f] = true, true
		if m.hidden[p.t] || !m.finds(p.f) || !m.has(p.t) {
			continue
		}
		tree := &m.truth[p.t]
		out.Matched++
		out.Pairs = append(out.Pairs, Pair{p.f, *tree})
		d := found[p.f].Height - tree.Height[date]
		sum, squares = sum+d, squares+d*d
		if tree.Species.Conifer() {
			out.Conifers++
		}
		if tree.Species.Conifer() == found[p.f].Conifer {
			out.LeafRight++
		}
	}
	for i := range m.truth {
		if !m.hidden[i] && m.has(i) {
			out.Truth++
		}
	}
	for f := range found {
		if m.finds(f) {
			out.Found++
		}
	}
	// Pairs with hidden trees count on neither side.
	for _, p := range pairs {
		if usedF[p.f] && usedT[p.t] && m.hidden[p.t] && m.finds(p.f) {
			usedF[p.f] = false
			out.Found--
		}
	}
	n := max(float64(out.Matched), 1)
	out.Bias = sum / n
	out.SD = math.Sqrt(max(squares/n-out.Bias*out.Bias, 0))
	return out
}

// match are the trees of a scene on a date beside those that were found.
type match struct {
	date   int
	within raster.Box
	truth  []scene.Tree
	hidden []bool // of truth: below the crowns of others
	found  []Found
}

// see lists the trees of the scene of at least some height, and which of them stand below the crowns of others.
func (m *match) see(s *scene.Scene, least float64) {
	for row := range s.Options().Rows {
		for col := range s.Options().Cols {
			trees, _ := s.Owned(col, row)
			tile := s.Tile(col, row, m.date)
			for _, t := range trees {
				if !t.Stands(m.date) || t.Height[m.date] < least {
					continue
				}
				top := float64(tile.DSM.At(t.Crown.X, t.Crown.Y) - tile.Ground.At(t.Crown.X, t.Crown.Y))
				m.truth, m.hidden = append(m.truth, t), append(m.hidden, t.Understorey || !(top <= t.Height[m.date]+1.5))
			}
		}
	}
}

// likely is a tree and a found one that may be the same, and how far they are apart by what is allowed.
type likely struct {
	t, f int
	d    float64
}

// pairs are the pairs that may be the same, the nearest first.
func (m *match) pairs() (pairs []likely) {
	const cell = 8.0
	type square [2]int
	at := func(x, y float64) square { return square{int(math.Floor(x / cell)), int(math.Floor(y / cell))} }
	trees := map[square][]int{}
	for i := range m.truth {
		k := at(m.truth[i].Apex.X, m.truth[i].Apex.Y)
		trees[k] = append(trees[k], i)
	}
	for f := range m.found {
		k := at(m.found[f].X, m.found[f].Y)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				for _, i := range trees[square{k[0] + dx, k[1] + dy}] {
					if d, ok := m.apart(i, f); ok {
						pairs = append(pairs, likely{i, f, d})
					}
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b likely) int {
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.t, b.t), cmp.Compare(a.f, b.f))
	})
	return pairs
}

// apart is the distance of a tree and a found one by what is allowed; false where that is too much.
func (m *match) apart(i, f int) (space float64, ok bool) {
	t, x := &m.truth[i], &m.found[f]
	h := t.Height[m.date]
	plane := math.Hypot(x.X-t.Apex.X, x.Y-t.Apex.Y)
	space = math.Hypot(plane, x.Height-h) / (2.1 + 0.14*h)
	return space, plane <= max(t.Radius[m.date], 1.5) && space <= 1
}

// has says whether a tree of the truth stands within the box, finds whether a found one does.
func (m *match) has(t int) bool   { return m.inside(m.truth[t].Apex.X, m.truth[t].Apex.Y) }
func (m *match) finds(f int) bool { return m.inside(m.found[f].X, m.found[f].Y) }

func (m *match) inside(x, y float64) bool {
	b := m.within
	return x >= b.West && x < b.East && y >= b.South && y < b.North
}
