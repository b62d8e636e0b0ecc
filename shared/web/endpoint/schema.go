package endpoint

import (
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/format"
)

// schema is the form of the body; bytes that the handler reads are a text of them.
func (b *bodySpec) schema(reg huma.Registry, hint string) *huma.Schema {
	if b.media != "" && b.shape == nil {
		return &huma.Schema{Type: "string", Format: "binary"}
	}
	return shapeOf(reg, b.shape, hint)
}

// bodySchema is the form of the body with the parameters that it may hold.
func (o *operation) bodySchema(reg huma.Registry, hint string) *huma.Schema {
	b := o.e.Body.bodySpec()
	if b.carried == nil {
		return b.schema(reg, hint)
	}
	return b.carried.describeIn(reg, reg.Schema(reflect.TypeOf(b.shape), false, hint), o)
}

// shapeOf is the schema of a Go value's type; nil is any object.
func shapeOf(reg huma.Registry, v any, hint string) *huma.Schema {
	if v == nil {
		return &huma.Schema{Type: "object"}
	}
	if s, ok := v.(*huma.Schema); ok {
		return s
	}
	return reg.Schema(reflect.TypeOf(v), true, hint)
}

// Row stands in the shape of an answer's Body for a row of the endpoint, or null, so that the description
// names the fields of its row types.
type Row map[string]any

// rowHere is replaced by the schema of the endpoint's rows.
const rowHere = "row"

// Schema makes Row known to the registry.
func (Row) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Ref: rowHere} }

// content lists the media types of the answer.
func (o *operation) content(reg huma.Registry) map[string]*huma.MediaType {
	a := o.e.Answer
	switch {
	case a.ContentType != "":
		if a.Body != nil { // JSON of a media type of its own
			return map[string]*huma.MediaType{a.ContentType: {Schema: bodySchema(reg, a.Body, o.e.ID)}}
		}
		return map[string]*huma.MediaType{a.ContentType: {Schema: &huma.Schema{Type: "string"}}}
	case len(a.Rows) == 0 && a.Body != nil:
		return map[string]*huma.MediaType{"application/json": {Schema: bodySchema(reg, a.Body, o.e.ID)}}
	case len(a.Rows) == 0:
		return map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: "object"}}}
	}
	c := map[string]*huma.MediaType{}
	row := o.row(reg)
	list := &huma.Schema{Type: "array", Items: row}
	meta := metaSchema(reg)
	if a.Meta != nil {
		meta = &huma.Schema{AllOf: []*huma.Schema{meta, bodySchema(reg, a.Meta, o.e.ID+"_meta")}}
	}
	beside := func(s *huma.Schema) *huma.Schema {
		if a.Beside == nil {
			return s
		}
		return &huma.Schema{AllOf: []*huma.Schema{s, bodySchema(reg, a.Beside, o.e.ID+"_beside")}}
	}
	c["application/json"] = &huma.MediaType{Schema: beside(&huma.Schema{
		Type: "object", Required: []string{"data", "meta"},
		Properties: map[string]*huma.Schema{"data": list, "meta": meta},
	})}
	if a.Body != nil {
		within := row
		if a.Within != nil {
			within = rowSchema(reg, a.Within)
		}
		c["application/json"].Schema = rowsIn(reg, bodySchema(reg, a.Body, o.e.ID), within)
	}
	if a.JSONOnly {
		return c
	}
	for _, f := range a.forms() {
		if f == format.FormJSON {
			continue
		}
		m := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
		if f == format.FormGeoJSON {
			m.Schema = beside(collectionSchema(row, meta))
		} else if f.Attachment() && f != format.FormCSV && f != format.FormKML {
			m.Schema = &huma.Schema{Type: "string", Format: "binary"}
		}
		c[f.MediaType()] = m
	}
	return c
}

// row is the schema of the endpoint's rows; nil where it has none.
func (o *operation) row(reg huma.Registry) *huma.Schema {
	var rows []*huma.Schema
	for _, k := range o.e.Answer.Rows {
		rows = append(rows, rowSchema(reg, k))
	}
	switch len(rows) {
	case 0:
		return nil
	case 1:
		return rows[0]
	}
	return &huma.Schema{AnyOf: rows}
}

// bodySchema is the shape of an answer's body. Members are only ever added to answers, so the
// description leaves every object open.
func bodySchema(reg huma.Registry, v any, id string) *huma.Schema {
	s := shapeOf(reg, v, id+"_answer")
	each(reg, s, map[*huma.Schema]bool{}, func(s *huma.Schema) {
		if s.AdditionalProperties == false {
			s.AdditionalProperties = true
		}
		for _, p := range s.Properties {
			if p.Nullable && len(p.Enum) > 0 && !slices.Contains(p.Enum, nil) { // an enum holds for null too
				p.Enum = append(p.Enum, nil)
			}
		}
	})
	return s
}

// allowNull lets members that are pointers to objects be null, which the registry says of other pointers only.
func allowNull(reg huma.Registry) {
	for name, s := range reg.Map() {
		t := reg.TypeFromRef("#/components/schemas/" + name)
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(t) {
			member, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[member]
			if f.Type.Kind() == reflect.Pointer && p != nil && p.Ref != "" && !strings.Contains(options, "omit") {
				s.Properties[member] = &huma.Schema{AnyOf: []*huma.Schema{p, {Type: "null"}}, Description: f.Tag.Get("doc")}
			}
		}
	}
}

// rowsIn puts the schema of the rows where Row stands in a shape; a row that is no element of a list may
// be null.
func rowsIn(reg huma.Registry, s, row *huma.Schema) *huma.Schema {
	each(reg, s, map[*huma.Schema]bool{}, func(s *huma.Schema) {
		if s.Items != nil && s.Items.Ref == rowHere {
			s.Items = row
		}
		for name, p := range s.Properties {
			if p.Ref == rowHere {
				s.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{row, {Type: "null"}}}
			}
		}
	})
	return s
}

// each visits the schema of a shape and those inside it.
func each(reg huma.Registry, s *huma.Schema, seen map[*huma.Schema]bool, visit func(*huma.Schema)) {
	if s != nil && s.Ref != "" {
		s = reg.SchemaFromRef(s.Ref)
	}
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	visit(s)
	for _, p := range s.Properties {
		each(reg, p, seen, visit)
	}
	each(reg, s.Items, seen, visit)
}

func metaSchema(reg huma.Registry) *huma.Schema {
	reg.Map()["Meta"] = &huma.Schema{
		Type: "object", Required: []string{"total", "format", "query_time_ms", "license"}, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"total":         {Type: "integer", Description: "Matches before limit and offset."},
			"limit":         {Type: "integer"},
			"offset":        {Type: "integer"},
			"format":        {Type: "string"},
			"query_time_ms": {Type: "number", Description: "Milliseconds."},
			"license":       {Description: "Licence and attribution: a text, or an object where the service names its datasets."},
		},
	}
	return &huma.Schema{Ref: "#/components/schemas/Meta"}
}

func collectionSchema(row, meta *huma.Schema) *huma.Schema {
	feature := &huma.Schema{
		Type: "object", Required: []string{"type", "geometry", "properties"},
		Properties: map[string]*huma.Schema{
			"type": {Type: "string", Enum: []any{"Feature"}}, "id": {}, "geometry": {Type: "object", Nullable: true}, "properties": row,
		},
	}
	return &huma.Schema{
		Type: "object", Required: []string{"type", "features"},
		Properties: map[string]*huma.Schema{
			"type": {Type: "string", Enum: []any{"FeatureCollection"}}, "features": {Type: "array", Items: feature},
			"meta": meta,
		},
	}
}

// requiredDoc says of which rows the required members are.
const requiredDoc = "Required members stand in every row, unless fields= chooses others."

// rowSchema enters a row type under its name. Row types of one name are one resource with more or fewer of
// its fields; the schema holds the fields of all, and requires those that stand in every row of every type.
func rowSchema(reg huma.Registry, k *format.RowType) *huma.Schema {
	name := schemaName(k.Name)
	s, ok := reg.Map()[name]
	if !ok {
		s = &huma.Schema{Type: "object", Description: strings.TrimSpace(k.Doc + " " + requiredDoc), Properties: map[string]*huma.Schema{}}
		reg.Map()[name] = s
		for _, c := range k.Columns {
			s.Required = append(s.Required, c.Name)
		}
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool {
		return !slices.ContainsFunc(k.Columns, func(c format.Column) bool { return c.Name == name && !c.Sparse })
	})
	for _, c := range k.Columns {
		if s.Properties[c.Name] == nil {
			s.Properties[c.Name] = columnSchema(reg, c, k.Name)
		}
	}
	if k.Shape != format.ShapeNone && s.Properties["geometry"] == nil {
		s.Properties["geometry"] = &huma.Schema{Type: "object", Nullable: true,
			Description: "GeoJSON geometry, where the answer carries geometry; null where the row has none."}
	}
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}

func columnSchema(reg huma.Registry, c format.Column, row string) *huma.Schema {
	if c.Type == format.TypeJSON && c.Shape != nil {
		s := shapeOf(reg, c.Shape, row+"_"+c.Name)
		if c.Nullable {
			s = &huma.Schema{AnyOf: []*huma.Schema{s, {Type: "null"}}, Description: c.Doc}
		}
		return s
	}
	s := &huma.Schema{Description: c.Doc, Nullable: true}
	if c.Unit != "" {
		s.Description = strings.TrimSpace(s.Description + " Unit: " + c.Unit + ".")
	}
	switch c.Type {
	case format.TypeString:
		s.Type = "string"
		for _, v := range c.Enum {
			s.Enum = append(s.Enum, v)
		}
		if len(s.Enum) > 0 {
			s.Enum = append(s.Enum, nil)
		}
	case format.TypeInt:
		s.Type = "integer"
	case format.TypeFloat, format.TypeDegrees:
		s.Type = "number"
	case format.TypeBool:
		s.Type = "boolean"
	}
	return s
}

// schemaName is a row type's name as a schema name: "land_use" gives "LandUse".
func schemaName(row string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(row, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
