package endpoint

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"mappe/shared/web/format"
)

// operation is an endpoint made ready: parameters found by name, defaults read.
type operation struct {
	e        *Endpoint
	common   common
	pattern  string       // of the mux
	gated    http.Handler // the operation behind its gate; nil where it has none
	specs    []*spec
	path     []bool         // the parameter is a path value
	byName   map[string]int // names and aliases
	names    []string       // names a query may hold, for faults
	defaults []given
	sorted   []int           // specs by name: the canonical order
	fields   []string        // what fields= may name
	accepted []format.Format // forms that Accept may choose, the default first
	// tellsTime says whether the JSON has the member query_time_ms.
	tellsTime bool
}

var pathValue = regexp.MustCompile(`\{([a-z0-9_]+)\}`)

// compile checks a declaration.
func compile(e Endpoint) (*operation, error) {
	wrong := func(text string, args ...any) error {
		return fmt.Errorf("endpoint %s %s: %s", e.Method, e.Path, fmt.Sprintf(text, args...))
	}
	if !slices.Contains([]string{"GET", "POST", "PUT", "DELETE", "PATCH"}, e.Method) {
		return nil, wrong("method is not one of GET, POST, PUT, DELETE, PATCH")
	}
	if !strings.HasPrefix(e.Path, "/") || e.ID == "" || e.Serve == nil {
		return nil, wrong("path, id and handler are required")
	}
	o := &operation{e: &e, byName: map[string]int{}, tellsTime: tellsTime(&e.Answer)}
	inPath := map[string]bool{}
	for _, m := range pathValue.FindAllStringSubmatch(e.Path, -1) {
		inPath[m[1]] = false
	}
	c, extra := commonOf(&e)
	o.common = c
	o.fields = format.FieldNames(e.Answer.Rows...)
	o.accepted = e.Answer.forms()
	if o.accepted[0] == format.FormGeoJSON { // which is JSON too
		o.accepted = slices.DeleteFunc(slices.Clone(o.accepted), func(f format.Format) bool { return f == format.FormJSON })
	}
	for _, p := range slices.Concat(e.Params, extra) {
		s := p.spec()
		_, path := inPath[s.name]
		if path {
			inPath[s.name] = true
		}
		if err := o.add(s, path); err != nil {
			return nil, wrong("%v", err)
		}
	}
	for name, found := range inPath {
		if !found {
			return nil, wrong("no parameter declares the path value %s", name)
		}
	}
	for i := range o.specs {
		o.sorted = append(o.sorted, i)
	}
	slices.SortFunc(o.sorted, func(a, b int) int { return cmp.Compare(o.specs[a].name, o.specs[b].name) })
	return o, nil
}

// add takes a parameter into the operation, with its default read; path says whether it is a value of the path.
func (o *operation) add(s *spec, path bool) error {
	if s.repeated && !s.list {
		return fmt.Errorf("%s is no list: it cannot be repeated", s.name)
	}
	var g given
	if s.hasDefault {
		v, err := s.read(s, s.def)
		if err != nil {
			return fmt.Errorf("default of %s: %w", s.name, err)
		}
		g.value, g.text = v, s.canon(s, v, s.def)
	}
	for _, name := range append([]string{s.name}, s.aliases...) {
		if _, ok := o.byName[name]; ok {
			return fmt.Errorf("two parameters are named %s", name)
		}
		o.byName[name] = len(o.specs)
	}
	if !path {
		o.names = append(o.names, s.name)
		o.names = append(o.names, s.aliases...)
	}
	o.specs = append(o.specs, s)
	o.path = append(o.path, path)
	o.defaults = append(o.defaults, g)
	return nil
}
