package main

import (
	"cmp"
	"math"
	"slices"

	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

// The defaults of dalponte2016 in lidR: least height, share of the seed's height and of the crown's mean that a cell has, reach in cells.
const (
	lowest  = 2.0
	ofSeed  = 0.45
	ofCrown = 0.55
	reach   = 10
)

// peer finds trees by local maxima in a round window of a diameter in metres that may grow with the height, and grows their crowns. The
// canopy model is the difference of the models, holes and roofs of the cadastre taken out, as a forester would.
func peer(window func(height float64) float64) func(l canopy.Layers, s *scene.Scene) []tree {
	return func(l canopy.Layers, _ *scene.Scene) (out []tree) {
		g := heights(l)
		tops := maxima(g, window)
		crowns := grown(g, tops)
		for i, at := range tops {
			x, y := g.Centre(at%g.Cols, at/g.Cols)
			out = append(out, tree{judged.Found{X: x, Y: y, Height: float64(g.Z[at])}, float64(crowns[i])})
		}
		return out
	}
}

// heights are those above the ground, 0 where they are not known and on roofs.
func heights(l canopy.Layers) *raster.Grid {
	g := raster.New(l.DTM.West, l.DTM.North, l.DTM.Step, l.DTM.Cols, l.DTM.Rows)
	for i := range g.Z {
		if h := l.DSM.Z[i] - l.DTM.Z[i]; h > 0 {
			g.Z[i] = h
		} else {
			g.Z[i] = 0
		}
	}
	roofs := raster.MaskOf(g, l.Buildings)
	for row := range g.Rows {
		roofs.Each(row, func(from, to int) { clear(g.Row(row)[from:to]) })
	}
	return g
}

// maxima are the cells that no cell in their window is higher than; of equal ones the first.
func maxima(g *raster.Grid, window func(float64) float64) (tops []int) {
	for row := range g.Rows {
		for col := range g.Cols {
			at := row*g.Cols + col
			h := g.Z[at]
			if h < least {
				continue
			}
			radius := window(float64(h)) / 2
			if top(g, col, row, h, radius) {
				tops = append(tops, at)
			}
		}
	}
	slices.SortFunc(tops, func(a, b int) int { return cmp.Or(cmp.Compare(g.Z[b], g.Z[a]), cmp.Compare(a, b)) })
	return tops
}

func top(g *raster.Grid, col, row int, h float32, radius float64) bool {
	n := int(radius)
	for dy := -n; dy <= n; dy++ {
		for dx := -n; dx <= n; dx++ {
			x, y := col+dx, row+dy
			if x < 0 || y < 0 || x >= g.Cols || y >= g.Rows || float64(dx*dx+dy*dy) > radius*radius {
				continue
			}
			z := g.Z[y*g.Cols+x]
			if z > h || z == h && (dy < 0 || dy == 0 && dx < 0) {
				return false
			}
		}
	}
	return true
}

// grown are the cells of the crowns of some tops. In each round the cells beside a crown join it that are high enough and near.
func grown(g *raster.Grid, tops []int) []int {
	owner := make([]int32, len(g.Z))
	sums, cells := make([]float64, len(tops)), make([]int, len(tops))
	var front []int
	for i, at := range tops {
		owner[at] = int32(i + 1)
		sums[i], cells[i] = float64(g.Z[at]), 1
		front = append(front, at)
	}
	for len(front) > 0 {
		var next []int
		for _, at := range front {
			k := owner[at] - 1
			seed := tops[k]
			high := float64(g.Z[seed])
			for _, d := range [4][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
				col, row := at%g.Cols+d[0], at/g.Cols+d[1]
				if col < 0 || row < 0 || col >= g.Cols || row >= g.Rows {
					continue
				}
				to := row*g.Cols + col
				z := float64(g.Z[to])
				if owner[to] != 0 || z < lowest || z <= high*ofSeed || z <= sums[k]/float64(cells[k])*ofCrown || z > high*1.05 ||
					math.Abs(float64(col-seed%g.Cols)) >= reach || math.Abs(float64(row-seed/g.Cols)) >= reach {
					continue
				}
				owner[to] = k + 1
				sums[k], cells[k] = sums[k]+z, cells[k]+1
				next = append(next, to)
			}
		}
		front = next
	}
	return cells
}
