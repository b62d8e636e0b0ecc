package format

import (
	"iter"
	"slices"

	"mappe/shared/geo/geom"
)

// Shape is which geometry the rows of a row type carry.
type Shape uint8

// The shapes.
const (
	ShapeNone Shape = iota
	ShapePoint
	ShapeMultiPolygon
	ShapeMultiLine
)

// Geometry is the geometry of one row: a point, polygons or lines, told apart by Shape. A MultiPolygon of one
// part is written as a Polygon in GeoJSON and WKT, unless Multi says that one type stands in every row.
type Geometry struct {
	Shape    Shape
	Multi    bool
	Point    geom.Point
	Polygons geom.MultiPolygon
	Lines    [][]geom.Point
}

// LineGeometry is a set of lines; without any it is no geometry.
func LineGeometry(lines [][]geom.Point) Geometry {
	if len(lines) == 0 {
		return Geometry{}
	}
	return Geometry{Shape: ShapeMultiLine, Lines: lines}
}

// PointGeometry is a point.
func PointGeometry(p geom.Point) Geometry { return Geometry{Shape: ShapePoint, Point: p} }

// PolygonGeometry is a set of polygons; without any part it is no geometry.
func PolygonGeometry(m geom.MultiPolygon) Geometry {
	if len(m) == 0 {
		return Geometry{}
	}
	return Geometry{Shape: ShapeMultiPolygon, Polygons: m}
}

// RowType is the type of rows of an answer: its name, its columns in output order, its geometry. The first column is the
// id of the row (the "id" of a GeoJSON feature).
type RowType struct {
	Name    string // "parcel": schema name, GeoPackage layer
	Doc     string
	Shape   Shape
	Columns []Column
	keys    [][]byte // `,"name":` per column
	all     []int    // every column
}

// HasShape says whether rows of one of the row types carry a geometry.
func HasShape(rowTypes []*RowType) bool {
	return slices.ContainsFunc(rowTypes, func(k *RowType) bool { return k.Shape != ShapeNone })
}

// NewRowType makes a row type. Column names are unique within it; a second one panics, because row types are
// declared once, as package-level values.
func NewRowType(name, doc string, shape Shape, columns ...Column) *RowType {
	k := &RowType{Name: name, Doc: doc, Shape: shape, Columns: columns}
	seen := map[string]bool{}
	for i, c := range columns {
		k.all = append(k.all, i)
		if seen[c.Name] {
			panic("row type " + name + " has two columns " + c.Name)
		}
		seen[c.Name] = true
		k.keys = append(k.keys, append(appendString([]byte{','}, c.Name), ':'))
	}
	return k
}

// Index is the column's position, -1 when the row type has none of this name.
func (k *RowType) Index(name string) int {
	for i := range k.Columns {
		if k.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// Row is one answer row. A sequence may yield the same Row again with other contents: writers read it
// before they ask for the next one and keep nothing of it.
type Row interface {
	RowType() *RowType
	Value(column int) Value
	Geometry() Geometry
}

// Seq is a sequence of rows; an error ends it. It must be repeatable: every range over it gives the
// same rows.
type Seq = iter.Seq2[Row, error]

// Rows is the sequence of a list.
func Rows[R Row](rows []R) Seq {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}
