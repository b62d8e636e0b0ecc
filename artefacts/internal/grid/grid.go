// Package grid divides the earth into cells of whole steps of 1e-7 degrees, by which artefacts in parts name the sections
// of what lies in a cell.
package grid

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"mappe/shared/geo/geom"
)

// Grid divides the earth into cells.
type Grid struct {
	Prefix byte  // of the names of sections
	Step   int32 // side of a cell in 1e-7 degrees
}

// Cell names a cell of a grid: rows go northwards from latitude -90, columns eastwards from longitude -180.
type Cell struct{ Row, Column int }

const (
	west  = -180 * geom.Scale
	south = -90 * geom.Scale
)

// At is the cell that holds a point.
func (g Grid) At(p geom.Point) Cell {
	return Cell{int((int64(p.Y) - south) / int64(g.Step)), int((int64(p.X) - west) / int64(g.Step))}
}

// Box is the area of a cell; cells share their borders.
func (g Grid) Box(c Cell) geom.Box {
	x, y := int64(c.Column)*int64(g.Step)+west, int64(c.Row)*int64(g.Step)+south
	return geom.Box{MinX: clamp(x), MinY: clamp(y), MaxX: clamp(x + int64(g.Step)), MaxY: clamp(y + int64(g.Step))}
}

func clamp(v int64) int32 { return int32(min(max(v, -1<<31), 1<<31-1)) }

// Section is the name of the section of a cell, 'c' with row and column in four digits each.
func (g Grid) Section(c Cell) string { return fmt.Sprintf("%c%04d%04d", g.Prefix, c.Row, c.Column) }

// Cells are the cells that a box meets, row by row; nil where there are more than most.
func (g Grid) Cells(b geom.Box, most int) []Cell {
	if b.Empty() {
		return nil
	}
	lo, hi := g.At(geom.Point{X: b.MinX, Y: b.MinY}), g.At(geom.Point{X: b.MaxX, Y: b.MaxY})
	if n := (hi.Row - lo.Row + 1) * (hi.Column - lo.Column + 1); n > most {
		return nil
	}
	var list []Cell
	for row := lo.Row; row <= hi.Row; row++ {
		for column := lo.Column; column <= hi.Column; column++ {
			list = append(list, Cell{row, column})
		}
	}
	return list
}

// ByCell sorts things by their cells, row by row, and those of one cell by order, and gives the things of each cell.
func ByCell[T any](all []T, cell func(T) Cell, order func(a, b T) int) iter.Seq2[Cell, []T] {
	slices.SortFunc(all, func(a, b T) int {
		x, y := cell(a), cell(b)
		return cmp.Or(cmp.Compare(x.Row, y.Row), cmp.Compare(x.Column, y.Column), order(a, b))
	})
	return func(yield func(Cell, []T) bool) {
		for rest := all; len(rest) > 0; {
			n, at := 1, cell(rest[0])
			for n < len(rest) && cell(rest[n]) == at {
				n++
			}
			if !yield(at, rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}
