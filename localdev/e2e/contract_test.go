package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/functions/family"
	"mappe/infra/rights"
	"mappe/shared/web/endpoint"
)

// described is one operation with what its own description promises.
type described struct {
	service  family.Service
	endpoint endpoint.Endpoint
	op       operation
	doc      *document
	handler  http.Handler
	token    string             // of the work feed, or of a project of the book service; others do not look at it
	media    string             // of the example's body, where it is no JSON
	after    func(t *testing.T) // what happens between two requests; nil: nothing
	read     *recording         // what is read of the artefacts
	program  string             // that what is done is noted under; "": nobody looks
}

// document is an openapi.json as a client reads it.
type document struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]map[string]any }
	chosen     bool // members were chosen by fields=: those that are required need not stand there
}

type operation struct {
	Parameters []parameter
	Responses  map[string]struct {
		Content map[string]struct{ Schema map[string]any }
	}
}

type parameter struct {
	Name, In string
	Aliases  []string `json:"x-aliases"`
	Schema   struct {
		Type             string
		Enum             []any
		Items            struct{ Enum []any }
		Minimum, Maximum *float64
	}
}

// ask sends the example with some parameters given other values; aliases of theirs are taken out.
func (d described) ask(t *testing.T, set map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	example := d.endpoint.Example
	if example == "" { // one that nobody is asked to try
		example = d.endpoint.Path
	}
	u, err := url.Parse(example)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for _, p := range d.op.Parameters {
		if _, ok := set[p.Name]; ok {
			for _, a := range p.Aliases {
				q.Del(a)
			}
		}
	}
	path := u.EscapedPath()
	for name, value := range set {
		if slices.ContainsFunc(d.op.Parameters, func(p parameter) bool { return p.In == "path" && p.Name == name }) {
			path = inPath(d.endpoint.Path, path, name, value)
			continue
		}
		q.Set(name, value)
	}
	r := httptest.NewRequest(d.endpoint.Method, d.service.Prefix+path+"?"+q.Encode(), strings.NewReader(d.endpoint.ExampleBody))
	r.Header.Set("Authorization", "Bearer "+d.token)
	r = r.WithContext(rights.As(r.Context(), d.program))
	if d.media != "" {
		r.Header.Set("Content-Type", d.media)
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if d.after != nil {
		d.after(t)
	}
	return w
}

// inPath is a path with another value where its pattern has {name}.
func inPath(pattern, path, name, value string) string {
	segments := strings.Split(path, "/")
	for i, s := range strings.Split(pattern, "/") {
		if s == "{"+name+"}" {
			segments[i] = url.PathEscape(value)
		}
	}
	return strings.Join(segments, "/")
}

func (d described) name() string { return d.endpoint.Method + " " + d.endpoint.Path }

// TestContractAnswers sends each example, and each example with every value of every closed parameter:
// the answer's status and media type are described, and what is JSON has the described shape.
func TestContractAnswers(t *testing.T) {
	for _, d := range contract(t) {
		if strings.HasPrefix(d.endpoint.Path, "/llm/") && d.service.Prefix != "/cadastre" {
			continue // a service that has nothing of KGs answers no_data, which functions/sibling tests
		}
		t.Run(d.name(), func(t *testing.T) {
			if w := d.ask(t, nil); w.Code/100 != 2 || strings.Contains(w.Body.String(), `"data":[]`) ||
				strings.Contains(w.Body.String(), `"matched":0`) {
				t.Fatalf("the example gives %d, or finds nothing: %.300s", w.Code, w.Body)
			}
			d.check(t, nil)
			for _, p := range d.op.Parameters {
				var texts []string
				for _, v := range slices.Concat(p.Schema.Enum, p.Schema.Items.Enum) {
					texts = append(texts, fmt.Sprint(v))
				}
				if p.Schema.Type == "array" && len(texts) > 0 {
					texts = append(texts, strings.Join(texts, ","))
				}
				if p.Schema.Type == "boolean" {
					texts = append(texts, "true", "false")
				}
				for _, text := range texts {
					d.check(t, map[string]string{p.Name: text})
				}
				if p.Name == "callback" {
					d.check(t, map[string]string{p.Name: "draw"})
				}
			}
			d.check(t, map[string]string{"no_such_parameter": "1"})
		})
	}
}

// check sends one request and holds its answer against the description.
func (d described) check(t *testing.T, set map[string]string) {
	t.Helper()
	w := d.ask(t, set)
	described, ok := d.op.Responses[strconv.Itoa(w.Code)]
	if !ok {
		t.Errorf("%v: status %d is not described: %.300s", set, w.Code, w.Body)
		return
	}
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	content, ok := described.Content[media]
	if !ok {
		t.Errorf("%v: media type %s is not described", set, media)
		return
	}
	if media != "application/json" && media != "application/geo+json" {
		return
	}
	var v any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Errorf("%v: %v: %.200s", set, err, w.Body)
		return
	}
	doc := *d.doc
	doc.chosen = set["fields"] != ""
	if err := doc.fits(content.Schema, v, "answer"); err != nil {
		t.Errorf("%v: %v", set, err)
	}
}

// TestContractBounds asks below and above the bounds of every bounded number: each is a 400 whose
// error names the parameter, the value given and the bound that was broken.
func TestContractBounds(t *testing.T) {
	tried := 0
	for _, d := range contract(t) {
		for _, p := range d.op.Parameters {
			if p.Schema.Type != "number" && p.Schema.Type != "integer" || p.In != "query" {
				continue
			}
			wrong := map[string]string{} // value to the bound it breaks
			if b := p.Schema.Minimum; b != nil {
				wrong[plain(*b-1)] = plain(*b)
			}
			if b := p.Schema.Maximum; b != nil {
				wrong[plain(*b+1)] = plain(*b)
			}
			for value, bound := range wrong {
				tried++
				w := d.ask(t, map[string]string{p.Name: value})
				if d.endpoint.Dialect != nil { // tells it in the form of its standard
					if w.Code != 400 || !strings.Contains(w.Body.String(), p.Name) || !strings.Contains(w.Body.String(), value) ||
						!strings.Contains(w.Body.String(), bound) {
						t.Errorf("%s %s=%s: %d %.300s", d.name(), p.Name, value, w.Code, w.Body)
					}
					continue
				}
				var body struct {
					Error  string
					Status int
					Errors []struct{ Parameter, Value, Expected string }
				}
				if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
					t.Errorf("%s %s=%s: %v: %.200s", d.name(), p.Name, value, err, w.Body)
					continue
				}
				if w.Code != 400 || body.Status != 400 || !strings.Contains(body.Error, p.Name) || !strings.Contains(body.Error, value) ||
					!strings.Contains(body.Error, bound) {
					t.Errorf("%s %s=%s: want 400 that names %s, %s and %s, got %d %s", d.name(), p.Name, value, p.Name, value, bound,
						w.Code, body.Error)
				}
				if len(body.Errors) == 0 || body.Errors[0].Parameter != p.Name || body.Errors[0].Value != value ||
					!strings.Contains(body.Errors[0].Expected, bound) {
					t.Errorf("%s %s=%s: errors %+v", d.name(), p.Name, value, body.Errors)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d bounds were tried: the descriptions lost them", tried)
	}
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// TestContractUnknownNames misspells each parameter by a doubled last letter: a 400 that names the
// misspelled name and the one that was meant.
func TestContractUnknownNames(t *testing.T) {
	for _, d := range contract(t) {
		if d.endpoint.Dialect != nil {
			continue // its standard has names that are not known passed over
		}
		for _, p := range d.op.Parameters {
			if p.In != "query" || len(p.Name) < 4 {
				continue
			}
			wrong := p.Name + p.Name[len(p.Name)-1:]
			w := d.ask(t, map[string]string{wrong: "1"})
			if body := w.Body.String(); w.Code != 400 || !strings.Contains(body, "parameter "+wrong+" is unknown") ||
				!strings.Contains(body, "did you mean "+p.Name+"?") {
				t.Errorf("%s: want 400 that names %s and %s, got %d %.300s", d.name(), wrong, p.Name, w.Code, body)
			}
		}
	}
}
