package canopy

import (
	"math"

	"mappe/shared/geo/raster"
)

// Source is what an apex was found in.
type Source string

// The sources. An apex that the orthophoto alone shows is not counted: of those, held to the truth of made-up scenes, one in ten was a
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
	near := placesOf(m, apexes)
	for row := 1; row < b.rows-1; row++ {
		for col := 1; col < b.cols-1; col++ {
			v := b.Z[row*b.cols+col]
			if v <= 0 || !b.peak(row*b.cols+col, v) {
				continue
			}
			x, y := b.Centre(col, row)
			near.around(x, y, func(i int32) {
				ax, ay := m.middle(&apexes[i])
				if float64((ax-x)*(ax-x))+float64((ay-y)*(ay-y)) <= confirms*confirms &&
					b.dominates(col, row, v, float64(suppression*apexes[i].radius)) {
					apexes[i].source = FromBoth
				}
			})
		}
	}
}

// places finds apexes by squares of placeSide metres, which are no smaller than what confirms an apex.
type places struct {
	west, north float64
	cols, rows  int
	first, next []int32 // of a square its first apex, of an apex the next one in its square; -1: none
}

const placeSide = 2

func placesOf(m *model, apexes []apex) *places {
	p := &places{west: m.DSM.West, north: m.DSM.North, cols: m.cols/placeSide + 1, rows: m.rows/placeSide + 1,
		next: make([]int32, len(apexes))}
	p.first = make([]int32, p.cols*p.rows)
	for i := range p.first {
		p.first[i] = -1
	}
	for i := range apexes {
		x, y := m.middle(&apexes[i])
		col, row := p.at(x, y)
		k := row*p.cols + col
		p.next[i], p.first[k] = p.first[k], int32(i)
	}
	return p
}

// at is the square of a place, which may lie beside all of them.
func (p *places) at(x, y float64) (col, row int) {
	return int(math.Floor((x - p.west) / placeSide)), int(math.Floor((p.north - y) / placeSide))
}

// around calls f with the apexes in the square of a place and in those beside it.
func (p *places) around(x, y float64, f func(i int32)) {
	col, row := p.at(x, y)
	for r := max(row-1, 0); r <= min(row+1, p.rows-1); r++ {
		for c := max(col-1, 0); c <= min(col+1, p.cols-1); c++ {
			for i := p.first[r*p.cols+c]; i >= 0; i = p.next[i] {
				f(i)
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
