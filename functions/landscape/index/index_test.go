package index

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/functions/core/pin"
	"mappe/functions/core/tasks"
	"mappe/functions/worldtest"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/web/reply"
)

// world is the service over the made-up world, in which one KG was processed; plain is it over a country without an index.
func world(t testing.TB, processed bool) http.Handler {
	t.Helper()
	s, err := worldtest.World()
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
		if err := worldtest.AddLandscape(s, v.Register()); err != nil {
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
	return worldtest.Decode[answer](t, worldtest.Ask(h, "GET", path, ""), status)
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
		if w := worldtest.Ask(h, e.Method, target, body, "Content-Type", "application/json"); w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s: %d %.300s", e.Method, target, w.Code, w.Body)
		}
	}
}

func TestModes(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"q=dorf": "88801 88802", "q=88803": "88803", "q=Westdorf": "88801", "q=38801": "88801 88802", "bbox=15.0005,48.0005,15.003,48.003": "88801",
		"district=388": "88801 88802 88803", "gemeinde=38802": "88803", "state=3": "88801 88802 88803", "state=3&processed_only=true": "88801", "state=4": "00804", "state=niederoesterreich&processed_only=true": "88801",
		"point=15.002,48.002&radius=0.2": "88801", "type=grass": "88801", "type=vineyard": "", "hansen=true": "88801", "hansen=true&year_from=2022": "",
		"new_buildings=true": "88801", "new_buildings=true&min_count=2": "", "divergence=true": "88801", "divergence=true&rf_type=crop": "88801", "divergence=true&rf_type=tree": "",
		"low_confidence=true&max_confidence=1": "88801", "low_confidence=true&max_confidence=0.1": "", "confidence_rank=desc": "88801", "type_confidence=tree": "88801",
		"high_confidence_type=grass&min_confidence=0": "88801", "high_confidence_type=grass&min_area_sqm=1000000000000": "",
	} {
		got := get(t, h, "/api/v1/query?"+query, 200)
		if s := strings.Join(got.codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", query, s, want)
		}
	}
	if got := get(t, h, "/api/v1/query?divergence_pairs=true", 200); got.Total != 2 || got.Results[0]["rf_type"] != "crop" || got.Results[0]["n_kgs"] != 1.0 {
		t.Errorf("%+v", got)
	}
	if got := get(t, h, "/api/v1/query?parcels_by_type=grass&limit=3&offset=1", 200); got.Total != 17 || len(got.Results) != 3 || got.Results[0]["parcel_id"] != "88801-1" {
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
	w := worldtest.Ask(h, "GET", "/api/v1/query?kg=88803", "")
	if one := worldtest.Decode[map[string]any](t, w, 200); one["kg_code"] != "88803" || one["processed"] != false || one["slope_mean_deg"] != nil || one["kg_name"] != "Kaltenau" {
		t.Errorf("%s", w.Body)
	}
	sums := worldtest.Decode[sumsBody](t, worldtest.Ask(h, "GET", "/api/v1/query?aggregate=true&state=3", ""), 200)
	if sums.KGs != 3 || sums.Processed != 1 || sums.Level != "state" || sums.Name != "Niederösterreich" || *sums.Trees != 40 || len(sums.Landcover) != 6 || sums.Losses["2021"] == 0 {
		t.Errorf("%+v", sums)
	}
}

func TestExactlyOneMode(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"": "no mode", "q=dorf&kg=88801": "q and kg", "state=3&district=388": "state and district", "hansen=true&type=grass": "type and hansen", "aggregate=true&q=dorf": "aggregate and q",
		"top_features=objects": "type", "top_features=trees&type=tree": "type", "state=Bayern": "state", "type=forest": "type", "hansen=true&year_from=2020&year_to=2010": "year_to",
		"limit=2000&q=dorf": "1000",
	} {
		if got := get(t, h, "/api/v1/query?"+query, 400); !strings.Contains(got.Error, want) {
			t.Errorf("%s: %s", query, got.Error)
		}
	}
}

func TestCompound(t *testing.T) {
	h := world(t, true)
	for query, want := range map[string]string{
		"": "00804 88801 88802 88803", "min_parcel_count=5": "88801 88802", "max_parcel_count=5": "00804", "min_tree_count=1": "88801", "min_slope_mean_deg=-1": "88801",
		"processed_only=true": "88801", "district=388&sort=kg_name": "88803 88802 88801", "district=388&sort=parcel_count&sort_dir=desc": "88801 88802 88803",
		"type_filters=grass:0:1": "88801", "type_filters=grass:0:1&type_filters=vineyard": "", "landcover_filters=tree:0:0.9": "", "landcover_filters=tree:1:0.01": "88801", "dominant_type=grass,tree": "88801",
		"bbox=15.0005,48.0005,15.003,48.003&state=3": "88801",
	} {
		if s := strings.Join(get(t, h, "/api/v1/query/compound?"+query, 200).codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", query, s, want)
		}
	}
	for body, want := range map[string]string{
		`{"min_tree_count":1}`: "88801", `{"type_filters":[{"type":"grass","min_area_sqm":1}]}`: "88801", `{"type_filters":["grass:0:1"]}`: "88801", `{"landcover_filters":[{"type":"tree","max_height_mean":1}]}`: "",
		`{"landcover_filters":[{"type":"tree","min_height_mean":1}]}`: "88801", `{"dominant_type":["grass"],"limit":5}`: "88801",
	} {
		got := worldtest.Decode[answer](t, worldtest.Ask(h, "POST", "/api/v1/query/compound", body, "Content-Type", "application/json"), 200)
		if s := strings.Join(got.codes("kg_code"), " "); s != want {
			t.Errorf("%s: %q, want %q", body, s, want)
		}
	}
	for _, bad := range []string{"type_filters=forest:1", "type_filters=tree:x", "landcover_filters=tree:1:2:3", "sort=bbox", "min_nothing=1", "quality_grade=G"} {
		get(t, h, "/api/v1/query/compound?"+bad, 400)
	}
	w := worldtest.Ask(h, "POST", "/api/v1/query/compound", `{"type_filters":[{"type":"forest"}]}`, "Content-Type", "application/json")
	if worldtest.Decode[answer](t, w, 400); !strings.Contains(w.Body.String(), "type_filters") {
		t.Errorf("%s", w.Body)
	}
}

// Every numeric column has its bounds, and every column stands in answers under its written name.
func TestEveryColumn(t *testing.T) {
	h := world(t, true)
	one := worldtest.Decode[map[string]any](t, worldtest.Ask(h, "GET", "/api/v1/kg/88801", ""), 200)
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
	if w := worldtest.Ask(h, "GET", "/api/v1/kg/88801?index_only=true", ""); strings.Contains(w.Body.String(), "landcover") {
		t.Errorf("%s", w.Body)
	}
}

func TestThingsOfAKG(t *testing.T) {
	h := world(t, true)
	for path, want := range map[string]int{"buildings": 30, "new_buildings": 1, "infrastructure": 1, "segments": 6, "segments?type=tree": 2, "buildings?bbox=10,47,11,48": 0} {
		if got := get(t, h, "/api/v1/kg/88801/"+path, 200); got.Total != want || len(got.Results) != want {
			t.Errorf("%s: %d of %d, want %d", path, len(got.Results), got.Total, want)
		}
	}
	all := get(t, h, "/api/v1/kg/88801/buildings", 200).codes("building_id")
	if part := get(t, h, "/api/v1/kg/88801/buildings?limit=7&offset=20", 200).codes("building_id"); !slices.Equal(part, all[20:27]) {
		t.Errorf("%v, want %v", part, all[20:27])
	}
	for _, path := range []string{"buildings", "segments", "heightfield", "new_buildings", "infrastructure"} {
		w := worldtest.Ask(h, "GET", "/api/v1/kg/88802/"+path, "")
		if w.Code != 404 || !strings.Contains(w.Body.String(), `"processed":false`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	get(t, h, "/api/v1/kg/12345", 404)
}

func TestParcels(t *testing.T) {
	h := world(t, true)
	for _, id := range []string{"88801-6", "88801-16", "88801-.6%2F1", "88801-1"} {
		w := worldtest.Ask(h, "GET", "/api/v1/parcel/"+id, "")
		got := worldtest.Decode[map[string]any](t, w, 200)
		if got["parcel_id"] != strings.ReplaceAll(id, "%2F", "/") || got["frav"].(map[string]any)["R"] != 600.0 || len(got["top_trees"].([]any)[0].([]any)) != 12 || len(got["top_objs"].([]any)[0].([]any)) != 9 {
			t.Errorf("%s: %s", id, w.Body)
		}
	}
	get(t, h, "/api/v1/parcel/88801-77", 404)
	get(t, h, "/api/v1/parcel/88802-1", 404)
	if got := get(t, h, "/api/v1/query/parcels?kg=88801", 200); got.Total != 17 || got.Results[0]["slope_mean_deg"] != 3.5 {
		t.Errorf("%+v", got)
	}
	w := worldtest.Ask(h, "GET", "/api/v1/query?parcel=88801-6", "")
	if got := worldtest.Decode[map[string]any](t, w, 200); got["parcel"] == nil || got["kg"].(map[string]any)["kg_code"] != "88801" {
		t.Errorf("%s", w.Body)
	}
}

func TestBuildings(t *testing.T) {
	h := world(t, true)
	k := worldBuildings(t)
	for query, passes := range map[string]func(*landscape.Building) bool{
		"":             func(*landscape.Building) bool { return true },
		"min_height=9": func(b *landscape.Building) bool { return b.MaxHeight >= 9 }, "max_height=6&roof_type=flat": func(b *landscape.Building) bool { return b.MaxHeight <= 6 && b.RoofType == "flat" },
		"min_stories=3&max_area=200": func(b *landscape.Building) bool { return b.Stories >= 3 && b.FootprintSqm <= 200 }, "min_height=99": func(*landscape.Building) bool { return false },
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
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	k, err := worldtest.Processed(worldtest.View(t, s).Register())
	if err != nil {
		t.Fatal(err)
	}
	return k.Buildings
}

// The heights are those of a plain search of the k nearest.
func TestHeightfield(t *testing.T) {
	h := world(t, true)
	got := worldtest.Decode[fieldBody](t, worldtest.Ask(h, "GET", "/api/v1/kg/88801/heightfield?cell=25&k=4", ""), 200)
	if len(got.Z) != got.Rows || len(got.Z[0]) != got.Cols || got.Samples != 144 || got.Origin != "nw" {
		t.Fatalf("%d rows of %d, %d samples", got.Rows, got.Cols, got.Samples)
	}
	for row := range got.Z {
		for col, z := range got.Z[row] {
			p := geom.Point{X: int32((got.Box[0] + (float64(col)+0.5)/float64(got.Cols)*(got.Box[2]-got.Box[0])) * 1e7), Y: int32((got.Box[3] - (float64(row)+0.5)/float64(got.Rows)*(got.Box[3]-got.Box[1])) * 1e7)}
			if z == nil || math.Abs(*z-landtest.Ground(p)) > 3 {
				t.Fatalf("%d, %d: %v, want about %g", row, col, z, landtest.Ground(p))
			}
		}
	}
	get(t, h, "/api/v1/kg/88801/heightfield?cell=10", 400)
}

func TestNearestByRings(t *testing.T) {
	k := landtest.KG(landtest.Options{Code: "88801", Box: geom.Box{MinX: 150000000, MinY: 480000000, MaxX: 150400000, MaxY: 480300000}, Samples: 40})
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

// A country without an index is answered with what the register knows.
func TestWithoutAnIndex(t *testing.T) {
	h := world(t, false)
	st := worldtest.Decode[statusBody](t, worldtest.Ask(h, "GET", "/api/v1/index/status", ""), 200)
	if st.Available || st.KGs != 4 || st.Processed != 0 || st.Index != nil {
		t.Errorf("%+v", st)
	}
	if got := get(t, h, "/api/v1/query?q=dorf", 200); strings.Join(got.codes("kg_code"), " ") != "88801 88802" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"query?top_features=trees", "query?parcels_by_type=grass", "buildings/search", "query/parcels?kg=88801", "query/compound?min_slope_mean_deg=0"} {
		if got := get(t, h, "/api/v1/"+path, 200); got.Total != 0 {
			t.Errorf("%s: %+v", path, got)
		}
	}
	get(t, h, "/api/v1/kg/88801/segments", 404)
}

// What is asked in the background is what would have been answered at once, under ids of the client and of the service.
func TestInTheBackground(t *testing.T) {
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := worldtest.AddLandscape(s, worldtest.View(t, s).Register()); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	place := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	works := tasks.Works{Place: place, Runners: Tasks(Deps{Library: lib}), Pin: pin.To(lib), Repin: pin.Former(lib), Notice: notice, Log: slog.New(slog.DiscardHandler)}
	queue, err := works.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib, Tasks: &tasks.Desk{Queue: queue, Place: place, Version: "v1"}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ method, path, body, id string }{
		{"GET", "/api/v1/query?parcels_by_type=grass&limit=4", "", ""}, {"GET", "/api/v1/query?q=dorf", "", "my-own-question"}, {"GET", "/api/v1/query/compound?min_tree_count=1", "", ""},
		{"POST", "/api/v1/query/compound", `{"type_filters":[{"type":"grass"}],"limit":3}`, ""},
	} {
		at := worldtest.Ask(h, c.method, c.path, c.body, "Content-Type", "application/json")
		asked := c.path + map[bool]string{true: "&", false: "?"}[strings.Contains(c.path, "?")] + "async=true"
		job := worldtest.Decode[tasks.Polled](t, worldtest.Ask(h, c.method, asked, c.body, "Content-Type", "application/json"), 202).TaskID
		if c.id != "" {
			asked += "&task_id=" + c.id
		}
		p := worldtest.Decode[tasks.Polled](t, worldtest.Ask(h, c.method, asked, c.body, "Content-Type", "application/json"), 202)
		if p.Status != "running" || c.id != "" && p.TaskID != c.id || !strings.HasSuffix(p.Poll, "/api/v1/query?task_id="+p.TaskID) {
			t.Fatalf("%s: %+v", asked, p)
		}
		if w := worldtest.Ask(h, "GET", p.Poll, ""); w.Code != 202 || !strings.Contains(w.Body.String(), `"active":true`) {
			t.Fatalf("%s: %d %s", p.Poll, w.Code, w.Body)
		}
		if err := queue.RunOne(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		for _, poll := range []string{p.Poll, "/api/v1/query/progress?task_id=" + p.TaskID} {
			got := worldtest.Ask(h, "GET", poll, "")
			if one, other := worldtest.Decode[answer](t, got, 200), worldtest.Decode[answer](t, at, 200); one.Total == 0 || !reflect.DeepEqual(one, other) {
				t.Errorf("%s: %.300s, want %.300s", poll, got.Body, at.Body)
			}
		}
	}
	// What the answer would have refused ends the task with its words.
	p := worldtest.Decode[tasks.Polled](t, worldtest.Ask(h, "GET", "/api/v1/query?kg=12345&async=true", ""), 202)
	_ = queue.RunOne(t.Context(), p.TaskID)
	if got := worldtest.Decode[answer](t, worldtest.Ask(h, "GET", p.Poll, ""), 500); !strings.Contains(got.Error, "12345") {
		t.Errorf("a refusal in the background: %+v", got)
	}
	if w := worldtest.Ask(h, "GET", "/api/v1/query?q=dorf&state=3&async=true", ""); w.Code != 400 {
		t.Errorf("two modes in the background: %d", w.Code)
	}
	if w := worldtest.Ask(h, "GET", "/api/v1/query/progress?task_id=task-nobody-knows", ""); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestDetail(t *testing.T) {
	h := world(t, true)
	type detail struct {
		Processed    bool           `json:"processed"`
		Cadastre     map[string]any `json:"cadastre"`
		Landscape    map[string]any `json:"landscape"`
		Legal        []legalBody    `json:"legal_references"`
		Conservation scoreBody      `json:"conservation"`
	}
	d := worldtest.Decode[detail](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if !d.Processed || d.Cadastre["gnr"] != "6" || d.Landscape["slope_mean_deg"] != 3.5 || *d.Conservation.Vegetation != 16 || *d.Conservation.NDVI != 11.72 || d.Conservation.Score != 40.4 {
		t.Errorf("%+v", d)
	}
	d = worldtest.Decode[detail](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88802-1/detail", ""), 200)
	if d.Processed || d.Landscape != nil || d.Cadastre["parcel_id"] != "88802-1" || d.Conservation != (scoreBody{}) {
		t.Errorf("%+v", d)
	}
	get(t, h, "/api/v1/parcel/88801-77/detail", 404)
	w := worldtest.Ask(h, "GET", "/api/v1/kg/88801/profile", "")
	p := worldtest.Decode[struct {
		Use       []useBody      `json:"landuse"`
		Cadastre  map[string]any `json:"cadastre"`
		Landscape map[string]any `json:"landscape"`
	}](t, w, 200)
	if len(p.Use) != 4 || p.Use[0].Code != 52 || p.Cadastre["kg_name"] != "Westdorf" || p.Landscape["processed"] != true {
		t.Errorf("%s", w.Body)
	}
	if w := worldtest.Ask(h, "GET", "/api/v1/kg/88803/profile", ""); w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" {
		t.Errorf("a cold KG: %d %v", w.Code, w.Header())
	}
	l := worldtest.Decode[layersBody](t, worldtest.Ask(h, "GET", "/api/v1/kg/88801/layers?variant=full", ""), 200)
	if len(l.Layers) != 8 || l.Layers[0].Rows != 6 || l.Layers[7].Rows != 40 || l.Download != nil {
		t.Errorf("%+v", l)
	}
}

// The pages of a list are the list, whether its numbers are counted by the request or known from an earlier one.
func TestPages(t *testing.T) {
	h := world(t, true)
	for _, path := range []string{"query?parcels_by_type=grass", "kg/88801/segments?type=tree,grass,crop", "kg/88801/buildings?bbox=14,47,16,49"} {
		var walked []map[string]any
		total := 0
		for offset := 0; offset == 0 || offset < total; offset += 4 {
			got := get(t, h, fmt.Sprintf("/api/v1/%s&limit=4&offset=%d", path, offset), 200)
			total = got.Total
			walked = append(walked, got.Results...)
		}
		if all := get(t, h, "/api/v1/"+path+"&limit=1000", 200); all.Total != total || total < 4 || !reflect.DeepEqual(all.Results, walked) {
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

// What is not at hand is null and no zero: laws and areas of a country without them, and what analysis does not have of a parcel.
func TestNotKnownIsNull(t *testing.T) {
	h := world(t, true)
	d := worldtest.Decode[detailBody](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if d.Legal != nil || d.Areas != nil || d.Conservation.Legal != nil || d.Conservation.Area != nil || d.Conservation.Vegetation == nil {
		t.Errorf("%+v", d)
	}
	if p := worldtest.Decode[profileBody](t, worldtest.Ask(h, "GET", "/api/v1/kg/88801/profile", ""), 200); p.Legal != nil {
		t.Errorf("%+v", p.Legal)
	}
	none := math.NaN()
	if s := conservation(&landscape.Parcel{VegetatedFraction: float32(none), NDVIMean: float32(none), TreeCanopySqm: none}, protection{known: true}); s.Vegetation != nil || s.NDVI != nil || s.Canopy != nil || *s.Legal != 0 {
		t.Errorf("%+v", s)
	}
}

// over is the service over a world whose index, and files, edit has changed.
func over(t *testing.T, edit func(s store.Store, k *landscape.KG, file string)) http.Handler {
	t.Helper()
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	reg := worldtest.View(t, s).Register()
	k, err := worldtest.Processed(reg)
	if err == nil {
		err = worldtest.AddProcessed(s, reg, k)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := landscape.Encode(k)
	if err != nil {
		t.Fatal(err)
	}
	edit(s, k, keys.Landscape{Code: k.Code(), Date: worldtest.Stichtag, Sum: keys.Sum(body)}.String())
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// named names an index of one processed KG.
func named(t *testing.T, s store.Store, k *landscape.KG, file string) {
	t.Helper()
	x := landscape.NewIndexBuilder()
	err := x.Add(k, file)
	var b []byte
	if err == nil {
		b, err = x.Encode()
	}
	if err == nil {
		key := keys.National{Name: landscape.Artefact, Sum: keys.Sum(b), Ext: "parts"}
		if _, err = s.Put(t.Context(), key.String(), b, store.PutOptions{}); err == nil {
			err = worldtest.Name(s, landscape.Artefact, manifest.Object{Key: key.String(), Bytes: int64(len(b)), SHA256: fmt.Sprintf("%x", sha256.Sum256(b))})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A KG that is newer than the index was not analysed: it is found, with what the cadastre knows.
func TestOlderIndex(t *testing.T) {
	h := over(t, func(s store.Store, k *landscape.KG, file string) { named(t, s, k, file) })
	if got := get(t, h, "/api/v1/query?district=388", 200); strings.Join(got.codes("kg_code"), " ") != "88801 88802 88803" || got.Results[1]["processed"] != false || got.Results[1]["kg_name"] != "Ostdorf" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"query?kg=88802", "kg/88802", "query/parcels?kg=88802", "parcel/88802-1/detail"} {
		get(t, h, "/api/v1/"+path, 200)
	}
	w := worldtest.Ask(h, "GET", "/api/v1/kg/88802/segments", "")
	if got := worldtest.Decode[map[string]any](t, w, 404); got["processed"] != false || got["reason"] != notAnalysed {
		t.Errorf("%s", w.Body)
	}
	get(t, h, "/api/v1/kg/12345", 404)
}

// A parcel that is newer than the analysis of its KG was not analysed.
func TestNewerParcel(t *testing.T) {
	h := over(t, func(s store.Store, k *landscape.KG, _ string) {
		k.Parcels = slices.DeleteFunc(k.Parcels, func(p landscape.Parcel) bool { return p.ID == "88801-6" })
		body, err := landscape.Encode(k)
		if err != nil {
			t.Fatal(err)
		}
		key := keys.Landscape{Code: k.Code(), Date: worldtest.Stichtag, Sum: keys.Sum(body)}
		if _, err := s.Put(t.Context(), key.String(), body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		named(t, s, k, key.String())
	})
	w := worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6", "")
	if got := worldtest.Decode[map[string]any](t, w, 404); got["processed"] != false || got["reason"] != notAnalysed {
		t.Errorf("%s", w.Body)
	}
	d := worldtest.Decode[map[string]any](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	one := worldtest.Decode[map[string]any](t, worldtest.Ask(h, "GET", "/api/v1/query?parcel=88801-6", ""), 200)
	if d["landscape"] != nil || d["cadastre"] == nil || one["parcel"] != nil || one["kg"] == nil {
		t.Errorf("%v, %v", d, one)
	}
	for _, path := range []string{"parcel/88801-77", "parcel/88801-77/detail", "query?parcel=88801-77"} {
		if w := worldtest.Ask(h, "GET", "/api/v1/"+path, ""); w.Code != 404 || strings.Contains(w.Body.String(), notAnalysed) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// An index that is missing or damaged is 503, and no country without an analysed KG.
func TestUnreadIndex(t *testing.T) {
	for name, spoil := range map[string]func(s store.Store, key string) error{
		"missing": func(s store.Store, key string) error { return s.Delete(t.Context(), key) },
		"damaged": func(s store.Store, key string) error {
			_, err := s.Put(t.Context(), key, []byte("damaged"), store.PutOptions{})
			return err
		},
	} {
		h := over(t, func(s store.Store, _ *landscape.KG, _ string) {
			key, _ := worldtest.View(t, s).Artefact(landscape.Artefact)
			if err := spoil(s, key.String()); err != nil {
				t.Fatal(err)
			}
		})
		for _, path := range []string{"query?q=dorf", "kg/88801", "kg/88802/segments", "index/status"} {
			if w := worldtest.Ask(h, "GET", "/api/v1/"+path, ""); w.Code != 503 || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s, %s: %d %s", name, path, w.Code, w.Body)
			}
		}
	}
}

// The community map is named where it told ways, under its licence, and nowhere else.
func TestCredits(t *testing.T) {
	h := over(t, func(s store.Store, _ *landscape.KG, _ string) {
		if err := worldtest.AddMap(s, worldtest.Community()); err != nil {
			t.Fatal(err)
		}
	})
	type signed struct {
		Meta struct {
			License        reply.LicenseObject `json:"license"`
			Infrastructure string              `json:"infrastructure"`
		} `json:"meta"`
	}
	for path, want := range map[string][2]string{ // licence of the answer and of the ways in it
		"kg/88801/infrastructure": {"ODbL 1.0", ""}, "query?top_features=infrastructure": {"ODbL 1.0", ""}, "kg/88801/segments": {"CC BY 4.0", "ODbL 1.0"},
		"query?top_features=objects&type=road": {"CC BY 4.0", "ODbL 1.0"}, "kg/88801/buildings": {"CC BY 4.0", ""}, "query?top_features=trees": {"CC BY 4.0", ""},
	} {
		w := worldtest.Ask(h, "GET", "/api/v1/"+path, "")
		got := worldtest.Decode[signed](t, w, 200).Meta
		named := strings.Contains(got.License.Attribution, "made-up contributors") && strings.Contains(w.Header().Get("X-Data-Attribution"), "made-up contributors")
		if got.License.License != want[0] || got.Infrastructure != want[1] || !strings.Contains(got.License.Attribution, "BEV") || named != (want != [2]string{"CC BY 4.0", ""}) {
			t.Errorf("%s: %v %+v", path, w.Header(), got)
		}
	}
}

// A file that is missing or damaged is 404 with the reason, as docs/absence.md has it; what the cadastre knows is answered.
func TestUnreadFiles(t *testing.T) {
	for reason, spoil := range map[string]func(s store.Store, file string) error{
		"lost": func(s store.Store, file string) error { return s.Delete(t.Context(), file) },
		"damaged": func(s store.Store, file string) error {
			_, err := s.Put(t.Context(), file, []byte("damaged"), store.PutOptions{})
			return err
		},
	} {
		h := over(t, func(s store.Store, _ *landscape.KG, file string) {
			if err := spoil(s, file); err != nil {
				t.Fatal(err)
			}
		})
		for _, path := range []string{"kg/88801/buildings", "kg/88801/segments?type=tree", "kg/88801/layers", "kg/88801/heightfield", "parcel/88801-6"} {
			w := worldtest.Ask(h, "GET", "/api/v1/"+path, "")
			if got := worldtest.Decode[map[string]any](t, w, 404); got["reason"] != reason || got["ready"] != false || got["processed"] != true || w.Header().Get("Retry-After") != "" {
				t.Errorf("%s, %s: %s", reason, path, w.Body)
			}
		}
		w := worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", "")
		if got := worldtest.Decode[map[string]any](t, w, 200); got["landscape"] != nil || got["cadastre"] == nil || w.Header().Get("X-Data-Ready") != "false" {
			t.Errorf("%s: %v %s", reason, w.Header(), w.Body)
		}
		get(t, h, "/api/v1/kg/88801", 200)
	}
}

func TestConservationScore(t *testing.T) {
	none := float32(math.NaN())
	for name, c := range map[string]struct {
		p                   *landscape.Parcel
		legal, inside, near bool
		want                float64
	}{
		"nothing known": {nil, false, false, false, 0}, "law and area": {nil, true, true, true, 50}, "near": {nil, false, false, true, 10},
		"all":     {&landscape.Parcel{VegetatedFraction: 1, NDVIMean: 0.9, TreeCanopySqm: 10_000}, true, true, false, 100},
		"unknown": {&landscape.Parcel{VegetatedFraction: none, NDVIMean: none, TreeCanopySqm: math.NaN()}, false, false, false, 0},
		"large":   {&landscape.Parcel{TreeCanopySqm: 1e9}, false, false, false, 15}, "half": {&landscape.Parcel{VegetatedFraction: 0.5, NDVIMean: 0.4, TreeCanopySqm: 99}, false, false, false, 25},
	} {
		if got := conservation(c.p, protection{true, c.legal, c.inside, c.near}).Score; got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// overlaid is the service over the world with what lies over it.
func overlaid(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := errors.Join(worldtest.PublishOver(s, nil, "88803"), worldtest.AddOver(s, worldtest.Over())); err != nil {
		t.Fatal(err)
	}
	if err := worldtest.AddLandscape(s, worldtest.View(t, s).Register()); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Sites are those of the cadastre: what its own code says of a parcel is counted.
func TestHabitatCount(t *testing.T) {
	h := overlaid(t)
	for query, want := range map[string][3]int{ // parcels, of them processed, KGs
		"sitecode=AT0000001": {9, 9, 1}, "sitecode=AT0000002": {2, 1, 2}, "sitetype=A": {11, 10, 2}, "sitetype=C": {9, 9, 1}, "sitetype=B": {9, 9, 1}, "habitat=moor": {0, 0, 0}, "habitat=forest": {2, 1, 2},
		"sitetype=A&has_buildings=true": {3, 2, 2}, "sitetype=A&state=4": {0, 0, 0}, "sitetype=A&landuse=56": {2, 2, 1}, "sitetype=A&gemeinde=38801": {11, 10, 2}, "sitecode=nowhere": {0, 0, 0},
	} {
		w := worldtest.Ask(h, "GET", "/api/v1/query/habitat_count?breakdown=true&sample=4&"+query, "")
		b := worldtest.Decode[habitatBody](t, w, 200)
		kgs, states := 0, 0
		for _, k := range b.ByKG {
			kgs += k.Cadastre
		}
		for _, st := range b.ByState {
			states += st.Cadastre
		}
		if b.Cadastre != want[0] || b.Processed != want[1] || b.KGs != want[2] || b.Unprocessed != want[0]-want[1] || kgs != want[0] || states != want[0] || len(b.Parcels) != min(4, want[0]) || b.Truncated != (want[0] > 4) {
			t.Errorf("%s: want %v: %s", query, want, w.Body)
		}
	}
	get(t, h, "/api/v1/query/habitat_count?state=3", 400)
	get(t, h, "/api/v1/query/habitat_count?sitetype=D", 400)
	d := worldtest.Decode[detailBody](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if *d.Conservation.Area != 10 || len(*d.Areas) != 1 || len(*d.Legal) != 0 { // its centroid lies on the border of the hole
		t.Errorf("%+v", d)
	}
	d = worldtest.Decode[detailBody](t, worldtest.Ask(h, "GET", "/api/v1/parcel/88801-1/detail", ""), 200)
	if *d.Conservation.Legal != 30 || *d.Conservation.Area != 10 || len(*d.Legal) != 1 || *(*d.Legal)[0].Parcel != "1" {
		t.Errorf("%+v", d)
	}
}
