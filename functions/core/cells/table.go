package cells

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"

	"mappe/artefacts/ne"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// table is rows of one layer, by rising cell.
type table struct {
	layer  ne.Layer
	fields []ne.Field
	size   int // of a row
	rows   []byte
}

func (t *table) len() int { return len(t.rows) / t.size }

func (t *table) row(i int) []byte { return t.rows[i*t.size : (i+1)*t.size] }

// find is the row of a cell; nil if the table has no such row.
func (t *table) find(c hexgrid.Cell) []byte {
	if t == nil || t.size == 0 {
		return nil
	}
	i := lowerBound(t.rows, t.size, c)
	if i < t.len() && ne.CellOf(t.row(i)) == c {
		return t.row(i)
	}
	return nil
}

// lowerBound is the number of the first row whose cell is not before c.
func lowerBound(rows []byte, size int, c hexgrid.Cell) int {
	from, to := 0, len(rows)/size
	for from < to {
		if mid := (from + to) / 2; ne.CellOf(rows[mid*size:]) < c {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// column is the name of a field of the layers that are defined.
type column string

func allColumns() []column {
	var out []column
	for _, l := range ne.AllLayers() {
		for _, f := range l.Fields() {
			if !slices.Contains(out, column(f.Name)) {
				out = append(out, column(f.Name))
			}
		}
	}
	return out
}

// none are the values that say that a row has none, by layer and field: null in JSON.
var none = map[ne.Layer]map[string]uint64{
	ne.LU:  {"orient_coh": ne.None8, "orient_axis": ne.None8},
	ne.Bev: {"unit_p10": 0, "unit_p90": 0, "units_per_reg": ne.None8, "str_p50": ne.None16},
}

// widths are the lengths of the types of fields in bytes.
var widths = map[string]int{"u8": 1, "u16": 2, "u32": 4, "u64": 8}

// number reads an integer of a width.
func number(b []byte, width int) uint64 {
	switch width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// shown says whether a field is among those that were chosen; all are where none was.
func shown(name string, only []column) bool {
	return len(only) == 0 || name == cellField || slices.Contains(only, column(name))
}

const cellField = "cell_id"

// appendColumns writes the table as {rows, cell_id: [], field: [], repeated field: [[], ...]}.
func (t *table) appendColumns(b []byte, only []column) []byte {
	b = strconv.AppendInt(append(b, `{"rows":`...), int64(t.len()), 10)
	at := 0
	for _, f := range t.fields {
		width, n := widths[f.Type], max(f.Count, 1)
		if width == 0 || n > t.size || at+width*n > t.size { // a section that does not describe its rows
			break
		}
		if shown(f.Name, only) {
			b = appendName(append(b, ','), f.Name)
			if f.Count > 0 {
				b = append(b, '[')
			}
			for k := range n {
				if k > 0 {
					b = append(b, ',')
				}
				b = t.appendColumn(b, f, at+k*width, width)
			}
			if f.Count > 0 {
				b = append(b, ']')
			}
		}
		at += width * n
	}
	return append(b, '}')
}

// appendName writes the name of a member; a peer has chosen those of observations.
func appendName(b []byte, name string) []byte {
	text, err := json.Marshal(name)
	if err != nil {
		text = []byte(`""`)
	}
	return append(append(b, text...), ':')
}

// appendColumn writes one column.
func (t *table) appendColumn(b []byte, f ne.Field, at, width int) []byte {
	missing, hasNone := none[t.layer][f.Name]
	b = append(b, '[')
	for i := 0; i < len(t.rows); i += t.size {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, f, number(t.rows[i+at:], width), hasNone, missing)
	}
	return append(b, ']')
}

// appendNumber writes one value: cells and other 64-bit numbers as hexadecimal texts.
func appendNumber(b []byte, f ne.Field, v uint64, hasNone bool, missing uint64) []byte {
	switch {
	case f.Type == "u64":
		return append(strconv.AppendUint(append(b, '"'), v, 16), '"')
	case hasNone && v == missing:
		return append(b, "null"...)
	}
	return strconv.AppendUint(b, v, 10)
}

// appendRow writes one row as an object without its cell.
func (t *table) appendRow(b, row []byte, only []column) []byte {
	b = append(b, '{')
	at, first := 0, true
	for _, f := range t.fields {
		width, n := widths[f.Type], max(f.Count, 1)
		if width == 0 || n > t.size || at+width*n > t.size {
			break
		}
		if f.Name != cellField && shown(f.Name, only) {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendName(b, f.Name)
			missing, hasNone := none[t.layer][f.Name]
			if f.Count > 0 {
				b = append(b, '[')
			}
			for k := range n {
				if k > 0 {
					b = append(b, ',')
				}
				b = appendNumber(b, f, number(row[at+k*width:], width), hasNone, missing)
			}
			if f.Count > 0 {
				b = append(b, ']')
			}
		}
		at += width * n
	}
	return append(b, '}')
}

// members are tables as members of an object, one for each layer.
func members(tables []table, only []column) []reply.Member {
	var out []reply.Member
	for i := range tables {
		t := &tables[i]
		out = append(out, reply.Member{Name: string(t.layer), Value: func() any { return format.BorrowedJSON(t.appendColumns(nil, only)) }})
	}
	return out
}

// tablesAnswer is {data: {members}, meta}.
func tablesAnswer(members []reply.Member) *reply.Stream {
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Key("data")
		j.Object()
		for _, m := range members {
			v := m.Value
			if f, ok := v.(func() any); ok {
				v = f()
			}
			j.Key(m.Name)
			if value, ok := v.(format.Value); ok {
				j.Value(value)
			} else {
				j.Any(v)
			}
		}
		j.EndObject()
		return j.Err()
	}}
}

// texts are values of a closed set as texts.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
