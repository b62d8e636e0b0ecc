package export

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// serve makes the family over a store, with a clock that stands still.
func serve(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Deps: core.Deps{Library: lib, Version: "test", Now: fixture.Now}}))
}

// world is the test world without stored forms; 88803 is cold.
func world(t testing.TB) http.Handler {
	t.Helper()
	s := fixture.Store(t)
	return serve(t, s)
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", "/api/v1/export/"+target, "", header...)
}

type oneFeature struct {
	Type       string
	ID         string
	Geometry   struct{ Type string }
	Properties map[string]any
}

type collection struct {
	Type     string
	Features []oneFeature
	Meta     map[string]any
}

func read[T any](t testing.TB, w *httptest.ResponseRecorder) (v T) {
	t.Helper()
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	return v
}

func TestOneLayerIsACollection(t *testing.T) {
	w := get(world(t), "geojson?kg=88801")
	c := read[collection](t, w)
	if got := w.Header().Get("Content-Type"); got != "application/geo+json" || c.Type != "FeatureCollection" || len(c.Features) != 17 {
		t.Fatalf("%s, %s of %d features, want application/geo+json of 17 parcels", got, c.Type, len(c.Features))
	}
	six := c.Features[slices.IndexFunc(c.Features, func(f oneFeature) bool { return f.ID == "88801-.6/1" })]
	if six.Geometry.Type != "Polygon" || six.Properties["status"] != "G" {
		t.Errorf("parcel .6/1 is %+v", six)
	}
	for name, want := range map[string]string{
		"landuse_summary":     `{"41":1,"52":2}`,
		"buildings_on_parcel": `"building_id":"8880102-001"`,
		"landuse_on_parcel":   `"code":83`,
	} {
		b, _ := json.Marshal(six.Properties[name])
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is %s, want %s in it", name, b, want)
		}
	}
	if got := c.Meta["assembly_versions"].(map[string]any)["88801"]; got != "tile_partition_v1" || c.Meta["ready"] != true ||
		c.Meta["features"].(map[string]any)["parcels"] != 17.0 || !strings.Contains(c.Meta["license"].(string), "BEV, 2026") {
		t.Errorf("meta is %v", c.Meta)
	}
}

func TestSeveralLayersAreAnObject(t *testing.T) {
	w := get(world(t), "geojson?kg=88801,88802&layers=buildings,parcels,building_footprints,labels,landuse,landuse_polygons,landuse_points")
	all := read[map[string]json.RawMessage](t, w)
	want := map[string]int{"buildings": 4, "parcels": 34, "building_footprints": 3, "labels": 0, "landuse": 0, "landuse_polygons": 0,
		"landuse_points": 0}
	for l, n := range want {
		var c collection
		if err := json.Unmarshal(all[l], &c); err != nil || c.Type != "FeatureCollection" || len(c.Features) != n {
			t.Errorf("layer %s: %v, %d features, want %d", l, err, len(c.Features), n)
		}
	}
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("media type %s", got)
	}
}

func TestGeometryLeftOutIsThePoint(t *testing.T) {
	c := read[collection](t, get(world(t), "geojson?kg=88801&include_geometry=false&layers=building_footprints"))
	for _, f := range c.Features {
		if f.Geometry.Type != "Point" {
			t.Errorf("%s is a %s", f.ID, f.Geometry.Type)
		}
	}
	if len(c.Features) != 2 {
		t.Errorf("%d features, want 2", len(c.Features))
	}
}

func TestAreas(t *testing.T) {
	h := world(t)
	for query, want := range map[string]string{
		"kg=88802,804":                       "00804 88802",
		"kg=88802&kg=804":                    "00804 88802",
		"kg=88801,88801":                     "88801",
		"gemeinde=Gemeinde%2038801":          "88801 88802",
		"gemeinde=gemeinde-38801":            "88801 88802",
		"gemeinde=38801":                     "88801 88802",
		"gemeinde_code=48804":                "00804",
		"district=Bezirk%20388":              "88801 88802",
		"district=388":                       "88801 88802",
		"state=3":                            "88801 88802",
		"state=Niederoesterreich":            "88801 88802",
		"state=NIEDER%C3%96STERREICH&kg=804": "",
		"kg=88801,804&state=4":               "00804",
	} {
		c := read[collection](t, get(h, "geojson?layers=buildings&"+query))
		var got []string
		for _, code := range c.Meta["kg_codes"].([]any) {
			got = append(got, code.(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s gives %v, want %s", query, got, want)
		}
	}
}

func TestBadRequests(t *testing.T) {
	h := world(t)
	for query, want := range map[string]struct {
		status int
		holds  string
	}{
		"":                            {400, "at least one of kg, gemeinde, gemeinde_code, district, state, plz"},
		"kg=":                         {400, "kg"},
		"kg=abc":                      {400, "kg"},
		"kg=77777":                    {404, "77777"},
		"gemeinde=Gemeinde%2038811":   {404, "did you mean Gemeinde 38801?"},
		"gemeinde_code=99999":         {404, "gemeinde_code"},
		"district=x":                  {404, "district"},
		"district=999":                {404, "district"},
		"state=0":                     {400, "its code 1 to 9"},
		"state=Steiermrk":             {404, "did you mean Steiermark?"},
		"plz=1":                       {400, "plz"},
		"plz=9999":                    {404, "plz"},
		"kg=88801&layers=road":        {400, "layers"},
		"kg=88801&fields=nothing":     {400, "fields"},
		"kg=88801&limit=5":            {400, "limit"},
		"kg=88801&callback=a%28":      {400, "callback"},
		"kg=88801&include_geometry=x": {400, "include_geometry"},
		"kg=88801&version=yesterday":  {400, "version"},
		"kg=88801%252F1":              {400, "kg"},
	} {
		if w := get(h, "geojson?"+query); w.Code != want.status || !strings.Contains(w.Body.String(), want.holds) {
			t.Errorf("%q: %d %s, want %d with %q", query, w.Code, w.Body, want.status, want.holds)
		}
	}
}

// TestGeoJSONIsAFile: a browser saves it under a name with its ending, stored or written; a script (JSONP) is not a file.
func TestGeoJSONIsAFile(t *testing.T) {
	s, packed := mem.New(), new(bytes.Buffer)
	z := gzip.NewWriter(packed)
	if _, err := z.Write([]byte("{}")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if err := fixture.PublishForms(s, fixture.Snapshots(), fixture.Bodies{"88801": {keys.GeoJSON: packed.Bytes()}}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	for _, c := range []struct{ query, coding, want string }{
		{"kg=88801", "gzip", "88801-2026-10-01.geojson"}, {"kg=88801", "identity", "88801-2026-10-01.geojson"},
		{"kg=88801&layers=parcels,buildings", "gzip", "88801-2026-10-01.json"}, {"kg=88801,88802", "gzip", "cadastre-export.geojson"},
		{"gemeinde_code=38801", "gzip", "cadastre-export.geojson"}, {"kg=88801&callback=f", "gzip", ""},
	} {
		want := c.want
		if want != "" {
			want = `attachment; filename="` + want + `"`
		}
		if w := get(h, "geojson?"+c.query, "Accept-Encoding", c.coding); w.Code != 200 || w.Header().Get("Content-Disposition") != want {
			t.Errorf("%s, %s: %d %q, want %q", c.query, c.coding, w.Code, w.Header().Get("Content-Disposition"), want)
		}
	}
}

// A cold KG is left out and named; the answer is not kept.
func TestColdKGs(t *testing.T) {
	h := world(t)
	w := get(h, "geojson?kg=88801,88803")
	c := read[collection](t, w)
	if len(c.Features) != 17 || c.Meta["ready"] != false || c.Meta["kgs_unavailable"].([]any)[0] != "88803" {
		t.Errorf("%d features, meta %v", len(c.Features), c.Meta)
	}
	if w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", w.Header())
	}
	if w := get(h, "gpkg?kg=88803"); w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("ETag") != "" {
		t.Errorf("GeoPackage of a cold KG: %d %v", w.Code, w.Header())
	}
}

// 50 KGs are an answer, 51 are refused with parts that are answers.
func TestLimits(t *testing.T) {
	s := mem.New()
	many := fixture.Many(51)
	if err := fixture.Publish(s, many); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	var codes []string
	for _, snap := range many {
		codes = append(codes, string(snap.KG.Code))
	}
	slices.Sort(codes)
	for _, path := range []string{"geojson", "gpkg"} {
		if w := get(h, path+"?kg="+strings.Join(codes[:50], ",")); w.Code != 200 {
			t.Errorf("%s of 50 KGs: %d %s", path, w.Code, w.Body)
		}
		w := get(h, path+"?kg="+strings.Join(codes, ","))
		var refused struct {
			Error string
			Split []string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != 413 ||
			!strings.Contains(refused.Error, "at most 50 KGs") {
			t.Fatalf("%s of 51 KGs: %d %v %s", path, w.Code, err, w.Body)
		}
		if want := []string{"kg=" + strings.Join(codes[:50], ","), "kg=" + codes[50]}; !slices.Equal(refused.Split, want) {
			t.Errorf("split is %v, want %v", refused.Split, want)
		}
	}
}

// sized is a register of KGs with snapshots of these lengths.
func sized(t *testing.T, bytes map[austria.KGCode]int64) *register.Register {
	t.Helper()
	c := register.Contents{Stichtag: fixture.Stichtag, ToleranceM: 5}
	for _, code := range slices.Sorted(maps.Keys(bytes)) {
		k := register.KG{KG: kgfile.KG{Code: code, GemeindeCode: "10101"}, DistrictCode: "101"}
		if bytes[code] > 0 {
			k.Snapshot = register.Object{Key: keys.Snapshot{Code: code, Date: fixture.Stichtag, Sum: "0123456789abcdef",
				Form: keys.KGS}.String(), Date: fixture.Stichtag, Bytes: bytes[code]}
		}
		c.KGs = append(c.KGs, k)
	}
	body, err := register.Encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// What is estimated above 200 MB is split by size, and a single KG of too many layers by layer.
func TestLimitOfSize(t *testing.T) {
	reg := sized(t, map[austria.KGCode]int64{"01001": 8 << 20, "01002": 5 << 20, "01003": 3 << 20, "01004": 0})
	e := estimate{20}
	if err := e.check(reg, []austria.KGCode{"01001"}, inAnswer); err != nil {
		t.Errorf("160 MB are refused: %v", err)
	}
	parts, size := e.split(reg, []austria.KGCode{"01001", "01002", "01003", "01004"}, inAnswer)
	if want := []string{"kg=01001", "kg=01002,01003,01004"}; !slices.Equal(parts, want) || size != 320<<20 {
		t.Errorf("split is %v of %d bytes, want %v of %d", parts, size, want, 320<<20)
	}
	for message, large := range map[string]estimate{"fields= and include_geometry=false": {30}, "one layer at a time": {20, 10}} {
		if err := large.check(reg, []austria.KGCode{"01001"}, inAnswer); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("240 MB of one KG: %v, want %q", err, message)
		}
	}
}

// The stored form is the answer for one KG that nothing changes, byte by byte.
func TestStoredForms(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, `{"type":"FeatureCollection","meta":{},"features":[]}`)
	z.Close()
	stored := map[keys.Form][]byte{keys.GeoJSON: packed.Bytes(), keys.GeoPackage: []byte("SQLite format 3\x00 and the rest of it")}
	s := mem.New()
	if err := fixture.PublishForms(s, fixture.Snapshots(), fixture.Bodies{"88801": stored}, "88803"); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s)
	for _, c := range []struct {
		path, encoding string
		header         []string
		body           []byte
	}{
		{"geojson", "gzip", []string{"Accept-Encoding", "br, gzip"}, stored[keys.GeoJSON]},
		{"geojson", "gzip", []string{"Accept-Encoding", "zstd, gzip;q=0.5"}, stored[keys.GeoJSON]},
		{"gpkg", "", nil, stored[keys.GeoPackage]},
	} {
		for _, query := range []string{"?kg=88801", "?kg=88801&version=" + fixture.Stichtag} {
			w := get(h, c.path+query, c.header...)
			tag := w.Header().Get("ETag")
			if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), c.body) || w.Header().Get("Content-Encoding") != c.encoding || tag == "" {
				t.Fatalf("%s%s: %d %v %q", c.path, query, w.Code, w.Header(), w.Body)
			}
			if w := get(h, c.path+query, append(c.header, "If-None-Match", tag)...); w.Code != 304 {
				t.Errorf("%s%s with its ETag: %d", c.path, query, w.Code)
			}
			w = get(h, c.path+query, append(c.header, "Range", "bytes=4-9", "If-Range", tag)...)
			if w.Code != 206 || !bytes.Equal(w.Body.Bytes(), c.body[4:10]) {
				t.Errorf("%s%s: range gives %d %q", c.path, query, w.Code, w.Body)
			}
			if w := get(h, c.path+query, append(c.header, "Range", "bytes=999999-")...); w.Code != 416 {
				t.Errorf("%s%s: a range behind the end gives %d", c.path, query, w.Code)
			}
		}
	}
	for _, query := range []string{"kg=88801&fields=gnr", "kg=88801&crs=31287", "kg=88801&pretty=1", "kg=88801&callback=f",
		"kg=88801&include_geometry=false",
		"kg=88801&layers=parcels,labels", "kg=88801,88802", "kg=88802"} {
		if w := get(h, "geojson?"+query, "Accept-Encoding", "gzip"); w.Code != 200 || bytes.Equal(w.Body.Bytes(), stored[keys.GeoJSON]) ||
			w.Header().Get("ETag") == "" {
			t.Errorf("%s is answered from the store: %d %v", query, w.Code, w.Header())
		}
	}
	for _, coding := range []string{"", "identity", "zstd", "gzip;q=0"} {
		if w := get(h, "geojson?kg=88801", "Accept-Encoding", coding); w.Header().Get("Content-Encoding") == "gzip" {
			t.Errorf("Accept-Encoding %q gets gzip", coding)
		}
	}
}

// A stored form that the store has lost is written anew.
func TestLostForms(t *testing.T) {
	s := mem.New()
	body := []byte("not read any more")
	if err := fixture.PublishForms(s, fixture.Snapshots(), fixture.Bodies{"88801": {keys.GeoJSON: body}}, "88803"); err != nil {
		t.Fatal(err)
	}
	key := keys.Snapshot{Code: "88801", Date: fixture.Stichtag, Sum: keys.Sum(body), Form: keys.GeoJSON}.String()
	if err := s.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	w := get(serve(t, s), "geojson?kg=88801", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	var c collection
	if err := json.NewDecoder(z).Decode(&c); err != nil || len(c.Features) != 17 {
		t.Errorf("%v, %d features", err, len(c.Features))
	}
}

// Before the first snapshot there is nothing, and the answer says so.
func TestVersion(t *testing.T) {
	w := get(world(t), "geojson?kg=88801&version=2025-01-01")
	c := read[collection](t, w)
	if len(c.Features) != 0 || c.Meta["kgs_without_version"].([]any)[0] != "88801" || c.Meta["version"] != "2025-01-01" ||
		w.Header().Get("X-Data-Version") != "2025-01-01" {
		t.Errorf("%d features, meta %v", len(c.Features), c.Meta)
	}
}
