package rasters

import (
	"errors"
	"math"

	"mappe/artefacts/cog"
	source "mappe/builders/source/rasters"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// values says which numbers are values, and how they are resampled.
type values struct {
	lowest, highest float32
	nearest         bool // they are no quantities
}

// Heights beyond these are no heights: files mark unknown cells without saying so.
var heights = values{lowest: -500, highest: 6000}

// lay lays the values of a file over those of a tile.
func lay(g *raster.Grid, f *source.File, of values) error {
	in, _, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close() // read only
	s := sheet{f: f, in: in, im: &f.Head.Images[0], values: of}
	if s.aligned(g) {
		return s.copyTo(g)
	}
	for row := 0; row < g.Rows; row += strip {
		if err := s.warpTo(g, row, min(row+strip, g.Rows)); err != nil {
			return err
		}
	}
	return nil
}

// strip is how many rows of a tile are resampled at a time.
const strip = 500

// sheet is an open file.
type sheet struct {
	f  *source.File
	in source.ReaderAtCloser
	im *cog.Image
	values
}

// aligned says whether the cells of the file are cells of the tile.
func (s *sheet) aligned(g *raster.Grid) bool {
	h := s.f.Head
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-6 }
	return s.f.System == crs.LAEA && h.StepX == g.Step && h.StepY == g.Step && whole((h.West-g.West)/g.Step) &&
		whole((h.North-g.North)/g.Step)
}

// copyTo copies the cells that the file and the tile share.
func (s *sheet) copyTo(g *raster.Grid) error {
	h := s.f.Head
	cells := func(v float64) int { return int(math.Round(v / g.Step)) }
	w := s.inside(cells(g.West-h.West), cells(h.North-g.North), cells(g.East()-h.West), cells(h.North-g.South()))
	if w.Cols < 1 || w.Rows < 1 {
		return nil
	}
	part, err := s.read(w)
	if err != nil {
		return err
	}
	return g.Paste(part)
}

// read reads a window without what is no value.
func (s *sheet) read(w cog.Window) (*raster.Grid, error) {
	g, err := s.f.Read(s.in, w)
	if err != nil {
		return nil, err
	}
	for i, z := range g.Z {
		if !(z >= s.lowest && z <= s.highest) {
			g.Z[i] = float32(math.NaN())
		}
	}
	return g, nil
}

// inside is the part of a window that the file has.
func (s *sheet) inside(col, row, endCol, endRow int) cog.Window {
	col, row = max(col, 0), max(row, 0)
	return cog.Window{Col: col, Row: row, Cols: min(endCol, s.im.Width) - col, Rows: min(endRow, s.im.Height) - row}
}

// knot is the distance in cells of the places that are transformed; between them the transformation is straight to less
// than a millimetre.
const knot = 25

// knots are the columns and rows of the file, as fractions, at the knots of some rows of a tile.
type knots struct {
	from, to   int // rows of the tile
	cols, rows int
	x, y       []float64 // of the file's grid, in cells from its north-western corner
}

func (s *sheet) knotsOf(g *raster.Grid, from, to int) knots {
	k := knots{from: from, to: to, cols: (g.Cols+knot-1)/knot + 1, rows: (to-from+knot-1)/knot + 1}
	h := s.f.Head
	for j := range k.rows {
		for i := range k.cols {
			x, y := g.Centre(i*knot, from+j*knot)
			fx, fy := s.f.System.Forward(crs.LAEA.Inverse(x, y))
			k.x, k.y = append(k.x, (fx-h.West)/h.StepX), append(k.y, (h.North-fy)/h.StepY)
		}
	}
	return k
}

// at is the place of a cell in the file's grid.
func (k *knots) at(col, row int) (x, y float64) {
	return k.between(col/knot, row/knot, float64(col%knot)/knot, float64(row%knot)/knot)
}

// maxStrip bounds the cells of a file that are held to resample a strip.
const maxStrip = 1 << 28

// errTooFine is the error of a file of which a strip does not fit in memory.
var errTooFine = errors.New("its cells are too small beside those of the tiles")

// warpTo resamples rows of the tile.
func (s *sheet) warpTo(g *raster.Grid, from, to int) error {
	k := s.knotsOf(g, from, to)
	w, ok := s.windowOf(&k)
	if !ok {
		return nil
	}
	if w.Cols*w.Rows > maxStrip {
		return errTooFine
	}
	part, err := s.read(w)
	if err != nil {
		return err
	}
	s.sample(g, part, w, &k)
	return nil
}

// windowOf is the part of the file between some knots, with a margin; false where the file has none of it.
func (s *sheet) windowOf(k *knots) (w cog.Window, ok bool) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range k.x {
		x0, x1, y0, y1 = min(x0, k.x[i]), max(x1, k.x[i]), min(y0, k.y[i]), max(y1, k.y[i])
	}
	far := float64(max(s.im.Width, s.im.Height) + 2)
	if x1 < -1 || y1 < -1 || x0 > far || y0 > far {
		return w, false
	}
	whole := func(v float64) int { return int(math.Floor(min(max(v, -far), 2*far))) }
	w = s.inside(whole(x0)-2, whole(y0)-2, whole(x1)+3, whole(y1)+3)
	return w, w.Cols >= 1 && w.Rows >= 1
}

// sample sets the rows of a tile that have knots to the values of a part of the file.
func (s *sheet) sample(g, part *raster.Grid, w cog.Window, k *knots) {
	// In cells of the file: north is up, one cell is one.
	part.West, part.North, part.Step = float64(w.Col), -float64(w.Row), 1
	for row := k.from; row < k.to; row++ {
		line := g.Row(row)
		for col := range line {
			x, y := k.at(col, row-k.from)
			z := float32(0)
			if s.nearest {
				z = part.At(x, -y)
			} else {
				z = part.Bilinear(x, -y)
			}
			if z == z {
				line[col] = z
			}
		}
	}
}

// between is the place in the file's grid of one that lies a part of the way from one knot to the next.
func (k *knots) between(i, j int, u, v float64) (x, y float64) {
	n := j*k.cols + i
	east, south := n, n
	if i+1 < k.cols {
		east++
	}
	if j+1 < k.rows {
		south += k.cols
	}
	corner := south + east - n
	mix := func(z []float64) float64 {
		north := float64(z[n]*(1-u)) + float64(z[east]*u)
		return float64(north*(1-v)) + float64((float64(z[south]*(1-u))+float64(z[corner]*u))*v)
	}
	return mix(k.x), mix(k.y)
}
