// Package formattest is rows for the tests of those that write them in a form.
package formattest

import (
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// Row is a row of given values.
type Row struct {
	Of    *format.RowType
	Vals  []format.Value
	Shape format.Geometry
}

// RowType is what the row is of.
func (r Row) RowType() *format.RowType { return r.Of }

// Value is the value of a column.
func (r Row) Value(c int) format.Value { return r.Vals[c] }

// Geometry is the row's place.
func (r Row) Geometry() format.Geometry { return r.Shape }

// SpotType is a row type of points.
var SpotType = format.NewRowType("spot", "A point.", format.ShapePoint, format.Column{Name: "spot_id"})

// Spot is a point with its id.
func Spot(id string, x, y int32) Row {
	return Row{SpotType, []format.Value{format.String(id)}, format.PointGeometry(geom.Point{X: x, Y: y})}
}

// Square is a square of the grid, its lower left corner at x, y.
func Square(x, y, side int32) geom.Ring {
	return geom.Ring{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
}
