package endpoint

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// Held are the parameters that a body holds: values of JSON, or texts of the fields of a form.
type Held struct {
	Members map[string]json.RawMessage
	Fields  map[string]string
}

// carried is where a body holds parameters of its endpoint.
type carried struct {
	member string // an object in the body; "": the body itself
	own    []string
	held   func(body any) Held
	page   []string // common parameters that it may hold, too
}

// Carrying is the body where it may hold parameters of its endpoint beside the address: in the object that is its member
// of this name, or, where that is "", beside its own members, which are named. A parameter is declared once, in
// Endpoint.Params, and read by its handle wherever it was given: as a value of its JSON type, a list as an array or as the
// text of the address, a code as a text or a number; null is not given. A name that no parameter has is refused, and so is a
// value that address and body give differently.
func (p *BodyOf[T]) Carrying(member string, held func(T) Held, own ...string) *BodyOf[T] {
	c := *p.b
	c.carried = &carried{member: member, own: own, held: func(body any) Held {
		v, _ := body.(T)
		return held(v)
	}}
	return &BodyOf[T]{&c}
}

// Paging is the body where it may hold the page as well: limit and offset.
func (p *BodyOf[T]) Paging() *BodyOf[T] {
	c := *p.b
	carried := *c.carried
	carried.page = []string{"limit", "offset"}
	c.carried = &carried
	return &BodyOf[T]{&c}
}

// path names a member in faults.
func (c *carried) path(name string) string {
	if c.member == "" {
		return name
	}
	return c.member + "." + name
}

// Beside reads a body that is an object: read reads its own members, the others are parameters that Carrying is given. Each
// stands once, and nothing follows the object.
func Beside(r *jsonin.Reader, own []string, read func(name string) error) (params map[string]json.RawMessage, err error) {
	seen := 0
	err = r.Object("", func(name string) error {
		i := slices.Index(own, name)
		if _, twice := params[name]; twice || i >= 0 && seen&(1<<i) != 0 {
			return fault.Of(fault.Duplicate, fault.Shorten(name), "", "it once")
		}
		if i >= 0 {
			seen |= 1 << i
			return read(own[i])
		}
		if len(params) == maxPairs {
			return fault.New(fault.BadBody, "the body has more than %d members", maxPairs)
		}
		raw, err := r.Raw()
		if params == nil {
			params = map[string]json.RawMessage{}
		}
		params[strings.Clone(name)] = raw
		return err
	})
	if err == nil {
		err = r.End()
	}
	return params, err
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
	c := r.carried()
	if c == nil {
		return nil
	}
	held := c.held(r.body)
	faults := r.strangers(c, held)
	for _, name := range slices.Sorted(maps.Keys(held.Members)) {
		if i, ok := r.carriedAt(name); ok {
			faults = append(faults, r.carryOne(i, c.path(name), held.Members[name])...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(held.Fields)) {
		if i, ok := r.carriedAt(name); ok {
			faults = append(faults, r.carryText(i, c.path(name), held.Fields[name])...)
		}
	}
	faults = append(faults, r.missing()...)
	if len(faults) > 0 {
		return joined(faults)
	}
	return r.settle()
}

func (r *Request) carried() *carried {
	if b := r.op.e.Body; b != nil {
		return b.bodySpec().carried
	}
	return nil
}

// carriedAt is the number of the parameter of a name.
func (r *Request) carriedAt(name string) (int, bool) {
	i, ok := r.op.byName[name]
	return i, ok && !r.op.path[i] && r.carried().takes(r.op.specs[i])
}

// takes says whether a parameter that is not in the path may stand in the body.
func (c *carried) takes(s *spec) bool { return !s.hidden || slices.Contains(c.page, s.name) }

// strangers are the faults of names that no parameter has.
func (r *Request) strangers(c *carried, held Held) (faults []*fault.Fault) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(held.Members)), maps.Keys(held.Fields))
	slices.Sort(names)
	for _, name := range names {
		if _, ok := r.carriedAt(name); !ok {
			known := slices.Clone(c.own)
			for _, name := range r.op.names {
				if _, ok := r.carriedAt(name); ok {
					known = append(known, name)
				}
			}
			faults = append(faults, fault.Of(fault.Unknown, c.path(fault.Shorten(name)), "",
				"one of "+strings.Join(known, ", ")+fault.DidYouMean(name, known)))
		}
	}
	return faults
}

// carryOne reads a value of JSON.
func (r *Request) carryOne(i int, path string, raw json.RawMessage) []*fault.Fault {
	items, err := partsOf(r.op.specs[i], path, raw)
	if err != nil {
		return []*fault.Fault{fault.From(err)}
	}
	if items == nil {
		return nil
	}
	faults := r.carryText(i, path, strings.Join(items, ","))
	if len(faults) == 0 || raw[0] != '[' || !r.op.specs[i].list {
		return faults
	}
	one := *r.op.specs[i] // the item at fault is told by its place
	one.list = false
	for n, item := range items {
		one.name = path + "[" + strconv.Itoa(n) + "]"
		if _, err := one.read(&one, item); err != nil {
			return []*fault.Fault{fault.From(err)}
		}
	}
	return faults
}

// carryText reads a value by its text.
func (r *Request) carryText(i int, path, text string) []*fault.Fault {
	s := *r.op.specs[i]
	s.name = path
	v, err := s.read(&s, text)
	if err != nil {
		return []*fault.Fault{fault.From(err)}
	}
	at := &r.values[i]
	switch {
	case at.name == "":
		at.name, at.value, at.text = path, v, text
	case !reflect.DeepEqual(v, at.value):
		return []*fault.Fault{fault.Of(fault.Conflict, path, text,
			"the value of "+at.name+", "+fault.Shorten(at.text)+", or only one of the two")}
	}
	return nil
}

// partsOf are the parts of a value of JSON as the address would write them with commas between; nil for null.
func partsOf(s *spec, path string, raw json.RawMessage) ([]string, error) {
	in := jsonin.New(raw)
	text, array := s.typ == "string" || s.list || s.array, s.list || s.array
	switch c := in.Peek(); {
	case c == 'n':
		return nil, nil
	case c == '[' && array:
		items, err := itemsOf(in, path, s.object != nil)
		return items, asFault(err)
	case c == '{' && s.object != nil:
		return []string{string(raw)}, nil
	case c == '"' && text:
		v, err := in.String(path)
		return []string{v}, asFault(err)
	case (c == '-' || c >= '0' && c <= '9') && s.typ == "integer":
		return []string{whole(strings.TrimSpace(string(raw)))}, nil
	case (c == 't' || c == 'f') && s.typ == "boolean", (c == '-' || c >= '0' && c <= '9') && s.typ != "boolean":
		return []string{strings.TrimSpace(string(raw))}, nil
	}
	expected := s.expected()
	if s.typ == "boolean" {
		expected = "true or false"
	}
	return nil, asFault(in.Bad(path, expected))
}

// asFault is the error of the reader of a member as a fault.
func asFault(err error) error {
	var in *jsonin.Error
	if errors.As(err, &in) {
		return in.Fault(in.Member)
	}
	return err
}

// whole is a number of JSON that is a whole one without its fraction or exponent: 1.0 is 1 there.
func whole(number string) string {
	const exact = 1 << 53
	if v, err := strconv.ParseFloat(number, 64); err == nil && v == math.Trunc(v) && math.Abs(v) <= exact {
		return strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return number
}

// itemsOf are the texts and numbers of an array, and the objects where there may be some.
func itemsOf(in *jsonin.Reader, path string, objects bool) ([]string, error) {
	items := []string{}
	err := in.Array(path, func(n int) error {
		at := path + "[" + strconv.Itoa(n) + "]"
		var item string
		var err error
		switch c := in.Peek(); {
		case n == maxItems:
			return fault.Of(fault.TooLarge, path, "more than "+strconv.Itoa(maxItems)+" values", "fewer")
		case c == '"':
			item, err = in.String(at)
		case c == '{' && objects:
			var raw []byte
			raw, err = in.Raw()
			items = append(items, string(raw))
			return err
		case c == '-' || c >= '0' && c <= '9':
			var raw []byte
			raw, err = in.Raw()
			item = string(raw)
		default:
			return in.Bad(at, "a text or a number")
		}
		if err == nil && strings.Contains(item, ",") {
			err = fault.BadValue(at, item, "a value without a comma")
		}
		items = append(items, item)
		return err
	})
	return items, err
}

// describeIn enters the parameters into the schema of the body.
func (c *carried) describeIn(reg huma.Registry, s *huma.Schema, o *operation) *huma.Schema {
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
	for i, p := range o.specs {
		if o.path[i] || !c.takes(p) {
			continue
		}
		d := p.openAPI(false)
		schema := *d.Schema
		if p.object != nil {
			schema.Items = &huma.Schema{AnyOf: []*huma.Schema{schema.Items, shapeOf(reg, p.object, o.e.ID+"_"+p.name)}}
		}
		schema.Description = d.Description
		to[p.name] = &schema
	}
	return &out
}
