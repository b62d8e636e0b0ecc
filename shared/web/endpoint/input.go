package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/reply"
)

// Input is a declared parameter as programs need it that make requests: another protocol, a command line.
type Input struct {
	Name     string
	Doc      string // with its aliases and its unit
	Type     string // number, integer, boolean, string; of a list that of its values
	List     bool   // a comma list
	InPath   bool
	Required bool
	// Common is a parameter of the answer's form, its page or its caching, which the endpoint has by its kind: format,
	// limit, nocache.
	Common           bool
	Aliases          []string
	Enum             []string
	Default, Example string          // as a client writes them
	Schema           json.RawMessage // JSON Schema of the value
}

// Inputs lists the parameters of an endpoint: its own in their order, then the common ones.
func (e Endpoint) Inputs() ([]Input, error) {
	o, err := described(e)
	if err != nil {
		return nil, err
	}
	list := make([]Input, len(o.specs))
	for i, s := range o.specs {
		p := s.openAPI(o.path[i])
		schema, err := json.Marshal(p.Schema)
		if err != nil {
			return nil, fmt.Errorf("parameter %s of %s: %w", s.name, e.ID, err)
		}
		list[i] = Input{
			Name: s.name, Doc: p.Description, Type: s.typ, List: s.list, InPath: o.path[i], Required: p.Required, Common: s.hidden,
			Aliases: s.aliases, Enum: s.enum, Default: s.def, Example: s.example, Schema: schema,
		}
	}
	return list, nil
}

// described compiles an endpoint that another function may answer.
func described(e Endpoint) (*operation, error) {
	if e.Serve == nil {
		e.Serve = func(context.Context, *Request) (reply.Answer, error) { return nil, errors.New("answered elsewhere") }
	}
	return compile(e)
}

// definitions is where the parts of a schema of its own stand.
const definitions = "#/$defs/"

// BodySchema is the JSON Schema of the body that an endpoint takes, whole in itself; nil where it takes none, or none of
// JSON.
func (e Endpoint) BodySchema() (json.RawMessage, error) {
	if e.Body == nil || e.Body.bodySpec().media != "" {
		return nil, nil
	}
	reg := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	o, err := described(e)
	if err != nil {
		return nil, err
	}
	schema := o.bodySchema(reg, e.ID+"_body")
	allowNull(reg)
	whole := map[string]any{}
	for _, part := range []any{schema, map[string]any{"$defs": reg.Map()}} {
		b, err := json.Marshal(part)
		if err != nil {
			return nil, fmt.Errorf("body of %s: %w", e.ID, err)
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(b), `"#/components/schemas/`, `"`+definitions)), &whole); err != nil {
			return nil, fmt.Errorf("body of %s: %w", e.ID, err)
		}
	}
	if ref, ok := whole["$ref"].(string); ok { // tools want the object itself at the top
		defs := whole["$defs"].(map[string]any)
		name := strings.TrimPrefix(ref, definitions)
		top := defs[name].(map[string]any)
		delete(defs, name)
		top["$defs"] = defs
		whole = top
	}
	return json.Marshal(whole)
}

// BodyMedia is the media type of the body that an endpoint takes, "" where it takes none; optional says that it may be
// absent.
func (e Endpoint) BodyMedia() (media string, optional bool) {
	if e.Body == nil {
		return "", false
	}
	b := e.Body.bodySpec()
	return cmp.Or(b.media, "application/json"), b.optional
}
