package proximity

import (
	"fmt"

	"mappe/shared/geo/geom"
)

// Line is a line, or a chunk of one.
type Line struct {
	Class     Class
	Name, Ref string
	Vertices  []geom.Point
}

// Point is a stop or a settlement.
type Point struct {
	Class      Class
	Name       string
	At         geom.Point
	Population int // -1 not known
}

// Area is a lake, a reservoir or the water of a wide river.
type Area struct {
	Class    Class
	Name     string
	Geometry geom.MultiPolygon
}

// Head says what an artefact is made of.
type Head struct {
	Date        string // of the extract, YYYY-MM-DD; "" not known
	Attribution string
	Counts      []int // features of the extract, by class
}

// Country is the content of the artefact: whole features.
type Country struct {
	Date        string
	Attribution string
	Lines       []Line
	Points      []Point
	Areas       []Area
}

// Grid divides the earth into cells.
type Grid struct {
	prefix byte
	step   int32 // side of a cell in 1e-7 degrees
	holds  Set   // what its cells hold
}

// The grids: what lies dense and near, and what lies sparse and far.
var (
	Near = Grid{'n', 1_000_000, OfCategory(Road, Water)}
	Far  = Grid{'f', 5_000_000, OfCategory(Rail, Transit, Place) | SetOf(Class.Major)}
)

// CellID names a cell of a grid.
type CellID struct{ Row, Column int }

const (
	west  = -180 * geom.Scale
	south = -90 * geom.Scale
)

// At is the cell that holds a point.
func (g Grid) At(p geom.Point) CellID {
	return CellID{int((int64(p.Y) - south) / int64(g.step)), int((int64(p.X) - west) / int64(g.step))}
}

// Box is the area of a cell; cells share their borders.
func (g Grid) Box(c CellID) geom.Box {
	x, y := int64(c.Column)*int64(g.step)+west, int64(c.Row)*int64(g.step)+south
	return geom.Box{MinX: clamp(x), MinY: clamp(y), MaxX: clamp(x + int64(g.step)), MaxY: clamp(y + int64(g.step))}
}

func clamp(v int64) int32 { return int32(min(max(v, -1<<31), 1<<31-1)) }

// Section is the section of a cell.
func (g Grid) Section(c CellID) string { return fmt.Sprintf("%c%04d%04d", g.prefix, c.Row, c.Column) }

// Cells are the cells that a box meets, row by row; nil where there are more than most.
func (g Grid) Cells(b geom.Box, most int) []CellID {
	if b.Empty() {
		return nil
	}
	lo, hi := g.At(geom.Point{X: b.MinX, Y: b.MinY}), g.At(geom.Point{X: b.MaxX, Y: b.MaxY})
	if n := (hi.Row - lo.Row + 1) * (hi.Column - lo.Column + 1); n > most {
		return nil
	}
	var list []CellID
	for row := lo.Row; row <= hi.Row; row++ {
		for column := lo.Column; column <= hi.Column; column++ {
			list = append(list, CellID{row, column})
		}
	}
	return list
}
