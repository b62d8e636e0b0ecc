package segment

import (
	"fmt"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// Params of the division into objects.
type Params struct {
	MinSize   float64 // m²: what is smaller joins a neighbour
	Threshold float64 // of the mean gradient along a border, 0 to 1, below which neighbours are merged
	FelzScale float64 // as in scikit-image: k of Felzenszwalb & Huttenlocher is 1/255 of it, for colours from 0 to 1
}

// Default are the usual parameters.
func Default() Params { return Params{MinSize: 30, Threshold: 0.12, FelzScale: 150} }

// Method is how the objects of a square were found.
type Method string

const (
	Watershed    Method = "watershed"
	Felzenszwalb Method = "felzenszwalb"
	Nothing      Method = "" // no layer has a value there
)

// square is a square of 1 km in work.
type square struct {
	east, north int      // kilometres of its north-western corner
	labels      []int32  // of its cells: pieces from 1
	kept        runs     // the same of the cells that are meant, when the labels are let go of
	pieces      []piece  // by label - 1
	made        []Object // of the pieces that nothing can join any more, until they are stored
	outer       [4][]int32
	inner       [4][]int32
	levels      [4][]uint16 // of the cells at its border
	top         [4][]float32
	light       [4][]float32
	meant       [4][]bool
	method      Method
	used        [gradients]bool
	cells       int // that are meant
	known       int // of them, those with heights
}

// The sides of a square.
const (
	northSide = iota
	westSide
	eastSide
	southSide
)

// check refuses layers that do not fit a window.
func (l *Layers) check(box raster.Box) error {
	for _, g := range [...]*raster.Grid{l.DTM, l.DSM, l.EarlierDTM, l.EarlierDSM, l.Red, l.Green, l.Blue, l.NIR} {
		if g != nil && (g.West != box.West || g.North != box.North || g.Step != 1 || float64(g.Cols) != box.East-box.West ||
			float64(g.Rows) != box.North-box.South) {
			return fmt.Errorf("segment: a grid of %d x %d cells of %g m from %.1f, %.1f in the window %v", g.Cols, g.Rows, g.Step,
				g.West, g.North, box)
		}
	}
	return nil
}

// labelled divides a window into regions: labels of its cells from 1, 0 where nothing is known.
func labelled(l *Layers, r *relief, p Params) (labels []int32, method Method) {
	known, heights := 0, 0
	for i, part := range r.part {
		if part >= 0 {
			known++
			if r.height != nil && r.height[i] == r.height[i] {
				heights++
			}
		}
	}
	smallest := int32(math.Ceil(p.MinSize))
	if known == 0 {
		return make([]int32, len(r.part)), Nothing
	}
	var n int
	if 2*heights < known && l.Red != nil && l.NIR != nil {
		method = Felzenszwalb
		labels, n = felzenszwalb(colours(l), r.part, r.cols, p.FelzScale/255, smallest)
	} else {
		method = Watershed
		labels, n = basins(r.level, r.part, r.cols, r.rows)
	}
	g := regionsOf(r.level, r.part, labels, n, r.cols)
	if method == Watershed {
		g.merge(p.Threshold * levels)
	}
	g.absorb(smallest)
	g.number(labels)
	return labels, method
}

// squareOf divides the square of a window, which is given by the kilometres of its south-western corner, and measures its pieces in
// the cells of it that are meant.
func squareOf(l *Layers, en [2]int, p Params, in []bool) (*square, error) {
	e, n := en[0], en[1]
	box := Window(e, n)
	if err := l.check(box); err != nil {
		return nil, err
	}
	r := reliefOf(l, box)
	s := &square{east: e, north: n + 1, used: r.used}
	var window []int32
	window, s.method = labelled(l, r, p)
	s.crop(window, r)
	m := newMeasuring(s, l, r, box, in)
	m.measure()
	s.finish(p.MinSize)
	return s, nil
}

// finish measures the pieces that nothing can join any more: those within the square, but for the neighbours of what its
// border may have cut off.
func (s *square) finish(least float64) {
	open := make([]bool, len(s.pieces))
	for i := range s.pieces {
		p := &s.pieces[i]
		if open[i] = open[i] || p.seam; p.seam && float64(p.all) < least {
			for _, c := range p.neighbours {
				open[c.with-1] = true
			}
		}
	}
	for i := range s.pieces {
		if p := &s.pieces[i]; !open[i] {
			if p.cells > 0 {
				s.made = append(s.made, p.object(float64(s.east)*Side, float64(s.north)*Side))
				p.made, p.col, p.row = int64(len(s.made)), int16(p.firstCol), int16(p.firstRow)
			}
			p.body = nil
		}
	}
}

// crop takes the square out of its window and numbers its pieces by their first cells.
func (s *square) crop(window []int32, r *relief) {
	s.labels = make([]int32, Side*Side)
	names := make([]int32, slices.Max(window)+1)
	for row := range Side {
		from := window[(row+Halo)*span+Halo:][:Side]
		part := r.part[(row+Halo)*span+Halo:][:Side]
		to := s.labels[row*Side:][:Side]
		for i, w := range from {
			if w == 0 {
				continue
			}
			if names[w] == 0 {
				s.pieces = append(s.pieces, piece{part: part[i], body: &body{low: math.NaN(), high: math.NaN(), top: math.NaN()}})
				names[w] = int32(len(s.pieces))
			}
			to[i] = names[w]
			s.pieces[names[w]-1].all++
		}
	}
	// Labels of the cells at the border, and of those beyond it, which belong to the next square, by the names of this one.
	// A region beyond that has no cell in the square has none.
	for side := range s.inner {
		s.inner[side], s.outer[side], s.levels[side] = make([]int32, Side), make([]int32, Side), make([]uint16, Side)
		for i := range Side {
			in, out := borderCells(side, i)
			s.inner[side][i], s.outer[side][i], s.levels[side][i] = names[window[in]], names[window[out]], r.level[in]
			if k := s.inner[side][i]; k > 0 {
				s.pieces[k-1].seam = true
			}
		}
	}
}

// borderCells are a cell at the border of a square and the one beyond it, in the window.
func borderCells(side, i int) (in, out int) {
	switch side {
	case northSide:
		in, out = Halo*span+Halo+i, (Halo-1)*span+Halo+i
	case southSide:
		in, out = (Halo+Side-1)*span+Halo+i, (Halo+Side)*span+Halo+i
	case westSide:
		in, out = (Halo+i)*span+Halo, (Halo+i)*span+Halo-1
	default:
		in, out = (Halo+i)*span+Halo+Side-1, (Halo+i)*span+Halo+Side
	}
	return in, out
}
