package canopy

import (
	"math"

	"mappe/shared/geo/raster"
)

// Source is what an apex was found in.
type Source string

// The sources. An apex that the orthophoto alone shows is none: of those, held to the truth of made-up scenes, one in ten was a
// tree in stands of 250 stems a hectare, and four in ten of 600.
const (
	FromHeights Source = "ndsm"
	FromBoth    Source = "fused" // the middle of a crown in the orthophoto lies within 1.5 m
)

const (
	brightSigma = 0.6 // metres that the orthophoto is smoothed by
	confirms    = 1.5 // metres: orthophotos and laser scans lie up to 1 m apart
)

// bright is the brightness of leaves, near infrared and green, in the cells of the orthophoto.
type bright struct {
	*raster.Grid
	cols, rows int
}

// fuse confirms apexes of the heights by the bright middles of crowns in the orthophoto.
func (f *Finder) fuse(apexes []apex) {
	m, b := &f.m, f.leaves()
	if b == nil {
		return
	}
	const square = 2
	place := func(x, y float64) [2]int { return [2]int{int(math.Floor(x / square)), int(math.Floor(y / square))} }
	near := map[[2]int][]int{}
	for i := range apexes {
		x, y := m.middle(&apexes[i])
		near[place(x, y)] = append(near[place(x, y)], i)
	}
	for row := 1; row < b.rows-1; row++ {
		for col := 1; col < b.cols-1; col++ {
			v := b.Z[row*b.cols+col]
			if v <= 0 || !b.peak(row*b.cols+col, v) {
				continue
			}
			x, y := b.Centre(col, row)
			p := place(x, y)
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					for _, i := range near[[2]int{p[0] + dx, p[1] + dy}] {
						ax, ay := m.middle(&apexes[i])
						if float64((ax-x)*(ax-x))+float64((ay-y)*(ay-y)) <= confirms*confirms &&
							b.dominates(col, row, v, float64(suppression*apexes[i].radius)) {
							apexes[i].source = FromBoth
						}
					}
				}
			}
		}
	}
}

// middle is the place of an apex.
func (m *model) middle(a *apex) (x, y float64) {
	return m.DSM.Centre(int(a.cell)%m.cols, int(a.cell)/m.cols)
}

// peak says whether a cell is brighter than its eight neighbours; of equal ones the first is.
func (b *bright) peak(at int, v float32) bool {
	c := b.cols
	return v > b.Z[at-c-1] && v > b.Z[at-c] && v > b.Z[at-c+1] && v > b.Z[at-1] && v >= b.Z[at+1] && v >= b.Z[at+c-1] && v >= b.Z[at+c] &&
		v >= b.Z[at+c+1]
}

// dominates says whether no cell within reach is brighter; of equal ones the first is.
func (b *bright) dominates(col, row int, v float32, reach float64) bool {
	n := int(reach / b.Step)
	for dy := -n; dy <= n; dy++ {
		for dx := -n; dx <= n; dx++ {
			x, y := col+dx, row+dy
			if x < 0 || y < 0 || x >= b.cols || y >= b.rows || dx*dx+dy*dy > n*n {
				continue
			}
			if o := b.Z[y*b.cols+x]; o > v || o == v && (dy < 0 || dy == 0 && dx < 0) {
				return false
			}
		}
	}
	return true
}
