package proximity

import (
	"mappe/artefacts/internal/grid"
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

// Grid is a grid of cells.
type Grid struct {
	grid.Grid
	holds Set // what its cells hold
}

// CellID names a cell of a grid.
type CellID = grid.Cell

// The grids: what lies dense and near, and what lies sparse and far.
var (
	Near = Grid{grid.Grid{Prefix: 'n', Step: 1_000_000}, OfCategory(Road, Water)}
	Far  = Grid{grid.Grid{Prefix: 'f', Step: 5_000_000}, OfCategory(Rail, Transit, Place) | SetOf(Class.Major)}
)
