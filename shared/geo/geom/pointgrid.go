package geom

import (
	"math"
	"slices"
)

// pointGrid finds those of some points that lie in a box: they stand by the cells of a grid, about one in each.
type pointGrid struct {
	points []Point
	box    Box
	side   int64 // cells in a row and in a column
	from   []int32
	list   []int32
}

// newPointGrid lays out the points of the numbers for which known holds.
func newPointGrid(points []Point, known func(i int) bool) *pointGrid {
	g := &pointGrid{points: points, box: EmptyBox}
	n := 0
	for i, p := range points {
		if known(i) {
			g.box = g.box.Extend(p)
			n++
		}
	}
	g.side = max(1, int64(math.Sqrt(float64(n))))
	counts := make([]int32, g.side*g.side)
	g.from, g.list = make([]int32, len(counts)+1), make([]int32, n)
	for i, p := range points {
		if known(i) {
			counts[g.cell(p)]++
		}
	}
	for k, m := range counts {
		g.from[k+1] = g.from[k] + m
	}
	copy(counts, g.from)
	for i, p := range points {
		if known(i) {
			k := g.cell(p)
			g.list[counts[k]] = int32(i)
			counts[k]++
		}
	}
	return g
}

// place is the cell of a coordinate among those between two others, held to those that there are.
func (g *pointGrid) place(v, low, high int32) int64 {
	if v <= low || high <= low {
		return 0
	}
	return min((int64(v)-int64(low))*g.side/(int64(high)-int64(low)+1), g.side-1)
}

func (g *pointGrid) cell(p Point) int64 {
	return g.place(p.Y, g.box.MinY, g.box.MaxY)*g.side + g.place(p.X, g.box.MinX, g.box.MaxX)
}

// in appends the numbers of the points in a box, rising; looked is how many points and cells that took.
func (g *pointGrid) in(b Box, found []int32) (_ []int32, looked int64) {
	if len(g.list) == 0 || !b.Intersects(g.box) {
		return found, 1
	}
	start := len(found)
	x0, x1 := g.place(b.MinX, g.box.MinX, g.box.MaxX), g.place(b.MaxX, g.box.MinX, g.box.MaxX)
	for y := g.place(b.MinY, g.box.MinY, g.box.MaxY); y <= g.place(b.MaxY, g.box.MinY, g.box.MaxY); y++ {
		part := g.list[g.from[y*g.side+x0]:g.from[y*g.side+x1+1]]
		looked += int64(len(part)) + 1
		for _, i := range part {
			if b.Contains(g.points[i]) {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found[start:])
	return found, looked
}
