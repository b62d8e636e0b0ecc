package search

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// One answer of each endpoint in each text form, as clients get it.
func TestGolden(t *testing.T) {
	h := world(t)
	forms := []string{"json", "geojson", "csv", "ndjson"}
	for _, c := range []struct {
		name, path string
		forms      []string
	}{
		{"gnr", "search/gnr?gnr=.6*&kg=88801", forms},
		{"ez", "search/ez?kg=88802", forms},
		{"ez_detail", "search/ez?kg=88801&ez=7", forms[:1]},
		{"parcel", "search/parcel?id=88801-.6%2F1", forms},
		{"feature_building", "search/feature?id=8880102-001", forms},
		{"feature_kg", "search/feature?id=88801", forms},
		{"district", "search/district?q=doppel", forms},
		{"district_kgs", "search/district?code=388", forms},
		{"kg", "search/kg?gemeinde=38801", forms},
		{"kg_cold", "search/kg?code=88803", forms[:1]},
		{"municipalities", "search/municipalities?list=all", forms},
		{"lookup", "lookup?q=westdorf", nil},
		{"landuse_codes", "landuse/codes", forms},
	} {
		for _, f := range append([]string{""}, c.forms...) {
			name, path := c.name+"."+f, c.path
			switch {
			case f == "" && c.forms != nil:
				continue
			case f == "":
				name = c.name + ".json"
			case strings.Contains(path, "?"):
				path += "&format=" + f
			default:
				path += "?format=" + f
			}
			if strings.HasSuffix(name, "json") && f != "ndjson" {
				path += "&pretty=1"
			}
			w := get(h, path)
			if w.Code != 200 {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			golden.Check(t, name, w.Body.Bytes())
		}
	}
}

// One answer of each search that the directory answers, in each text form.
func TestGoldenNational(t *testing.T) {
	h := streetWorld(t)
	for name, path := range map[string]string{
		"text": "search/text?q=Fernau", "text_any": "search/text?q=Nirgends+.6%2F1", "address": "search/address?plz=4884",
		"address_osm": "search/address_osm?q=Hauptstra%C3%9Fe+8+Westdorf",
		"suggest":     "search/text?suggest=true&q=Fern",
	} {
		for _, f := range []string{"json", "geojson", "csv", "ndjson"} {
			query := "&format=" + f
			if strings.HasSuffix(f, "json") && f != "ndjson" {
				query += "&pretty=1"
			}
			w := get(h, path+query)
			if w.Code != 200 {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			golden.Check(t, name+"."+f, w.Body.Bytes())
		}
	}
}

// The examples of the documentation are requests that work.
func TestExamples(t *testing.T) {
	h := indexed(t)
	for _, e := range New(Deps{}).Endpoints {
		if w := fixture.Ask(h, e.Method, e.Example, e.ExampleBody); w.Code != 200 {
			t.Errorf("%s: %d %s", e.Example, w.Code, w.Body)
		}
	}
}

// What an answer carries of its KG, as the specification lists it.
func TestKGRowsSayWhatTheyAre(t *testing.T) {
	h := world(t)
	warm, cold := getList(t, h, "search/kg?code=88801").Data[0], getList(t, h, "search/kg?code=88803").Data[0]
	for field, want := range map[string]string{"assembly_version": "tile_partition_v1", "ingest_generation": "tile_partition_v1",
		"reprocessed_at": "2026-10-01T00:00:00Z", "ez_count": "1"} {
		if got := fmt.Sprint(warm[field]); got != want {
			t.Errorf("%s: want %s, got %s", field, want, got)
		}
	}
	for field, want := range map[string]string{"assembly_version": "unknown", "ingest_generation": "<nil>", "reprocessed_at": "<nil>",
		"parcel_count": "<nil>"} {
		if got := fmt.Sprint(cold[field]); got != want {
			t.Errorf("cold KG: %s: want %s, got %s", field, want, got)
		}
	}
	for name, row := range map[string]map[string]any{"warm": warm, "cold": cold} {
		if _, ok := row["ingest_fixes_missing"]; ok {
			t.Errorf("%s: ingest_fixes_missing is left out when there is none", name)
		}
	}
}

// old is the world in which KG 88801 carries an ingest generation without the join of address points.
func old(t *testing.T) *mem.Store {
	t.Helper()
	s := mem.New()
	snapshots := fixture.Snapshots()
	for _, k := range snapshots {
		if k.KG.Code == "88801" {
			k.Build.AssemblyVersion, k.Build.IngestGeneration = "legacy", "bulk_v7_zenodo"
		}
	}
	if err := fixture.PublishWith(s, snapshots, further, "88803"); err != nil {
		t.Fatal(err)
	}
	return s
}

// The flags are of the data: a KG without the join is not verified, and its row names the fixes it lacks.
func TestFlagsOfOlderData(t *testing.T) {
	h := serve(t, old(t), library.Options{})
	for path, want := range map[string]string{
		"ez?kg=88802&ez=7": "true []", "ez?kg=88801&ez=7": "false [88801]", "ez?gemeinde=38801": "false [88801]",
	} {
		m := getList(t, h, "search/"+path).Meta
		if got := fmt.Sprint(m["buildings_coords_verified"], m["buildings_repair_pending_kgs"]); got != want {
			t.Errorf("%s: want %s, got %s", path, want, got)
		}
	}
	row := getList(t, h, "search/kg?code=88801").Data[0]
	if got := fmt.Sprintf("%v %v", row["assembly_version"], row["ingest_fixes_missing"]); !strings.HasPrefix(got,
		"legacy [landuse_area_calc multipolygon_geometry address_point_join") {
		t.Errorf("got %s", got)
	}
}

// The parts of a folio are those of its rows: parcels, address points on them, areas that sum to what they are.
func TestFolioDetail(t *testing.T) {
	row := getList(t, world(t), "search/ez?kg=88801&ez=7").Data[0]
	parcels, buildings := row["parcels"].([]any), row["buildings"].([]any)
	if len(parcels) != 17 || float64(len(parcels)) != row["parcel_count"] || float64(len(buildings)) != row["building_count"] {
		t.Errorf("%d parcels of %v, %d address points of %v", len(parcels), row["parcel_count"], len(buildings), row["building_count"])
	}
	if got := fmt.Sprintf("%v %v", row["landuse_area_breakdown"].(map[string]any)["41"], row["landuse_codes"]); got != "500 41,52,56,83" {
		t.Errorf("area of buildings and codes: got %s", got)
	}
	for _, u := range row["landuse_breakdown"].([]any) {
		if use := u.(map[string]any); use["code"] == 41.0 && fmt.Sprintf("%v %v %v", use["parcels"], use["area_sqm"],
			use["abbr"]) != "1 500 B" {
			t.Errorf("land use 41: %v", use)
		}
	}
}

// waits serves a world in which KG 88803 comes after some looks.
func waits(t *testing.T, looks int) (get func(path string) *httptest.ResponseRecorder, paused *int) {
	t.Helper()
	s := publish(t)
	now, paused := epoch, new(int)
	lib, err := library.Open(t.Context(), s, library.Options{Warmup: func(austria.KGCode) {}, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	h := handler(t, Deps{Library: lib, Now: func() time.Time { return now }, Pause: func(_ context.Context, d time.Duration) error {
		now = now.Add(d)
		if *paused++; *paused == looks {
			now = now.Add(time.Minute) // the pointer is looked at again
			return fixture.PublishWith(s, fixture.Snapshots(), further)
		}
		return nil
	}})
	return func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/api/v1/search/"+path, nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}, paused
}

// With ez= a request waits for a KG that is being loaded, as long as wait= says; without, never.
func TestWait(t *testing.T) {
	for _, c := range []struct {
		path  string
		looks int // after which the KG is there
		pause int // looks that are waited for
		ready bool
	}{
		{"ez?kg=88803&ez=7", 2, 2, true},
		{"ez?kg=88803&ez=7", 1000, 12, false},          // 3 s by default
		{"ez?kg=88803&ez=7&wait=1", 1000, 4, false},    // 1 s
		{"ez?kg=88803&ez=7&wait=60", 1000, 100, false}, // 25 s at most
		{"ez?kg=88803&ez=7&wait=0", 1000, 0, false},
		{"ez?kg=88803", 1000, 0, false},
		{"ez?kg=88803&wait=60", 1000, 0, false},
	} {
		get, paused := waits(t, c.looks)
		w := get(c.path)
		var l answer
		if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %v %s", c.path, w.Code, err, w.Body)
		}
		if *paused != c.pause || l.Meta["ready"] != c.ready || (len(l.Data) == 1) != c.ready ||
			l.Meta["buildings_coords_verified"] != c.ready {
			t.Errorf("%s, there after %d looks: waited for %d, want %d; %v", c.path, c.looks, *paused, c.pause, l.Meta)
		}
		if etag := w.Header().Get("ETag"); !c.ready && (etag != "" || fmt.Sprint(l.Meta["buildings_repair_pending_kgs"]) != "[88803]" ||
			w.Header().Get("X-Data-Ready") != "false") {
			t.Errorf("%s: a partial answer with ETag %q, %v", c.path, etag, l.Meta)
		}
	}
}

// Cold KGs are named wherever they may hold what is searched for; nothing that was found needs them.
func TestColdKGs(t *testing.T) {
	h := world(t)
	for path, want := range map[string]string{
		"gnr?gnr=1&kg=88803": "false [88803]", "gnr?gnr=1&kg=88801": "true []", "parcel?id=88803-1": "false [88803]",
		"feature?id=88803-1":     "false [88803]",
		"feature?id=8880102-001": "true []", "parcel?status=G": "false [19544 19545 19546 19547 88803]",
	} {
		m := getList(t, h, "search/"+path).Meta
		if got := fmt.Sprint(m["ready"], m["kgs_unavailable"]); got != want {
			t.Errorf("%s: want %s, got %s", path, want, got)
		}
	}
}

// Every fault names the parameter, the value and what is allowed.
func TestFaults(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ path, want string }{
		{"search/gnr?kg=88801", "parameter gnr is required"},
		{"search/gnr?gnr=12a", `parameter gnr has the value "12a": expected a parcel number`},
		{"search/gnr?gnr=" + strings.Repeat("1", 17), "of at most 16 characters"},
		{"search/gnr?gnr=1.2", "expected a parcel number"},
		{"search/gnr?gnr=123%252F4", `"123%2F4": expected a parcel number`},
		{"search/gnr?gnr=1&kg=x", `parameter kg has the value "x": expected 1 to 5 digits`},
		{"search/ez?ez=7", "no KG is named: expected one of kg, gemeinde"},
		{"search/ez?kg=88801&ez=0", "parameter ez is out of range"},
		{"search/ez?kg=88801&ez=4294967296", "parameter ez is out of range"},
		{"search/ez?kg=88801&ez=7&wait=61", "a whole number from 0 to 60 s"},
		{"search/parcel?", "no filter is given: expected one at least of id, kg, status"},
		{"search/parcel?status=H", "expected E or G"},
		{"search/parcel?min_area=2&max_area=1", "expected at least min_area"},
		{"search/feature?id=88801_fp_1", "a parcel id such as 01004-123/4"},
		{"search/feature", "parameter id is required"},
		{"search/district?", "nothing is searched for: expected one of q, state, code"},
		{"search/district?code=388&q=a", "expected code alone"},
		{"search/district?state=Bayern", "expected a state, by digit or name: 1 Burgenland"},
		{"search/kg?plz=388", "4 digits, for example 6080"},
		{"search/kg?limit=100001", "a whole number from 1 to 100000"},
		{"search/kg?q=" + strings.Repeat("a", 201), "a text of 1 to 200 bytes"},
		{"search/municipalities?", "no filter is given: expected one at least of q, id"},
		{"search/municipalities?list=some", "one of all"},
		{"search/municipalities?contains_lon=15", "parameter contains_lat is required"},
		{"search/municipalities?contains_lat=48", "parameter contains_lon is required"},
		{"lookup", "parameter q is required"},
		{"lookup?q=a&kg=b", "expected one of q, kg, plz, gemeinde, ortschaft"},
		{"lookup?kg=a&type=plz", "no other type than that of kg"},
		{"lookup?q=a&type=toponym", "one of plz, gemeinde, kg, ortschaft"},
		{"lookup?q=a&limit=201", "a whole number from 1 to 200"},
		{"landuse/codes?code=52", "parameter code is unknown"},
	} {
		var f struct {
			Error  string
			Status int
		}
		w := get(h, c.path)
		if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != 400 || f.Status != 400 || !strings.Contains(f.Error, c.want) {
			t.Errorf("%s: want 400 with %q, got %d %s", c.path, c.want, w.Code, w.Body)
		}
	}
}

// The conventions of all endpoints hold here: ETag and 304, version=, the polygon on request.
func TestConventions(t *testing.T) {
	h := world(t)
	for _, path := range []string{"search/gnr?gnr=1*&kg=88801", "search/kg?q=west", "lookup?q=west", "landuse/codes", "search/ez?kg=88801",
		"search/municipalities?list=all"} {
		etag := get(h, path).Header().Get("ETag")
		if w := get(h, path, "If-None-Match", etag); etag == "" || w.Code != 304 {
			t.Errorf("%s: ETag %q gives %d", path, etag, w.Code)
		}
	}
	if l := getList(t, h, "search/gnr?gnr=1&kg=88801&fields=gnr,geometry"); l.Data[0]["geometry"] == nil {
		t.Errorf("fields=geometry gives the polygon: %v", l.Data)
	}
	if l := getList(t, h, "search/gnr?gnr=1&kg=88801"); len(l.Data[0]) != len(rowschema.ParcelShown.Columns)-len(rowschema.ParcelOverlay) {
		t.Errorf("rows of a generation without overlays carry every other field and no polygon: %v", l.Data[0])
	}
	if l := getList(t, h, "search/gnr?gnr=1&kg=88801&version=2026-09-30"); len(l.Data) != 0 ||
		fmt.Sprint(l.Meta["kgs_without_version"]) != "[88801]" {
		t.Errorf("before the first snapshot: %v", l)
	}
}

// Walking the pages of any list visits each row once, in the order of the whole list.
func TestPages(t *testing.T) {
	h := world(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := rapid.SampledFrom([]struct{ path, id string }{
			{"gnr?gnr=*", "parcel_id"}, {"parcel?kg=88801", "parcel_id"}, {"kg?q=dorf", "kg_code"}, {"kg?", "kg_code"},
			{"district?state=3", "district_code"},
			{"municipalities?list=all", "gemeinde_code"}, {"ez?gemeinde=38801", "ez_id"}, {"district?code=388", "kg_code"},
		}).Draw(rt, "list")
		limit := rapid.IntRange(1, 7).Draw(rt, "limit")
		whole := getList(t, h, "search/"+c.path+"&limit=1000")
		var walked []string
		for offset := 0; offset < whole.total(); offset += limit {
			walked = append(walked, getList(t, h, fmt.Sprintf("search/%s&limit=%d&offset=%d", c.path, limit, offset)).ids(c.id))
		}
		if got := strings.Join(walked, " "); got != whole.ids(c.id) {
			rt.Fatalf("%s by %d: want %s, got %s", c.path, limit, whole.ids(c.id), got)
		}
	})
}

// The pattern of a parcel number means what the same pattern with any characters means.
func TestStarsInNumbers(t *testing.T) {
	slow := func(p, s string) bool { return false }
	slow = func(p, s string) bool {
		switch {
		case p == "":
			return s == ""
		case p[0] == '*':
			return slow(p[1:], s) || s != "" && slow(p, s[1:])
		}
		return s != "" && p[0] == s[0] && slow(p[1:], s[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		p, s := rapid.StringMatching(`[1*/.]{0,4}\*[1*/.]{0,4}`).Draw(t, "pattern"), rapid.StringMatching(`[1/.]{0,8}`).Draw(t, "text")
		if got, want := numberPattern(p).matches(austria.GNR(s)), slow(p, s); got != want {
			t.Fatalf("%q in %q: want %v, got %v", p, s, want, got)
		}
	})
}

// Numbers have one order, however they are written.
func TestByNumber(t *testing.T) {
	sorted := []austria.GNR{"1", ".1", "1/1", "1/2", "1/10", "2", ".2/1", "10", "100", "99999999999"}
	for i, a := range sorted {
		for k, b := range sorted {
			if got := byNumber(a, b); (got < 0) != (i < k) || (got == 0) != (i == k) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}
