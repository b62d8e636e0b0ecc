package shares

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/jsonin"
)

// Filter chooses features of a result.
type Filter struct {
	Types     []string // "": none
	HeightMin *float64 // metres; nil: none
}

// feature is one of a result: its geometry by shape, and its properties in their order.
type feature struct {
	id         string // JSON; "" for none
	points     []geom.Point
	lines      [][]geom.Point
	polygons   geom.MultiPolygon
	properties []property
}

type property struct {
	name string
	json string
}

func (f *feature) text(name string) (string, bool) {
	for _, p := range f.properties {
		if p.name == name {
			return p.json, true
		}
	}
	return "", false
}

// GeoPackage makes a file of the features of a result, one layer for each shape that they have; a result without features
// is its area with the figures as columns.
func (s *Shares) GeoPackage(ctx context.Context, h Share, f Filter) ([]byte, error) {
	object, err := s.Object(ctx, h)
	if err != nil {
		return nil, err
	}
	features, about, err := featuresOf(object)
	if err != nil {
		return nil, fmt.Errorf("share %s: %w", h.Name, err)
	}
	features = slices.DeleteFunc(features, func(x feature) bool { return !h.Layer.has(&x, f) })
	file := gpkg.File{Time: h.Created, Layers: h.layers(features, about)}
	var out bytes.Buffer
	if err := gpkg.Write(ctx, &out, file); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// has says whether a feature passes a filter.
func (l Layer) has(x *feature, f Filter) bool {
	if len(f.Types) > 0 {
		text, _ := x.text(l.Type)
		var typ string
		if json.Unmarshal([]byte(text), &typ) != nil || !slices.Contains(f.Types, typ) {
			return false
		}
	}
	if f.HeightMin == nil {
		return true
	}
	for _, name := range l.Height {
		if text, ok := x.text(name); ok && text != "null" {
			v, err := strconv.ParseFloat(text, 64)
			return err == nil && v >= *f.HeightMin
		}
	}
	return false
}

// layers are the features by their shape. Where there are none, an empty layer of areas stays.
func (h *Share) layers(features []feature, about string) []gpkg.Layer {
	word := gpkg.Word(h.Kind)
	var out []gpkg.Layer
	for _, c := range []struct {
		suffix string
		shape  format.Shape
		of     func(*feature) []format.Geometry
	}{
		{"areas", format.ShapeMultiPolygon, func(f *feature) []format.Geometry {
			if len(f.polygons) == 0 {
				return nil
			}
			return []format.Geometry{format.PolygonGeometry(f.polygons)}
		}},
		{"lines", format.ShapeMultiLine, func(f *feature) []format.Geometry {
			if len(f.lines) == 0 {
				return nil
			}
			return []format.Geometry{format.LineGeometry(f.lines)}
		}},
		{"points", format.ShapePoint, func(f *feature) (all []format.Geometry) {
			for _, p := range f.points {
				all = append(all, format.PointGeometry(p))
			}
			return all
		}},
		{"without_place", format.ShapeNone, func(f *feature) []format.Geometry {
			if len(f.polygons)+len(f.lines)+len(f.points) > 0 {
				return nil
			}
			return []format.Geometry{{}}
		}},
	} {
		t := table{kind: h.Kind}
		for i := range features {
			for _, g := range c.of(&features[i]) {
				t.rows = append(t.rows, row{of: &features[i], geometry: g})
			}
		}
		if len(t.rows) == 0 && (c.shape != format.ShapeMultiPolygon || len(features) > 0) {
			continue
		}
		layer := gpkg.Layer{Name: word + "_" + c.suffix, Description: about, Layout: format.NewLayout(nil, t.columns(c.shape)), Rows: t.all(), Style: h.Layer.Style}
		if h.Layer.Style.Column != "" && t.kindOf.Index(h.Layer.Style.Column) < 0 {
			layer.Style.Column, layer.Style.Classes = "", nil
		}
		out = append(out, layer)
	}
	return out
}

// maxColumns bounds the columns of a layer, of which SQLite takes 2,000; what is beyond stands together in the last.
const maxColumns = 500

// rest is the column of properties beyond them.
const rest = "other_properties"

// table is a layer in the making.
type table struct {
	kind   string
	rows   []row
	kindOf *format.Kind
	names  []string // of the properties, by column
}

type row struct {
	of       *feature
	geometry format.Geometry
	table    *table
}

// columns finds which properties there are, in the order in which they first come, and of what type.
func (t *table) columns(shape format.Shape) *format.Kind {
	types := map[string]format.Type{}
	known := map[string]bool{}
	for _, r := range t.rows {
		for _, p := range withID(r.of) {
			if !known[p.name] {
				if len(t.names) == maxColumns {
					continue
				}
				known[p.name] = true
				t.names = append(t.names, p.name)
			}
			if p.json == "null" {
				continue
			}
			typ := typeOf(p.json)
			if was, ok := types[p.name]; ok && was != typ {
				typ = format.TypeJSON
			}
			types[p.name] = typ
		}
	}
	used := map[string]bool{"fid": true, "geom": true, rest: true}
	columns := make([]format.Column, len(t.names), len(t.names)+1)
	for i, name := range t.names {
		columns[i] = format.Column{Name: unused(name, used), Type: types[name], Decimals: 9}
	}
	if len(t.names) == maxColumns {
		columns = append(columns, format.Column{Name: rest, Type: format.TypeJSON})
	}
	t.kindOf = format.NewKind(t.kind, "", shape, columns...)
	for i := range t.rows {
		t.rows[i].table = t
	}
	return t.kindOf
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

func (t *table) all() format.Seq {
	return func(yield func(format.Row, error) bool) {
		for i := range t.rows {
			if !yield(&t.rows[i], nil) {
				return
			}
		}
	}
}

// Kind and the others make it a format.Row.
func (r *row) Kind() *format.Kind        { return r.table.kindOf }
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
	switch r.table.kindOf.Columns[i].Type {
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

// maxVertices bounds the vertices of a result: an object has fewer.
const maxVertices = MaxBytes / 8

// featuresOf reads the features of an object, and what its result says of licences.
func featuresOf(object []byte) (features []feature, about string, err error) {
	var parts struct {
		Geometry json.RawMessage `json:"geometry"`
		Result   struct {
			Type     string          `json:"type"`
			Features json.RawMessage `json:"features"`
			Data     json.RawMessage `json:"data"`
			Meta     struct {
				License json.RawMessage `json:"license"`
			} `json:"meta"`
		} `json:"result"`
	}
	if err := json.Unmarshal(object, &parts); err != nil {
		return nil, "", err
	}
	about = licence(parts.Result.Meta.License)
	budget := &jsonin.Budget{Left: maxVertices, Max: maxVertices}
	if parts.Result.Type == "FeatureCollection" {
		r := jsonin.New(parts.Result.Features)
		err = r.Array("features", func(int) error {
			f, err := readFeature(r, budget)
			features = append(features, f)
			return err
		})
		return features, about, err
	}
	f := feature{}
	if len(parts.Geometry) > 0 && string(parts.Geometry) != "null" {
		if err := f.place(jsonin.New(parts.Geometry), budget); err != nil {
			return nil, "", err
		}
	}
	if len(parts.Result.Data) == 0 {
		return nil, "", errors.New("the result has neither features nor data")
	}
	f.properties, err = figures(jsonin.New(parts.Result.Data), "")
	return []feature{f}, about, err
}

// licence is the licence of a result in one line.
func licence(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var l struct {
		License     string `json:"license"`
		Attribution string `json:"attribution"`
		Dataset     string `json:"dataset"`
	}
	if json.Unmarshal(raw, &l) != nil {
		return ""
	}
	return strings.Trim(l.Dataset+". "+l.License+", "+l.Attribution, ". ,")
}

// place reads a geometry.
func (f *feature) place(r *jsonin.Reader, budget *jsonin.Budget) error {
	if r.Null() {
		return nil
	}
	g, err := r.ReadGeometry("geometry", budget)
	if err != nil {
		return err
	}
	f.polygons = g.Polygons
	for _, p := range g.Paths {
		if len(p) == 1 {
			f.points = append(f.points, p[0])
		} else {
			f.lines = append(f.lines, p)
		}
	}
	return nil
}

func readFeature(r *jsonin.Reader, budget *jsonin.Budget) (f feature, err error) {
	err = r.Object("feature", func(key string) (err error) {
		switch {
		case key == "geometry":
			return f.place(r, budget)
		case key == "id":
			var raw []byte
			raw, err = r.Raw()
			f.id = string(raw)
			return err
		case key == "properties" && r.Peek() == '{':
			f.properties, err = members(r)
			return err
		}
		return r.Skip()
	})
	return f, err
}

// members are those of an object as they stand.
func members(r *jsonin.Reader) (all []property, err error) {
	err = r.Object("properties", func(key string) error {
		name := strings.Clone(key)
		raw, err := r.Raw()
		all = append(all, property{name, string(raw)})
		return err
	})
	return all, err
}

// figures are the members of an object; those of objects in it have both names.
func figures(r *jsonin.Reader, before string) (all []property, err error) {
	err = r.Object("data", func(key string) error {
		name := before + key
		if r.Peek() == '{' {
			inner, err := figures(r, name+"_")
			all = append(all, inner...)
			return err
		}
		raw, err := r.Raw()
		all = append(all, property{name, string(raw)})
		return err
	})
	return all, err
}
