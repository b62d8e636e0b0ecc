package canopy

import (
	"math"

	"mappe/shared/geo/raster"
)

// Photo is an orthophoto: red, green, blue and near infrared, 0 to 255, NaN where it is not known. It is read row by row, so that
// it may be kept in fewer bytes than its values take.
type Photo interface {
	// Lattice is where its cells lie, without values.
	Lattice() *raster.Grid
	// Row gives a row of a band, in the room of so many values as it has columns or in its own.
	Row(band, row int, room []float32) []float32
}

// The bands of a Photo that are looked at by their number.
const (
	green = 1
	nir   = 3
)

// Bands are a Photo whose values stand in grids.
type Bands []*raster.Grid

// Lattice implements Photo.
func (b Bands) Lattice() *raster.Grid {
	g := *b[0]
	g.Z = nil
	return &g
}

// Row implements Photo.
func (b Bands) Row(band, row int, _ []float32) []float32 { return b[band].Row(row) }

// photograph makes means of the orthophoto over the cells, of its cells whose middles lie in them, or of a coarser one the cell
// that they lie in; NaN without an orthophoto.
func (f *Finder) photograph() {
	m := &f.m
	m.bands = [4][]float32{}
	if m.Photo == nil {
		return
	}
	g := m.Photo.Lattice()
	if bands, ok := m.Photo.(Bands); ok && g.Step == m.DSM.Step && g.West == m.DSM.West && g.North == m.DSM.North &&
		g.Cols == m.cols && g.Rows == m.rows {
		for band := range m.bands { // the mean over a cell is its only value
			m.bands[band] = bands[band].Z
		}
		return
	}
	coarse := g.Step > m.DSM.Step
	for band := range m.bands {
		f.photo[band] = sized(f.photo[band], len(m.raw), true)
		if m.bands[band] = f.photo[band]; coarse {
			m.sampled(band)
		} else {
			f.counts = sized(f.counts, len(m.raw), true)
			m.averaged(band, f.counts)
		}
	}
}

// sampled is a band of a coarse orthophoto at the middles of the cells.
func (m *model) sampled(band int) {
	g := m.Photo.Lattice()
	g.Z = make([]float32, g.Cols*g.Rows)
	for row := range g.Rows {
		copy(g.Row(row), m.Photo.Row(band, row, g.Row(row)))
	}
	for row := range m.rows {
		for col := range m.cols {
			m.bands[band][row*m.cols+col] = g.At(m.DSM.Centre(col, row))
		}
	}
}

// averaged is the mean of a band of a fine orthophoto over each cell; n is room for numbers.
func (m *model) averaged(band int, n []float32) {
	g, sum := m.Photo.Lattice(), m.bands[band]
	line := make([]float32, g.Cols)
	for row := range g.Rows {
		_, y := g.Centre(0, row)
		to := int(math.Floor(m.DSM.North - y))
		if to < 0 || to >= m.rows {
			continue
		}
		for col, v := range m.Photo.Row(band, row, line) {
			x, _ := g.Centre(col, row)
			at := int(math.Floor(x - m.DSM.West))
			if at < 0 || at >= m.cols || v != v {
				continue
			}
			sum[to*m.cols+at] += v
			n[to*m.cols+at]++
		}
	}
	for i := range sum {
		sum[i] /= n[i] // 0/0 is NaN
	}
}

// leaves is the brightness of leaves, near infrared and green, in the cells of the orthophoto, smoothed; nil without one.
func (f *Finder) leaves() *bright {
	m := &f.m
	if m.Photo == nil {
		return nil
	}
	g := m.Photo.Lattice()
	f.pixels = sized(f.pixels, g.Cols*g.Rows, false)
	g.Z = f.pixels
	lines := [2][]float32{make([]float32, g.Cols), make([]float32, g.Cols)}
	for row := range g.Rows {
		a, b := m.Photo.Row(green, row, lines[0]), m.Photo.Row(nir, row, lines[1])
		for col := range g.Row(row) {
			v := a[col] + b[col]
			if v != v {
				v = 0
			}
			g.Row(row)[col] = v
		}
	}
	blur(g.Z, g.Cols, g.Rows, gaussian(int(math.Ceil(3*brightSigma/g.Step)), func(i int) float64 {
		return float64(i) * g.Step / brightSigma
	}))
	return &bright{g, g.Cols, g.Rows}
}
