package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"mappe/functions/family"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

// Rows in an answer: few enough for a model to read. next_cursor gives more.
const (
	usualRows = 20
	mostRows  = 100
)

// tool is what a model calls.
type tool struct {
	name, title, doc string
	// calls are the endpoints that it asks: the one of which most of the required arguments are given.
	calls   []call
	caution []string                           // what is uncertain of every answer
	doubts  func(map[string]any) (of []string) // what an answer says of its own uncertainty; nil: nothing
	parcels bool                               // rows are parcels, which have a page on the map
	source  *source                            // of the data where no service names it
	// words puts parts of an answer into words and units; nil: it stays as it was written.
	words func(map[string]json.RawMessage) map[string]json.RawMessage
	// near are asked in turn for names that are near where nothing is found.
	near []spelling
	// study asks about an area in the background, in the place of calls.
	study *study

	schema json.RawMessage // of the arguments
}

// call is an endpoint that a tool asks.
type call struct {
	of    *asked
	id    string            // of the endpoint
	fixed map[string]string // parameters that the tool sets
	// only are the parameters that the tool offers; none: all that the endpoint declares itself, without some.
	only, without []string
	pages         bool     // offers limit and cursor
	offsets       bool     // pages, but a list that goes on by offset
	columns       []string // of rows, those that a model is given; none: all
	one           string   // member of the body that holds exactly one item here; "" where none does
	drawn         bool     // rows have polygons unless they are left out, as tools leave them out
	// called are the arguments whose parameter has another name at the endpoint, by that name.
	called  map[string]string
	written *written // makes the body of arguments; nil: the arguments are the body, where the endpoint reads one

	endpoint endpoint.Endpoint
	inputs   map[string]endpoint.Input // by the name of the argument
	required []string
	fields   string // the columns without the polygon
}

// asked is a service that answers in this process.
type asked struct {
	prefix  string
	dataset string // what its data is, where its notices do not say
	private bool   // it answers to whom a token opens it: those of the connection are passed on, to it alone
	service *endpoint.Service
	handler func() (http.Handler, error) // made when it is first asked
}

// ask is the family of a name among those given. It panics where none of them has it.
func (s *service) ask(name, dataset string) *asked {
	i := slices.IndexFunc(s.Families, func(m family.Member) bool { return m.Name == name })
	if i < 0 {
		panic("mcp: no family " + name + " is given")
	}
	m := s.Families[i]
	return &asked{prefix: m.Prefix, dataset: dataset, service: m.Service, handler: sync.OnceValues(func() (http.Handler, error) {
		h, err := m.Service.Handler()
		if err != nil {
			return nil, err
		}
		return endpoint.Mount(m.Prefix, h), nil
	})}
}

// compileStudy finds the endpoints of a study and makes the schema of its arguments: where, and the parameters of the endpoint.
func (t *tool) compileStudy() error {
	for _, c := range t.study.calls() {
		if err := c.compile(); err != nil {
			return fmt.Errorf("tool %s: %w", t.name, err)
		}
	}
	for _, name := range t.study.columns {
		if !slices.Contains(format.FieldNames(t.study.call.endpoint.Answer.Rows...), name) {
			return fmt.Errorf("tool %s: the rows of %s have no column %s", t.name, t.study.call.id, name)
		}
	}
	properties := studySchemas(t.study.rows, t.study.rank != nil)
	for name, in := range t.study.call.inputs {
		if properties[name] != nil {
			return fmt.Errorf("tool %s: %s is a parameter of %s too", t.name, name, t.study.call.id)
		}
		schema, err := t.study.call.property(in)
		if err != nil {
			return err
		}
		properties[name] = schema
	}
	var err error
	t.schema, err = json.Marshal(map[string]any{"type": "object", "properties": properties, "required": []string{},
		"additionalProperties": false})
	return err
}

// compile finds the endpoints of a tool and makes the schema of its arguments.
func (t *tool) compile() error {
	if t.study != nil {
		return t.compileStudy()
	}
	properties := map[string]json.RawMessage{}
	var required []string
	for i := range t.calls {
		c := &t.calls[i]
		if err := c.compile(); err != nil {
			return fmt.Errorf("tool %s: %w", t.name, err)
		}
		if c.written != nil {
			maps.Copy(properties, c.written.schemas)
		} else if c.endpoint.Body != nil {
			schema, err := c.endpoint.BodySchema()
			t.schema = schema
			if err == nil && c.one != "" {
				t.schema, err = oneItem(schema, c.one)
			}
			return err
		}
		for name, in := range c.inputs {
			schema, err := c.property(in)
			if err != nil {
				return err
			}
			properties[name] = schema
		}
		if i == 0 {
			required = c.required
		}
		required = slices.DeleteFunc(slices.Clone(required), func(name string) bool { return !slices.Contains(c.required, name) })
	}
	for i := range t.near {
		if err := t.near[i].call.compile(); err != nil {
			return fmt.Errorf("tool %s: %w", t.name, err)
		}
	}
	properties[maxKB] = maxKBSchema
	var err error
	t.schema, err = json.Marshal(map[string]any{"type": "object", "properties": properties, "required": append([]string{}, required...),
		"additionalProperties": false})
	return err
}

func (c *call) compile() error {
	i := slices.IndexFunc(c.of.service.Endpoints, func(e endpoint.Endpoint) bool { return e.ID == c.id })
	if i < 0 {
		return fmt.Errorf("%s has no endpoint %s", c.of.prefix, c.id)
	}
	c.endpoint = c.of.service.Endpoints[i]
	all, err := c.endpoint.Inputs()
	if err != nil {
		return err
	}
	c.pages = c.pages || c.offsets
	c.inputs = map[string]endpoint.Input{}
	for _, in := range all {
		if !c.offers(in) {
			continue
		}
		name := cmp.Or(c.called[in.Name], in.Name)
		c.inputs[name] = in
		if in.Required {
			c.required = append(c.required, name)
		}
	}
	for _, name := range slices.Concat(c.only, c.without, slices.Collect(maps.Keys(c.fixed))) {
		if !slices.ContainsFunc(all, func(in endpoint.Input) bool { return in.Name == name }) {
			return fmt.Errorf("%s has no parameter %s", c.id, name)
		}
	}
	c.fields = strings.Join(c.columns, ",")
	for _, name := range c.columns {
		if !slices.Contains(format.FieldNames(c.endpoint.Answer.Rows...), name) {
			return fmt.Errorf("the rows of %s have no column %s", c.id, name)
		}
	}
	if c.drawn {
		c.fields = strings.Join(slices.DeleteFunc(format.FieldNames(c.endpoint.Answer.Rows...), func(n string) bool {
			return n == "geometry"
		}), ",")
	}
	return nil
}

// renamed is a refusal of the endpoint with the names that the tool has for its parameters.
func (c *call) renamed(why string) string {
	for parameter, argument := range c.called {
		its, ours := "\nparameter "+parameter+" ", "\nparameter "+argument+" "
		why = strings.ReplaceAll("\n"+why, its, ours)[1:]
	}
	return why
}

// listed says of a list what a query says of a text with commas.
var listed = strings.NewReplacer("Comma list of", "List of", "comma list of", "list of", "as a comma list", "as a list",
	"with commas between", "")

// oneItem is the schema of a body whose list holds one item.
func oneItem(schema json.RawMessage, member string) (json.RawMessage, error) {
	var s map[string]any
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, err
	}
	properties, _ := s["properties"].(map[string]any)
	list, ok := properties[member].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the body has no list %s", member)
	}
	list["minItems"], list["maxItems"], list["description"] = 1, 1, "Exactly one rule."
	return json.Marshal(s)
}

// offers says whether a parameter of the endpoint is an argument of the tool.
func (c *call) offers(in endpoint.Input) bool {
	if _, set := c.fixed[in.Name]; set {
		return false
	}
	if in.Common {
		return c.pages && (in.Name == "limit" || in.Name == "cursor" && !c.offsets || in.Name == "offset" && c.offsets)
	}
	if len(c.only) > 0 {
		return slices.Contains(c.only, in.Name)
	}
	return !slices.Contains(c.without, in.Name)
}

// property is the schema of an argument, with its description.
func (c *call) property(in endpoint.Input) (json.RawMessage, error) {
	var s map[string]any
	if err := json.Unmarshal(in.Schema, &s); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", in.Name, err)
	}
	s["description"] = in.Doc
	if in.List { // arguments are lists; the endpoint reads them from a query
		s["description"] = listed.Replace(in.Doc)
	}
	if in.Example != "" {
		s["examples"] = []string{in.Example}
		if in.Type != "string" || in.List {
			delete(s, "examples")
		}
	}
	if c.pages && in.Name == "limit" {
		s["default"], s["maximum"] = usualRows, mostRows
	}
	if c.pages && in.Name == "cursor" {
		s["description"] = "next_cursor of the answer before, with the same other arguments: the rows that follow."
	}
	return json.Marshal(s)
}

// chosen is the call that the arguments are for: the one of which the largest share of the required arguments is given,
// the first of several.
func (t *tool) chosen(given map[string]json.RawMessage) *call {
	share := func(c *call) float64 {
		n := 0
		for _, name := range c.required {
			if _, ok := given[name]; ok {
				n++
			}
		}
		return float64(n) / float64(max(1, len(c.required)))
	}
	best := 0
	for i := range t.calls {
		if share(&t.calls[i]) > share(&t.calls[best]) {
			best = i
		}
	}
	return &t.calls[best]
}

// groups are the required arguments of the calls, as a sentence says them: "parcel_id; or lon, lat, area_sqm".
func (t *tool) groups() string {
	all := make([]string, len(t.calls))
	for i := range t.calls {
		all[i] = strings.Join(t.calls[i].required, ", ")
	}
	return strings.Join(all, "; or ")
}

// names are the arguments of all calls.
func (t *tool) names() []string {
	all := map[string]bool{}
	if t.study != nil {
		for name := range t.study.call.inputs {
			all[name] = true
		}
		for name := range studySchemas(0, t.study.rank != nil) {
			all[name] = true
		}
	}
	for i := range t.calls {
		for name := range t.calls[i].inputs {
			all[name] = true
		}
		if w := t.calls[i].written; w != nil {
			for name := range w.schemas {
				all[name] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(all), cmp.Compare[string])
}
