package index

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

type surveyAnswer struct {
	Total    *int             `json:"total"`
	Matching int              `json:"kgs_matching"`
	Read     int              `json:"kgs_read"`
	Unknown  int              `json:"kgs_not_analysed"`
	Results  []map[string]any `json:"results"`
	Meta     struct {
		NotFound []string `json:"not_found"`
		Pending  []string `json:"pending_ids"`
		Ready    bool     `json:"ready"`
	} `json:"meta"`
	Error string `json:"error"`
}

func (a surveyAnswer) ids() string {
	var out []string
	for _, r := range a.Results {
		out = append(out, fmt.Sprint(r["parcel_id"]))
	}
	return strings.Join(out, " ")
}

func askSurvey(t *testing.T, h http.Handler, path string, status int) surveyAnswer {
	t.Helper()
	return fixture.Decode[surveyAnswer](t, fixture.Ask(h, "GET", "/api/v1/"+path, ""), status)
}

// Parcels by their numbers: in the order asked for, each once, with what is not there said.
func TestBatchByNumber(t *testing.T) {
	h := world(t, true)
	got := askSurvey(t, h, "parcels/batch?parcel_ids=88801-5,88801-1,88801-5,88801-9999,88802-1,12345-1", 200)
	if got.ids() != "88801-5 88801-1 88802-1" || *got.Total != 3 || fmt.Sprint(got.Meta.NotFound) != "[88801-9999 12345-1]" {
		t.Errorf("%s of %d, not found %v", got.ids(), *got.Total, got.Meta.NotFound)
	}
	if r := got.Results; r[0]["processed"] != true || r[0]["elevation_m"] == nil || r[0]["kg_code"] != "88801" ||
		r[2]["processed"] != false || r[2]["elevation_m"] != nil || r[2]["area_sqm"] == nil {
		t.Errorf("%v", r)
	}
	if got := askSurvey(t, h, "parcels/batch?parcel_ids=88801-5,88802-1&cadastre_enrich=false", 200); got.ids() != "88801-5" ||
		got.Results[0]["landuse_codes"] != nil {
		t.Errorf("without the cadastre: %v", got.Results)
	}
	if got := askSurvey(t, h, "parcels/batch?parcel_ids=88803-1", 200); len(got.Results) != 0 || len(got.Meta.Pending) != 1 ||
		got.Meta.Ready {
		t.Errorf("of a KG without a snapshot: %+v", got)
	}
	askSurvey(t, h, "parcels/batch", 400)
	for _, of := range []string{"state=3", "kg=88801", "min_tree_count=1"} { // filters on KGs are not passed over in silence
		if got := askSurvey(t, h, "parcels/batch?parcel_ids=88801-1&"+of, 400); !strings.Contains(got.Error, "parcel_ids") {
			t.Errorf("%s: %s", of, got.Error)
		}
	}
	if got := askSurvey(t, h, "parcels/batch?parcel_ids=88801-1,88801-5&min_area=8003", 200); got.ids() != "88801-5" {
		t.Errorf("filters on parcels hold beside: %s", got.ids())
	}
	askSurvey(t, h, "parcels/batch?pf_cadastre_has_buildings=true&has_buildings=false", 400)
}

// Filters of the cadastre, of KGs and of the analysis hold together, and every parcel that passes is there: as a walk over
// all rows without a filter finds them.
func TestBatchByFilters(t *testing.T) {
	h := overlaid(t)
	all := askSurvey(t, h, "parcels/batch?kg=88801&limit=1000", 200)
	if len(all.Results) != *all.Total || *all.Total < 10 {
		t.Fatalf("%d of %d", len(all.Results), *all.Total)
	}
	number := func(r map[string]any, name string) float64 { v, _ := r[name].(float64); return v }
	for query, passes := range map[string]func(map[string]any) bool{
		"pf_min_vegetated_fraction=0.5": func(r map[string]any) bool { return number(r, "vegetated_fraction") >= 0.5 },
		"pf_types=grass,crop": func(r map[string]any) bool {
			return r["dominant_type"] == "grass" || r["dominant_type"] == "crop"
		},
		"pf_aspect=S&min_area=100": func(r map[string]any) bool {
			return r["aspect_dominant"] == "S" && number(r, "area_sqm") >= 100
		},
		"has_buildings=true": func(r map[string]any) bool {
			return number(r, "building_count")+number(r, "footprint_count") > 0
		},
		"pf_cadastre_has_buildings=false": func(r map[string]any) bool {
			return number(r, "building_count")+number(r, "footprint_count") == 0
		},
		"natura2000_type=C": func(r map[string]any) bool {
			return r["in_natura2000"] == true && strings.Contains(fmt.Sprint(r["natura2000_sites"]), "sitetype:C")
		},
		"pf_cadastre_in_natura2000=false":      func(r map[string]any) bool { return r["in_natura2000"] == false },
		"pf_sort=area_sqm&pf_min_tree_count=1": func(r map[string]any) bool { return number(r, "tree_count") >= 1 },
	} {
		got := askSurvey(t, h, "parcels/batch?kg=88801&limit=1000&"+query, 200)
		var want []string
		for _, r := range all.Results {
			if passes(r) {
				want = append(want, fmt.Sprint(r["parcel_id"]))
			}
		}
		ids := strings.Fields(got.ids())
		if strings.Contains(query, "pf_sort") {
			if !slices.IsSortedFunc(got.Results,
				func(a, b map[string]any) int { return int(number(b, "area_sqm") - number(a, "area_sqm")) }) {
				t.Errorf("%s: not in order", query)
			}
			slices.Sort(ids)
			slices.Sort(want)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: want %v, got %v", query, want, ids)
		}
	}
	if got := askSurvey(t, h, "parcels/batch?state=3&kg_limit=1&limit=2", 200); got.Matching < 2 || got.Read != 1 || len(got.Results) != 2 {
		t.Errorf("kg_limit: %+v", got)
	}
	if got := askSurvey(t, h, "parcels/batch?min_tree_count=1&limit=1", 200); got.Matching != 1 {
		t.Errorf("min_tree_count is of KGs: %d", got.Matching)
	}
}

// The three bodies of POST, and what they refuse.
func TestBatchBodies(t *testing.T) {
	h := world(t, true)
	post := func(body string, status int) surveyAnswer {
		t.Helper()
		return fixture.Decode[surveyAnswer](t, fixture.Ask(h, "POST", "/api/v1/parcels/batch", body, "Content-Type",
			"application/json"), status)
	}
	of := func(query string) string { return askSurvey(t, h, "parcels/batch?"+query, 200).ids() }
	for body, query := range map[string]string{
		`{"parcel_ids":["88801-1","88801-5"]}`: "parcel_ids=88801-1,88801-5",
		`{"compound":{"state":"3","min_tree_count":1},"parcel_filters":{"types":["grass"],"min_vegetated_fraction":0.1},"limit":3}`: "state=3&min_tree_count=1&pf_types=grass&pf_min_vegetated_fraction=0.1&limit=3",
		`{"compound":{"landcover_filters":[{"type":"grass","min_area_sqm":1}]},"cadastre_enrich":false,"limit":2,"offset":1}`:       "landcover_filters=grass:1:0&cadastre_enrich=false&limit=2&offset=1",
		`{"query":{"kg":"88801","has_buildings":true},"landscape_filters":{"sort":"slope_mean_deg","sort_dir":"asc"}}`:              "kg=88801&has_buildings=true&pf_sort=slope_mean_deg&pf_sort_dir=asc",
		`{"pf_types":"grass","kg":"88801"}`: "kg=88801&pf_types=grass",
	} {
		if got, want := post(body, 200).ids(), of(query); got != want || want == "" {
			t.Errorf("%s: want %q, got %q", body, want, got)
		}
	}
	for body, word := range map[string]string{
		`{"parcel_ids":["88801-1"],"query":{"kg":"88801"}}`: "parcel_ids", `{"compound":{},"landscape_filters":{}}`: "landscape_filters",
		`{"query":{"kgs":"88801"}}`:         "kgs",
		`{"parcel_filters":{"aspekt":"S"}}`: "aspekt", `{"query":{"kg":"88801"},"kg":"88802"}`: "kg", `{"query":[1]}`: "",
		`{"limit":0}`: "limit", `{"compound":{"limit":1001}}`: "limit",
		`{"parcel_filters":{"min_vegetated_fraction":2}}`: "min_vegetated_fraction", `{}`: "filter", `[]`: "",
	} {
		if got := post(body, 400); !strings.Contains(got.Error, word) {
			t.Errorf("%s: %q does not name %s", body, got.Error, word)
		}
	}
}

// Parcels of an area, analysed or not.
func TestParcelsOfAnArea(t *testing.T) {
	h := world(t, true)
	askSurvey(t, h, "parcels/landscape", 400)
	askSurvey(t, h, "parcels/landscape?kg=12345", 404)
	one, other := askSurvey(t, h, "parcels/landscape?kg=88801", 200), askSurvey(t, h, "parcels/landscape?kg=88802", 200)
	both := askSurvey(t, h, "parcels/landscape?district=388&limit=1000", 200)
	if *both.Total != *one.Total+*other.Total || both.Meta.Ready { // 88803 is not loaded
		t.Errorf("%d and %d are %d, ready %v", *one.Total, *other.Total, *both.Total, both.Meta.Ready)
	}
	if got := askSurvey(t, h, "parcels/landscape?district=388&processed_only=true", 200); *got.Total != *one.Total || !got.Meta.Ready {
		t.Errorf("processed_only: %d, ready %v", *got.Total, got.Meta.Ready)
	}
	if got := askSurvey(t, h, "parcels/landscape?bbox=15.0005,48.0005,15.001,48.001&limit=1000", 200); *got.Total == 0 ||
		*got.Total >= *one.Total {
		t.Errorf("a box: %d", *got.Total)
	}
}

// scoreByHand is the score by the columns of a row, as the documentation writes it.
func scoreByHand(r map[string]any) float64 {
	number := func(name string) float64 { v, _ := r[name].(float64); return v }
	score := 20*number("vegetated_fraction") + 15*math.Min(math.Max(number("ndvi_mean"), 0),
		0.8)/0.8 + math.Min(15*math.Log10(1+number("tree_canopy_sqm"))/math.Log10(10_001), 15)
	for _, c := range []string{"national_park", "nature_protection", "landscape_protection", "nature_park", "water_protection",
		"species_protection"} {
		if strings.Contains(fmt.Sprint(r["legal_contexts"]), c) {
			score += 30
			break
		}
	}
	switch {
	case r["in_protected_area"] == true:
		score += 20
	case r["near_protected_area"] == true:
		score += 10
	}
	return score
}

// The ranking has the score that a parcel's own answer has, in order, and stops early without losing a row.
func TestNature(t *testing.T) {
	h := overlaid(t)
	got := askSurvey(t, h, "query/nature?limit=1000", 200)
	if *got.Total != len(got.Results) || *got.Total < 10 || got.Unknown == 0 || got.Matching != 1 {
		t.Fatalf("%+v", got)
	}
	last := 101.0
	for _, r := range got.Results {
		score := r["conservation_score"].(float64)
		if score > last {
			t.Errorf("%v stands behind %v", score, last)
		}
		last = score
		if want := scoreByHand(r); math.Abs(score-want) > 0.051 {
			t.Errorf("%v: %v, by hand %v", r["parcel_id"], score, want)
		}
		own := fixture.Decode[struct {
			Conservation map[string]any `json:"conservation"`
		}](t, fixture.Ask(h, "GET", fmt.Sprintf("/api/v1/parcel/%s/detail", strings.ReplaceAll(r["parcel_id"].(string), "/", "%2F")), ""),
			200)
		if fmt.Sprint(own.Conservation) != fmt.Sprint(r["conservation"]) {
			t.Errorf("%v: %v, its own answer says %v", r["parcel_id"], r["conservation"], own.Conservation)
		}
	}
	if page := askSurvey(t, h, "query/nature?limit=3&offset=2", 200); page.ids() != strings.Join(strings.Fields(got.ids())[2:5], " ") {
		t.Errorf("a page: %s", page.ids())
	}
	for query, column := range map[string]string{"area": "area_sqm", "ndvi": "ndvi_mean", "tree_canopy": "tree_canopy_sqm",
		"vegetated_fraction": "vegetated_fraction"} {
		rows := askSurvey(t, h, "query/nature?limit=1000&sort="+query, 200).Results
		if !slices.IsSortedFunc(rows, func(a, b map[string]any) int {
			x, _ := a[column].(float64)
			y, _ := b[column].(float64)
			return int(1e6 * (y - x))
		}) {
			t.Errorf("sort=%s is not in order", query)
		}
	}
	for query, passes := range map[string]func(r map[string]any) bool{
		"min_vegetated_fraction=0.5":          func(r map[string]any) bool { v, _ := r["vegetated_fraction"].(float64); return v >= 0.5 },
		"min_area_sqm=8003&max_area_sqm=8006": func(r map[string]any) bool { a := r["area_sqm"].(float64); return a >= 8003 && a <= 8006 },
		"protected_area=park":                 func(r map[string]any) bool { return r["in_protected_area"] == true },
		"legal_context=nature_protection": func(r map[string]any) bool {
			return strings.Contains(fmt.Sprint(r["legal_contexts"]), "nature_protection")
		},
		"natura2000_site=AT0000001": func(r map[string]any) bool {
			return strings.Contains(fmt.Sprint(r["natura2000_sites"]), "AT0000001")
		},
		"protected_area=Nirgendwo": func(r map[string]any) bool { return false },
		"kg=88801&has_buildings=true&min_ndvi=0.1": func(r map[string]any) bool {
			v, _ := r["ndvi_mean"].(float64)
			return r["building_count"].(float64)+r["footprint_count"].(float64) > 0 && v >= 0.1
		},
	} {
		var want []string
		for _, r := range got.Results {
			if passes(r) {
				want = append(want, r["parcel_id"].(string))
			}
		}
		if some := askSurvey(t, h, "query/nature?limit=1000&"+query, 200); some.ids() != strings.Join(want, " ") {
			t.Errorf("%s: want %v, got %s", query, want, some.ids())
		} else if len(want) == 0 && !strings.Contains(query, "Nirgendwo") {
			t.Errorf("%s: no parcel of the world passes", query)
		}
	}
	if got := askSurvey(t, h, "query/nature?offset=200000", 400); !strings.Contains(got.Error, "100000") {
		t.Errorf("a page far behind: %s", got.Error)
	}
	askSurvey(t, h, "query/nature?min_area_sqm=2&max_area_sqm=1", 400)
	if got := askSurvey(t, world(t, false), "query/nature", 200); *got.Total != 0 || got.Unknown == 0 {
		t.Errorf("without an index: %+v", got)
	}
}
