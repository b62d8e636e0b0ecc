package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// describe compiles the endpoints and enters them into an OpenAPI 3.1 document.
func (s *Service) describe(mux humago.Mux) (huma.API, []*operation, error) {
	doc := &huma.OpenAPI{
		OpenAPI:    "3.1.0",
		Info:       &huma.Info{Title: s.Title, Version: cmp.Or(s.Version, apiVersion), Description: s.Description},
		Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)},
	}
	if s.Notice.License != "" {
		doc.Info.License = &huma.License{Name: s.Notice.License, URL: s.Notice.LicenseURL}
	}
	api := huma.NewAPI(huma.Config{OpenAPI: doc}, humago.NewAdapter(mux, ""))
	reg := doc.Components.Schemas
	form := s.FaultBody
	if form == nil {
		form = fault.Schema()
	}
	reg.Map()["Error"] = reg.Schema(reflect.TypeOf(form), false, "Error")
	delete(reg.Map(), "Body")
	var ops []*operation
	for _, e := range s.Endpoints {
		o, err := compile(e)
		if err != nil {
			return nil, nil, err
		}
		doc.AddOperation(o.openAPI(reg))
		ops = append(ops, o)
	}
	for _, e := range s.Elsewhere {
		e.Serve = func(context.Context, *Request) (reply.Answer, error) { return nil, errors.New("answered elsewhere") }
		o, err := compile(e)
		if err != nil {
			return nil, nil, err
		}
		doc.AddOperation(o.openAPI(reg))
	}
	return api, ops, nil
}

// OpenAPI is the service's description with the given base URL, the same bytes for the same table.
func (s *Service) OpenAPI(baseURL string) ([]byte, error) {
	api, _, err := s.describe(http.NewServeMux())
	if err != nil {
		return nil, err
	}
	return marshalAPI(api, baseURL)
}

func marshalAPI(api huma.API, baseURL string) ([]byte, error) {
	doc := *api.OpenAPI()
	if baseURL == "" {
		baseURL = "/"
	}
	doc.Servers = []*huma.Server{{URL: baseURL}}
	return json.Marshal(&doc)
}

func serveOpenAPI(api huma.API, s *Service, x *exchange, r *http.Request) error {
	b, err := marshalAPI(api, s.base(r))
	if err != nil {
		return err
	}
	return serveOwn(s, x, r, "application/json", b)
}

// serveOwn sends a body of the service's own: its description, its page.
func serveOwn(s *Service, x *exchange, r *http.Request, contentType string, body []byte) error {
	gzip := reply.AcceptsGzip(r.Header)
	a := &reply.Ask{
		ETag: reply.ETag(string(body), strconv.FormatBool(gzip)), CacheControl: "max-age=120", Gzip: gzip,
		Head: r.Method == http.MethodHead, Elapsed: since(s, x), Notice: s.Notice,
	}
	if reply.Matches(r.Header, a.ETag) {
		reply.NotModified(x, a)
		return nil
	}
	return reply.Write(x, a, &reply.Bytes{ContentType: contentType, Body: body})
}

func (o *operation) openAPI(reg huma.Registry) *huma.Operation {
	e := o.e
	op := &huma.Operation{
		OperationID: e.ID, Method: e.Method, Path: e.Path, Summary: e.Summary, Description: e.Doc,
		Responses: map[string]*huma.Response{},
	}
	if e.Tag != "" {
		op.Tags = []string{e.Tag}
	}
	op.Extensions = map[string]any{}
	if e.Example != "" {
		op.Extensions["x-example"] = e.Example
	}
	if e.ExampleBody != "" {
		op.Extensions["x-example-body"] = e.ExampleBody
	}
	maps.Copy(op.Extensions, e.Extensions)
	for i, s := range o.specs {
		op.Parameters = append(op.Parameters, s.openAPI(o.path[i]))
	}
	if e.Body != nil {
		b := e.Body.bodySpec()
		op.RequestBody = &huma.RequestBody{
			Description: b.doc, Required: !b.optional,
			Content: map[string]*huma.MediaType{cmp.Or(b.media, "application/json"): {Schema: b.schema(reg, e.ID+"_request")}},
		}
	}
	status := e.Answer.Status
	if status == 0 {
		status = http.StatusOK
	}
	answer := o.content(reg)
	if o.common.callback != nil {
		answer["application/javascript"] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Description: "JSONP, with callback."}}
	}
	op.Responses[strconv.Itoa(status)] = &huma.Response{Description: "The answer.", Content: answer}
	refused := map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Error"}}}
	if e.Method == http.MethodGet && e.Cache != Live {
		op.Responses["304"] = &huma.Response{Description: "The answer of the given ETag still holds."}
	}
	op.Responses["400"] = &huma.Response{Description: "A parameter is missing, unknown or not allowed.", Content: refused}
	if e.Body != nil {
		op.Responses["413"] = &huma.Response{Description: "The request is too large.", Content: refused}
	}
	op.Responses["default"] = &huma.Response{Description: "Any other failure.", Content: refused}
	if e.Body != nil && e.Body.bodySpec().onlyJSON {
		op.Responses["415"] = &huma.Response{Description: "The body is not JSON.", Content: refused}
	}
	for _, a := range e.Answer.Others {
		a.describe(reg, op)
	}
	return op
}

// describe enters the answer into an operation.
func (a Other) describe(reg huma.Registry, op *huma.Operation) {
	status := strconv.Itoa(a.Status)
	r := op.Responses[status]
	if r == nil {
		r = &huma.Response{Description: a.Doc, Content: map[string]*huma.MediaType{}}
		op.Responses[status] = r
	}
	media := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	if a.ContentType == "" {
		a.ContentType = "application/json"
		media.Schema = bodySchema(reg, a.Body, op.OperationID+"_"+status)
	}
	r.Content[a.ContentType] = media
}

// schema is the form of the body; bytes that the handler reads are a text of them.
func (b *bodySpec) schema(reg huma.Registry, hint string) *huma.Schema {
	if b.media != "" && b.shape == nil {
		return &huma.Schema{Type: "string", Format: "binary"}
	}
	return shapeOf(reg, b.shape, hint)
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

func (s *spec) openAPI(path bool) *huma.Param {
	p := &huma.Param{Name: s.name, In: "query", Required: s.required || path, Description: s.doc}
	if path {
		p.In = "path"
	}
	if len(s.aliases) > 0 {
		p.Description += " Also written " + strings.Join(s.aliases, ", ") + "."
		p.Extensions = map[string]any{"x-aliases": s.aliases}
	}
	if s.unit != "" {
		p.Description += " Unit: " + s.unit + "."
	}
	one := &huma.Schema{Type: s.typ}
	for _, v := range s.enum {
		one.Enum = append(one.Enum, v)
	}
	p.Schema = one
	if s.list {
		no := false
		p.Style, p.Explode = "form", &no
		if path {
			p.Style = "simple"
		}
		p.Schema = &huma.Schema{Type: "array", Items: one}
		p.Schema.MaxItems = intBound(s.max)
	} else if s.typ == "string" && len(s.enum) == 0 {
		one.MinLength, one.MaxLength = intBound(s.min), intBound(s.max)
	} else {
		one.Minimum, one.Maximum = floatBound(s.min), floatBound(s.max)
	}
	if s.hasDefault && s.def != "" {
		p.Schema.Default = s.sample(s.def)
	}
	if s.example != "" {
		p.Example = s.sample(s.example)
	}
	return p
}

// sample is a text as the JSON value of the parameter's type.
func (s *spec) sample(text string) any {
	if s.list {
		return strings.Split(text, ",")
	}
	switch s.typ {
	case "number", "integer":
		return json.Number(text)
	case "boolean":
		return text == "true"
	}
	return text
}

func intBound(v float64) *int {
	if math.IsInf(v, 0) {
		return nil
	}
	n := int(v)
	return &n
}

func floatBound(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// content lists the media types of the answer.
func (o *operation) content(reg huma.Registry) map[string]*huma.MediaType {
	a := o.e.Answer
	switch {
	case a.ContentType != "":
		return map[string]*huma.MediaType{a.ContentType: {Schema: &huma.Schema{Type: "string"}}}
	case len(a.Rows) == 0 && a.Body != nil:
		return map[string]*huma.MediaType{"application/json": {Schema: bodySchema(reg, a.Body, o.e.ID)}}
	case len(a.Rows) == 0:
		return map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: "object"}}}
	}
	c := map[string]*huma.MediaType{}
	var rows []*huma.Schema
	for _, k := range a.Rows {
		rows = append(rows, rowSchema(reg, k))
	}
	row := rows[0]
	if len(rows) > 1 {
		row = &huma.Schema{AnyOf: rows}
	}
	list := &huma.Schema{Type: "array", Items: row}
	c["application/json"] = &huma.MediaType{Schema: &huma.Schema{
		Type: "object", Required: []string{"data", "meta"},
		Properties: map[string]*huma.Schema{"data": list, "meta": metaSchema(reg)},
	}}
	if a.Body != nil {
		c["application/json"].Schema = bodySchema(reg, a.Body, o.e.ID)
	}
	if a.JSONOnly {
		return c
	}
	for _, f := range format.AllFormats()[1:] {
		m := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
		if f == format.FormGeoJSON {
			m.Schema = collectionSchema(row)
		} else if f.Attachment() && f != format.FormCSV {
			m.Schema = &huma.Schema{Type: "string", Format: "binary"}
		}
		c[f.MediaType()] = m
	}
	return c
}

// bodySchema is the shape of an answer's body. Members are only ever added to answers, so the
// description leaves every object open.
func bodySchema(reg huma.Registry, v any, id string) *huma.Schema {
	s := shapeOf(reg, v, id+"_answer")
	open(reg, s, map[*huma.Schema]bool{})
	return s
}

func open(reg huma.Registry, s *huma.Schema, seen map[*huma.Schema]bool) {
	if s != nil && s.Ref != "" {
		s = reg.SchemaFromRef(s.Ref)
	}
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.AdditionalProperties == false {
		s.AdditionalProperties = true
	}
	for _, p := range s.Properties {
		open(reg, p, seen)
	}
	open(reg, s.Items, seen)
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

func collectionSchema(row *huma.Schema) *huma.Schema {
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
			"meta": {Ref: "#/components/schemas/Meta"},
		},
	}
}

// rowSchema enters a row kind under its name. Kinds of one name are one resource with more or fewer of
// its fields; the schema holds the fields of all.
func rowSchema(reg huma.Registry, k *format.Kind) *huma.Schema {
	name := schemaName(k.Name)
	s, ok := reg.Map()[name]
	if !ok {
		s = &huma.Schema{Type: "object", Description: k.Doc, Properties: map[string]*huma.Schema{}}
		reg.Map()[name] = s
	}
	for _, c := range k.Columns {
		if s.Properties[c.Name] == nil {
			s.Properties[c.Name] = columnSchema(reg, c, k.Name)
		}
	}
	if k.Shape != format.ShapeNone && s.Properties["geometry"] == nil {
		s.Properties["geometry"] = &huma.Schema{Type: "object", Description: "GeoJSON geometry, where the answer carries geometry."}
	}
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}

func columnSchema(reg huma.Registry, c format.Column, kind string) *huma.Schema {
	if c.Type == format.TypeJSON && c.Shape != nil {
		return shapeOf(reg, c.Shape, kind+"_"+c.Name)
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

// schemaName is a row kind's name as a schema name: "land_use" gives "LandUse".
func schemaName(kind string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(kind, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// apiVersion is info.version of a service that names no version of its own: that of the paths.
const apiVersion = "1"
