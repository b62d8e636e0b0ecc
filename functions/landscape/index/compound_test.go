package index

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

func TestCompound(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"": "00804 88801 88802 88803", "min_parcel_count=5": "88801 88802", "max_parcel_count=5": "00804", "min_tree_count=1": "88801",
		"min_slope_mean_deg=-1": "88801",
		"processed_only=true":   "88801", "district=388&sort=kg_name": "88803 88802 88801",
		"district=bezirk%20388&gemeinde=Gemeinde-38802": "88803",
		"district=388&sort=parcel_count&sort_dir=desc":  "88801 88802 88803",
		"type_filters=grass:0:1":                        "88801", "type_filters=grass:0:1&type_filters=vineyard": "",
		"landcover_filters=tree:0:0.9":  "",
		"landcover_filters=tree:1:0.01": "88801", "dominant_type=grass,tree": "88801",
		"bbox=15.0005,48.0005,15.003,48.003&state=3":                                "88801",
		"type_filters=" + url.QueryEscape(`{"type":"grass","min_area_sqm":1},tree`): "88801",
	} {
		if s := strings.Join(get(t, h, "/api/v1/query/compound?"+query, 200).codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", query, s, want)
		}
	}
	for body, want := range map[string]string{
		`{"min_tree_count":1}`: "88801", `{"type_filters":[{"type":"grass","min_area_sqm":1}]}`: "88801",
		`{"type_filters":["grass:0:1"]}`: "88801", `{"landcover_filters":[{"type":"tree","max_height_mean":1}]}`: "",
		`{"landcover_filters":[{"type":"tree","min_height_mean":1}]}`: "88801", `{"dominant_type":["grass"],"limit":5}`: "88801",
	} {
		got := fixture.Decode[answer](t, fixture.Ask(h, "POST", "/api/v1/query/compound", body, "Content-Type", "application/json"),
			200)
		if s := strings.Join(got.codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", body, s, want)
		}
	}
	for _, bad := range []string{"type_filters=forest:1", "type_filters=tree:x", "landcover_filters=tree:1:2:3", "sort=bbox",
		"min_nothing=1", "quality_grade=G"} {
		get(t, h, "/api/v1/query/compound?"+bad, 400)
	}
	w := fixture.Ask(h, "POST", "/api/v1/query/compound", `{"type_filters":[{"type":"forest"}]}`, "Content-Type", "application/json")
	if fixture.Decode[answer](t, w, 400); !strings.Contains(w.Body.String(), "type_filters") {
		t.Errorf("%s", w.Body)
	}
}

// Limit, offset and the filters of types are parameters like all others, in the address and in the body.
func TestThePageOfABodyIsAParameter(t *testing.T) {
	h := world(t, true)
	ask := func(path, body string, status int) answer {
		t.Helper()
		return fixture.Decode[answer](t, fixture.Ask(h, "POST", "/api/v1/"+path, body, "Content-Type", "application/json"), status)
	}
	for _, c := range []struct{ path, body, want string }{
		{"query/compound?limit=2", `{"limit":2,"offset":1}`, "88801 88802"}, {"query/compound", `{"limit":1.0,"offset":1e0}`, "88801"},
		{"query/compound?type_filters=grass:0:1", `{"type_filters":[{"type":"grass","min_area_sqm":1.0}]}`, "88801"},
		{"query/compound", `{"type_filters":["grass:0:1",{"type":"tree"}],"limit":null}`, "88801"},
		{"query/compound", `{"type_filters":{"type":"grass","min_area_sqm":1}}`, "88801"},
	} {
		if s := strings.Join(ask(c.path, c.body, 200).codes("kg_code"), " "); s != c.want {
			t.Errorf("%s %s: want %q, got %q", c.path, c.body, c.want, s)
		}
	}
	for _, c := range []struct{ path, body, name string }{
		{"query/compound?limit=2", `{"limit":1}`, "limit"}, {"query/compound?offset=2", `{"offset":1}`, "offset"},
		{"query/compound?type_filters=tree", `{"type_filters":[{"type":"grass"}]}`, "type_filters"},
		{"query/compound?landcover_filters=tree:1", `{"landcover_filters":["tree:2"]}`, "landcover_filters"},
		{"parcels/batch?limit=3", `{"kg":"88801","limit":2}`, "limit"}, {"parcels/batch?limit=3", `{"compound":{"limit":2}}`, "limit"},
		{"query/compound", `{"limit":1.5}`, "limit"}, {"query/compound", `{"limit":1001}`, "limit"},
		{"query/compound", `{"type_filters":["grass",{"type":"forest"}]}`, "type_filters[1]"},
		{"query/compound", `{"type_filters":[["grass"]]}`, "type_filters[0]"},
	} {
		if w := fixture.Ask(h, "POST", "/api/v1/"+c.path, c.body, "Content-Type", "application/json"); w.Code != 400 ||
			!strings.Contains(w.Body.String(), "parameter "+c.name+" ") {
			t.Errorf("%s %s: want a 400 that names %s, got %d %s", c.path, c.body, c.name, w.Code, w.Body)
		}
	}
	w := fixture.Ask(h, "POST", "/api/v1/query/compound", `{"filters":[]}`, "Content-Type", "application/json")
	if n := strings.Count(fixture.Decode[answer](t, w, 400).Error, "landcover_filters"); n != 1 {
		t.Errorf("the filters are named %d times: %s", n, w.Body)
	}
}

// The description of the body tells the bounds of its page and both notations of its filters.
func TestThePageOfABodyIsDescribed(t *testing.T) {
	for _, e := range New(Deps{}).Endpoints {
		if e.ID != "query_compound_post" && e.ID != "landscape_parcels_batch_post" {
			continue
		}
		b, err := e.BodySchema()
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Properties map[string]struct {
				Minimum, Maximum float64
				Default          any
				Items            struct{ AnyOf []any }
			}
		}
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		p := s.Properties
		if l := p["limit"]; l.Minimum != 1 || l.Maximum != 1000 || l.Default == nil || p["offset"].Maximum == 0 ||
			len(p["type_filters"].Items.AnyOf) != 2 || len(p["landcover_filters"].Items.AnyOf) != 2 {
			t.Errorf("%s: limit %+v, offset %+v, type_filters %+v", e.ID, l, p["offset"], p["type_filters"])
		}
	}
}
