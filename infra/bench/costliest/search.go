package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"mappe/infra/bench/cputime"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/web/endpoint"
)

// search is one run.
type search struct {
	rounds int
	seed   uint64
	only   string
	reads  *storetest.Counting
	found  []*request
}

// target is an endpoint that is asked.
type target struct {
	name    string
	handler http.Handler
	method  string
	path    string
	choices map[string][]string // of each parameter; "" leaves it out
	bodies  []string
}

// request is one that was asked.
type request struct {
	target *target
	values map[string]string
	body   string
	cost   cost
}

// cost is what a request took.
type cost struct {
	status int
	cpu    time.Duration
	memory int64 // allocated, garbage too
	reads  int64
	out    int64
}

// measures are what requests are ordered by.
var measures = []struct {
	name string
	of   func(cost) int64
}{
	{"CPU", func(c cost) int64 { return int64(c.cpu) }}, {"MEMORY", func(c cost) int64 { return c.memory }},
	{"READS", func(c cost) int64 { return c.reads }}, {"BYTES OUT", func(c cost) int64 { return c.out }},
}

// targetOf is an endpoint with what its parameters may be.
func targetOf(service string, h http.Handler, e endpoint.Endpoint) (*target, error) {
	inputs, err := e.Inputs()
	if err != nil {
		return nil, err
	}
	t := &target{name: service + " " + e.ID, handler: h, method: e.Method, path: e.Path, choices: map[string][]string{}}
	example, err := url.Parse(e.Example)
	if err != nil {
		return nil, err
	}
	given := example.Query()
	for _, in := range inputs {
		if in.InPath {
			continue
		}
		t.choices[in.Name] = choicesOf(in, given.Get(in.Name))
	}
	t.path = example.Path
	if example.RawPath != "" {
		t.path = example.RawPath
	}
	if e.ExampleBody != "" {
		t.bodies = append([]string{e.ExampleBody}, areas()...)
	}
	return t, nil
}

// choicesOf are values of a parameter: the declaration's own words and both ends of its range.
func choicesOf(in endpoint.Input, given string) []string {
	out := append([]string{given, in.Example, in.Default}, in.Enum...)
	if !in.Required {
		out = append(out, "")
	}
	var schema struct{ Minimum, Maximum *float64 }
	if json.Unmarshal(in.Schema, &schema) == nil {
		for _, v := range []*float64{schema.Minimum, schema.Maximum} {
			if v != nil {
				out = append(out, fmt.Sprint(*v))
			}
		}
	}
	switch {
	case in.Type == "boolean":
		out = append(out, "true", "false")
	case strings.Contains(in.Name, "bbox"):
		out = append(out, "9.5,46.3,17.2,49.1", "13.2,47.3,13.4,47.4")
	case strings.Contains(in.Name, "offset"):
		out = append(out, "50", "10000")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// areas are bodies of the landscape service from small to the largest, in the demonstration country.
func areas() []string {
	square := func(side float64) string {
		w, s := 13.23-side/2, 47.32-side/2
		return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}`, w, s, w+side, s, w+side, s+side,
			w, s+side, w, s)
	}
	out := []string{square(0.001), square(0.02), square(0.054)}
	var points strings.Builder
	for i := range 900 {
		fmt.Fprintf(&points, ",[%f,%f]", 13.2+float64(i%30)*0.001, 47.3+float64(i/30)*0.001)
	}
	out = append(out, `{"type":"MultiPoint","coordinates":[`+points.String()[1:]+`]}`, "13.2274,47.3205")
	return append(out, `{"type":"FeatureCollection","features":[`+strings.Join([]string{square(0.05), square(0.051), square(0.052)},
		",")+`]}`)
}

// pick makes a request by chance.
func (t *target) pick(r *rand.Rand) *request {
	q := &request{target: t, values: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(t.choices)) {
		if c := t.choices[name]; len(c) > 0 {
			q.values[name] = c[r.IntN(len(c))]
		}
	}
	if len(t.bodies) > 0 {
		q.body = t.bodies[r.IntN(len(t.bodies))]
	}
	return q
}

// endpoint asks one endpoint at random, and with what its example says.
func (s *search) endpoint(t *target) {
	r := rand.New(rand.NewPCG(s.seed, uint64(len(s.found))))
	for range s.rounds {
		s.ask(t.pick(r))
	}
}

// varied is how many of the costliest by each measure are varied.
const varied = 10

// vary changes one parameter after the other of the costliest requests.
func (s *search) vary() {
	r := rand.New(rand.NewPCG(s.seed, 7))
	for range s.rounds {
		for _, by := range measures {
			slices.SortStableFunc(s.found, func(a, b *request) int { return cmp.Compare(by.of(b.cost), by.of(a.cost)) })
			for _, q := range slices.Clone(s.found[:min(varied, len(s.found))]) {
				next := &request{target: q.target, values: maps.Clone(q.values), body: q.body}
				other := q.target.pick(r)
				for name, v := range other.values {
					if r.IntN(4) == 0 {
						next.values[name] = v
					}
				}
				s.ask(next)
			}
		}
	}
}

// String is the request as a line.
func (q *request) String() string {
	line := q.target.method + " " + q.target.path
	if v := q.query(); v != "" {
		line += "?" + v
	}
	if q.body != "" {
		line += fmt.Sprintf(" with %d bytes %.60s", len(q.body), q.body)
	}
	return line
}

func (q *request) query() string {
	v := url.Values{}
	for name, value := range q.values {
		if value != "" {
			v.Set(name, value)
		}
	}
	return v.Encode()
}

// ask measures a request. Nothing else runs in the process, so that what it used is the request's.
func (s *search) ask(q *request) {
	in := httptest.NewRequest(q.target.method, "http://localhost/", strings.NewReader(q.body))
	in.URL.RawQuery = q.query()
	in.URL.RawPath = q.target.path
	if path, err := url.PathUnescape(q.target.path); err == nil {
		in.URL.Path = path
	}
	w := &taken{header: http.Header{}}
	s.reads.Reset()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := cputime.Used()
	func() {
		defer func() { _ = recover() }() // an answer that broke off: its status says so
		q.target.handler.ServeHTTP(w, in)
	}()
	q.cost.cpu = cputime.Used() - began
	runtime.ReadMemStats(&after)
	q.cost.status, q.cost.memory, q.cost.reads, q.cost.out = w.status, int64(after.TotalAlloc-before.TotalAlloc), s.reads.Reads().Gets, w.n
	s.found = append(s.found, q)
}
