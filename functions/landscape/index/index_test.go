package index

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// world is the service over the made-up world, in which one KG was processed; plain is it over a country without an index.
func world(t testing.TB, processed bool) http.Handler {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if processed {
		v, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := fixture.AddLandscape(s, v.Register()); err != nil {
			t.Fatal(err)
		}
		if err := lib.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

type answer struct {
	Total   int              `json:"total"`
	Results []map[string]any `json:"results"`
	Error   string           `json:"error"`
}

func (a answer) codes(column string) (out []string) {
	for _, r := range a.Results {
		out = append(out, fmt.Sprint(r[column]))
	}
	return out
}

func get(t testing.TB, h http.Handler, path string, status int) answer {
	t.Helper()
	return fixture.Decode[answer](t, fixture.Ask(h, "GET", path, ""), status)
}

// The examples of the documentation are requests that work.
func TestExamples(t *testing.T) {
	h := world(t, true)
	for _, e := range New(Deps{}).Endpoints {
		here := strings.NewReplacer("09902-287", "88801-5", "09902", "88801")
		target, body := here.Replace(e.Example), here.Replace(e.ExampleBody)
		if e.ID == "query_progress" { // of a task that somebody has asked for: TestInTheBackground
			continue
		}
		if w := fixture.Ask(h, e.Method, target, body, "Content-Type", "application/json"); w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s: %d %.300s", e.Method, target, w.Code, w.Body)
		}
	}
}

func TestModes(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"q=dorf": "88801 88802", "q=88803": "88803", "q=Westdorf": "88801", "q=38801": "88801 88802",
		"bbox=15.0005,48.0005,15.003,48.003": "88801",
		"district=388":                       "88801 88802 88803", "gemeinde=38802": "88803",
		"gemeinde=GEMEINDE%2038802": "88803", "district=Bezirk-388": "88801 88802 88803", "state=3": "88801 88802 88803",
		"state=3&processed_only=true": "88801", "state=4": "00804", "state=niederoesterreich&processed_only=true": "88801",
		"point=15.002,48.002&radius=0.2": "88801", "type=grass": "88801", "type=vineyard": "", "hansen=true": "88801",
		"hansen=true&year_from=2022": "",
		"new_buildings=true":         "88801", "new_buildings=true&min_count=2": "", "divergence=true": "88801",
		"divergence=true&rf_type=crop": "88801", "divergence=true&rf_type=tree": "",
		"low_confidence=true&max_confidence=1": "88801", "low_confidence=true&max_confidence=0.1": "", "confidence_rank=desc": "88801",
		"type_confidence=tree":                        "88801",
		"high_confidence_type=grass&min_confidence=0": "88801", "high_confidence_type=grass&min_area_sqm=1000000000000": "",
	} {
		got := get(t, h, "/api/v1/query?"+query, 200)
		if s := strings.Join(got.codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", query, s, want)
		}
	}
	if got := get(t, h, "/api/v1/query?divergence_pairs=true", 200); got.Total != 2 || got.Results[0]["rf_type"] != "crop" ||
		got.Results[0]["n_kgs"] != 1.0 {
		t.Errorf("%+v", got)
	}
	if got := get(t, h, "/api/v1/query?parcels_by_type=grass&limit=3&offset=1", 200); got.Total != 17 || len(got.Results) != 3 ||
		got.Results[0]["parcel_id"] != "88801-1" {
		t.Errorf("%d %v", got.Total, got.codes("parcel_id"))
	}
	got := get(t, h, "/api/v1/query?top_features=trees&limit=5", 200)
	if got.Total != 40 || got.Results[0]["height_m"] != 34.0 || got.Results[0]["kg_code"] != "88801" {
		t.Errorf("%+v", got)
	}
	if got := get(t, h, "/api/v1/query?top_features=objects&type=tree", 200); got.Total != 2 || got.Results[0]["area_sqm"] != 1750.0 {
		t.Errorf("%+v", got)
	}
	if got := get(t, h, "/api/v1/query?segments=true&object_type=tree,grass", 200); got.Total != 2 {
		t.Errorf("%+v", got)
	}
	w := fixture.Ask(h, "GET", "/api/v1/query?kg=88803", "")
	if one := fixture.Decode[map[string]any](t, w, 200); one["kg_code"] != "88803" || one["processed"] != false ||
		one["slope_mean_deg"] != nil || one["kg_name"] != "Kaltenau" {
		t.Errorf("%s", w.Body)
	}
	sums := fixture.Decode[sumsBody](t, fixture.Ask(h, "GET", "/api/v1/query?aggregate=true&state=3", ""), 200)
	if sums.KGs != 3 || sums.Processed != 1 || sums.Level != "state" || sums.Name != "Niederösterreich" || *sums.Trees != 40 ||
		len(sums.Landcover) != 6 || sums.Losses["2021"] == 0 {
		t.Errorf("%+v", sums)
	}
}

func TestExactlyOneMode(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"": "no mode", "q=dorf&kg=88801": "q and kg", "state=3&district=388": "state and district",
		"hansen=true&type=grass": "type and hansen", "aggregate=true&q=dorf": "aggregate and q",
		"top_features=objects": "type", "top_features=trees&type=tree": "type", "state=Bayern": "state", "type=forest": "type",
		"hansen=true&year_from=2020&year_to=2010": "year_to",
		"limit=2000&q=dorf":                       "1000",
	} {
		if got := get(t, h, "/api/v1/query?"+query, 400); !strings.Contains(got.Error, want) {
			t.Errorf("%s: %s", query, got.Error)
		}
	}
}

// Every numeric column has its bounds, and every column stands in answers under its written name.
func TestEveryColumn(t *testing.T) {
	h := world(t, true)
	one := fixture.Decode[map[string]any](t, fixture.Ask(h, "GET", "/api/v1/kg/88801", ""), 200)
	for i := range landscape.RecordColumns {
		c := &landscape.RecordColumns[i]
		v, there := one[c.Name]
		if !there {
			t.Errorf("%s is not answered", c.Name)
		}
		if n, ok := v.(float64); ok && c.Numeric() {
			for side, want := range map[string]int{fmt.Sprintf("min_%s=%v", c.Name, n): 1, fmt.Sprintf("min_%s=%v", c.Name, n+1): 0} {
				if got := get(t, h, "/api/v1/query/compound?processed_only=true&"+side, 200); got.Total != want {
					t.Errorf("%s: %d, want %d", side, got.Total, want)
				}
			}
		}
	}
	for _, name := range []string{"landcover", "hansen_loss", "classification", "divergence", "_links"} {
		if one[name] == nil {
			t.Errorf("%s is not answered", name)
		}
	}
	flatLandcover(t, one)
	if w := fixture.Ask(h, "GET", "/api/v1/kg/88801?index_only=true", ""); strings.Contains(w.Body.String(), "landcover") {
		t.Errorf("%s", w.Body)
	}
}

// flatLandcover: each type of a KG has the columns of the list, no others and none inside another; there is no nested height.
func flatLandcover(t *testing.T, kg map[string]any) {
	t.Helper()
	var want []string
	for i := range landscape.LandcoverColumns {
		want = append(want, landscape.LandcoverColumns[i].Name)
	}
	slices.Sort(want)
	for _, row := range kg["landcover"].([]any) {
		if got := slices.Sorted(maps.Keys(row.(map[string]any))); !slices.Equal(got, want) {
			t.Errorf("landcover has %v, want %v", got, want)
		}
	}
}

func TestThingsOfAKG(t *testing.T) {
	h := world(t, true)
	for path, want := range map[string]int{"buildings": 30, "new_buildings": 1, "infrastructure": 1, "segments": 6, "segments?type=tree": 2,
		"buildings?bbox=10,47,11,48": 0} {
		if got := get(t, h, "/api/v1/kg/88801/"+path, 200); got.Total != want || len(got.Results) != want {
			t.Errorf("%s: %d of %d, want %d", path, len(got.Results), got.Total, want)
		}
	}
	all := get(t, h, "/api/v1/kg/88801/buildings", 200).codes("building_id")
	if part := get(t, h, "/api/v1/kg/88801/buildings?limit=7&offset=20", 200).codes("building_id"); !slices.Equal(part, all[20:27]) {
		t.Errorf("%v, want %v", part, all[20:27])
	}
	for _, path := range []string{"buildings", "segments", "heightfield", "new_buildings", "infrastructure"} {
		w := fixture.Ask(h, "GET", "/api/v1/kg/88802/"+path, "")
		if w.Code != 404 || !strings.Contains(w.Body.String(), `"processed":false`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	get(t, h, "/api/v1/kg/12345", 404)
}

func TestParcels(t *testing.T) {
	h := world(t, true)
	for _, id := range []string{"88801-6", "88801-16", "88801-.6%2F1", "88801-1"} {
		w := fixture.Ask(h, "GET", "/api/v1/parcel/"+id, "")
		got := fixture.Decode[map[string]any](t, w, 200)
		if got["parcel_id"] != strings.ReplaceAll(id, "%2F", "/") || got["frav"].(map[string]any)["R"] != 600.0 ||
			len(got["top_trees"].([]any)[0].([]any)) != 12 || len(got["top_objs"].([]any)[0].([]any)) != 9 {
			t.Errorf("%s: %s", id, w.Body)
		}
	}
	get(t, h, "/api/v1/parcel/88801-77", 404)
	get(t, h, "/api/v1/parcel/88802-1", 404)
	if got := get(t, h, "/api/v1/query/parcels?kg=88801", 200); got.Total != 17 || got.Results[0]["slope_mean_deg"] != 3.5 {
		t.Errorf("%+v", got)
	}
	w := fixture.Ask(h, "GET", "/api/v1/query?parcel=88801-6", "")
	if got := fixture.Decode[map[string]any](t, w, 200); got["parcel"] == nil || got["kg"].(map[string]any)["kg_code"] != "88801" {
		t.Errorf("%s", w.Body)
	}
}

func TestBuildings(t *testing.T) {
	h := world(t, true)
	k := worldBuildings(t)
	for query, passes := range map[string]func(*landscape.Building) bool{
		"":                            func(*landscape.Building) bool { return true },
		"min_height=9":                func(b *landscape.Building) bool { return b.MaxHeight >= 9 },
		"max_height=6&roof_type=flat": func(b *landscape.Building) bool { return b.MaxHeight <= 6 && b.RoofType == "flat" },
		"min_stories=3&max_area=200":  func(b *landscape.Building) bool { return b.Stories >= 3 && b.FootprintSqm <= 200 },
		"min_height=99":               func(*landscape.Building) bool { return false },
	} {
		want := 0
		for i := range k {
			if passes(&k[i]) {
				want++
			}
		}
		if got := get(t, h, "/api/v1/buildings/search?kg=88801&"+query, 200); got.Total != want || want == 0 && query != "min_height=99" {
			t.Errorf("%s: %d, want %d", query, got.Total, want)
		}
	}
	if got := get(t, h, "/api/v1/buildings/search?kg=88802", 200); got.Total != 0 {
		t.Errorf("%+v", got)
	}
}

func worldBuildings(t *testing.T) []landscape.Building {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	k, err := fixture.Processed(fixture.View(t, s).Register())
	if err != nil {
		t.Fatal(err)
	}
	return k.Buildings
}

// The heights are those of a plain search of the k nearest.
func TestHeightfield(t *testing.T) {
	h := world(t, true)
	got := fixture.Decode[fieldBody](t, fixture.Ask(h, "GET", "/api/v1/kg/88801/heightfield?cell=25&k=4", ""), 200)
	if len(got.Z) != got.Rows || len(got.Z[0]) != got.Cols || got.Samples != 144 || got.Origin != "nw" {
		t.Fatalf("%d rows of %d, %d samples", got.Rows, got.Cols, got.Samples)
	}
	for row := range got.Z {
		for col, z := range got.Z[row] {
			p := geom.Point{X: int32((got.Box[0] + (float64(col)+0.5)/float64(got.Cols)*(got.Box[2]-got.Box[0])) * 1e7),
				Y: int32((got.Box[3] - (float64(row)+0.5)/float64(got.Rows)*(got.Box[3]-got.Box[1])) * 1e7)}
			if z == nil || math.Abs(*z-landtest.Ground(p)) > 3 {
				t.Fatalf("%d, %d: %v, want about %g", row, col, z, landtest.Ground(p))
			}
		}
	}
	get(t, h, "/api/v1/kg/88801/heightfield?cell=10", 400)
}

func TestNearestByRings(t *testing.T) {
	k := landtest.KG(landtest.Options{Code: "88801", Box: geom.Box{MinX: 150000000, MinY: 480000000, MaxX: 150400000, MaxY: 480300000},
		Samples: 40})
	kept := k.Samples[:0]
	for i, s := range k.Samples { // with holes
		if i%7 != 0 && i/40%5 != 2 {
			kept = append(kept, s)
		}
	}
	r := k.Record
	b, err := fieldOf(&r, kept, 90, 8)
	if err != nil {
		t.Fatal(err)
	}
	plain := plainField(&r, kept, 90, 8, b.Cols, b.Rows)
	for i, want := range plain {
		got := b.Z[i/b.Cols][i%b.Cols]
		if (got == nil) != math.IsNaN(want) || got != nil && math.Abs(*got-want) > 0.006 {
			t.Fatalf("cell %d: %v, want %g", i, got, want)
		}
	}
}

// What is asked in the background is what would have been answered at once, under ids of the client and of the service.
func TestInTheBackground(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddLandscape(s, fixture.View(t, s).Register()); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	place := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	works := tasks.Works{Place: place, Runners: Tasks(Deps{Library: lib}), Pin: generation.Pin(lib),
		Repin: generation.Repin(lib), Notice: notice,
		Log: slog.New(slog.DiscardHandler)}
	queue, err := works.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib, Tasks: &tasks.Desk{Queue: queue, Place: place, Version: "v1"}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ method, path, body, id string }{
		{"GET", "/api/v1/query?parcels_by_type=grass&limit=4", "", ""}, {"GET", "/api/v1/query?q=dorf", "", "my-own-question"},
		{"GET", "/api/v1/query/compound?min_tree_count=1", "", ""},
		{"POST", "/api/v1/query/compound", `{"type_filters":[{"type":"grass"}],"limit":3}`, ""},
	} {
		at := fixture.Ask(h, c.method, c.path, c.body, "Content-Type", "application/json")
		asked := c.path + map[bool]string{true: "&", false: "?"}[strings.Contains(c.path, "?")] + "async=true"
		job := fixture.Decode[tasks.Polled](t, fixture.Ask(h, c.method, asked, c.body, "Content-Type", "application/json"), 202).TaskID
		if c.id != "" {
			asked += "&task_id=" + c.id
		}
		p := fixture.Decode[tasks.Polled](t, fixture.Ask(h, c.method, asked, c.body, "Content-Type", "application/json"), 202)
		if p.Status != "running" || c.id != "" && p.TaskID != c.id || !strings.HasSuffix(p.Poll, "/api/v1/query?task_id="+p.TaskID) {
			t.Fatalf("%s: %+v", asked, p)
		}
		if w := fixture.Ask(h, "GET", p.Poll, ""); w.Code != 202 || !strings.Contains(w.Body.String(), `"active":true`) {
			t.Fatalf("%s: %d %s", p.Poll, w.Code, w.Body)
		}
		if err := queue.RunOne(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		for _, poll := range []string{p.Poll, "/api/v1/query/progress?task_id=" + p.TaskID} {
			got := fixture.Ask(h, "GET", poll, "")
			if one, other := fixture.Decode[answer](t, got, 200), fixture.Decode[answer](t, at, 200); one.Total == 0 ||
				!reflect.DeepEqual(one, other) {
				t.Errorf("%s: %.300s, want %.300s", poll, got.Body, at.Body)
			}
		}
	}
	// What the answer would have refused ends the task with its words.
	p := fixture.Decode[tasks.Polled](t, fixture.Ask(h, "GET", "/api/v1/query?kg=12345&async=true", ""), 202)
	_ = queue.RunOne(t.Context(), p.TaskID)
	if got := fixture.Decode[answer](t, fixture.Ask(h, "GET", p.Poll, ""), 500); !strings.Contains(got.Error, "12345") {
		t.Errorf("a refusal in the background: %+v", got)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/query?q=dorf&state=3&async=true", ""); w.Code != 400 {
		t.Errorf("two modes in the background: %d", w.Code)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/query/progress?task_id=task-nobody-knows", ""); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The pages of a list are the list, whether its numbers are counted by the request or known from an earlier one.
func TestPages(t *testing.T) {
	h := world(t, true)
	for _, path := range []string{"query?parcels_by_type=grass", "kg/88801/segments?type=tree,grass,crop",
		"kg/88801/buildings?bbox=14,47,16,49"} {
		var walked []map[string]any
		total := 0
		for offset := 0; offset == 0 || offset < total; offset += 4 {
			got := get(t, h, fmt.Sprintf("/api/v1/%s&limit=4&offset=%d", path, offset), 200)
			total = got.Total
			walked = append(walked, got.Results...)
		}
		if all := get(t, h, "/api/v1/"+path+"&limit=1000", 200); all.Total != total || total < 4 ||
			!reflect.DeepEqual(all.Results, walked) {
			t.Errorf("%s: %d rows of pages, %d in one", path, len(walked), all.Total)
		}
	}
}

// counted is a store that counts the sections that are read.
type counted struct {
	store.Store
	n *int
}

func (c counted) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if o.Range != nil && o.Range.Offset > 0 {
		*c.n++
	}
	return c.Store.Get(ctx, key, o)
}

// A page of parcels by type reads the KGs that are on it, once the first page has counted them.
func TestParcelsByTypeReadsItsPage(t *testing.T) {
	reads, h := 0, http.Handler(nil)
	over(t, func(s store.Store, k *landscape.KG, file string) {
		lib, err := library.Open(t.Context(), counted{s, &reads}, library.Options{BudgetBytes: 1}) // holds nothing
		if err == nil {
			h, err = New(Deps{Library: lib}).Handler()
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	page := func(offset int) int {
		before := reads
		if got := get(t, h, fmt.Sprintf("/api/v1/query?parcels_by_type=grass&limit=10&offset=%d", offset), 200); got.Total != 17 {
			t.Fatalf("%+v", got)
		}
		return reads - before
	}
	first, behind := page(0), page(1000)
	if behind != first-1 {
		t.Errorf("the first page takes %d reads, one behind all rows %d", first, behind)
	}
}
