package format

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// JSON writes one JSON document as a stream: compact, or indented by two spaces. Calls must nest as
// the document does; keys stand only in objects.
type JSON struct {
	*Buffer
	pretty bool
	depth  int
	comma  bool // an element stands before in the open object or array
	keyed  bool // a key was written, its value follows
	at     template
}

// NewJSON writes to the buffer.
func NewJSON(b *Buffer, pretty bool) *JSON { return &JSON{Buffer: b, pretty: pretty} }

// next separates the element that follows from the one before.
func (j *JSON) next() {
	if j.keyed {
		j.keyed = false
		return
	}
	if j.comma {
		j.b = append(j.b, ',')
	}
	j.comma = true
	if j.pretty && j.depth > 0 {
		j.indent()
	}
}

func (j *JSON) indent() {
	j.b = append(j.b, '\n')
	for range j.depth {
		j.b = append(j.b, ' ', ' ')
	}
}

func (j *JSON) open(c byte) {
	j.next()
	j.b = append(j.b, c)
	j.depth++
	j.comma = false
}

func (j *JSON) close(c byte) {
	j.depth--
	if j.pretty && j.comma {
		j.indent()
	}
	j.b = append(j.b, c)
	j.comma = true
	j.spill()
}

// Object opens an object.
func (j *JSON) Object() { j.open('{') }

// EndObject closes it.
func (j *JSON) EndObject() { j.close('}') }

// Array opens an array.
func (j *JSON) Array() { j.open('[') }

// EndArray closes it.
func (j *JSON) EndArray() { j.close(']') }

// Key writes the name of the member that follows.
func (j *JSON) Key(name string) {
	j.next()
	j.b = append(appendString(j.b, name), ':')
	j.space()
}

func (j *JSON) space() {
	if j.pretty {
		j.b = append(j.b, ' ')
	}
	j.keyed = true
}

// Value writes a cell; a value that is left out is null here.
func (j *JSON) Value(v Value) {
	j.next()
	j.b = appendValue(j.b, v)
	j.spill()
}

// String writes a text.
func (j *JSON) String(s string) { j.Value(String(s)) }

// Int writes a whole number.
func (j *JSON) Int(n int) { j.Value(Int(int64(n))) }

// Bool writes true or false.
func (j *JSON) Bool(b bool) { j.Value(Bool(b)) }

// Null writes null.
func (j *JSON) Null() { j.Value(Null) }

// Any writes a Go value by encoding/json: for small parts of a document, not for rows.
func (j *JSON) Any(v any) {
	var text []byte
	var err error
	if j.pretty {
		prefix := make([]byte, 2*j.depth)
		for i := range prefix {
			prefix[i] = ' '
		}
		text, err = json.MarshalIndent(v, string(prefix), "  ")
	} else {
		text, err = json.Marshal(v)
	}
	if err != nil {
		if j.err == nil {
			j.err = err
		}
		return
	}
	j.next()
	j.b = append(j.b, text...)
	j.spill()
}

// Member writes a key and a Go value.
func (j *JSON) Member(name string, v any) {
	j.Key(name)
	j.Any(v)
}

// Geometry writes a GeoJSON geometry, null if the row has no geometry.
func (j *JSON) Geometry(g Geometry, p Projection) {
	j.next()
	j.b = appendGeoJSON(j.b, g, p, &j.at)
	j.spill()
}

// Row writes a row as an object of the layout's columns.
func (j *JSON) Row(r Row, l *Layout) {
	j.open('{')
	j.members(r, l)
	if l.Geometry && l.part(r.RowType()).geometry {
		j.Key("geometry")
		j.Geometry(r.Geometry(), l.Projection)
	}
	j.close('}')
}

// Rows writes rows as an array of objects.
func (j *JSON) Rows(rows Seq, l *Layout) error { return j.list(rows, l, j.Row) }

// Features writes rows as an array of GeoJSON features.
func (j *JSON) Features(rows Seq, l *Layout) error { return j.list(rows, l, j.Feature) }

func (j *JSON) list(rows Seq, l *Layout, write func(Row, *Layout)) error {
	j.Array()
	for r, err := range rows {
		if err == nil {
			err = j.err
		}
		if err != nil {
			return err
		}
		write(r, l)
	}
	j.EndArray()
	return nil
}

// Feature writes a row as a GeoJSON feature.
func (j *JSON) Feature(r Row, l *Layout) {
	k := r.RowType()
	if !j.pretty {
		j.next()
		b := append(j.b, `{"type":"Feature"`...)
		var id span
		if len(k.Columns) > 0 {
			if v := r.Value(0); !v.IsNull() {
				b = append(b, `,"id":`...)
				id.from = len(b)
				b = appendValue(b, v)
				id.to = len(b)
			}
		}
		b = appendGeoJSON(append(b, `,"geometry":`...), r.Geometry(), l.Projection, &j.at)
		b = appendMembers(append(b, `,"properties":{`...), r, k, l, id)
		j.b = append(b, '}', '}')
		j.spill()
		return
	}
	j.open('{')
	j.FeatureMembers(r, l)
	j.close('}')
}

// FeatureMembers writes the members of a GeoJSON feature into the open object, for features that have more.
func (j *JSON) FeatureMembers(r Row, l *Layout) {
	j.Key("type")
	j.String("Feature")
	if len(r.RowType().Columns) > 0 {
		if id := r.Value(0); !id.IsNull() {
			j.Key("id")
			j.Value(id)
		}
	}
	j.Key("geometry")
	j.Geometry(r.Geometry(), l.Projection)
	j.Key("properties")
	j.open('{')
	j.members(r, l)
	j.close('}')
}

// span is where in the buffer the text of a row's id stands already; zero where it does not.
type span struct{ from, to int }

// appendMembers is members without indentation, as the first members of an object.
func appendMembers(b []byte, r Row, k *RowType, l *Layout, id span) []byte {
	skip := 1 // the comma before the first name
	var hidden span
	if h, ok := r.(hider); ok {
		hidden = h.hidden()
	}
	for _, c := range l.part(k).columns {
		if c >= hidden.from && c < hidden.to {
			continue
		}
		if c == 0 && id.to > 0 {
			b = append(append(b, k.keys[c][skip:]...), b[id.from:id.to]...)
			skip = 0
			continue
		}
		v := r.Value(c)
		if v.kind == vOmit && k.Columns[c].Sparse {
			continue
		}
		b = append(b, k.keys[c][skip:]...)
		skip = 0
		if l.Pointed && v.kind == vFloat {
			b = appendPointed(b, v)
			continue
		}
		b = appendValue(b, v)
	}
	return b
}

// members writes the first members of an object.
func (j *JSON) members(r Row, l *Layout) {
	k := r.RowType()
	if !j.pretty {
		n := len(j.b)
		j.b = appendMembers(j.b, r, k, l, span{})
		j.comma = len(j.b) > n
		return
	}
	for _, c := range l.part(k).columns {
		v := r.Value(c)
		if v.kind == vOmit && k.Columns[c].Sparse {
			continue
		}
		j.next()
		j.b = append(j.b, k.keys[c][1:]...)
		if j.pretty {
			j.b = append(j.b, ' ')
		}
		if l.Pointed && v.kind == vFloat {
			j.b = appendPointed(j.b, v)
			continue
		}
		j.b = appendValue(j.b, v)
	}
}

// appendPointed is appendValue of a number, with a decimal point.
func appendPointed(b []byte, v Value) []byte {
	n := len(b)
	if b = appendValue(b, v); bytes.IndexByte(b[n:], '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

func appendValue(b []byte, v Value) []byte {
	switch v.kind {
	case vString:
		return appendString(b, v.str)
	case vInt:
		return strconv.AppendInt(b, v.num, 10)
	case vFloat:
		return appendFloat(b, v.float(), v.dec)
	case vBool:
		return strconv.AppendBool(b, v.num != 0)
	case vDegrees:
		return appendE7(b, int32(v.num))
	case vJSON:
		return append(b, v.str...)
	}
	return append(b, "null"...)
}
