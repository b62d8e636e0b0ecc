package families

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mappe/functions/family"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// twoValues are two values of a parameter that differ, as the address has them; unlike are those whose form nothing declares.
func twoValues(e endpoint.Endpoint, in endpoint.Input) (address, body string) {
	if v, ok := unlike[e.ID+"."+in.Name]; ok {
		return v[0], v[1]
	}
	if v, ok := unlike[in.Name]; ok {
		return v[0], v[1]
	}
	var bounds struct{ Minimum, Maximum *float64 }
	_ = json.Unmarshal(in.Schema, &bounds) // others have no bounds
	switch {
	case len(in.Enum) > 1:
		return in.Enum[0], in.Enum[1]
	case in.Type == "boolean":
		return "true", "false"
	case in.Type == "string":
		return "one", "other"
	case bounds.Minimum != nil && bounds.Maximum != nil && *bounds.Maximum-*bounds.Minimum < 2:
		return fmt.Sprint(*bounds.Minimum), fmt.Sprint(*bounds.Maximum)
	case bounds.Minimum != nil:
		return fmt.Sprint(*bounds.Minimum + 1), fmt.Sprint(*bounds.Minimum + 2)
	}
	return "1", "2"
}

var unlike = map[string][2]string{
	"kg": {"88801", "88802"}, "kgs": {"88801", "88802"}, "kg_code": {"88801", "88802"}, "gemeinde": {"38801", "38802"},
	"gemeinde_code": {"38801", "38802"}, "district": {"388", "389"}, "state": {"3", "4"}, "bbox": {"13,47,13.1,47.1", "13,47,13.1,47.2"},
	"parcel_ids": {"88801-1", "88801-2"}, "parcel_id": {"88801-1", "88801-2"}, "parcel": {"88801-1", "88801-2"},
	"type_filters":      {"tree:0.5:1", "grass:0.5:1"},
	"landcover_filters": {"tree:1:0.1", "grass:1:0.1"}, "task_id": {"my-task-1", "my-task-2"}, "version": {"2026-01-01", "2026-02-01"},
	"dataset": {"20220915", "20240915"}, "date_a": {"20220915", "20240915"}, "date_b": {"20220915", "20240915"}, "landuse": {"41", "52"},
	"natura2000_type": {"A", "B"}, "natura2000_search_post.type": {"A", "B"},
}

// single are parameters that have one value, which another cannot differ from; layers of a batch of polygons stand in its body alone, and
// the endpoint itself refuses them in the address.
var single = []string{"search_protected_area_post.sort", "natura2000_search_post.sort", "natura2000_search_post.list",
	"spatial_polygon_post.layers"}

// plain are bodies that stand for examples whose members say what a parameter says.
var plain = map[string]string{"landscape_parcels_batch_post": "{}"}

// asJSON is the value of a parameter in a body.
func asJSON(in endpoint.Input, text string) json.RawMessage {
	if in.Type == "string" && !in.List {
		b, _ := json.Marshal(text) // a text has a form
		return b
	}
	if in.List {
		b, _ := json.Marshal(strings.Split(text, ","))
		return b
	}
	return json.RawMessage(text)
}

// bodyMembers are the parameters that the description of a body names: at its top, or in its member params.
func bodyMembers(t *testing.T, e endpoint.Endpoint) (names []string, inside string) {
	t.Helper()
	schema, err := e.BodySchema()
	if err != nil {
		t.Fatal(err)
	}
	type properties struct {
		Properties map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"properties"`
	}
	var s properties
	if schema != nil && json.Unmarshal(schema, &s) != nil {
		t.Fatalf("%s: %s", e.ID, schema)
	}
	for name := range s.Properties {
		names = append(names, name)
	}
	if p := s.Properties["params"].Properties; p != nil {
		names, inside = nil, "params"
		for name := range p {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, inside
}

// withMember is the example of a body with a member.
func withMember(t *testing.T, e endpoint.Endpoint, inside, name string, value json.RawMessage) string {
	t.Helper()
	body := map[string]any{}
	if err := json.Unmarshal([]byte(cmp.Or(plain[e.ID], e.ExampleBody)), &body); err != nil {
		t.Fatalf("%s: the example of the body: %v", e.ID, err)
	}
	if inside == "" {
		body[name] = value
	} else {
		if body["type"] != nil && body["geometry"] == nil {
			body = map[string]any{"geometry": body}
		}
		body[inside] = map[string]any{name: value}
	}
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever parameter a body may hold: given in the address with another value, it is refused by its name, in every family.
func TestAddressAndBodyDiffer(t *testing.T) {
	tried := 0
	for _, s := range All(Deps{}) {
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Endpoints() {
			if e.Body == nil || s.Prefix == "/mcp" {
				continue
			}
			tried += differ(t, h, s, e)
		}
	}
	if tried < 150 {
		t.Errorf("only %d parameters were tried", tried)
	}
}

// differ tries the parameters of an endpoint and gives how many there are.
func differ(t *testing.T, h http.Handler, s family.Service, e endpoint.Endpoint) (tried int) {
	t.Helper()
	members, inside := bodyMembers(t, e)
	inputs, err := e.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		if in.InPath || !slices.Contains(members, in.Name) || slices.Contains(single, e.ID+"."+in.Name) {
			continue
		}
		tried++
		address, other := twoValues(e, in)
		path, _, _ := strings.Cut(e.Example, "?")
		target := s.Prefix + path + "?" + url.Values{in.Name: {address}}.Encode()
		body := withMember(t, e, inside, in.Name, asJSON(in, other))
		r := httptest.NewRequest(e.Method, target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var f struct{ Error, Code string }
		if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != http.StatusBadRequest || f.Code != string(fault.Conflict) ||
			!strings.Contains(f.Error, in.Name) || !strings.Contains(f.Error, "or only one of the two") {
			t.Errorf("%s: %s %s with %s: want a 400 that names %s, got %d %.400s", e.ID, e.Method, target, body, in.Name, w.Code, w.Body)
		}
	}
	return tried
}
