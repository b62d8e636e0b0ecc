package segment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/membudget"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// What lies on four squares is one segment, of its type and area; together segments have the area, without gap or overlap.
func TestSegmentsOfKnownLand(t *testing.T) {
	h := over(t, world(t, true, true))
	got := ask(t, h, "/api/v1/segment?include_cadastre=false", rect(-150, -150, 150, 150))
	if got.Type != "FeatureCollection" || got.Meta.Dataset == nil || *got.Meta.Dataset != "20240915" || got.Meta.Earlier == nil ||
		*got.Meta.Earlier != "20220915" || got.Meta.Ortho == nil ||
		got.Meta.Coverage != 1 || got.Meta.Found != 1 || got.Meta.Methods["watershed"] != 4 || len(got.Meta.Gradient) != 4 ||
		got.Meta.Model != nil || got.Meta.Mask != "none" {
		t.Errorf("%+v", got.Meta)
	}
	total, drawn, ids := 0.0, 0.0, map[any]bool{}
	byType := map[string]float64{}
	for _, f := range got.Features {
		area := f.Properties["area_sqm"].(float64)
		total += area
		outline := areaOf(f.Geometry.Coordinates)
		drawn += outline
		if f.Geometry.Type != "MultiPolygon" || math.Abs(outline-area) > 0.15*area {
			t.Errorf("%v: a %s of %.1f m²", f.Properties, f.Geometry.Type, outline)
		}
		if len(f.Properties) != 56 || f.ID != f.Properties["segment_id"] || ids[f.ID] { // 55 and the name
			t.Fatalf("%v: %d properties: %v", f.ID, len(f.Properties), f.Properties)
		}
		ids[f.ID] = true
		byType[f.Properties["type"].(string)] += area
	}
	if total != 90_000 || math.Abs(drawn-total) > 2 {
		t.Errorf("segments have %.0f m², their outlines %.1f", total, drawn)
	}
	for _, k := range things {
		want := (k.east - k.west) * (k.north - k.south)
		if math.Abs(byType[k.name]-want) > 0.06*want {
			t.Errorf("%s: %.0f m², expected about %.0f; %v", k.name, byType[k.name], want, byType)
		}
	}
	whole := 0
	for _, f := range got.Features {
		if f.Properties["type"] == "roof" {
			whole++
			if a := f.Properties["area_sqm"].(float64); math.Abs(a-2400) > 130 || f.Properties["height_mean_m"].(float64) < 6.5 {
				t.Errorf("the hall: %v", f.Properties)
			}
		}
	}
	if whole != 1 {
		t.Errorf("the hall is %d segments", whole)
	}
}

// Each parameter does what it is named for, and each that the endpoint declares is tried. The part of the land to the north-east of
// the corner lies in one square.
func TestParameters(t *testing.T) {
	s := world(t, true, true)
	x, y := corner()
	if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.LandCover, Date: "2021-01-01",
		Box: raster.Box{West: x, South: y, East: x + 300,
			North: y + 300}, Samples: func(float64, float64) []uint8 { return []uint8{30} }}); err != nil {
		t.Fatal(err)
	}
	h := over(t, s)
	area := rect(2, 2, 148, 148)
	base := ask(t, h, "/api/v1/segment", area)
	n := len(base.Features)
	missing := func(a answer) string { return strings.Join(a.Meta.Missing, " ") }
	first := func(a answer) map[string]any { return a.Features[0].Properties }
	only := func(a answer, allowed ...string) bool {
		for _, f := range a.Features {
			if !slices.Contains(allowed, f.Properties["type"].(string)) {
				return false
			}
		}
		return len(a.Features) > 0 && len(a.Features) < n && a.Summary["tree"] == base.Summary["tree"]
	}
	cases := map[string]func(a answer) bool{ // each is false of the base
		"min_object_size=400": func(a answer) bool { return len(a.Features) < n },
		"rag_threshold=0":     func(a answer) bool { return len(a.Features) > n },
		"types=tree,roof":     func(a answer) bool { return only(a, "tree", "roof") },
		"groups=forest":       func(a answer) bool { return only(a, "tree", "shrub", "hedge") },
		"dataset=20220915":    func(a answer) bool { return *a.Meta.Dataset == "20220915" && a.Meta.Earlier == nil },
		"include_ortho=false": func(a answer) bool {
			return a.Meta.Ortho == nil && len(a.Meta.Gradient) == 2 && first(a)["ndvi_mean"] == nil
		},
		"include_temporal=false": func(a answer) bool {
			return a.Meta.Earlier == nil && first(a)["height_change"] == nil && first(a)["temporal_stability"] == nil
		},
		"include_copernicus=false": func(a answer) bool { return missing(a) == "forest" && first(a)["landcover_prior"] == nil },
		"include_hansen=false":     func(a answer) bool { return missing(a) == "ndvi sar" },
		"explain=true": func(a answer) bool {
			p := first(a)
			return len(p) == 61 && p["rule"] != "" && p["rules_type"] == p["type"]
		},
		"fields=type,area_sqm": func(a answer) bool { return len(first(a)) == 2 },
	}
	tried := map[string]string{"felz_scale": "TestSegmentsWithoutHeights", "include_cadastre": "TestFootprintsAndWays",
		"async": "tasks", "task_id": "tasks", "listed": "tasks"}
	for target, check := range cases {
		name, _, _ := strings.Cut(target, "=")
		tried[name] = target
		if check(base) {
			t.Errorf("%s: what is looked for is there without it", name)
		}
		if got := ask(t, h, "/api/v1/segment?"+target, area); !check(got) {
			t.Errorf("%s: %d segments of %d, %+v", target, len(got.Features), n, got.Meta)
		}
	}
	declared, err := New(Deps{}).Endpoints[0].Inputs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range declared {
		if !p.Common && tried[p.Name] == "" {
			t.Errorf("nothing tries %s", p.Name)
		}
	}
	if missing(base) != "ndvi sar forest" || first(base)["landcover_prior"] != "grass" {
		t.Errorf("missing: %v, %v", base.Meta.Missing, first(base))
	}
	for target, want := range map[string]string{"types=house": "types", "groups=woods": "groups", "dataset=20210101": "dataset",
		"min_object_size=0": "min_object_size", "felz_scale=x": "felz_scale",
		"task_id=12345678": "async"} {
		if w := fixture.Ask(h, "POST", "/api/v1/segment?"+target, area); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s", target, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(h, "POST", "/api/v1/segment", rect(5000, 5000, 5100, 5100)); w.Code != 404 {
		t.Errorf("where nothing is known: %d %.300s", w.Code, w.Body)
	}
}

// watched notes at each write of an answer whether a budget is free.
type watched struct {
	*httptest.ResponseRecorder
	free  func() bool
	early bool
}

func (w *watched) Write(b []byte) (int, error) {
	w.early = w.early || w.free()
	return w.ResponseRecorder.Write(b)
}

// What segments take of the memory is given back when they are written, and not before; also where there are none.
func TestMemoryIsHeldUntilTheAnswerIsWritten(t *testing.T) {
	lib, err := fixture.Open(world(t, true, false))
	if err != nil {
		t.Fatal(err)
	}
	b := membudget.New(1 << 30)
	gone, leave := context.WithCancel(t.Context())
	leave()
	free := func() bool {
		release, err := b.Take(gone, b.Total())
		if err == nil {
			release()
		}
		return err == nil
	}
	h := fixture.Handler(t, New(Deps{Library: lib, Memory: b}))
	for query, status := range map[string]int{"": 200, "?format=gpkg": 200, "?format=csv&types=crop": 200, "?dataset=20990101": 400} {
		w := &watched{ResponseRecorder: httptest.NewRecorder(), free: free}
		h.ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/segment"+query, strings.NewReader(rect(20, 20, 60, 60))))
		if w.Code != status || w.early != (status != 200) || !free() {
			t.Errorf("%s: %d; free while it is written %v, afterwards %v", query, w.Code, w.early, free())
		}
	}
}

// The earlier scan is the one before that reaches into the area: scans of elsewhere do not count, however old.
func TestTheScanBefore(t *testing.T) {
	s := world(t, true, false)
	x, y := corner()
	for _, m := range []struct {
		date string
		at   float64 // metres to the east
	}{{"2020-09-15", 0}, {"2018-09-15", 4000}, {"2023-09-15", 4000}} {
		box := raster.Box{West: x + m.at, South: y, East: x + m.at + 200, North: y + 200}
		if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: m.date, Box: box, Height: ground},
			fixture.Raster{Layer: rasters.DSM, Date: m.date, Box: box, Height: top}); err != nil {
			t.Fatal(err)
		}
	}
	h := over(t, s)
	for query, want := range map[string]string{"": "20220915", "?dataset=20220915": "20200915", "?dataset=20200915": "",
		"?include_temporal=false": ""} {
		got := ask(t, h, "/api/v1/segment"+query, rect(20, 20, 60, 60)).Meta
		missing := strings.Contains(strings.Join(got.Missing, " "), "earlier_scan")
		if (got.Earlier == nil) != (want == "") || want != "" && *got.Earlier != want || missing != (query == "?dataset=20200915") {
			t.Errorf("%s: compared with %v, want %q; missing %v", query, got.Earlier, want, got.Missing)
		}
	}
}

// Where heights are missing colours divide the land, and the answer says so.
func TestSegmentsWithoutHeights(t *testing.T) {
	h := over(t, world(t, false, true))
	area := rect(2, 2, 148, 148)
	got := ask(t, h, "/api/v1/segment", area)
	if got.Meta.Dataset != nil || got.Meta.Methods["felzenszwalb"] != 1 || got.Meta.Methods["watershed"] != 0 ||
		len(got.Meta.Warnings) < 2 || got.Meta.Found != 1 {
		t.Errorf("%+v", got.Meta)
	}
	largest, meadows := 0.0, 146*146-40*58-28*18-30*118.0
	for _, f := range got.Features {
		largest = max(largest, f.Properties["area_sqm"].(float64))
		if f.Properties["height_mean_m"] != nil {
			t.Errorf("%v", f.Properties)
		}
	}
	if largest < 0.8*meadows || len(got.Features) > 40 {
		t.Errorf("%d segments, the largest has %.0f m², the meadow %.0f", len(got.Features), largest, meadows)
	}
	var many [2]int
	for i, scale := range []string{"1", "1000"} {
		many[i] = len(ask(t, h, "/api/v1/segment?min_object_size=1&felz_scale="+scale, area).Features)
	}
	if many[0] <= many[1] {
		t.Errorf("a small scale gives %d segments, a large one %d", many[0], many[1])
	}
}

// The forms hold the same segments: a GeoPackage has outlines in EPSG:3035 with 55 properties and points in degrees with 54.
func TestForms(t *testing.T) {
	h := over(t, world(t, true, true))
	area := rect(2, 2, 148, 148)
	n := len(ask(t, h, "/api/v1/segment", area).Features)
	get := func(form string) string {
		w := fixture.Ask(h, "POST", "/api/v1/segment?format="+form, area)
		if w.Code != 200 {
			t.Fatalf("%s: %d %.300s", form, w.Code, w.Body)
		}
		return w.Body.String()
	}
	if got := strings.Count(get("csv"), "\r\n"); got != n+1 {
		t.Errorf("CSV has %d lines, %d segments", got, n)
	}
	if got := get("kml"); strings.Count(got, "<Placemark>") != n || !strings.Contains(got, "CC BY 4.0") {
		t.Errorf("KML has %d placemarks, %d segments", strings.Count(got, "<Placemark>"), n)
	}
	file := filepath.Join(t.TempDir(), "s.gpkg")
	if err := os.WriteFile(file, []byte(get("gpkg")), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := func(query string) (k int) {
		if err := db.QueryRow(query).Scan(&k); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return k
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM segments": n, "SELECT count(*) FROM segment_points": n, "SELECT count(*) FROM layer_styles": 2,
		// key and geometry beside
		"SELECT count(*) FROM pragma_table_info('segments')": 57, "SELECT count(*) FROM pragma_table_info('segment_points')": 56,
		"SELECT srs_id FROM gpkg_geometry_columns WHERE table_name='segments' AND geometry_type_name='MULTIPOLYGON'": 3035,
		"SELECT srs_id FROM gpkg_geometry_columns WHERE table_name='segment_points' AND geometry_type_name='POINT'":  4326,
		"SELECT CAST(sum(area_sqm) AS INTEGER) FROM segment_points":                                                  146 * 146,
	} {
		if got := count(query); got != want {
			t.Errorf("%s: %d, expected %d", query, got, want)
		}
	}
}

// A footprint bounds segments although heights do not end there, roads are told by the community map, and the answer says
// what the cadastre could not tell.
func TestFootprintsAndWays(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddMap(s, fixture.Community()); err != nil {
		t.Fatal(err)
	}
	x, y := fixture.Plane(0.5, 0.5) // a building of Westdorf, in the middle of the road
	x, y = math.Floor(x), math.Floor(y)
	square := raster.Box{West: x - 60, South: y - 60, East: x + 60, North: y + 60}
	flat := func(float64, float64) float64 { return 700 }
	hall := func(px, py float64) float64 {
		if math.Abs(px-x) < 25 && math.Abs(py-y) < 25 {
			return 706
		}
		return 700
	}
	photo := fixture.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: square, Samples: func(px, py float64) []uint8 {
		if hall(px, py) > 700 {
			return []uint8{150, 145, 140, 140}
		}
		_, lat := crs.LAEA.Inverse(px, py)
		if math.Abs(lat-fixture.At(0.5, 0.5).Lat())*111_200 < 4 {
			return []uint8{124, 124, 127, 118}
		}
		return meadow[:]
	}}
	if err := errors.Join(fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: square, Height: hall}), fixture.AddBytes(s, photo)); err != nil {
		t.Fatal(err)
	}
	area := fmt.Sprintf(`{"type":"Polygon","coordinates":[[%s]]}`, func() string {
		var all []string
		for _, d := range [5][2]float64{{-55, -55}, {55, -55}, {55, 55}, {-55, 55}, {-55, -55}} {
			lon, lat := crs.LAEA.Inverse(x+d[0], y+d[1])
			all = append(all, fmt.Sprintf("[%.9f,%.9f]", lon, lat))
		}
		return strings.Join(all, ",")
	}())
	h := over(t, s)
	with, without := ask(t, h, "/api/v1/segment", area), ask(t, h, "/api/v1/segment?include_cadastre=false", area)
	inside := 0
	for _, f := range with.Features {
		if f.Properties["type"] == "roof" && math.Abs(f.Properties["area_sqm"].(float64)-334) < 40 {
			inside++
		}
	}
	infra := 0
	for _, f := range without.Features {
		if f.Properties["classifier_source"] == "infra" && f.Properties["type"] == "road" {
			infra++
		}
		if a := f.Properties["area_sqm"].(float64); f.Properties["type"] == "roof" && math.Abs(a-334) < 40 {
			t.Errorf("without the cadastre a roof has %.0f m²", a)
		}
	}
	if inside != 1 || infra == 0 || with.Meta.Mask != "partial" || without.Meta.Mask != "none" || with.Meta.Infrastructure == nil ||
		*with.Meta.Infrastructure != "ODbL 1.0" {
		t.Errorf("%d roofs in the footprint, %d roads by the map, %+v", inside, infra, with.Meta)
	}
}
