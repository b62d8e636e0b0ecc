package endpoint

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// carried is where a body holds parameters of its endpoint.
type carried struct {
	member  string // an object in the body; "": the body itself
	own     []string
	members func(body any) map[string]json.RawMessage
}

// Carrying is the body where it may hold parameters of its endpoint beside the address: in the object that is its member
// of this name, or, where that is "", beside its own members, which are named. A parameter is declared once, in
// Endpoint.Params, and read by its handle wherever it was given: as a value of its JSON type, a list as an array, or as the
// text of the address; null is none. A name that no parameter has is refused, and so is a value that address and body give
// differently. members gives what the body holds.
func (p *BodyOf[T]) Carrying(member string, members func(T) map[string]json.RawMessage, own ...string) *BodyOf[T] {
	c := *p.b
	c.carried = &carried{member, own, func(body any) map[string]json.RawMessage {
		v, _ := body.(T)
		return members(v)
	}}
	return &BodyOf[T]{&c}
}

// path names a member in faults.
func (c *carried) path(name string) string {
	if c.member == "" {
		return name
	}
	return c.member + "." + name
}

// where says where the parameters stand.
func (c *carried) where() string {
	if c.member == "" {
		return ""
	}
	return ", in its member " + c.member
}

// carry reads the parameters that the body holds.
func (r *Request) carry() error {
	var c *carried
	if b := r.op.e.Body; b != nil {
		c = b.bodySpec().carried
	}
	if c == nil {
		return nil
	}
	var faults []*fault.Fault
	members := c.members(r.body)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := r.carryOne(c, name, members[name]); err != nil {
			faults = append(faults, fault.From(err))
		}
	}
	faults = append(faults, r.missing()...)
	if len(faults) > 0 {
		return joined(faults)
	}
	if len(members) == 0 {
		return nil
	}
	return r.settle()
}

func (r *Request) carryOne(c *carried, name string, raw json.RawMessage) error {
	path := c.path(fault.Shorten(name))
	i, ok := r.op.byName[name]
	if !ok || r.op.path[i] {
		known := slices.Concat(c.own, r.op.names)
		return fault.Of(fault.Unknown, path, "", "one of "+strings.Join(known, ", ")+fault.DidYouMean(name, known))
	}
	text, isGiven, err := textOf(r.op.specs[i], path, raw)
	if err != nil || !isGiven {
		return err
	}
	s := *r.op.specs[i]
	s.name = path
	v, err := s.read(&s, text)
	if err != nil {
		return err
	}
	at := &r.values[i]
	if at.name == "" {
		at.name, at.value, at.text = path, v, text
		return nil
	}
	if !reflect.DeepEqual(v, at.value) {
		return fault.Of(fault.Conflict, path, text, "the value of "+at.name+", "+fault.Shorten(at.text)+", or only one of the two")
	}
	return nil
}

// textOf is a member of a body as the text that the address would hold; isGiven is false for null.
func textOf(s *spec, path string, raw json.RawMessage) (text string, isGiven bool, err error) {
	in := jsonin.New(raw)
	switch c := in.Peek(); {
	case c == 'n':
		return "", false, nil
	case c == '"':
		text, err = in.String(path)
	case c == '[' && (s.list || s.array):
		text, err = joinedItems(in, path)
	case c == '[' || c == '{':
		err = fault.BadValue(path, string(raw), s.expected())
	default: // a number, true or false
		text = strings.TrimSpace(string(raw))
	}
	return text, err == nil, asFault(err)
}

// asFault is the error of the reader of a member as a fault.
func asFault(err error) error {
	var in *jsonin.Error
	if errors.As(err, &in) {
		return in.Fault(in.Member)
	}
	return err
}

// joinedItems is an array of texts and numbers as a comma list.
func joinedItems(in *jsonin.Reader, path string) (string, error) {
	var items []string
	err := in.Array(path, func(int) error {
		var item string
		var err error
		switch c := in.Peek(); c {
		case '"':
			item, err = in.String(path)
		case '[', '{', 'n':
			return in.Bad(path, "an array of texts or numbers")
		default:
			var raw []byte
			raw, err = in.Raw()
			item = string(raw)
		}
		if err == nil && strings.Contains(item, ",") {
			err = fault.BadValue(path, item, "values without commas")
		}
		items = append(items, item)
		return err
	})
	return strings.Join(items, ","), err
}

// describeIn enters the parameters into the schema of the body.
func (c *carried) describeIn(s *huma.Schema, specs []*spec, path []bool) *huma.Schema {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*huma.Schema{}
	}
	to := out.Properties
	if c.member != "" {
		no := false
		object := &huma.Schema{Type: "object", AdditionalProperties: no, Properties: map[string]*huma.Schema{},
			Description: "Parameters of the endpoint, as in the address; a value that both give differently is refused."}
		out.Properties[c.member] = object
		to = object.Properties
	}
	for i, p := range specs {
		if path[i] {
			continue
		}
		d := p.openAPI(false)
		schema := *d.Schema
		schema.Description = d.Description
		to[p.name] = &schema
	}
	return &out
}
