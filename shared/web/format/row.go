package format

import (
	"iter"
	"slices"

	"mappe/shared/geo/geom"
)

// Shape is what kind of geometry the rows of a kind carry.
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

// Kind is a row kind: its name, its columns in output order, its geometry. The first column is the
// id of the row (the "id" of a GeoJSON feature).
type Kind struct {
	Name    string // "parcel": schema name, GeoPackage layer
	Doc     string
	Shape   Shape
	Columns []Column
	keys    [][]byte // `,"name":` per column
	all     []int    // every column
}

// HasShape says whether rows of one of the kinds carry a geometry.
func HasShape(kinds []*Kind) bool {
	return slices.ContainsFunc(kinds, func(k *Kind) bool { return k.Shape != ShapeNone })
}

// NewKind makes a row kind. Column names are unique within it; a second one panics, because kinds are
// declared once, as package-level values.
func NewKind(name, doc string, shape Shape, columns ...Column) *Kind {
	k := &Kind{Name: name, Doc: doc, Shape: shape, Columns: columns}
	seen := map[string]bool{}
	for i, c := range columns {
		k.all = append(k.all, i)
		if seen[c.Name] {
			panic("row kind " + name + " has two columns " + c.Name)
		}
		seen[c.Name] = true
		k.keys = append(k.keys, append(appendString([]byte{','}, c.Name), ':'))
	}
	return k
}

// Index is the column's position, -1 when the kind has none of this name.
func (k *Kind) Index(name string) int {
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
	Kind() *Kind
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
