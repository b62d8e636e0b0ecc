package change

import (
	"cmp"
	"context"
	"slices"
)

// How far parts of one change may lie apart, metres.
const (
	treesApart  = 7 // crowns of a stand
	floorApart  = 3 // bare ground beside felled trees
	partsApart  = 3 // small parts of anything else
	sidesApart  = 9 // what was added to a road on its two sides
	smallPart   = 60
	besideRoad  = 0.5 // share of a strip of bare ground that lies along a road; of lost crowns
	besideTrees = 0.15
	along       = 12 // parts of one stretch of a road
)

// closing are the cells that gaps in the outline of an event are closed by, from either side.
var closing = [Unclassified + 1]int{TreeGrowth: 2, TreeFelling: 3, ForestClearcut: 4, RoadNew: 2, RoadWidened: 5, VegetationGrowth: 1,
	VegetationLoss: 1, SurfaceChange: 1, EarthworkGrading: 2, RoadResurfaced: 1}

// gathered joins regions that are parts of one change.
func (f *finder) gathered(ctx context.Context, all []*region) ([]*region, error) {
	if err := each(len(all), func(i int) error {
		g := all[i]
		g.parts = 1
		g.trees = g.class == lost && g.a95 >= treeHeight && g.a50 >= 1.8 && g.bendA >= gabled
		if g.class == bared || g.class == slight || g.trees {
			g.beside = f.roadBeside(g)
		}
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	trees := func(g *region) bool { return g.trees }
	always := func(_, _ *region) bool { return true }
	for _, c := range []joint{
		{treesApart, trees, always},
		{floorApart, func(g *region) bool { return g.trees || g.class == bared }, func(a, b *region) bool { return a.trees != b.trees }},
		{sidesApart, func(g *region) bool { return f.strip(g) && f.alongRoad(g) }, always},
		{along, resurfaced, func(a, b *region) bool { return a.lift*b.lift > 0 }},
		{floorApart, levelledGround, always},
		{partsApart, func(g *region) bool { return g.class != grown && g.class != strong }, func(a, b *region) bool {
			return a.class == b.class && a.trees == b.trees && min(a.n, b.n) < smallPart
		}},
	} {
		var err error
		if all, err = f.cluster(ctx, all, c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// joint says which regions belong together.
type joint struct {
	apart    int32                // cells that may lie between them
	may      func(g *region) bool // which are asked about
	together func(a, b *region) bool
}

// alongRoad says whether a strip lies along a road.
func (f *finder) alongRoad(g *region) bool {
	return g.beside >= besideRoad || g.trees && g.beside >= besideTrees
}

// levelledGround says whether a region is ground that was bared or levelled away from roads: where it moved by much, and where
// it hardly did, it is one place.
func levelledGround(g *region) bool {
	return (g.class == bared || g.class == slight) && g.hardB > 0.5 && g.hardA < 0.3 && g.beside < besideRoad
}

// resurfaced says whether a region is ground that was sealed or bare on both dates.
func resurfaced(g *region) bool { return g.class == slight && g.hardA > 0.3 && g.hardB > 0.3 }

// strip says whether a region may be a part of a road.
func (f *finder) strip(g *region) bool {
	return (g.class == bared || g.trees || g.class == slight && g.hardA < 0.3 && g.hardB > 0.3) && (g.elongation() >= 3 || g.n < smallPart)
}

// cluster joins regions that belong together and of which cells lie within a distance. What is found does not depend on the
// order of the work: regions come by their first cell.
func (f *finder) cluster(ctx context.Context, all []*region, c joint) ([]*region, error) {
	apart := c.apart
	type cell struct{ x, y int32 }
	at := map[cell][]int32{} // regions by squares of the distance
	for i, g := range all {
		if !c.may(g) {
			continue
		}
		for _, s := range g.spans {
			for x := s.from / apart; x <= (s.to-1)/apart; x++ {
				k := cell{x, s.row / apart}
				if list := at[k]; len(list) == 0 || list[len(list)-1] != int32(i) {
					at[k] = append(list, int32(i))
				}
			}
		}
	}
	parent := make([]int32, len(all))
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for k, list := range at {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				for _, j := range at[cell{k.x + dx, k.y + dy}] {
					for _, i := range list {
						if i < j && c.together(all[i], all[j]) {
							a, b := find(i), find(j)
							parent[max(a, b)] = min(a, b)
						}
					}
				}
			}
		}
	}
	return f.joined(ctx, all, func(i int) int { return int(find(int32(i))) })
}

// joined are the regions by their roots, measured anew where there are several.
func (f *finder) joined(ctx context.Context, all []*region, root func(i int) int) ([]*region, error) {
	var out []*region
	at := map[int]*region{}
	for i, g := range all {
		r := root(i)
		if r == i {
			at[i] = g
			out = append(out, g)
			continue
		}
		to := at[r]
		if g.trees && !to.trees {
			to.trees, to.class = true, g.class
		}
		to.parts += g.parts
		to.spans = append(to.spans, g.spans...)
	}
	return out, each(len(out), func(i int) error {
		if g := out[i]; g.parts > 1 {
			slices.SortFunc(g.spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.from, b.from)) })
			f.measure(g)
			if g.class == bared || g.class == slight || g.trees {
				g.beside = f.roadBeside(g)
			}
		}
		return ctx.Err()
	})
}

// roadBeside is the share of the cells of a region with ground beside them that was bare or sealed before.
func (f *finder) roadBeside(g *region) float64 {
	const far = 4
	n, hits := 0, 0
	cols, rows := f.area.cols(), f.area.rows()
	f.each(g, func(px, py int32, r *record) {
		n++
		for y := max(int(py)-far, 0); y <= min(int(py)+far, rows-1); y += 2 {
			for x := max(int(px)-far, 0); x <= min(int(px)+far, cols-1); x += 2 {
				if f.hard[y*cols+x] {
					hits++
					return
				}
			}
		}
	})
	return float64(hits) / float64(max(n, 1))
}
