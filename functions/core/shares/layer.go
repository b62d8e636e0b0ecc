package shares

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/format"
)

// maxColumns bounds the columns of a layer, of which SQLite takes 2,000; what is beyond stands together in the last.
const maxColumns = 500

// rest is the column of properties beyond them.
const rest = "other_properties"

// table is a layer in the making.
type table struct {
	shape    *shape
	features source
	rows     int // features that have the shape
	rowType  *format.RowType
	names    []string               // of the properties, by column, in the order in which they first come
	types    map[string]format.Type // of them
}

type row struct {
	of       *feature
	geometry format.Geometry
	table    *table
}

// note finds which properties a feature has, and of what type.
func (t *table) note(f *feature) {
	if t.types == nil {
		t.types = map[string]format.Type{}
	}
	t.rows++
	for _, p := range withID(f) {
		was, known := t.types[p.name]
		if !known {
			if len(t.names) == maxColumns {
				continue
			}
			t.names = append(t.names, p.name)
			t.types[p.name] = unset
		}
		if p.json == "null" {
			continue
		}
		typ := typeOf(p.json)
		if known && was != unset && was != typ {
			typ = format.TypeJSON
		}
		t.types[p.name] = typ
	}
}

// unset is the type of a property that has been null alone.
const unset = ^format.Type(0)

// columns are those of the properties that were noted.
func (t *table) columns(kind string) *format.RowType {
	used := map[string]bool{"fid": true, "geom": true, rest: true}
	columns := make([]format.Column, len(t.names), len(t.names)+1)
	for i, name := range t.names {
		columns[i] = format.Column{Name: unused(name, used), Decimals: 9}
		if typ := t.types[name]; typ != unset {
			columns[i].Type = typ
		}
	}
	if len(t.names) == maxColumns {
		columns = append(columns, format.Column{Name: rest, Type: format.TypeJSON})
	}
	t.rowType = format.NewRowType(kind, "", t.shape.shape, columns...)
	return t.rowType
}

// unused is a name of a column that no other has: SQLite does not tell capitals apart.
func unused(name string, used map[string]bool) string {
	if name == "" {
		name = "_"
	}
	unique := name
	for n := 2; used[strings.ToLower(unique)]; n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	used[strings.ToLower(unique)] = true
	return unique
}

// withID are the properties behind the id of a feature, where it has one and no property of this name.
func withID(f *feature) []property {
	if _, taken := f.text("id"); f.id == "" || f.id == "null" || taken {
		return f.properties
	}
	return append([]property{{"id", f.id}}, f.properties...)
}

// typeOf is the type of a JSON value that is not null. All numbers are of one type: in another file a column that has whole
// numbers here may have others.
func typeOf(text string) format.Type {
	switch c := text[0]; {
	case c == '"':
		return format.TypeString
	case c == 't' || c == 'f':
		return format.TypeBool
	case c == '{' || c == '[':
		return format.TypeJSON
	}
	return format.TypeFloat
}

// errEnough ends the reading of features whose rows nobody wants any more.
var errEnough = errors.New("enough")

// all reads the features again, each of them a row for each geometry of the shape.
func (t *table) all() format.Seq {
	return func(yield func(format.Row, error) bool) {
		_, err := t.features(func(f *feature) error {
			for _, g := range t.shape.of(f) {
				if !yield(&row{f, g, t}, nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// RowType and the others make it a format.Row.
func (r *row) RowType() *format.RowType  { return r.table.rowType }
func (r *row) Geometry() format.Geometry { return r.geometry }

func (r *row) Value(i int) format.Value {
	if i == len(r.table.names) {
		return r.others()
	}
	text, ok := r.of.text(r.table.names[i])
	if r.table.names[i] == "id" && !ok {
		text, ok = r.of.id, r.of.id != ""
	}
	if !ok || text == "null" {
		return format.Null
	}
	switch r.table.rowType.Columns[i].Type {
	case format.TypeFloat:
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return format.Float(v, 9)
		}
	case format.TypeBool:
		return format.Bool(text == "true")
	case format.TypeString:
		var s string
		if json.Unmarshal([]byte(text), &s) == nil {
			return format.String(s)
		}
	}
	return format.RawJSON(text)
}

// others are the properties that have no column, as a JSON object.
func (r *row) others() format.Value {
	var b []byte
	for _, p := range r.of.properties {
		if slices.Contains(r.table.names, p.name) {
			continue
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			continue // a name that was read can be written
		}
		b = append(append(append(append(b, ','), name...), ':'), p.json...)
	}
	if len(b) == 0 {
		return format.Null
	}
	b[0] = '{'
	return format.RawJSON(string(append(b, '}')))
}
