package format

import (
	"math"
	"unsafe"
)

// Type is the type of a column.
type Type uint8

// The column types.
const (
	TypeString  Type = iota
	TypeInt          // int64
	TypeFloat        // rounded to the column's decimals; NaN and infinities are null
	TypeBool         //
	TypeDegrees      // int32 in 1e-7 degrees, written with exactly 7 decimals
	TypeJSON         // a nested value, given as JSON text
)

// Column is one named value of a row type.
type Column struct {
	Name     string
	Type     Type
	Decimals int      // TypeFloat: digits after the point, 0 to 9
	Unit     string   // "m²", "m", "1/km²"; "" for plain numbers and text
	Doc      string   // one sentence
	Enum     []string // TypeString: the closed set of values, nil when open
	Shape    any      // TypeJSON: a Go value whose type is the shape, for the OpenAPI description
	Nullable bool     // TypeJSON with a Shape: the value may be null; those of other types always may
	// Sparse says that the member is left out of rows for which its value is Omit. Members of other columns stand in every
	// row, and an Omit of theirs is written as null: descriptions require them.
	Sparse bool
}

// Value is one cell. The zero Value is null. It is a small struct so that rows cost no allocation.
type Value struct {
	str  string
	num  int64
	kind valueKind
	dec  uint8
}

type valueKind uint8

const (
	vNull valueKind = iota
	vOmit
	vString
	vInt
	vFloat // num holds the bits
	vBool
	vDegrees
	vJSON
)

// Null is the value of what is not known; it is written as null.
var Null = Value{}

// Omit is written as nothing in a Sparse column: the JSON member is left out, the CSV cell is empty. For members the
// specification marks as optional ("pending?").
var Omit = Value{kind: vOmit}

// String is a text value.
func String(s string) Value { return Value{kind: vString, str: s} }

// Text is a text value, null when empty.
func Text(s string) Value {
	if s == "" {
		return Null
	}
	return String(s)
}

// Int is a whole number.
func Int(n int64) Value { return Value{kind: vInt, num: n} }

// Float is a number with at most decimals digits after the point (half away from zero, trailing zeros
// dropped); NaN and infinities are null.
func Float(v float64, decimals int) Value {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Null
	}
	return Value{kind: vFloat, num: int64(math.Float64bits(v)), dec: uint8(min(max(decimals, 0), 9))}
}

// Bool is true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: vBool, num: 1}
	}
	return Value{kind: vBool}
}

// Degrees is a coordinate in 1e-7 degrees.
func Degrees(e7 int32) Value { return Value{kind: vDegrees, num: int64(e7)} }

// RawJSON is a nested value as finished JSON text. The text is trusted: it must be valid JSON.
func RawJSON(text string) Value { return Value{kind: vJSON, str: text} }

// Borrowed is a text value over bytes that the row puts together anew for each of its items, null when empty.
// The bytes must stay as they are until the row is set to its next item, which is as long as a writer may
// look at the value (see Row).
func Borrowed(b []byte) Value {
	if len(b) == 0 {
		return Null
	}
	return String(unsafe.String(unsafe.SliceData(b), len(b)))
}

// BorrowedJSON is RawJSON over bytes that live as long as those of Borrowed.
func BorrowedJSON(b []byte) Value { return RawJSON(unsafe.String(unsafe.SliceData(b), len(b))) }

// IsNull says whether nothing is known (null or left out).
func (v Value) IsNull() bool { return v.kind == vNull || v.kind == vOmit }

// Float64 is the number of an int, float (rounded as it is written), bool or degrees value; false for
// others.
func (v Value) Float64() (float64, bool) {
	switch v.kind {
	case vInt, vBool:
		return float64(v.num), true
	case vFloat:
		return v.rounded(), true
	case vDegrees:
		return float64(v.num) / 1e7, true
	}
	return 0, false
}

// Int64 is the number of an int or bool value; false for others.
func (v Value) Int64() (int64, bool) {
	if v.kind == vInt || v.kind == vBool {
		return v.num, true
	}
	return 0, false
}

// Str is the text of a string or JSON value; false for others.
func (v Value) Str() (string, bool) {
	if v.kind == vString || v.kind == vJSON {
		return v.str, true
	}
	return "", false
}

func (v Value) float() float64 { return math.Float64frombits(uint64(v.num)) }

// rounded is the float as it is written: rounded to its decimals.
func (v Value) rounded() float64 {
	p := pow10f[v.dec]
	f := v.float()
	if r := math.Round(f*p) / p; !math.IsInf(r, 0) {
		return r
	}
	return f
}

var pow10f = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
