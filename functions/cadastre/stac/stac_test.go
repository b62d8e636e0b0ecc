package stac

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

const home = "https://land.example/cadastre"

// earlier is a snapshot of KG 88801 of an earlier date, without its last parcel and its buildings.
func earlier(date string) *kgfile.Snapshot {
	s := *fixture.Snapshots()[1]
	s.Build.Stichtag = date
	s.Parcels = slices.Clone(s.Parcels[:len(s.Parcels)-1])
	for i := range s.Parcels {
		p := &s.Parcels[i]
		p.BuildingCount, p.FootprintCount, p.BuildingAreaSqm, p.FAR = 0, 0, 0, 0
	}
	s.Buildings, s.Footprints = nil, nil
	s.KG.ParcelCount, s.KG.BuildingCount, s.KG.FootprintCount = len(s.Parcels), 0, 0
	s.Folios = kgfile.Folios(s.Parcels)
	return &s
}

// world serves the made-up world: 00804 and 88802 with one snapshot, 88801 with three, 88803 without any.
func world(t testing.TB) (http.Handler, store.Store) {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishPast(s, fixture.Snapshots(), []*kgfile.Snapshot{earlier("2025-10-01"), earlier("2026-04-01")},
		"88803"); err != nil {
		t.Fatal(err)
	}
	return over(t, s), s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	d := core.Deps{Library: lib, BaseURL: home}
	return fixture.Handler(t, d.Service("test", "test", Endpoints(d)))
}

type object = map[string]any

// ask gives a JSON answer.
func ask(t testing.TB, h http.Handler, method, path, body string, status int) (object, http.Header) {
	t.Helper()
	w := fixture.Ask(h, method, path, body, "Content-Type", "application/json")
	if w.Code != status {
		t.Fatalf("%s %s %s: %d, want %d\n%.500s", method, path, body, w.Code, status, w.Body)
	}
	var o object
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		t.Fatalf("%s: %v\n%.300s", path, err, w.Body)
	}
	return o, w.Header()
}

func get(t testing.TB, h http.Handler, path string) object {
	t.Helper()
	o, _ := ask(t, h, "GET", path, "", 200)
	return o
}

// linked are the links of a relation.
func linked(o object, rel string) (list []object) {
	for _, l := range o["links"].([]any) {
		if l := l.(object); l["rel"] == rel {
			list = append(list, l)
		}
	}
	return list
}

// local is where a link leads within the service.
func local(t testing.TB, l object) string {
	t.Helper()
	path, ok := strings.CutPrefix(l["href"].(string), home)
	if !ok {
		t.Fatalf("link %v leads elsewhere", l)
	}
	return path
}

func ids(o object) []string {
	list := []string{}
	for _, f := range o["features"].([]any) {
		list = append(list, f.(object)["id"].(string))
	}
	return list
}

var all = []string{"00804-2026-10-01", "88801-2026-10-01", "88801-2026-04-01", "88801-2025-10-01", "88802-2026-10-01"}

// TestTheCatalogue follows the links from the landing page to every item, and holds each object to the tables of the
// standard (STAC 1.1.0 and STAC API 1.0.0).
func TestTheCatalogue(t *testing.T) {
	h, _ := world(t)
	root, header := ask(t, h, "GET", "/stac", "", 200)
	if root["type"] != "Catalog" || root["stac_version"] != "1.1.0" || root["id"] == "" || root["description"] == "" ||
		header.Get("Content-Type") != "application/json" {
		t.Errorf("landing page %v, %v", root, header)
	}
	for rel, media := range map[string]string{"self": "application/json", "root": "application/json", "data": "application/json",
		"conformance": "application/json", "child": "application/json",
		"service-desc": "application/vnd.oai.openapi+json;version=3.1", "service-doc": "text/html", "search": "application/geo+json"} {
		list := linked(root, rel)
		if len(list) == 0 || list[0]["type"] != media {
			t.Errorf("link %s: %v, want %s", rel, list, media)
		}
	}
	methods := []any{}
	for _, l := range linked(root, "search") {
		methods = append(methods, l["method"])
	}
	if fmt.Sprint(methods) != "[GET POST]" {
		t.Errorf("searches by %v", methods)
	}
	if c := get(t, h, local(t, linked(root, "conformance")[0])); fmt.Sprint(c["conformsTo"]) != fmt.Sprint(root["conformsTo"]) ||
		!slices.Contains(c["conformsTo"].([]any), any("https://api.stacspec.org/v1.0.0/item-search")) {
		t.Errorf("classes %v", c)
	}
	collections := get(t, h, local(t, linked(root, "data")[0]))
	alone := get(t, h, local(t, linked(root, "child")[0]))
	if list := collections["collections"].([]any); len(list) != 1 || fmt.Sprint(list[0]) != fmt.Sprint(alone) {
		t.Errorf("the list has another collection than its own address:\n%v\n%v", list, alone)
	}
	checkCollection(t, alone)
	items, header := ask(t, h, "GET", local(t, linked(alone, "items")[0]), "", 200)
	if header.Get("Content-Type") != "application/geo+json" || items["type"] != "FeatureCollection" || items["numberReturned"] != 5.0 {
		t.Errorf("items %v, %v", header, items["numberReturned"])
	}
	if got := ids(items); !slices.Equal(got, all) {
		t.Errorf("items %v, want %v", got, all)
	}
	for _, f := range items["features"].([]any) {
		f := f.(object)
		checkItem(t, f)
		one, header := ask(t, h, "GET", local(t, linked(f, "self")[0]), "", 200)
		if fmt.Sprint(one) != fmt.Sprint(f) || header.Get("Content-Type") != "application/geo+json" {
			t.Errorf("%v differs from itself in the list", f["id"])
		}
	}
}

func checkCollection(t *testing.T, c object) {
	t.Helper()
	if c["type"] != "Collection" || c["stac_version"] != "1.1.0" || c["id"] != "kg-snapshots" || c["license"] != "CC-BY-4.0" ||
		c["description"] == "" || c["attribution"] != "© BEV, 2026, modified" {
		t.Errorf("collection %v", c)
	}
	for _, rel := range []string{"self", "root", "parent", "items", "license"} {
		if len(linked(c, rel)) != 1 {
			t.Errorf("the collection has no link %s", rel)
		}
	}
	e := c["extent"].(object)
	box := e["spatial"].(object)["bbox"].([]any)[0].([]any)
	if interval := e["temporal"].(object)["interval"].([]any)[0].([]any); len(interval) != 2 || interval[0] != nil ||
		interval[1] != "2026-10-01T00:00:00Z" || len(box) != 4 || box[0].(float64) >= box[2].(float64) {
		t.Errorf("extent %v", e)
	}
	for _, p := range c["providers"].([]any) {
		p := p.(object)
		for _, role := range p["roles"].([]any) {
			if !slices.Contains([]any{"licensor", "producer", "processor", "host"}, role) {
				t.Errorf("role %v of %v", role, p["name"])
			}
		}
	}
	if s := c["summaries"].(object); fmt.Sprint(s["parcel_count"]) != "map[maximum:17 minimum:4]" {
		t.Errorf("summaries %v", s)
	}
	for _, name := range []string{"geojson", "geopackage", "geoparquet", "pmtiles", "kgs"} {
		a, ok := c["item_assets"].(object)[name].(object)
		if !ok || a["type"] == "" || a["title"] == "" || a["href"] != nil {
			t.Errorf("item_assets.%s: %v", name, a)
		}
	}
}

var multihashed = regexp.MustCompile(`^1220[0-9a-f]{64}$`)

// checkItem holds an item to the tables of the item specification and of the extensions that it names.
func checkItem(t *testing.T, f object) {
	t.Helper()
	p := f["properties"].(object)
	id := f["id"].(string)
	at, err := time.Parse(time.RFC3339, p["datetime"].(string))
	if f["type"] != "Feature" || f["stac_version"] != "1.1.0" || f["collection"] != "kg-snapshots" || err != nil ||
		id != fmt.Sprintf("%s-%s", p["kg_code"], at.Format(time.DateOnly)) {
		t.Errorf("%s: %v %v", id, f["type"], p)
	}
	if p["version"] != at.Format(time.DateOnly) || p["title"] == "" || p["kg_name"] == "" || p["parcel_count"].(float64) < 4 ||
		p["license"] != "CC-BY-4.0" {
		t.Errorf("%s: properties %v", id, p)
	}
	if len(f["stac_extensions"].([]any)) != 3 {
		t.Errorf("%s: extensions %v", id, f["stac_extensions"])
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	var walk func(v []any)
	walk = func(v []any) {
		if x, ok := v[0].(float64); ok {
			for i, c := range []float64{x, v[1].(float64)} {
				lo[i], hi[i] = min(lo[i], c), max(hi[i], c)
			}
			return
		}
		for _, e := range v {
			walk(e.([]any))
		}
	}
	walk(f["geometry"].(object)["coordinates"].([]any))
	if got := fmt.Sprint(f["bbox"]); got != fmt.Sprint([]any{lo[0], lo[1], hi[0], hi[1]}) {
		t.Errorf("%s: bbox %s, geometry %v %v", id, got, lo, hi)
	}
	for _, rel := range []string{"self", "root", "parent", "collection"} {
		if list := linked(f, rel); len(list) != 1 || rel == "self" && list[0]["type"] != "application/geo+json" ||
			rel != "self" && list[0]["type"] != "application/json" {
			t.Errorf("%s: link %s: %v", id, rel, list)
		}
	}
	for name, a := range f["assets"].(object) {
		a := a.(object)
		if a["href"] == "" || a["type"] == "" || len(a["roles"].([]any)) == 0 || a["title"] == "" {
			t.Errorf("%s: asset %s %v", id, name, a)
		}
		if href := a["href"].(string); strings.HasPrefix(href, "https://land.example/artefacts/kg/") {
			if a["file:size"].(float64) < 100 || !multihashed.MatchString(a["file:checksum"].(string)) {
				t.Errorf("%s: file %s %v", id, name, a)
			}
		} else if !strings.HasPrefix(href, home+"/api/v1/export/") || a["file:size"] != nil {
			t.Errorf("%s: asset %s %v", id, name, a)
		}
	}
}

// TestVersions: each snapshot leads to those beside it and to the served one, which alone has all files.
func TestVersions(t *testing.T) {
	h, _ := world(t)
	for id, want := range map[string][3]string{ // predecessor, successor, assets
		"88801-2026-10-01": {"88801-2026-04-01", "", "geojson geopackage geoparquet kgs pmtiles"},
		"88801-2026-04-01": {"88801-2025-10-01", "88801-2026-10-01", "geojson geopackage kgs"},
		"88801-2025-10-01": {"", "88801-2026-04-01", "geojson geopackage kgs"},
	} {
		f := get(t, h, "/stac/collections/kg-snapshots/items/"+id)
		for i, rel := range []string{"predecessor-version", "successor-version"} {
			got := ""
			if list := linked(f, rel); len(list) > 0 {
				got = list[0]["href"].(string)
				got = got[strings.LastIndex(got, "/")+1:]
			}
			if got != want[i] {
				t.Errorf("%s: %s %q, want %q", id, rel, got, want[i])
			}
		}
		if l := linked(f, "latest-version"); len(l) != 1 || !strings.HasSuffix(l[0]["href"].(string), "/88801-2026-10-01") {
			t.Errorf("%s: latest %v", id, l)
		}
		names := []string{}
		for name := range f["assets"].(object) {
			names = append(names, name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want[2] {
			t.Errorf("%s: assets %s, want %s", id, got, want[2])
		}
		if latest := f["properties"].(object)["is_latest"]; latest != (id == "88801-2026-10-01") {
			t.Errorf("%s: is_latest %v", id, latest)
		}
	}
	if f := get(t, h, "/stac/collections/kg-snapshots/items/88801-2025-10-01"); f["properties"].(object)["parcel_count"] != 16.0 {
		t.Errorf("the earlier snapshot has %v parcels", f["properties"])
	}
	for _, id := range []string{"88803-2026-10-01", "88801-2026-10-02", "88801", "nothing", "88801-2026-10-01-x", "801-2026-10-01",
		"99999-2026-10-01"} {
		ask(t, h, "GET", "/stac/collections/kg-snapshots/items/"+id, "", 404)
	}
	for _, path := range []string{"/stac/collections/others", "/stac/collections/others/items",
		"/stac/collections/others/items/88801-2026-10-01"} {
		ask(t, h, "GET", path, "", 404)
	}
}

func box(x0, y0, x1, y1 float64) string {
	lo, hi := fixture.At(x0, y0), fixture.At(x1, y1)
	return fmt.Sprintf("%.7f,%.7f,%.7f,%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
}

// TestSearch: each condition by GET and by POST.
func TestSearch(t *testing.T) {
	h, _ := world(t)
	ring := func(x0, y0, x1, y1 float64) string {
		a, b := fixture.At(x0, y0), fixture.At(x1, y1)
		return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]f,%[2]f],[%[3]f,%[2]f],[%[3]f,%[4]f],[%[1]f,%[4]f],[%[1]f,%[2]f]]]}`,
			a.Lon(), a.Lat(), b.Lon(), b.Lat())
	}
	point := func(x, y float64) string {
		return fmt.Sprintf(`{"type":"Point","coordinates":[%f,%f]}`, fixture.At(x, y).Lon(), fixture.At(x, y).Lat())
	}
	cases := []struct {
		name, get, post string
		want            []string
	}{
		{"all", "", `{}`, all},
		{"nothing given", "", `{"bbox":null,"ids":[],"collections":[],"intersects":null,"datetime":null}`, all},
		{"a box in the west", "bbox=" + box(1, 1, 2, 2), `{"bbox":[` + box(1, 1, 2, 2) + `]}`, all[1:4]},
		{"six numbers", "bbox=15.001,48.001,0,15.002,48.002,9000", `{"bbox":[15.001,48.001,0,15.002,48.002,9000]}`, all[1:4]},
		{"a box along the border", "bbox=" + box(4, 1, 5, 2), `{"bbox":[` + box(4, 1, 5, 2) + `]}`, all[1:]},
		{"a box elsewhere", "bbox=100,0,105,1", `{"bbox":[100,0,105,1]}`, nil},
		{"across the antimeridian", "bbox=170,40,16,50", `{"bbox":[170,40,16,50]}`, all},
		{"a polygon in the east", "intersects=" + url.QueryEscape(ring(5, 1, 6, 2)), `{"intersects":` + ring(5, 1, 6, 2) + `}`, all[4:]},
		{"a point", "intersects=" + url.QueryEscape(point(41, 1)), `{"intersects":` + point(41, 1) + `}`, all[:1]},
		{"a day", "datetime=2026-04-01T00:00:00Z", `{"datetime":"2026-04-01T00:00:00Z"}`, all[2:3]},
		{"the day in another zone", "datetime=2026-04-01T02:00:00%2B02:00", `{"datetime":"2026-04-01T02:00:00+02:00"}`, all[2:3]},
		{"an instant later", "datetime=2026-04-01T00:00:01Z", `{"datetime":"2026-04-01T00:00:01Z"}`, nil},
		{"an interval", "datetime=2025-10-01T00:00:00Z/2026-09-30t23:59:59z", `{"datetime":"2025-10-01T00:00:00Z/2026-09-30t23:59:59z"}`,
			all[2:4]},
		{"since", "datetime=2026-10-01T00:00:00Z/..", `{"datetime":"2026-10-01T00:00:00Z/"}`, []string{all[0], all[1], all[4]}},
		{"until", "datetime=/2026-04-01T00:00:00Z", `{"datetime":"../2026-04-01T00:00:00Z"}`, all[2:4]},
		{"ids", "ids=" + all[4] + "," + all[2] + ",nothing", `{"ids":["` + all[4] + `","` + all[2] + `","nothing"]}`,
			[]string{all[2], all[4]}},
		{"ids of nothing", "ids=nothing", `{"ids":["nothing"]}`, nil},
		{"ids and a box", "ids=" + all[0] + "," + all[2] + "&bbox=" + box(1, 1, 2, 2),
			`{"ids":["` + all[0] + `","` + all[2] + `"],"bbox":[` + box(1, 1, 2, 2) + `]}`, all[2:3]},
		{"the collection", "collections=kg-snapshots,others", `{"collections":["others","kg-snapshots"]}`, all},
		{"another collection", "collections=others", `{"collections":["others"]}`, nil},
		{"a limit above the greatest", "limit=1000000", `{"limit":1000000}`, all},
	}
	for _, c := range cases {
		byGET := get(t, h, "/stac/search?"+c.get)
		byPOST, _ := ask(t, h, "POST", "/stac/search", c.post, 200)
		if got := ids(byGET); !slices.Equal(got, c.want) {
			t.Errorf("%s by GET: %v, want %v", c.name, got, c.want)
		}
		if got := ids(byPOST); !slices.Equal(got, c.want) {
			t.Errorf("%s by POST: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWalking: pages of each length bring each item once, by the links alone.
func TestWalking(t *testing.T) {
	h, _ := world(t)
	for limit := 1; limit <= 6; limit++ {
		for _, start := range []string{"/stac/search", "/stac/collections/kg-snapshots/items"} {
			var seen []string
			for next := fmt.Sprintf("%s?limit=%d&bbox=14,47,16,49", start, limit); next != ""; {
				o := get(t, h, next)
				seen = append(seen, ids(o)...)
				if len(ids(o)) == 0 || len(seen) > len(all) {
					t.Fatalf("%s of %d: the walk does not end", start, limit)
				}
				if next = ""; len(linked(o, "next")) > 0 {
					next = local(t, linked(o, "next")[0])
				}
			}
			if !slices.Equal(seen, all) {
				t.Errorf("%s of %d: %v", start, limit, seen)
			}
		}
		var seen []string
		for body := fmt.Sprintf(`{"limit":%d,"collections":["kg-snapshots"],"intersects":{"type":"Polygon","coordinates":[[[14,47],[16,47],[16,49],[14,49],[14,47]]]}}`, limit); body != ""; {
			o, _ := ask(t, h, "POST", "/stac/search", body, 200)
			seen = append(seen, ids(o)...)
			if body = ""; len(linked(o, "next")) > 0 {
				l := linked(o, "next")[0]
				b, _ := json.Marshal(l["body"])
				if body = string(b); l["method"] != "POST" || l["merge"] != nil {
					t.Fatalf("next %v", l)
				}
			}
		}
		if !slices.Equal(seen, all) {
			t.Errorf("POST of %d: %v", limit, seen)
		}
	}
}

func TestBadSearches(t *testing.T) {
	h, _ := world(t)
	for _, query := range []string{"limit=0", "limit=-1", "limit=x", "bbox=1,2,3", "bbox=[1,2,3,4]", "bbox=1,2,3,4,5", "bbox=1,2,3,4,5,6,7",
		"bbox=100,1,105,0", "bbox=-181,0,0,0", "bbox=1,2,3,NaN",
		"bbox=0,0,1,1&intersects=" + url.QueryEscape(`{"type":"Point","coordinates":[15,48]}`),
		"intersects=x", "intersects=" + url.QueryEscape(`{"type":"Point"}`), "cursor=x", "cursor=88801", "datetime=/", "datetime=../..",
		"datetime=/..", "datetime=2026-10-01", "datetime=2026-10-01T00:00:00", "datetime=2026-10-01T00:00:00%2B0100",
		"datetime=1990-12-31T23:59:61Z", "datetime=1985-04-12T23:20:50,52Z", "datetime=1985-04-12T23:20:50.Z",
		"datetime=2026-01-02T00:00:00Z/2026-01-01T00:00:00Z", "datetime=/2026-01-02T00:00:00Z/2026-01-03T00:00:00Z", "colour=red", "ids="} {
		if o, _ := ask(t, h, "GET", "/stac/search?"+query, "", 400); o["error"] == "" {
			t.Errorf("%s: %v", query, o)
		}
	}
	for _, body := range []string{``, `[]`, `{`, `{"limit":0}`, `{"limit":1.5}`, `{"limit":"1"}`, `{"bbox":"0,0,1,1"}`, `{"bbox":[0]}`,
		`{"bbox":[0,0,1,1,1,1,1]}`, `{"bbox":[null,0,1,1]}`, `{"bbox":[100,1,105,0]}`,
		`{"bbox":[0,0,1,1],"intersects":{"type":"Point","coordinates":[15,48]}}`,
		`{"intersects":{"type":"Polygon","coordinates":[[[15,48],[15.1,48.1],[15.1,48],[15,48.1],[15,48]]]}}`, `{"ids":"88801-2026-10-01"}`,
		`{"ids":[1]}`, `{"collections":{}}`, `{"datetime":"2026"}`, `{"datetime":1}`, `{"cursor":"x"}`, `{"limit":1,"limit":2}`,
		`{"colour":"red"}`, `{} {}`} {
		if o, _ := ask(t, h, "POST", "/stac/search", body, 400); o["error"] == "" {
			t.Errorf("%s: %v", body, o)
		}
	}
	if w := fixture.Ask(h, "POST", "/stac/search", "limit=1", "Content-Type", "text/csv"); w.Code != 415 {
		t.Errorf("a body of another type: %d", w.Code)
	}
	many, _ := json.Marshal(map[string]any{"ids": make([]string, maxIDs+1)})
	ask(t, h, "POST", "/stac/search", string(many), 413)
}

// TestMissingFiles: a KG whose files were deleted is said to be so, and nobody keeps that answer.
func TestMissingFiles(t *testing.T) {
	h, s := world(t)
	const path = "/stac/collections/kg-snapshots/items/88802-2026-10-01"
	w := fixture.Ask(h, "GET", path, "")
	tag := w.Header().Get("ETag")
	if tag == "" || strings.Contains(w.Body.String(), `"ready"`) {
		t.Fatalf("%v %s", w.Header(), w.Body)
	}
	if w := fixture.Ask(h, "GET", path, "", "If-None-Match", tag); w.Code != 304 {
		t.Errorf("the same again: %d", w.Code)
	}
	var o object
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	href := o["assets"].(object)["kgs"].(object)["href"].(string)
	if err := s.Delete(t.Context(), strings.TrimPrefix(href, "https://land.example/artefacts/")); err != nil {
		t.Fatal(err)
	}
	w = fixture.Ask(over(t, s), "GET", path, "")
	if w.Code != 200 || w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" ||
		!strings.Contains(w.Body.String(), `"ready":false`) {
		t.Errorf("%d %v\n%s", w.Code, w.Header(), w.Body)
	}
}

// TestAStoreThatFails: what cannot be read is no empty catalogue.
func TestAStoreThatFails(t *testing.T) {
	_, s := world(t)
	f := &fixture.Failing{Store: s}
	f.Left.Store(1 << 20)
	h := over(t, f)
	f.Left.Store(0)
	for _, path := range []string{"/stac/search", "/stac/collections/kg-snapshots/items",
		"/stac/collections/kg-snapshots/items/88801-2025-10-01"} {
		if w := fixture.Ask(h, "GET", path, ""); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
}
