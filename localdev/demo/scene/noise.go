package scene

import "math"

// window are the places whose values are asked for: the centres of square cells, rows from the north. Cells are counted
// from the origin of EPSG:3035, so that a place is the same number in every window that holds it.
type window struct {
	perMetre   int     // cells a metre: 1, 2 or 5
	col0       int     // of the western column
	row0       int     // of the northern row, counted to the north: its centre is at (row0+0.5)/perMetre
	cols, rows int     // cells
	dx, dy     float64 // metres from the centre of a cell to the place that it shows: a scan that lies beside its place
}

// x and y are the place of a column and a row.
func (w *window) x(col int) float64 {
	return (float64(w.col0+col)+0.5)/float64(w.perMetre) + w.dx
}

func (w *window) y(row int) float64 {
	return (float64(w.row0-row)+0.5)/float64(w.perMetre) + w.dy
}

// col and row are the cell of a place, as numbers with fractions: 0.5 is the centre of the first.
func (w *window) col(x float64) float64 {
	return float64((x-w.dx)*float64(w.perMetre)) - float64(w.col0)
}

func (w *window) row(y float64) float64 {
	return float64(w.row0+1) - float64((y-w.dy)*float64(w.perMetre))
}

// grown has a margin of cells.
func (w window) grown(cells int) window {
	w.col0, w.row0 = w.col0-cells, w.row0+cells
	w.cols, w.rows = w.cols+2*cells, w.rows+2*cells
	return w
}

// box is the rectangle of the window's places.
func (w *window) box() box {
	return box{w.x(0), w.y(w.rows - 1), w.x(w.cols - 1), w.y(0)}
}

// box is a rectangle.
type box struct{ west, south, east, north float64 }

func (b box) grown(m float64) box { return box{b.west - m, b.south - m, b.east + m, b.north + m} }

func (b box) meets(o box) bool {
	return b.west <= o.east && o.west <= b.east && b.south <= o.north && o.south <= b.north
}

func (b box) has(x, y float64) bool {
	return x >= b.west && x < b.east && y >= b.south && y < b.north
}

// span are the cells of a window that a box may hold, from one up to another.
func (w *window) span(b box) (col0, row0, col1, row1 int) {
	col0, col1 = int(math.Floor(w.col(b.west))), int(math.Floor(w.col(b.east)))+1
	row0, row1 = int(math.Floor(w.row(b.north))), int(math.Floor(w.row(b.south)))+1
	return max(col0, 0), max(row0, 0), min(col1, w.cols), min(row1, w.rows)
}

// octave is gradient noise (Perlin 1985, with the fade of 2002) of one wave length.
type octave struct {
	seed      uint64
	kind      chance
	wave      float64 // metres
	amplitude float64
}

// gradients are eight directions.
var gradients = [8][2]float64{{1, 0}, {0.70710678, 0.70710678}, {0, 1}, {-0.70710678, 0.70710678},
	{-1, 0}, {-0.70710678, -0.70710678}, {0, -1}, {0.70710678, -0.70710678}}

func (o *octave) gradient(i, j int) [2]float64 {
	return gradients[key(o.seed+uint64(int(o.wave)), o.kind, i, j)>>61]
}

func fade(t float64) float64 {
	s := float64(t*6) - 15
	s = float64(t*s) + 10
	return float64(t * t * t * s)
}

// at is the noise of a place.
func (o *octave) at(x, y float64) float64 {
	x, y = x/o.wave, y/o.wave
	fi, fj := math.Floor(x), math.Floor(y)
	i, j := int(fi), int(fj)
	fx, fy := x-fi, y-fj
	corner := func(di, dj int) float64 {
		g := o.gradient(i+di, j+dj)
		return float64(g[0]*(fx-float64(di))) + float64(g[1]*(fy-float64(dj)))
	}
	// The same steps as in a row, so that both give the same bits.
	sx, sy := fade(fx), fade(fy)
	west, east := lerp(corner(0, 0), corner(0, 1), sy), lerp(corner(1, 0), corner(1, 1), sy)
	return float64(o.amplitude * lerp(west, east, sx))
}

// wave is an octave prepared for the columns of a window.
type wave struct {
	octave
	i0    int       // lattice column of the first
	cell  []int32   // lattice column of each column, from i0
	fx    []float64 // place between the lattice's columns
	sx    []float64 // its fade
	south [][2]float64
	north [][2]float64
	j     int
	known bool
}

func (o octave) over(w *window) *wave {
	v := &wave{octave: o, cell: make([]int32, w.cols), fx: make([]float64, w.cols), sx: make([]float64, w.cols)}
	v.i0 = int(math.Floor(w.x(0) / o.wave))
	for c := range w.cols {
		x := w.x(c) / o.wave
		i := math.Floor(x)
		v.cell[c], v.fx[c], v.sx[c] = int32(int(i)-v.i0), x-i, fade(x-i)
	}
	n := int(v.cell[w.cols-1]) + 2
	v.south, v.north = make([][2]float64, n), make([][2]float64, n)
	return v
}

// add adds the noise of a row.
func (v *wave) add(out []float64, y float64) {
	y /= v.wave
	fj := math.Floor(y)
	if j := int(fj); j != v.j || !v.known {
		for i := range v.south {
			v.south[i], v.north[i] = v.gradient(v.i0+i, j), v.gradient(v.i0+i, j+1)
		}
		v.j, v.known = j, true
	}
	fy := y - fj
	sy := fade(fy)
	fx, sx := v.fx[:len(out)], v.sx[:len(out)]
	for c := 0; c < len(out); {
		i := v.cell[c]
		a, b, d, e := v.south[i], v.north[i], v.south[i+1], v.north[i+1]
		ay, by, dy, ey := float64(a[1]*fy), float64(b[1]*(fy-1)), float64(d[1]*fy), float64(e[1]*(fy-1))
		for ; c < len(out) && v.cell[c] == i; c++ {
			x := fx[c]
			p, q := float64(a[0]*x)+ay, float64(b[0]*x)+by
			r, s := float64(d[0]*(x-1))+dy, float64(e[0]*(x-1))+ey
			west := p + float64(sy*(q-p))
			east := r + float64(sy*(s-r))
			out[c] += float64(v.amplitude * (west + float64(sx[c]*(east-west))))
		}
	}
}
