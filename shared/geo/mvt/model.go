package mvt

import (
	"math"
	"strconv"

	"mappe/shared/geo/geom"
)

// Tile is a decoded tile. Layers keep the order of the bytes.
type Tile struct {
	Layers []Layer
}

// Layer is one layer with its own dictionaries, as the format has it.
type Layer struct {
	Name     string
	Version  uint32 // 1 or 2; 0 encodes as 2
	Extent   uint32 // width of the tile in pixels; 0 encodes as 4096
	Keys     []string
	Values   []Value
	Features []Feature
}

// DefaultExtent is the tile width in pixels where a layer names none.
const DefaultExtent = 4096

// GeomType is the kind of geometry of a feature.
type GeomType uint8

// The geometry types of the format.
const (
	Unknown GeomType = iota
	Points
	Lines
	Polygons
)

func (t GeomType) String() string {
	return [...]string{"unknown", "points", "lines", "polygons"}[min(t, Polygons)]
}

// Point is a position in tile pixels, y down. It is geom's type, so that rings of a tile are clipped as rings
// of the grid are; its methods that speak of degrees mean nothing here.
type Point = geom.Point

// Feature is one feature. Tags are pairs of indexes into the layer's Keys and Values. Parts are the
// points (one part), the lines, or the rings without closing vertex, in the order of the bytes.
type Feature struct {
	ID    uint64
	HasID bool
	Type  GeomType
	Tags  []uint32
	Parts [][]Point
}

// Layer finds a layer by name; nil when the tile has none.
func (t *Tile) Layer(name string) *Layer {
	for i := range t.Layers {
		if t.Layers[i].Name == name {
			return &t.Layers[i]
		}
	}
	return nil
}

// Key is the index of a key in the layer's dictionary, -1 when no feature can carry it.
func (l *Layer) Key(name string) int {
	for i, k := range l.Keys {
		if k == name {
			return i
		}
	}
	return -1
}

// Value is the feature's value under a key index of the layer. Key -1 finds nothing.
func (l *Layer) Value(f *Feature, key int) (Value, bool) {
	for i := 0; i+1 < len(f.Tags); i += 2 {
		if int(f.Tags[i]) == key {
			return l.Values[f.Tags[i+1]], true
		}
	}
	return Value{}, false
}

// ValueType is the type of a value.
type ValueType uint8

// The value types of the format. KindNone is the zero Value and is never encoded.
const (
	KindNone ValueType = iota
	KindString
	KindFloat
	KindDouble
	KindInt
	KindUint
	KindSint
	KindBool
)

// Value is one attribute value. It is comparable, so equal values share a dictionary entry.
type Value struct {
	Kind ValueType
	S    string
	bits uint64 // numbers and booleans, by Kind
}

// String, Float, Double, Int, Uint, Sint and Bool make values of the seven types.
func String(s string) Value   { return Value{Kind: KindString, S: s} }
func Float(f float32) Value   { return Value{Kind: KindFloat, bits: uint64(math.Float32bits(f))} }
func Double(f float64) Value  { return Value{Kind: KindDouble, bits: math.Float64bits(f)} }
func Int(i int64) Value       { return Value{Kind: KindInt, bits: uint64(i)} }
func Uint(u uint64) Value     { return Value{Kind: KindUint, bits: u} }
func Sint(i int64) Value      { return Value{Kind: KindSint, bits: uint64(i)} }
func Bool(b bool) (out Value) { out.Kind = KindBool; out.bits = boolBits(b); return out }

func boolBits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Float64 is the value as a number; false for strings and booleans.
func (v Value) Float64() (float64, bool) {
	switch v.Kind {
	case KindFloat:
		return float64(math.Float32frombits(uint32(v.bits))), true
	case KindDouble:
		return math.Float64frombits(v.bits), true
	case KindInt, KindSint:
		return float64(int64(v.bits)), true
	case KindUint:
		return float64(v.bits), true
	}
	return 0, false
}

// Int64 is the value as a whole number: integers, floats without fraction, and decimal strings.
func (v Value) Int64() (int64, bool) {
	switch v.Kind {
	case KindString:
		i, err := strconv.ParseInt(v.S, 10, 64)
		return i, err == nil
	case KindInt, KindSint:
		return int64(v.bits), true
	case KindUint:
		return int64(v.bits), v.bits <= math.MaxInt64
	case KindFloat, KindDouble:
		f, _ := v.Float64()
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return 0, false
		}
		return int64(f), true
	}
	return 0, false
}

// Text is the value as text: strings as they are, numbers in their shortest form.
func (v Value) Text() string {
	switch v.Kind {
	case KindString:
		return v.S
	case KindBool:
		return strconv.FormatBool(v.bits != 0)
	case KindInt, KindSint:
		return strconv.FormatInt(int64(v.bits), 10)
	case KindUint:
		return strconv.FormatUint(v.bits, 10)
	case KindFloat:
		f, _ := v.Float64()
		return strconv.FormatFloat(f, 'f', -1, 32)
	case KindDouble:
		f, _ := v.Float64()
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return ""
}

// Attr is a named value, the way a feature is described before it has a layer.
type Attr struct {
	Key   string
	Value Value
}
