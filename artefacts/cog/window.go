package cog

import (
	"fmt"
	"io"
	"math"

	"mappe/shared/geo/raster"
)

// Grid is where the cells of an image lie, without values.
func (f *File) Grid(im *Image) *raster.Grid {
	scale := math.Round(float64(f.Images[0].Width) / float64(im.Width))
	return &raster.Grid{West: f.West, North: f.North, Step: f.StepX * scale, Cols: im.Width, Rows: im.Height}
}

// Window are columns and rows of an image, from the west and from the north.
type Window struct{ Col, Row, Cols, Rows int }

// Tiles are the tiles of an image that hold cells of a window inside it, from the north-west.
func (f *File) Tiles(im *Image, w Window) []Place {
	first, last := w.Row, w.Row+w.Rows-1
	if f.SouthUp {
		first, last = im.Height-1-last, im.Height-1-first
	}
	var out []Place
	for row := first / im.TileHeight; row <= last/im.TileHeight; row++ {
		for col := w.Col / im.TileWidth; col <= (w.Col+w.Cols-1)/im.TileWidth; col++ {
			out = append(out, Place{col, row})
		}
	}
	return out
}

// Place is a tile by its column and row.
type Place struct{ Col, Row int }

// Target is where in a grid the north-western cell of a window stands.
type Target struct {
	Grid     *raster.Grid
	Col, Row int
}

// PlaceIn is where the north-western cell of one grid stands in another one with the same cells; an error where they
// have others.
func PlaceIn(to, of *raster.Grid) (Target, error) {
	dx, dy := (of.West-to.West)/to.Step, (to.North-of.North)/to.Step
	col, row := math.Round(dx), math.Round(dy)
	if of.Step != to.Step || math.Abs(dx-col) > 1e-6 || math.Abs(dy-row) > 1e-6 {
		return Target{}, fmt.Errorf("cells of %g m from %.3f, %.3f are not those of %g m from %.3f, %.3f", of.Step, of.West, of.North,
			to.Step, to.West, to.North)
	}
	return Target{to, int(col), int(row)}, nil
}

// Paste copies the cells of a decoded tile of one band that lie in a window of the image.
func (f *File) Paste(to Target, im *Image, w Window, at Place, values []float32) {
	p := Pasting[float32]{To: raster.SamplesOf(to.Grid), Col: to.Col, Row: to.Row, File: f, Image: im, Window: w}
	p.cells(at, 1, 0, values)
}

// Read reads a window of a band of an image. At the full resolution what the file's mask leaves out is not known.
func (f *File) Read(in io.ReaderAt, im *Image, band int, w Window) (*raster.Grid, error) {
	out, err := f.read(in, im, band, w)
	if err == nil && im == &f.Images[0] {
		err = f.hide(in, out, im, w)
	}
	return out, err
}

func (f *File) read(in io.ReaderAt, im *Image, band int, w Window) (*raster.Grid, error) {
	g := f.Grid(im)
	out := raster.New(g.West+float64(w.Col)*g.Step, g.North-float64(w.Row)*g.Step, g.Step, w.Cols, w.Rows)
	for _, at := range f.Tiles(im, w) {
		stored, err := f.Stored(in, im, at, band)
		if err != nil {
			return nil, err
		}
		if len(stored) == 0 {
			continue
		}
		values, err := f.Decode(im, band, stored)
		if err != nil {
			return nil, err
		}
		f.Paste(Target{Grid: out}, im, w, at, values)
	}
	return out, nil
}

// Whole is the window of all cells of an image.
func (im *Image) Whole() Window { return Window{0, 0, im.Width, im.Height} }
