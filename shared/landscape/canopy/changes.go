package canopy

import (
	"cmp"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// Status is what became of a tree between two dates.
type Status string

// The states.
const (
	Grown  Status = "grown"  // higher by at least 0.5 m
	Stable Status = "stable" // neither
	Felled Status = "felled" // its crown has lost more than 60 % of its height, and more than 3 m
	New    Status = "new"    // no canopy stood there, and a tree does now
)

// AllStates lists them.
func AllStates() []Status { return []Status{Grown, Stable, Felled, New} }

// The limits.
const (
	grownFrom   = 0.5 // metres, above the noise of two scans
	felledShare = 0.6
	felledFrom  = 3.0
	newShare    = 0.6 // of the height now, that stood there before where a tree is not new
)

// Change is a tree of one date or of both; nil where it stands on one alone. Heights are NaN where the tree does not stand.
type Change struct {
	Status                    Status
	Before, After             *Tree
	HeightBefore, HeightAfter float64 // metres
	AreaBefore, AreaAfter     float64 // m²
	X, Y                      float64
}

// Tree is the tree as it stands, or as it stood.
func (c *Change) Tree() *Tree {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Pairs matches the trees of two dates: greedily by distance in space over 2.1 m + 0.14 h (Monnet 2011). The trees of
// both are given around the box, of what lies in it alone changes are told. What one date has alone is felled or new only
// where the canopy of the other says so too: else it is a tree that was told apart on one date and not on the other, and it is
// stable or grown by the canopy over its crown.
func Pairs(before, after []Tree, was, is Layers, within raster.Box) []Change {
	partner, taken := match(before, after)
	old, now := above(was), above(is)
	var out []Change
	add := func(c Change) {
		t := c.Tree()
		if c.X, c.Y = t.X, t.Y; t.X >= within.West && t.X < within.East && t.Y >= within.South && t.Y < within.North {
			out = append(out, c)
		}
	}
	for i := range after {
		t := &after[i]
		if k := taken[i]; k >= 0 {
			b := &before[k]
			add(Change{Status: moved(t.Height - b.Height), Before: b, After: t, HeightBefore: b.Height, HeightAfter: t.Height,
				AreaBefore: b.CrownArea, AreaAfter: t.CrownArea})
			continue
		}
		h := old.over(t)
		c := Change{Status: New, After: t, HeightBefore: math.NaN(), HeightAfter: t.Height, AreaAfter: t.CrownArea}
		if !(h < newShare*t.MeanHeight) { // a crown stood there, or it is not known
			c.Status, c.HeightBefore = moved(t.MeanHeight-h), t.Height-(t.MeanHeight-h)
		}
		if h != h {
			continue
		}
		add(c)
	}
	for i := range before {
		if partner[i] >= 0 {
			continue
		}
		b := &before[i]
		h := now.over(b)
		if drop := b.MeanHeight - h; drop > felledShare*b.MeanHeight && drop > felledFrom {
			add(Change{Status: Felled, Before: b, HeightBefore: b.Height, HeightAfter: math.NaN(), AreaBefore: b.CrownArea})
		}
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Y, a.Y), cmp.Compare(a.X, b.X), cmp.Compare(a.Status, b.Status))
	})
	return out
}

// above is the canopy of layers as it was measured.
func above(l Layers) *model {
	m := &model{Layers: l, cols: l.DSM.Cols, rows: l.DSM.Rows, raw: make([]float32, l.DSM.Cols*l.DSM.Rows)}
	m.canopy()
	return m
}

func moved(metres float64) Status {
	if metres >= grownFrom {
		return Grown
	}
	return Stable
}

// over is the median of the canopy over a tree's crown; NaN where it is not known.
func (m *model) over(t *Tree) float64 {
	heights := make([]float32, 0, len(t.Cells))
	for _, cell := range t.Cells {
		if h := m.raw[cell]; h >= 0 {
			heights = append(heights, h)
		}
	}
	if 2*len(heights) < len(t.Cells) {
		return math.NaN()
	}
	slices.Sort(heights)
	return float64(heights[len(heights)/2])
}

// match pairs the trees of two lists; -1 for those without a partner.
func match(before, after []Tree) (partner, taken []int) {
	const cell = 8
	type square [2]int
	at := func(t *Tree) square { return square{int(math.Floor(t.X / cell)), int(math.Floor(t.Y / cell))} }
	near := map[square][]int{}
	for i := range before {
		near[at(&before[i])] = append(near[at(&before[i])], i)
	}
	type pair struct {
		b, a int
		d    float64
	}
	var pairs []pair
	for i := range after {
		t := &after[i]
		k := at(t)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				for _, j := range near[square{k[0] + dx, k[1] + dy}] {
					b := &before[j]
					plane := float64((t.X-b.X)*(t.X-b.X)) + float64((t.Y-b.Y)*(t.Y-b.Y))
					reach := max(t.RadiusMean, b.RadiusMean, 1.5)
					space := math.Sqrt(plane+float64((t.Height-b.Height)*(t.Height-b.Height))) / (2.1 + float64(0.14*b.Height))
					if plane <= float64(reach*reach) && space <= 1 {
						pairs = append(pairs, pair{j, i, space})
					}
				}
			}
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		p, q := &after[x.a], &after[y.a]
		o, r := &before[x.b], &before[y.b]
		return cmp.Or(cmp.Compare(x.d, y.d), cmp.Compare(q.Y, p.Y), cmp.Compare(p.X, q.X), cmp.Compare(r.Y, o.Y), cmp.Compare(o.X, r.X))
	})
	partner, taken = make([]int, len(before)), make([]int, len(after))
	for i := range partner {
		partner[i] = -1
	}
	for i := range taken {
		taken[i] = -1
	}
	for _, p := range pairs {
		if partner[p.b] < 0 && taken[p.a] < 0 {
			partner[p.b], taken[p.a] = p.a, p.b
		}
	}
	return partner, taken
}
