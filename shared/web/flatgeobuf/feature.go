package flatgeobuf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/gogama/flatgeobuf/flatgeobuf/flat"
	flatbuffers "github.com/google/flatbuffers/go"

	"mappe/shared/web/format"
)

// maxFeature bounds a feature in bytes: a polygon of a million vertices has 16 MB.
const maxFeature = 256 << 20

// feature writes one feature after the other in the same memory.
type feature struct {
	layout  *format.Layout
	shape   flat.GeometryType // of the layer
	b       *flatbuffers.Builder
	wkb     []byte
	xy      []float64
	ends    []uint32
	values  []byte
	columns []flat.ColumnType
}

// encode gives a feature with its length before it; the bytes are valid until the next one. drawn says whether the
// geometry has a position.
func (f *feature) encode(r format.Row, g format.Geometry, drawn bool) ([]byte, error) {
	if f.b == nil {
		f.b = flatbuffers.NewBuilder(4096)
		for i := range f.layout.Names() {
			f.columns = append(f.columns, columnType(f.layout.Column(i).Type))
		}
	}
	f.b.Reset()
	// A row without a position has an empty multipolygon in a layer of polygons: readers in browsers stop at a feature
	// that has no geometry at all.
	var at flatbuffers.UOffsetT
	if drawn {
		f.wkb = format.AppendWKB(f.wkb[:0], g, f.layout.Projection)
		var err error
		if at, err = f.geometry(f.wkb); err != nil {
			return nil, err
		}
	} else if f.shape == flat.GeometryTypeMultiPolygon {
		at = f.parts(nil)
	}
	f.properties(r)
	values := f.b.CreateByteVector(f.values)
	flat.FeatureStart(f.b)
	if at != 0 {
		flat.FeatureAddGeometry(f.b, at)
	}
	if len(f.values) > 0 {
		flat.FeatureAddProperties(f.b, values)
	}
	f.b.FinishSizePrefixed(flat.FeatureEnd(f.b))
	body := f.b.FinishedBytes()
	if len(body) > maxFeature {
		return nil, fmt.Errorf("flatgeobuf: a feature has %d bytes: expected at most %d", len(body), maxFeature)
	}
	return body, nil
}

// The types of well-known binary that rows are drawn as.
const (
	wkbPoint        = 1
	wkbPolygon      = 3
	wkbMultiPolygon = 6
)

var errWKB = errors.New("flatgeobuf: a geometry that is neither a point nor a multipolygon")

// geometry writes a geometry from its well-known binary, so that it has the coordinates of every other form.
func (f *feature) geometry(wkb []byte) (flatbuffers.UOffsetT, error) {
	in := reader{wkb}
	switch in.head() {
	case wkbPoint:
		f.xy, f.ends = append(f.xy[:0], in.float(), in.float()), f.ends[:0]
		if len(in.b) != 0 {
			return 0, errWKB
		}
		return f.simple(flat.GeometryTypePoint), nil
	case wkbMultiPolygon:
	default:
		return 0, errWKB
	}
	parts := make([]flatbuffers.UOffsetT, in.count())
	for i := range parts {
		if in.head() != wkbPolygon {
			return 0, errWKB
		}
		f.xy, f.ends = f.xy[:0], f.ends[:0]
		for range in.count() {
			for range in.count() {
				f.xy = append(f.xy, in.float(), in.float())
			}
			f.ends = append(f.ends, uint32(len(f.xy)/2))
		}
		parts[i] = f.simple(flat.GeometryTypePolygon)
	}
	return f.parts(parts), nil
}

// parts writes a multipolygon of polygons that are written.
func (f *feature) parts(parts []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	flat.GeometryStartPartsVector(f.b, len(parts))
	for i := len(parts) - 1; i >= 0; i-- {
		f.b.PrependUOffsetT(parts[i])
	}
	list := f.b.EndVector(len(parts))
	flat.GeometryStart(f.b)
	flat.GeometryAddType(f.b, flat.GeometryTypeMultiPolygon)
	flat.GeometryAddParts(f.b, list)
	return flat.GeometryEnd(f.b)
}

// simple writes a point, or a polygon whose rings end at ends; of a single ring the format leaves them out.
func (f *feature) simple(t flat.GeometryType) flatbuffers.UOffsetT {
	var ends flatbuffers.UOffsetT
	if len(f.ends) > 1 {
		flat.GeometryStartEndsVector(f.b, len(f.ends))
		for i := len(f.ends) - 1; i >= 0; i-- {
			f.b.PrependUint32(f.ends[i])
		}
		ends = f.b.EndVector(len(f.ends))
	}
	flat.GeometryStartXyVector(f.b, len(f.xy))
	for i := len(f.xy) - 1; i >= 0; i-- {
		f.b.PrependFloat64(f.xy[i])
	}
	xy := f.b.EndVector(len(f.xy))
	flat.GeometryStart(f.b)
	if ends != 0 {
		flat.GeometryAddEnds(f.b, ends)
	}
	flat.GeometryAddXy(f.b, xy)
	flat.GeometryAddType(f.b, t)
	return flat.GeometryEnd(f.b)
}

// properties writes the values of a row that are not null.
func (f *feature) properties(r format.Row) {
	f.values = f.values[:0]
	for i, t := range f.columns {
		v := f.layout.Cell(r, i)
		if v.IsNull() {
			continue
		}
		f.values = binary.LittleEndian.AppendUint16(f.values, uint16(i))
		switch t {
		case flat.ColumnTypeLong:
			n, _ := v.Int64()
			f.values = binary.LittleEndian.AppendUint64(f.values, uint64(n))
		case flat.ColumnTypeBool:
			n, _ := v.Int64()
			f.values = append(f.values, byte(n))
		case flat.ColumnTypeDouble:
			x, _ := v.Float64()
			f.values = binary.LittleEndian.AppendUint64(f.values, math.Float64bits(x))
		default:
			s, _ := v.Str()
			f.values = binary.LittleEndian.AppendUint32(f.values, uint32(len(s)))
			f.values = append(f.values, s...)
		}
	}
}

func columnType(t format.Type) flat.ColumnType {
	switch t {
	case format.TypeInt:
		return flat.ColumnTypeLong
	case format.TypeFloat, format.TypeDegrees:
		return flat.ColumnTypeDouble
	case format.TypeBool:
		return flat.ColumnTypeBool
	case format.TypeJSON:
		return flat.ColumnTypeJson
	}
	return flat.ColumnTypeString
}

// reader walks well-known binary of this program's own, little-endian; behind its end it gives zeros.
type reader struct{ b []byte }

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.b = nil
		return make([]byte, 8)
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

// head is the type of a geometry.
func (r *reader) head() uint32 {
	r.take(1) // byte order
	return binary.LittleEndian.Uint32(r.take(4))
}

// count is a number of things of at least 4 bytes each.
func (r *reader) count() int {
	n := int(binary.LittleEndian.Uint32(r.take(4)))
	return min(n, len(r.b)/4)
}

func (r *reader) float() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8))) }
