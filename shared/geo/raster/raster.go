// Package raster holds values on a regular grid of square cells with north up: heights, indices, classes. A Grid lies in
// a plane that its user names (here EPSG:3035, metres); cells are addressed by column from the west and row from the
// north, and the value of a cell is that at its centre. Unknown values are NaN.
package raster

import (
	"fmt"
	"math"
)

// Grid is a raster in memory.
type Grid struct {
	West, North float64 // of the corner of the north-western cell, in metres
	Step        float64 // side of a cell, in metres
	Cols, Rows  int
	Z           []float32 // rows from the north, each from the west
}

// MaxCells bounds a grid that is made for a request: 25 km² in cells of 1 m with their margin.
const MaxCells = 64 << 20

// New is a grid of unknown values.
func New(west, north, step float64, cols, rows int) *Grid {
	g := &Grid{West: west, North: north, Step: step, Cols: cols, Rows: rows, Z: make([]float32, cols*rows)}
	nan := float32(math.NaN())
	for i := range g.Z {
		g.Z[i] = nan
	}
	return g
}

// Row are the values of a row.
func (g *Grid) Row(row int) []float32 { return g.Z[row*g.Cols : (row+1)*g.Cols] }

// East and South are the other two borders.
func (g *Grid) East() float64  { return g.West + float64(float64(g.Cols)*g.Step) }
func (g *Grid) South() float64 { return g.North - float64(float64(g.Rows)*g.Step) }

// Centre is the place of a cell.
func (g *Grid) Centre(col, row int) (x, y float64) {
	return g.West + float64((float64(col)+0.5)*g.Step), g.North - float64((float64(row)+0.5)*g.Step)
}

// At is the value of the cell that a place lies in; NaN outside.
func (g *Grid) At(x, y float64) float32 {
	col, row := int(math.Floor((x-g.West)/g.Step)), int(math.Floor((g.North-y)/g.Step))
	if col < 0 || row < 0 || col >= g.Cols || row >= g.Rows {
		return float32(math.NaN())
	}
	return g.Z[row*g.Cols+col]
}

// Bilinear is the value at a place between the centres of four cells; where one of them is unknown that of the cell that
// the place lies in.
func (g *Grid) Bilinear(x, y float64) float32 {
	fx, fy := (x-g.West)/g.Step-0.5, (g.North-y)/g.Step-0.5
	col, row := int(math.Floor(fx)), int(math.Floor(fy))
	if col < 0 || row < 0 || col+1 >= g.Cols || row+1 >= g.Rows {
		return g.At(x, y)
	}
	u, v := fx-float64(col), fy-float64(row)
	at := row*g.Cols + col
	north := float64(float64(g.Z[at])*(1-u)) + float64(float64(g.Z[at+1])*u)
	south := float64(float64(g.Z[at+g.Cols])*(1-u)) + float64(float64(g.Z[at+g.Cols+1])*u)
	if z := float32(float64(north*(1-v)) + float64(south*v)); z == z {
		return z
	}
	return g.At(x, y)
}

// Paste copies the values of another grid with the same cells to where it overlaps; unknown ones are left out.
func (g *Grid) Paste(from *Grid) error {
	dx, dy := (from.West-g.West)/g.Step, (g.North-from.North)/g.Step
	col0, row0 := int(math.Round(dx)), int(math.Round(dy))
	if from.Step != g.Step || math.Abs(dx-float64(col0)) > 1e-6 || math.Abs(dy-float64(row0)) > 1e-6 {
		return fmt.Errorf("raster: cells of %g m from %.3f, %.3f are not those of %g m from %.3f, %.3f", from.Step, from.West, from.North,
			g.Step, g.West, g.North)
	}
	for row := max(0, -row0); row < from.Rows && row0+row < g.Rows; row++ {
		to, in := g.Row(row0+row), from.Row(row)
		for col := max(0, -col0); col < from.Cols && col0+col < g.Cols; col++ {
			if z := in[col]; z == z {
				to[col0+col] = z
			}
		}
	}
	return nil
}

// Box is a rectangle in the plane of a grid.
type Box struct{ West, South, East, North float64 }

// Overlaps says whether two boxes share more than a border.
func (b Box) Overlaps(o Box) bool {
	return b.West < o.East && o.West < b.East && b.South < o.North && o.South < b.North
}

// Holds says whether another box lies in it.
func (b Box) Holds(o Box) bool {
	return b.West <= o.West && b.South <= o.South && b.East >= o.East && b.North >= o.North
}

// Grown is the box with a margin.
func (b Box) Grown(m float64) Box { return Box{b.West - m, b.South - m, b.East + m, b.North + m} }

// tolerance is how far a border may lie beyond a multiple of the step, in steps, and count as that multiple: what
// transforming a place to and fro leaves of a whole metre.
const tolerance = 1e-6

// Aligned is the smallest box that holds b, but for the tolerance, and whose borders are multiples of step.
func (b Box) Aligned(step float64) Box {
	down := func(v float64) float64 { return math.Floor(v/step+tolerance) * step }
	up := func(v float64) float64 { return math.Ceil(v/step-tolerance) * step }
	return Box{down(b.West), down(b.South), up(b.East), up(b.North)}
}

// Over is a grid of unknown values over an aligned box; an error where it has more than MaxCells.
func Over(b Box, step float64) (*Grid, error) {
	cols, rows := cells(b.West, b.East, step), cells(b.South, b.North, step)
	if cols < 1 || rows < 1 || cols*rows > MaxCells {
		return nil, fmt.Errorf("raster: %.0f x %.0f cells, at most %d in all", cols, rows, MaxCells)
	}
	return New(b.West, b.North, step, int(cols), int(rows)), nil
}

// cells is how many cells of a step lie between two borders.
func cells(from, to, step float64) float64 { return math.Round((to - from) / step) }
