package change

import (
	"context"
	"fmt"
	"math"

	"mappe/shared/geo/raster"
)

// Layer is one of the four height models that are compared.
type Layer uint8

// The layers.
const (
	TerrainBefore Layer = iota
	SurfaceBefore
	TerrainAfter
	SurfaceAfter
	layers
)

// Source gives the heights.
type Source interface {
	// Window are the heights of a layer in metres over a box whose borders are whole metres: cells of 1 m, NaN where nothing
	// is known. It is asked from several goroutines.
	Window(ctx context.Context, l Layer, b raster.Box) (*raster.Grid, error)
	// Below is how far to the south rows may be read that begin at a northing, so that no block of the files is decoded twice:
	// less than north, a whole metre.
	Below(north float64) float64
}

// cells is a rectangle of whole metres in EPSG:3035: columns from x0 up to x1, rows from the northing y1 down to y0.
type cells struct{ x0, y0, x1, y1 int }

func cellsOf(b raster.Box) cells {
	b = b.Aligned(1)
	return cells{int(b.West), int(b.South), int(b.East), int(b.North)}
}

func (c cells) box() raster.Box {
	return raster.Box{West: float64(c.x0), South: float64(c.y0), East: float64(c.x1), North: float64(c.y1)}
}

func (c cells) grown(m int) cells { return cells{c.x0 - m, c.y0 - m, c.x1 + m, c.y1 + m} }

func (c cells) cols() int { return c.x1 - c.x0 }
func (c cells) rows() int { return c.y1 - c.y0 }

// floorTo is the greatest multiple of m that is not above v.
func floorTo(v, m int) int {
	r := v % m
	if r < 0 {
		r += m
	}
	return v - r
}

// held is a source that has read a box at once, where that is small: what is sampled first is not decoded again.
type held struct {
	Source
	grids [layers]*raster.Grid
}

// heldCells is up to how many cells of a layer are held.
const heldCells = 5 << 20

func hold(ctx context.Context, s Source, c cells) (Source, error) {
	if c.cols()*c.rows() > heldCells {
		return s, nil
	}
	h := &held{Source: s}
	err := each(int(layers), func(i int) (err error) {
		h.grids[i], err = window(ctx, s, Layer(i), c)
		return err
	})
	return h, err
}

// Window is a copy of a part of what is held.
func (h *held) Window(ctx context.Context, l Layer, b raster.Box) (*raster.Grid, error) {
	g := h.grids[l]
	c := cellsOf(b)
	all := cells{int(g.West), int(g.North) - g.Rows, int(g.West) + g.Cols, int(g.North)}
	if c.x0 < all.x0 || c.y0 < all.y0 || c.x1 > all.x1 || c.y1 > all.y1 {
		return h.Source.Window(ctx, l, b)
	}
	out := &raster.Grid{West: b.West, North: b.North, Step: 1, Cols: c.cols(), Rows: c.rows(), Z: make([]float32, 0, c.cols()*c.rows())}
	for row := range out.Rows {
		out.Z = append(out.Z, g.Row(all.y1 - c.y1 + row)[c.x0-all.x0:c.x1-all.x0]...)
	}
	return out, nil
}

// Below is as far as is asked: all is decoded.
func (h *held) Below(float64) float64 { return math.Inf(-1) }

// window reads cells and holds the source to what it promises.
func window(ctx context.Context, s Source, l Layer, c cells) (*raster.Grid, error) {
	g, err := s.Window(ctx, l, c.box())
	if err != nil {
		return nil, err
	}
	if g.Step != 1 || g.Cols != c.cols() || g.Rows != c.rows() || int(g.West) != c.x0 || int(g.North) != c.y1 {
		return nil, fmt.Errorf("change: a window of %d x %d cells of %g m, %d x %d of 1 m were asked for",
			g.Cols, g.Rows, g.Step, c.cols(), c.rows())
	}
	return g, nil
}
