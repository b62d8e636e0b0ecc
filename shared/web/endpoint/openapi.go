package endpoint

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"mappe/shared/web/fault"
)

// describe compiles the endpoints and enters them into an OpenAPI 3.1 document; own are those by which the service describes itself.
func (s *Service) describe(mux humago.Mux, own []Endpoint) (huma.API, []*operation, error) {
	doc := &huma.OpenAPI{
		OpenAPI:    "3.1.0",
		Info:       &huma.Info{Title: s.Title, Version: cmp.Or(s.Version, apiVersion), Description: s.Description},
		Components: &huma.Components{Schemas: newRegistry()},
	}
	doc.Extensions = map[string]any{"security": []any{}} // open, but for operations that say otherwise
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
	for _, e := range slices.Concat(s.Endpoints, own) {
		o, err := compile(e)
		if err != nil {
			return nil, nil, err
		}
		o.enter(doc)
		ops = append(ops, o)
	}
	for _, e := range s.Described {
		e.Serve = nil
		o, err := described(e)
		if err != nil {
			return nil, nil, err
		}
		o.enter(doc)
	}
	allowNull(reg)
	return api, ops, nil
}

// enter puts the operation into the document, with the token it asks for.
func (o *operation) enter(doc *huma.OpenAPI) {
	op := o.openAPI(doc.Components.Schemas)
	if b := o.e.Bearer; b != nil {
		if doc.Components.SecuritySchemes == nil {
			doc.Components.SecuritySchemes = map[string]*huma.SecurityScheme{}
		}
		doc.Components.SecuritySchemes[b.Name] = &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: b.Doc}
		op.Security = []map[string][]string{{b.Name: {}}}
	}
	doc.AddOperation(op)
}

// OpenAPI is the service's description with the given base URL, the same bytes for the same table.
func (s *Service) OpenAPI(baseURL string) ([]byte, error) {
	api, _, err := s.describe(http.NewServeMux(), s.own(nil))
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
	if e.Notice != nil {
		op.Description += "\n\nLicence of the data: " + e.Notice.String() + "."
	}
	for i, s := range o.specs {
		p := s.openAPI(o.path[i])
		if s.required && !o.path[i] && e.Body != nil && e.Body.bodySpec().carried != nil {
			p.Required = false // the body may give it
			p.Description += " " + carriedDoc
		}
		op.Parameters = append(op.Parameters, p)
	}
	if e.Body != nil {
		b := e.Body.bodySpec()
		op.RequestBody = &huma.RequestBody{
			Description: b.doc, Required: !b.optional,
			Content: map[string]*huma.MediaType{cmp.Or(b.media, "application/json"): {Schema: o.bodySchema(reg, e.ID+"_request")}},
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
	op.Responses[strconv.Itoa(status)] = &huma.Response{Description: "The answer.", Content: answer,
		Headers: headers(append(o.ownHeaders(), e.Answer.Headers...))}
	refused := map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Error"}}}
	if e.Method == http.MethodGet && e.Cache != Live {
		op.Responses["304"] = &huma.Response{Description: "The answer of the given ETag still holds."}
	}
	if e.Answer.Ranges {
		op.Responses["206"] = &huma.Response{Description: "The part that Range asked for; Content-Range says which.", Content: answer}
		op.Responses["416"] = &huma.Response{Description: "The part that Range asked for begins behind the end of the file.",
			Content: refused}
	}
	o.refusals(op, refused)
	for _, a := range e.Answer.Others {
		a.describe(reg, op, o.row(reg), a.Status == status)
	}
	return op
}

// refusals enters the failures that the operation can give, by its declaration; 405 is an answer of other methods.
func (o *operation) refusals(op *huma.Operation, refused map[string]*huma.MediaType) {
	say := func(status int, doc string) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: doc, Content: maps.Clone(refused)}
	}
	e := o.e
	say(http.StatusBadRequest, "A parameter is missing, unknown or not allowed.")
	say(http.StatusNotFound, "What the path or a parameter names does not exist.")
	if e.Bearer != nil {
		say(http.StatusUnauthorized, "The token is missing or unknown.")
		say(http.StatusForbidden, "The token does not allow this.")
	}
	if e.Body != nil || len(e.Answer.Rows) > 0 {
		say(http.StatusRequestEntityTooLarge, "The request or its answer is too large.")
	}
	if len(o.specs) > 0 {
		say(http.StatusRequestURITooLong, "The address is too long.")
	}
	if e.Body != nil && (e.Body.bodySpec().onlyJSON || e.Body.bodySpec().media != "") {
		say(http.StatusUnsupportedMediaType, "Content-Type names another form than the body has to have.")
	}
	say(http.StatusTooManyRequests, "Too many requests; Retry-After says when to come again.")
	say(http.StatusServiceUnavailable, "What the answer needs cannot be read at the moment; where repeating helps, Retry-After says when.")
	op.Responses["default"] = &huma.Response{Description: "Any other failure.", Content: refused}
}

// describe enters the answer into an operation: beside the form that its own status has there already,
// in place of the general form of another.
func (a Other) describe(reg huma.Registry, op *huma.Operation, row *huma.Schema, own bool) {
	status := strconv.Itoa(a.Status)
	r := op.Responses[status]
	if r == nil {
		r = &huma.Response{Description: a.Doc, Content: map[string]*huma.MediaType{}}
		op.Responses[status] = r
	} else if !own && a.Doc != "" {
		r.Description = a.Doc
	}
	media := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	if a.ContentType == "" {
		a.ContentType = "application/json"
		media.Schema = rowsIn(reg, bodySchema(reg, a.Body, op.OperationID+"_"+status), row)
	} else if a.Body != nil {
		media.Schema = rowsIn(reg, bodySchema(reg, a.Body, op.OperationID+"_"+status+"_"+last(a.ContentType)), row)
	}
	if first := r.Content[a.ContentType]; first != nil && own {
		media.Schema = &huma.Schema{AnyOf: []*huma.Schema{first.Schema, media.Schema}}
	}
	r.Content[a.ContentType] = media
}

// last is the last word of a media type: "json".
func last(contentType string) string {
	return contentType[strings.LastIndexAny(contentType, "/+")+1:]
}

// ownHeaders are the headers that the answer has by its declaration.
func (o *operation) ownHeaders() []Header {
	list := []Header{{Name: "X-Request-Id", Doc: "Names the request in the log; a client's own X-Request-Id is kept."}}
	if o.e.Method == http.MethodGet && o.e.Cache != Live {
		list = append(list, Header{Name: "ETag",
			Doc: "Strong, or weak (W/) where the body has query_time_ms; absent where the answer is partial. Send it as If-None-Match: 304 says that the answer still holds."})
	}
	if o.common.cursor != nil {
		list = append(list, Header{Name: "Link", Doc: `rel="next" is the address of the next page, absent on the last.`})
	}
	if o.common.crs != nil {
		list = append(list, Header{Name: "Content-Crs",
			Doc: "The coordinate system of the geometry, <http://www.opengis.net/def/crs/...>."})
	}
	return list
}

func headers(list []Header) map[string]*huma.Param {
	if len(list) == 0 {
		return nil
	}
	h := map[string]*huma.Param{}
	for _, d := range list {
		h[d.Name] = &huma.Param{Description: d.Doc, Schema: &huma.Schema{Type: "string"}}
	}
	return h
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
		if s.repeated {
			p.Description += " " + repeatedDoc
		}
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

// apiVersion is info.version of a service that names no version of its own: that of the paths.
const apiVersion = "1"

// Sentences behind the description of a parameter.
const (
	repeatedDoc = "May be given several times."
	carriedDoc  = "Required here or in the body."
)
