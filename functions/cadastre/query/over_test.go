package query

import (
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// overWorld is the world with what lies over it (fixture.Over).
func overWorld(t testing.TB) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	return serve(t, s)
}

// numbers are the parcel numbers of an answer in Westdorf, with the KG before those of others, sorted.
func (a *answer) numbers() string {
	var list []string
	for _, id := range a.ids() {
		list = append(list, strings.TrimPrefix(id, "88801-"))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestWhatLiesOver: filters on sites and laws, alone and together with others. Conditions on sites hold for one site.
func TestWhatLiesOver(t *testing.T) {
	h := overWorld(t)
	const westau = ".6/1 1 10 13 14 2 5 6 9" // the western half of Westdorf
	for query, want := range map[string]string{
		"has_natura2000=true":                               westau[:17] + " 4 5 6 88802-1 9",
		"natura2000_site=AT0000001":                         westau,
		"natura2000_site=AT0000002":                         "4 88802-1",
		"natura2000_site=AT0000003":                         "", // its box meets Ostdorf, it does not
		"natura2000_site=nope":                              "",
		"natura2000_type=A":                                 westau[:17] + " 4 5 6 88802-1 9", // of both directives: one of each
		"natura2000_type=B":                                 westau,
		"natura2000_habitat=forest":                         "4 88802-1",
		"natura2000_habitat=forest&natura2000_type=B":       "", // no site is both
		"natura2000_habitat=moor":                           "",
		"has_legal_refs=true&kg=88801":                      "1 2",
		"legal_context=nature_protection":                   "1 2",
		"legal_context=admin_boundary&kg=88801":             "2",
		"has_legal_refs=true&has_natura2000=false":          "",
		"has_natura2000=false&kg=804":                       "00804-1 00804-2 00804-3 00804-4",
		"natura2000_site=AT0000001&min_area=8010&kg=88801":  "10 13 14",
		"natura2000_site=AT0000002&q=Ostdorf":               "88802-1",
		"has_natura2000=true&has_legal_refs=true&kg=88801":  "1 2",
		"has_legal_refs=false&has_natura2000=true&kg=88802": "88802-1",
		"legal_context=zoning":                              "",
	} {
		a := ask(t, h, "/api/v1/query?limit=1000&"+query)
		if got := a.numbers(); got != want || a.total() != len(a.Data) {
			t.Errorf("%s:\n got %s\nwant %s, total %d", query, got, want, a.total())
		}
		natura := strings.Contains(query, "natura2000")
		if (a.Stats.Matching == nil) != (natura || !strings.Contains(query, "kg=")) {
			t.Errorf("%s: statistics %v; filters on Natura 2000 leave them out", query, a.Stats.Matching)
		}
		if again := ask(t, h, "/api/v1/query?with_stats=true&limit=1&"+query); *again.Stats.Matching != a.total() {
			t.Errorf("%s: %d match by the statistics, %d by the rows", query, *again.Stats.Matching, a.total())
		}
	}
}

// TestRowsSayWhatLiesOverThem: the fields of a row are those that its filter goes by.
func TestRowsSayWhatLiesOverThem(t *testing.T) {
	h := overWorld(t)
	for _, row := range ask(t, h, "/api/v1/query?kg=88801,88802&limit=1000").Data {
		id := row["parcel_id"].(string)
		for field, query := range map[string]string{"in_natura2000": "has_natura2000=true", "legal_refs": "has_legal_refs=true"} {
			says := row[field] != nil && row[field] != false
			found := slices.Contains(func() []string { a := ask(t, h, "/api/v1/query?limit=1000&"+query); return a.ids() }(), id)
			if says != found {
				t.Errorf("%s: %s is %v, found by %s: %v", id, field, row[field], query, found)
			}
		}
	}
}

// TestProtectedAreas: within is exact, with the hole; near goes by metres from the border.
func TestProtectedAreas(t *testing.T) {
	h := overWorld(t)
	// The centroids of 6, 7, 10 and 11 lie on the corners of the hole, which is half-open: that of 6 is in it.
	for query, want := range map[string]string{
		"area=park": "10 11 7", "area=PARK&min_area=8011": "11", "area=nothing": "", "area=schutz": "",
		"area=park&relation=near&buffer_m=40":          ".6/1 10 11 12 5 6 7 8 9",
		"area=park&relation=near&buffer_m=60":          ".6/1 10 11 12 14 15 2 3 5 6 7 8 9",
		"area=park&relation=near&buffer_m=40&kg=88802": "", "area=park&has_legal_refs=true&relation=near&buffer_m=60": "2",
	} {
		a := ask(t, h, "/api/v1/query/protected_area?limit=1000&"+query)
		if got := a.numbers(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
	}
	a := ask(t, h, "/api/v1/query/protected_area?area=park&relation=near&buffer_m=60&limit=1000")
	last := -1.0
	for _, row := range a.Data {
		d, relation := 0.0, row["protected_area_relation"]
		if v, ok := row["distance_to_boundary_m"].(float64); ok != (relation == "near") {
			t.Errorf("%v: relation %v, distance %v", row["parcel_id"], relation, row["distance_to_boundary_m"])
		} else {
			d = v
		}
		if d < last {
			t.Errorf("%v at %g m stands behind %g m", row["parcel_id"], d, last)
		}
		last = d
		if id := row["parcel_id"]; id == "88801-5" && math.Abs(d-37.3) > 0.5 || id == "88801-2" && math.Abs(d-55.6) > 0.5 {
			t.Errorf("%v lies %g m from the border", id, d)
		}
		if want := map[any]string{"within": "spatially_contained", "near": "spatially_near"}[relation]; row["legal_status"] != want {
			t.Errorf("%v: legal_status %v, want %s", row["parcel_id"], row["legal_status"], want)
		}
	}
	w := fixture.Ask(h, "GET", "/api/v1/query/protected_area?area=park&relation=near&buffer_m=60", "")
	for _, want := range []string{`"parcels_within":3`, `"parcels_near":10`, `"legally_named":0`, `"matched_areas":["Park"]`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the statistics lack %s: %s", want, w.Body)
		}
	}
	for query, want := range map[string]string{
		"": "area", "area=park&buffer_m=10": "relation=near", "area=park&relation=near&buffer_m=50001": "50000",
		"area=park&relation=beside":    "within, near",
		"area=park&version=2026-10-01": "", "area=x": "2 to 200",
	} {
		w := fixture.Ask(h, "GET", "/api/v1/query/protected_area?"+query, "")
		if w.Code != 400 && want != "" || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", query, w.Code, w.Body, want)
		}
	}
}

// TestWalkingOverPages: pages of filtered rows hold each row once, in every order.
func TestWalkingOverPages(t *testing.T) {
	h := overWorld(t)
	for _, query := range []string{"/query?has_natura2000=true&sort=area_asc", "/query?has_natura2000=true&sort=gnr",
		"/query/protected_area?area=park&relation=near&buffer_m=100",
		"/query/protected_area?area=park&relation=near&buffer_m=100&sort=gnr"} {
		whole := ask(t, h, "/api/v1"+query+"&limit=1000")
		var walked []string
		for offset := 0; offset < whole.total(); offset += 3 {
			a := ask(t, h, fmt.Sprintf("/api/v1%s&limit=3&offset=%d", query, offset))
			walked = append(walked, a.ids()...)
		}
		if !slices.Equal(walked, whole.ids()) {
			t.Errorf("%s:\nby pages %v\n   whole %v", query, walked, whole.ids())
		}
	}
}

// A filter on what lies over parcels turns no KG that was not read into one without matches, and rules those out that no law
// names or no site comes near. A box names the KGs that it may reach into.
func TestFiltersKeepWhatWasNotRead(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil, "88802", "88803"); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	box := func(x0, y0, x1, y1 float64) string {
		lo, hi := fixture.At(x0, y0), fixture.At(x1, y1)
		return fmt.Sprintf("min_lon=%.7f&min_lat=%.7f&max_lon=%.7f&max_lat=%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
	}
	for query, want := range map[string]string{
		"kg=88802&has_natura2000=true":             "[88802]",
		"kg=88802&has_natura2000=false":            "[88802]",
		"kg=88802&natura2000_site=AT0000002":       "[88802]",
		"natura2000_site=AT9999999":                "[]",
		"kg=88802&has_legal_refs=true":             "[88802]", // a law names a parcel of it
		"kg=88803&has_legal_refs=true":             "[]",      // none does
		"kg=88803&has_legal_refs=false":            "[88803]",
		"min_area=1":                               "[88802 88803]",
		box(1, 1, 2, 2):                            "[]",
		box(5, 1, 6, 2):                            "[88802]",
		box(2, -2, 3, -1):                          "[88803]",
		box(40, 0, 41, 1) + "&has_natura2000=true": "[]",
	} {
		w := fixture.Ask(h, "GET", "/api/v1/query?"+query, "")
		a := fixture.Decode[struct {
			Meta struct {
				Ready       bool
				Unavailable []string `json:"kgs_unavailable"`
				N           int      `json:"kgs_unavailable_count"`
			}
		}](t, w, 200)
		if got := fmt.Sprint(a.Meta.Unavailable); got != want || a.Meta.Ready != (want == "[]") || a.Meta.N != len(a.Meta.Unavailable) ||
			(w.Header().Get("ETag") == "") == a.Meta.Ready {
			t.Errorf("%s: want %s missing, got %s, ready %v", query, want, got, a.Meta.Ready)
		}
	}
}

// Rows of a date, and rows of a country of which nothing is published that lies over it, do not say that nothing lies over them.
func TestRowsOfWhichNothingIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		h     http.Handler
		query string
		known bool
	}{
		"of the present": {overWorld(t), "", true}, "of a date": {overWorld(t), "&version=" + fixture.Stichtag, false},
		"without overlays": {world(t), "", false},
	} {
		a := ask(t, c.h, "/api/v1/query?kg=88801&sort=gnr&limit=1000"+c.query)
		for _, row := range a.Data {
			if known := row["in_natura2000"] != nil; known != c.known || !known && row["legal_refs"] != nil {
				t.Errorf("%s: %v: in_natura2000 %v, legal_refs %v", name, row["parcel_id"], row["in_natura2000"], row["legal_refs"])
			}
		}
		if len(a.Data) != 17 {
			t.Errorf("%s: %d rows", name, len(a.Data))
		}
	}
}

// What lay over another snapshot than the served one lets no row pass that needs it, and says nothing of the rows.
func TestOverlaysOfAnotherSnapshot(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	before := viewOf(t, s)
	list := fixture.Snapshots()
	list[1].Parcels[0].AreaSqm++ // of Westdorf
	if err := fixture.Publish(s, list, "88803"); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{overlays.SourceArtefact, overlays.KGArtefact} {
		key, ok := before.Artefact(kind)
		if !ok {
			t.Fatal(kind)
		}
		body, _, err := store.ReadAll(t.Context(), s, key.String(), 1<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: fmt.Sprintf("%x", sha256.Sum256(body))}
		if err := fixture.Name(s, kind, o); err != nil {
			t.Fatal(err)
		}
	}
	h := serve(t, s)
	for query, want := range map[string]string{"has_natura2000=true": "88802-1", "has_legal_refs=true&kg=88801": "",
		"has_natura2000=true&kg=88801": "", "has_natura2000=false&kg=88801&max_area=8001": ".6/1", "kg=88801&max_area=8001": ".6/1"} {
		a := ask(t, h, "/api/v1/query?limit=1000&"+query)
		if got := a.numbers(); got != want {
			t.Errorf("%s: want %s, got %s", query, want, got)
		}
	}
}
