package landscape

import (
	"math"
	"strconv"
	"unsafe"

	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
	"mappe/shared/web/format"
)

// ColumnType is the kind of a column.
type ColumnType uint8

// The kinds.
const (
	Number ColumnType = iota // with decimals; NaN: missing
	Count                    // a whole number; NaN: missing
	Text                     // "": missing
	Flag                     // true or false
	Type                     // a type of objects, written by its name
	Place                    // a point in WGS84, 1e-7 degree; geom.NoPoint: missing
	Bounds                   // a box in WGS84, 1e-7 degree; an empty box: missing
)

// Column is a column of a T: its name in answers and files, its meaning, and where its value is. JSON, CSV, the schema of
// OpenAPI, filters, orders and the stored file are all made from tables of columns.
type Column[T any] struct {
	Name     string
	Unit     string // "m²", "m", "°"; "": a plain number, or text
	Doc      string // one sentence
	Type     ColumnType
	Decimals int      // of a Number: what is stored and written
	Enum     []string // of a Text: the closed set of values; nil: open
	single   bool     // a number that a T holds as float32
	get      func(*T) float64
	set      func(*T, float64)
	text     func(*T) *string
	flag     func(*T) *bool
	unknown  func(*T) bool // of a flag; nil: it is always known
	code     func(*T) *segment.Type
	place    func(*T) *geom.Point
	bounds   func(*T) *geom.Box
}

// Numeric says whether the column is a number that ranges and orders can be asked of.
func (c *Column[T]) Numeric() bool { return c.Type <= Count }

// Number is the value of a numeric column, as answers write it: of a column held as float32, 0.7 is 0.7 and no 0.699999988, which
// would not pass a bound of 0.7. NaN: missing.
func (c *Column[T]) Number(t *T) float64 {
	if c.single {
		return c.Round(c.get(t))
	}
	return c.get(t)
}

// SetNumber gives a numeric column its value.
func (c *Column[T]) SetNumber(t *T, v float64) { c.set(t, v) }

// Text is the value of a column of text, or the name of a type; "": missing, and of other kinds.
func (c *Column[T]) Text(t *T) string {
	switch c.Type {
	case Text:
		return *c.text(t)
	case Type:
		return c.code(t).String()
	}
	return ""
}

// Flag is the value of a column of true and false.
func (c *Column[T]) Flag(t *T) bool { return c.Type == Flag && *c.flag(t) }

// Field is the column as answers write it.
func (c *Column[T]) Field() format.Field[T] {
	f := format.Field[T]{Column: format.Column{Name: c.Name, Unit: c.Unit, Doc: c.Doc, Enum: c.Enum}}
	switch c.Type {
	case Number:
		f.Type, f.Decimals = format.TypeFloat, c.Decimals
		f.Get = func(t *T) format.Value { return format.Float(c.get(t), c.Decimals) }
	case Count:
		f.Type = format.TypeInt
		f.Get = func(t *T) format.Value {
			if v := c.get(t); v == v {
				return format.Int(int64(v))
			}
			return format.Null
		}
	case Text:
		f.Get = func(t *T) format.Value { return format.Text(*c.text(t)) }
	case Flag:
		f.Type = format.TypeBool
		f.Nullable = c.unknown != nil
		f.Get = func(t *T) format.Value {
			if c.unknown != nil && c.unknown(t) {
				return format.Null
			}
			return format.Bool(*c.flag(t))
		}
	case Type:
		f.Enum = TypeNames()
		f.Get = func(t *T) format.Value { return format.String(c.code(t).String()) }
	case Place:
		f.Type, f.Shape, f.Nullable = format.TypeJSON, []float64{}, true
		f.Get = func(t *T) format.Value {
			p := *c.place(t)
			if p == NoPlace {
				return format.Null
			}
			return degrees(p.X, p.Y)
		}
	case Bounds:
		f.Type, f.Shape, f.Nullable = format.TypeJSON, []float64{}, true
		f.Get = func(t *T) format.Value {
			b := *c.bounds(t)
			if b.Empty() {
				return format.Null
			}
			return degrees(b.MinX, b.MinY, b.MaxX, b.MaxY)
		}
	}
	return f
}

// NoPlace is the place of what has none: it lies in the ocean, not in Austria.
var NoPlace = geom.Point{X: math.MinInt32, Y: math.MinInt32}

func degrees(v ...int32) format.Value {
	b := []byte{'['}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x)/1e7, 'f', -1, 64)
	}
	return format.RawJSON(string(append(b, ']')))
}

// Columns are the columns of a T in the order of answers.
type Columns[T any] []Column[T]

// Fields are the columns as answers write them.
func (c Columns[T]) Fields() format.Fields[T] {
	out := make(format.Fields[T], len(c))
	for i := range c {
		out[i] = c[i].Field()
	}
	return out
}

// Find is the column of a name, or nil.
func (c Columns[T]) Find(name string) *Column[T] {
	for i := range c {
		if c[i].Name == name {
			return &c[i]
		}
	}
	return nil
}

// Clear makes every value of a T missing.
func (c Columns[T]) Clear(t *T) {
	for i := range c {
		switch k := &c[i]; k.Type {
		case Number, Count:
			k.set(t, math.NaN())
		case Text:
			*k.text(t) = ""
		case Flag:
			*k.flag(t) = false
		case Type:
			*k.code(t) = segment.Unclassified
		case Place:
			*k.place(t) = NoPlace
		case Bounds:
			*k.bounds(t) = geom.EmptyBox
		}
	}
}

// TypeNames are the names of the types of objects, by code.
func TypeNames() []string {
	out := make([]string, len(segment.Types))
	for i := range segment.Types {
		out[i] = segment.Types[i].Name
	}
	return out
}

type float interface{ ~float32 | ~float64 }

func number[T any, F float](name, unit string, decimals int, doc string, at func(*T) *F) Column[T] {
	return Column[T]{Name: name, Unit: unit, Decimals: decimals, Doc: doc, single: unsafe.Sizeof(F(0)) == 4,
		get: func(t *T) float64 { return float64(*at(t)) }, set: func(t *T, v float64) { *at(t) = F(v) }}
}

func count[T any, F float](name, unit, doc string, at func(*T) *F) Column[T] {
	c := number(name, unit, 0, doc, at)
	c.Type = Count
	return c
}

func text[T any](name, doc string, at func(*T) *string) Column[T] {
	return Column[T]{Name: name, Type: Text, Doc: doc, text: at}
}

func enum[T any](name, doc string, values []string, at func(*T) *string) Column[T] {
	return Column[T]{Name: name, Type: Text, Doc: doc, Enum: values, text: at}
}

func flag[T any](name, doc string, at func(*T) *bool) Column[T] {
	return Column[T]{Name: name, Type: Flag, Doc: doc, flag: at}
}

// unless is the column of true and false where it may not be known.
func (c Column[T]) unless(unknown func(*T) bool) Column[T] {
	c.unknown = unknown
	return c
}

func object[T any](name, doc string, at func(*T) *segment.Type) Column[T] {
	return Column[T]{Name: name, Type: Type, Doc: doc, code: at}
}

func place[T any](name, doc string, at func(*T) *geom.Point) Column[T] {
	return Column[T]{Name: name, Unit: "°", Type: Place, Doc: doc, place: at}
}
