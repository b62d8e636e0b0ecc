// Package jsclient writes the generated files of clients/javascript from the services' OpenAPI documents: the table of
// calls (operations.js), the types of a service (cadastre.d.ts, context.d.ts, landscape.d.ts) and those that several have
// (shared.d.ts). Its test compares them with what is committed; `go test ./infra/jsclient -update` writes them anew.
package jsclient

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// document is the part of an OpenAPI document that is read.
type document struct {
	Servers    []struct{ URL string }
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]*schema }
}

type operation struct {
	ID          string `json:"operationId"`
	Summary     string
	Parameters  []parameter
	RequestBody *struct {
		Content  map[string]media
		Required bool
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]media
		Headers map[string]json.RawMessage
	}
	path, method string
}

type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *schema
}

type media struct{ Schema *schema }

// schema is a JSON schema; the type is a name or a list of names.
type schema struct {
	Ref         string `json:"$ref"`
	Description string
	Type        any
	Format      string
	Enum        []any
	Items       *schema
	Properties  map[string]*schema
	Required    []string
	Additional  json.RawMessage `json:"additionalProperties"`
	AnyOf       []*schema       `json:"anyOf"`
	OneOf       []*schema       `json:"oneOf"`
	AllOf       []*schema       `json:"allOf"`
}

// Service is the description of one service, read.
type Service struct {
	name string // "cadastre"
	doc  document
	ops  []operation // in the order of their names
}

// Read reads the OpenAPI document of a service.
func Read(name string, openapi []byte) (*Service, error) {
	s := &Service{name: name}
	if err := json.Unmarshal(openapi, &s.doc); err != nil {
		return nil, fmt.Errorf("openapi.json of %s: %w", name, err)
	}
	if len(s.doc.Servers) != 1 {
		return nil, fmt.Errorf("openapi.json of %s names %d servers, not one", name, len(s.doc.Servers))
	}
	for path, methods := range s.doc.Paths {
		for method, op := range methods {
			op.path, op.method = path, strings.ToUpper(method)
			s.ops = append(s.ops, op)
		}
	}
	slices.SortFunc(s.ops, func(a, b operation) int { return strings.Compare(a.ID, b.ID) })
	return s, nil
}

const made = "// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.\n"

// Operations is the module of all services' calls.
func Operations(services ...*Service) []byte {
	var b strings.Builder
	b.WriteString(made)
	for _, s := range services {
		fmt.Fprintf(&b, "\nexport const %s = {\n  prefix: %q,\n  calls: {\n", s.name, s.doc.Servers[0].URL)
		for _, op := range s.ops {
			fmt.Fprintf(&b, "    %s: { method: %q, path: %q", camel(op.ID), op.method, op.path)
			if op.reads() {
				b.WriteString(", reads: true")
			}
			switch kind, accept := op.form(); {
			case kind != "json":
				fmt.Fprintf(&b, ", as: %q, accept: %q", kind, accept)
			case accept != "application/json":
				fmt.Fprintf(&b, ", accept: %q", accept)
			}
			b.WriteString(" },\n")
		}
		b.WriteString("  },\n};\n")
	}
	return []byte(b.String())
}

// reads says that repeating the request does nothing twice: a GET, or a POST that answers with rows or with what may be
// incomplete for now. A report or an order for work has neither.
func (op operation) reads() bool {
	if op.method != "POST" {
		return op.method == "GET"
	}
	r := op.Responses["200"]
	_, partial := r.Headers["X-Data-Ready"]
	return partial || len(r.Content) > 1
}

// success is the content of the answer that is no failure.
func (op operation) success() map[string]media {
	for _, status := range []string{"200", "201", "202"} {
		if c := op.Responses[status].Content; len(c) > 0 {
			return c
		}
	}
	return nil
}

// form is what the client reads where nothing is asked for: json, text or bytes, and the media type of it.
func (op operation) form() (kind, accept string) {
	types := slices.Sorted(maps.Keys(op.success()))
	// What draws pictures tells of them too, where it is asked: bytes are right for both.
	if i := slices.IndexFunc(types, func(t string) bool { return strings.HasPrefix(t, "image/") }); i >= 0 {
		return "bytes", types[i]
	}
	if slices.Contains(types, "application/json") || len(types) == 0 {
		return "json", "application/json"
	}
	for _, t := range types {
		if strings.HasSuffix(t, "+json") {
			return "json", t
		}
	}
	if i := slices.IndexFunc(types, func(t string) bool { return t == "text/html" }); i >= 0 {
		return "text", types[i] // a file beside the page is asked for by its format, as bytes
	}
	if strings.HasPrefix(types[0], "text/") {
		return "text", types[0]
	}
	return "bytes", types[0]
}

// camel turns an operation's id into the name of a method: land_prices_batch is landPricesBatch.
func camel(id string) string {
	parts := strings.Split(id, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// pascal is camel with a capital.
func pascal(id string) string {
	c := camel(id)
	return strings.ToUpper(c[:1]) + c[1:]
}

// demands says that a parameter or the body must be given.
func (op operation) demands() bool {
	return op.RequestBody != nil && op.RequestBody.Required || slices.ContainsFunc(op.Parameters, func(p parameter) bool {
		return p.Required
	})
}

// unneeded are parameters for who has no client: a JSON object does not care for indents.
var unneeded = []string{"callback", "pretty"}

func (op operation) parameters() string {
	var b strings.Builder
	for _, p := range op.Parameters {
		if slices.Contains(unneeded, p.Name) || p.In != "path" && p.In != "query" {
			continue
		}
		t := p.Schema.typescript("  ")
		if p.In == "path" && t == "string" {
			t = "string | number"
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", doc(p.Description, "  "), key(p.Name), optional(p.Required), t)
	}
	if op.RequestBody != nil {
		t := "unknown"
		if m, ok := op.RequestBody.Content["application/json"]; ok {
			t = m.Schema.typescript("  ")
		}
		if _, table := op.RequestBody.Content["text/csv"]; table {
			t += " | string"
		}
		fmt.Fprintf(&b, "  body%s: %s;\n", optional(op.RequestBody.Required), t)
	}
	return b.String()
}

func (op operation) answer() string {
	kind, accept := op.form()
	switch kind {
	case "text":
		return "string"
	case "bytes":
		return "Uint8Array"
	}
	if m := op.success()[accept]; m.Schema != nil {
		return m.Schema.typescript("  ")
	}
	return "unknown"
}

func optional(required bool) string {
	if required {
		return ""
	}
	return "?"
}

// key is a member's name, quoted where it is no identifier.
func key(name string) string {
	for i, r := range name {
		if !(r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return strconv.Quote(name)
		}
	}
	return name
}

// taken are names of schemas that TypeScript or the module has for something else.
var taken = []string{"Record", "Request", "Body", "Response", "Point", "Error"}

// typeName is the name of a schema as an identifier.
func typeName(name string) string {
	n := strings.Map(func(r rune) rune {
		if key(string(r)) == string(r) || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, pascal(name))
	if slices.Contains(taken, n) {
		return n + "Shape"
	}
	return n
}

func doc(text, indent string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(text, "*/", "*\\/") + " */\n"
}

// typescript is the type that a schema describes.
func (s *schema) typescript(indent string) string {
	switch {
	case s == nil:
		return "unknown"
	case s.Ref != "":
		return typeName(s.Ref[strings.LastIndexByte(s.Ref, '/')+1:])
	case len(s.Enum) > 0:
		var all []string
		for _, v := range s.Enum {
			text, err := json.Marshal(v)
			if err != nil {
				return "unknown"
			}
			all = append(all, string(text))
		}
		return strings.Join(all, " | ")
	case len(s.AnyOf)+len(s.OneOf) > 0:
		return joined(append(slices.Clone(s.AnyOf), s.OneOf...), " | ", indent)
	case len(s.AllOf) > 0:
		return joined(s.AllOf, " & ", indent)
	}
	var all []string
	for _, name := range s.types() {
		all = append(all, s.named(name, indent))
	}
	if len(all) == 0 {
		if len(s.Properties) > 0 {
			return s.object(indent)
		}
		return "unknown"
	}
	return strings.Join(all, " | ")
}

func joined(list []*schema, with, indent string) string {
	var all []string
	for _, s := range list {
		t := s.typescript(indent)
		if strings.Contains(t, " | ") && !strings.HasPrefix(t, "{") && with == " & " {
			t = "(" + t + ")"
		}
		all = append(all, t)
	}
	return strings.Join(all, with)
}

func (s *schema) types() []string {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, v := range t {
			out = append(out, fmt.Sprint(v))
		}
		return out
	}
	return nil
}

func (s *schema) named(name, indent string) string {
	switch name {
	case "string", "boolean", "null":
		return name
	case "integer", "number":
		return "number"
	case "array":
		t := s.Items.typescript(indent)
		if strings.Contains(t, " | ") || strings.Contains(t, " & ") {
			t = "(" + t + ")"
		}
		return t + "[]"
	case "object":
		return s.object(indent)
	}
	return "unknown"
}

func (s *schema) object(indent string) string {
	if len(s.Properties) == 0 {
		if strings.HasPrefix(s.Description, "GeoJSON geometry") {
			return "GeoJSONGeometry"
		}
		var values schema
		if json.Unmarshal(s.Additional, &values) == nil {
			return "Record<string, " + values.typescript(indent) + ">"
		}
		return "Record<string, unknown>"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		fmt.Fprintf(&b, "%s%s  %s%s: %s;\n", doc(p.Description, indent+"  "), indent, key(name),
			optional(slices.Contains(s.Required, name)), p.typescript(indent+"  "))
	}
	return b.String() + indent + "}"
}
