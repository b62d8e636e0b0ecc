package format

import (
	"slices"

	"mappe/shared/geo/geom"
)

// Field is one column of the rows made from a T, and where its value is.
type Field[T any] struct {
	Column
	Get func(*T) Value
}

// Constant is a column of which every row has the same value.
func Constant[T any](c Column, v Value) Field[T] {
	return Field[T]{Column: c, Get: func(*T) Value { return v }}
}

// Fields are the columns of a row type in output order.
type Fields[T any] []Field[T]

// Only are the named fields, in the order of the names. A name that no field has panics: fields are chosen
// once, where row types are declared.
func (f Fields[T]) Only(names ...string) Fields[T] {
	chosen := make(Fields[T], len(names))
	for i, name := range names {
		at := slices.IndexFunc(f, func(c Field[T]) bool { return c.Name == name })
		if at < 0 {
			panic("no field is named " + name)
		}
		chosen[i] = f[at]
	}
	return chosen
}

// Lift gives the fields of a part of T to T. Each value costs two calls more than a field of T's own.
func Lift[T, Part any](f Fields[Part], part func(*T) *Part) Fields[T] {
	lifted := make(Fields[T], len(f))
	for i := range f {
		get := f[i].Get
		lifted[i] = Field[T]{Column: f[i].Column, Get: func(t *T) Value { return get(part(t)) }}
	}
	return lifted
}

// Drawing says where a T is, in the shapes it can be drawn in; nil for those it cannot.
type Drawing[T any] struct {
	Point    func(*T) geom.Point
	Polygons func(*T) geom.MultiPolygon
	Multi    bool // Geometry.Multi
}

// shape is the richest shape of the drawing.
func (d *Drawing[T]) shape() Shape {
	switch {
	case d.Polygons != nil:
		return ShapeMultiPolygon
	case d.Point != nil:
		return ShapePoint
	}
	return ShapeNone
}

// Schema is a row type together with how its rows are read from a T. The row type is made from the fields, so
// that a column's name, type, unit, description and value stand in one place. Variants are made from a
// schema by With, Only, Shaped and Named; schemas are package-level values and never change.
type Schema[T any] struct {
	*RowType
	Fields  Fields[T]
	Drawing Drawing[T]
	set     []Column         // behind the fields
	get     []func(*T) Value // of the fields; where there are no set columns, then nothing
}

// NewSchema declares a row type. Its rows carry the richest shape of the drawing.
func NewSchema[T any](name, doc string, d Drawing[T], fields Fields[T]) *Schema[T] {
	return schemaOf(&Schema[T]{RowType: &RowType{Name: name, Doc: doc, Shape: d.shape()}, Fields: fields, Drawing: d})
}

// schemaOf makes the schema that s describes by its name, description, shape, fields and drawing.
func schemaOf[T any](s *Schema[T]) *Schema[T] {
	columns := make([]Column, len(s.Fields), len(s.Fields)+len(s.set))
	s.get = make([]func(*T) Value, len(s.Fields), len(s.Fields)+1)
	for i, f := range s.Fields {
		columns[i], s.get[i] = f.Column, f.Get
	}
	s.RowType = NewRowType(s.Name, s.Doc, s.Shape, append(columns, s.set...)...)
	if len(s.set) == 0 {
		s.get = append(s.get, nothing[T])
	}
	return s
}

// nothing is the value behind the last column.
func nothing[T any](*T) Value { return Null }

// With is the schema with more fields behind its own.
func (s *Schema[T]) With(more ...Field[T]) *Schema[T] {
	return schemaOf(&Schema[T]{RowType: s.RowType, Fields: slices.Concat(s.Fields, more), Drawing: s.Drawing, set: s.set})
}

// WithSet is the schema with columns behind its fields whose values the rows are given by Record.Set: what an
// answer knows of a row beyond its item, such as its distance from a point.
func (s *Schema[T]) WithSet(more ...Column) *Schema[T] {
	return schemaOf(&Schema[T]{RowType: s.RowType, Fields: s.Fields, Drawing: s.Drawing, set: slices.Concat(s.set, more)})
}

// Only is the schema of the named fields, in the order of the names, without columns of WithSet.
func (s *Schema[T]) Only(names ...string) *Schema[T] {
	return schemaOf(&Schema[T]{RowType: s.RowType, Fields: s.Fields.Only(names...), Drawing: s.Drawing})
}

// Shaped is the schema drawn in another shape: as a point, or not at all. A shape that the drawing does not
// have panics.
func (s *Schema[T]) Shaped(shape Shape) *Schema[T] {
	if shape == ShapePoint && s.Drawing.Point == nil || shape == ShapeMultiPolygon && s.Drawing.Polygons == nil {
		panic("rows of type " + s.Name + " cannot be drawn in this shape")
	}
	k := *s.RowType
	k.Shape = shape
	return schemaOf(&Schema[T]{RowType: &k, Fields: s.Fields, Drawing: s.Drawing, set: s.set})
}

// Named is the schema under another name and description.
func (s *Schema[T]) Named(name, doc string) *Schema[T] {
	k := *s.RowType
	k.Name, k.Doc = name, doc
	return schemaOf(&Schema[T]{RowType: &k, Fields: s.Fields, Drawing: s.Drawing, set: s.set})
}

// LiftSchema gives the schema of a part of T to T; see Lift.
func LiftSchema[T, Part any](s *Schema[Part], part func(*T) *Part) *Schema[T] {
	d := Drawing[T]{Multi: s.Drawing.Multi}
	if at := s.Drawing.Point; at != nil {
		d.Point = func(t *T) geom.Point { return at(part(t)) }
	}
	if of := s.Drawing.Polygons; of != nil {
		d.Polygons = func(t *T) geom.MultiPolygon { return of(part(t)) }
	}
	return schemaOf(&Schema[T]{RowType: s.RowType, Fields: Lift(s.Fields, part), Drawing: d, set: s.set})
}

// Record is a row of a schema. It is made once for a sequence; Item is set anew for each row of it.
type Record[T any] struct {
	Item   T
	get    []func(*T) Value // of every column, then nothing
	set    []Value
	hide   span
	schema *Schema[T]
}

// Record makes a row of the schema.
func (s *Schema[T]) Record() *Record[T] {
	r := &Record[T]{get: s.get, schema: s}
	if len(s.set) > 0 {
		r.set = make([]Value, len(s.set))
		r.get = slices.Clone(s.get)
		for n := range s.set {
			r.get = append(r.get, func(*T) Value { return r.set[n] })
		}
		r.get = append(r.get, nothing[T])
	}
	return r
}

// Set gives the row the value of a column of Schema.WithSet, by its number there. It stays until it is set
// again.
func (r *Record[T]) Set(n int, v Value) { r.set[n] = v }

// Hide says that the values of columns, from one up to another, are omitted from now on: a JSON object is written
// without asking for them. Flat forms do ask.
func (r *Record[T]) Hide(from, to int) { r.hide = span{from, to} }

func (r *Record[T]) hidden() span { return r.hide }

// hider is a row that knows of columns which are omitted.
type hider interface{ hidden() span }

// RowType is the schema's.
func (r *Record[T]) RowType() *RowType { return r.schema.RowType }

// Value is the value of a column; behind the last it is null. It is one call only, which the compiler can put
// where the row is used as a Row: every cell of every answer passes here.
func (r *Record[T]) Value(column int) Value { return r.get[column](&r.Item) }

// Geometry is the item in the schema's shape.
func (r *Record[T]) Geometry() Geometry {
	switch r.schema.Shape {
	case ShapePoint:
		return PointGeometry(r.schema.Drawing.Point(&r.Item))
	case ShapeMultiPolygon:
		g := PolygonGeometry(r.schema.Drawing.Polygons(&r.Item))
		g.Multi = r.schema.Drawing.Multi
		return g
	}
	return Geometry{}
}
