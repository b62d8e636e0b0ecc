package endpoint

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/reply"
)

// carriers is a service with an endpoint whose body has its parameters in an object, and one that has them beside its own
// members.
func carriers(t *testing.T) (http.Handler, *Service) {
	t.Helper()
	size := Float("size", "Size.", Between(1, 10), Unit("m"), Alias("side"), Default("2"))
	kinds := EnumList("kinds", "Kinds.", []string{"a", "b", "c"})
	date := Parsed("date", "Date.", func(text string) (string, error) { return strings.ReplaceAll(text, "-", ""), nil }, Required)
	box := Parsed("bbox", "Box.", func(text string) ([]string, error) { return strings.Split(text, ","), nil }, Parts)
	deep := Bool("deep", "Deep.")
	type shape struct {
		Geometry any            `json:"geometry"`
		Params   map[string]any `json:"params,omitempty"`
	}
	type body struct {
		params map[string]json.RawMessage
		fields map[string]string
	}
	read := func(own string) func(data []byte) (body, error) {
		return func(data []byte) (body, error) {
			m, others, err := jsonin.Members(data, "", own, "fields")
			if err != nil {
				return body{}, err
			}
			if own == "points" {
				b := body{params: map[string]json.RawMessage{}}
				for _, name := range others {
					one, _, err := jsonin.Members(data, "", name)
					if err != nil {
						return b, err
					}
					b.params[name] = one[name]
				}
				return b, nil
			}
			var b body
			if m["fields"] != nil {
				err = json.Unmarshal(m["fields"], &b.fields)
			}
			if err == nil && m["params"] != nil {
				err = json.Unmarshal(m["params"], &b.params)
			}
			return b, err
		}
	}
	params := []AnyParam{size, kinds, date, box, deep}
	serve := func(ctx context.Context, r *Request) (reply.Answer, error) {
		if size.Of(r) == 9 {
			return nil, size.Bad(r, "any but 9")
		}
		return &reply.Document{Body: map[string]any{"size": size.Of(r), "kinds": kinds.Of(r), "date": date.Of(r), "box": box.Of(r),
			"deep": deep.Of(r)}}, nil
	}
	held := func(b body) Held { return Held{Members: b.params, Fields: b.fields} }
	s := &Service{System: "test", Title: "Test", Endpoints: []Endpoint{
		{Method: "POST", Path: "/in", ID: "in", Params: params, Serve: serve,
			Body: ParsedBody("a body", 1<<20, shape{}, read("params")).Carrying("params", held)},
		{Method: "POST", Path: "/beside", ID: "beside", Params: params, Serve: serve, Body: ParsedBody("a body", 1<<20, struct {
			Points []any `json:"points"`
		}{}, read("points")).Carrying("", held, "points")},
	}}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

func TestParametersInBodies(t *testing.T) {
	h, _ := carriers(t)
	ask := func(target, body string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", target, strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	const all = `{"box":["1","2"],"date":"20240915","deep":true,"kinds":["a","c"],"size":4}`
	for _, c := range []struct {
		target, body string
		status       int
		want         string
	}{
		{"/in", `{"geometry":1,"params":{"size":4,"kinds":["a","c"],"date":20240915,"bbox":[1,2],"deep":true}}`, 200, all},
		{"/in", `{"fields":{"side":"4","kinds":"a,c","date":"2024-09-15","bbox":"1,2","deep":"yes"}}`, 200, all},
		{"/in", `{"params":{"side":4,"kinds":"a,c","date":"2024-09-15","bbox":"1,2","deep":true}}`, 200, all},
		{"/in", `{"params":{"date":"1","size":"4"}}`, 400, "params.size"},
		{"/in", `{"params":{"date":"1","deep":"yes"}}`, 400, "true or false"},
		{"/in", `{"params":{"date":"1","kinds":["a","d"]}}`, 400, "params.kinds[1]"},
		{"/in?size=4&kinds=a,c&date=20240915&bbox=1,2&deep=1", `{}`, 200, all},
		{"/in?size=4&date=20240915&bbox=1,2", `{"params":{"kinds":["a","c"],"deep":true,"size":null}}`, 200, all},
		{"/in?size=4.0&date=20240915&bbox=1,2&kinds=a,c&deep=1", `{"params":{"size":4,"deep":true,"date":"20240915"}}`, 200, all},
		{"/beside", `{"points":[],"size":4,"kinds":["a","c"],"date":"20240915","bbox":[1,2],"deep":true}`, 200, all},
		{"/in?size=5&date=1", `{"params":{"size":4}}`, 409, "params.size"},
		{"/in", `{"params":{"size":4}}`, 400, "date"},
		{"/in", `{"params":{"date":"1","size":11}}`, 400, "params.size"},
		{"/in", `{"params":{"date":"1","size":9}}`, 400, "params.size"},
		{"/in", `{"params":{"date":"1","sise":4}}`, 400, "did you mean size"},
		{"/in", `{"params":{"date":"1","size":[4]}}`, 400, "params.size"},
		{"/in", `{"params":{"date":"1","size":{"a":4}}}`, 400, "params.size"},
		{"/in", `{"params":{"date":"1","kinds":["a,b"]}}`, 400, "params.kinds"},
		{"/in", `{"params":{"date":"1","kinds":["d"]}}`, 400, "params.kinds"},
		{"/in", `{"params":{"date":"1","kinds":[["a"]]}}`, 400, "params.kinds"},
		{"/beside", `{"points":[],"date":"1","pints":[]}`, 400, "did you mean points"},
		{"/beside?size=3", `{"points":[],"date":"1","size":2}`, 409, "size"},
	} {
		status, body := ask(c.target, c.body)
		if c.status == 409 {
			c.status = fault.Conflict.Status()
		}
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %s, expected %d with %s", c.target, c.body, status, body, c.status, c.want)
		}
	}
}

// The description names a parameter where a body may hold it, in its type.
func TestParametersInBodiesAreDescribed(t *testing.T) {
	_, s := carriers(t)
	doc, err := s.OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Type       any               `json:"type"`
		Maximum    float64           `json:"maximum"`
		Properties map[string]schema `json:"properties"`
	}
	var got struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name     string `json:"name"`
				Required bool   `json:"required"`
			} `json:"parameters"`
			RequestBody struct {
				Content map[string]struct {
					Schema schema `json:"schema"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(doc, &got); err != nil {
		t.Fatal(err)
	}
	in := got.Paths["/in"]["post"].RequestBody.Content["application/json"].Schema
	beside := got.Paths["/beside"]["post"].RequestBody.Content["application/json"].Schema
	if p := in.Properties["params"].Properties; in.Properties["geometry"].Type != nil && p["size"].Maximum != 10 ||
		p["size"].Type != "number" || p["kinds"].Type != "array" || p["deep"].Type != "boolean" {
		t.Errorf("params: %+v", in)
	}
	if p := beside.Properties; p["size"].Type != "number" || p["points"].Type == nil {
		t.Errorf("beside: %+v", beside)
	}
	for _, p := range got.Paths["/in"]["post"].Parameters {
		if p.Name == "date" && p.Required {
			t.Error("date is required in the address, although the body may hold it")
		}
	}
	for _, e := range s.Endpoints {
		if b, err := e.BodySchema(); err != nil || !strings.Contains(string(b), `"size"`) {
			t.Errorf("%s: %v %s", e.ID, err, b)
		}
	}
}

// A list is split at the commas that stand in no object, also where texts of an object hold braces, quotes and commas.
func TestObjectsInLists(t *testing.T) {
	for text, want := range map[string][]string{
		"a,b":                      {"a", "b"},
		`{"a":1,"b":2},c`:          {`{"a":1,"b":2}`, "c"},
		`c,{"a":{"b":1,"c":2}},{}`: {"c", `{"a":{"b":1,"c":2}}`, "{}"},
		`{"a":"},{\",","b":1},c`:   {`{"a":"},{\",","b":1}`, "c"},
		`a},b`:                     {"a}", "b"},
		`{"a":1,b`:                 {`{"a":1,b`},
		"":                         {""},
	} {
		if got := beyondObjects(text); !slices.Equal(got, want) {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
}
