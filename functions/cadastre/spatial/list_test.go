package spatial

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// ring writes rings in cells as a GeoJSON polygon.
func polygonJSON(rings ...geom.Ring) string {
	var c [][][2]float64
	for _, r := range rings {
		var line [][2]float64
		for _, p := range append(slices.Clone(r), r[0]) {
			line = append(line, [2]float64{p.Lon(), p.Lat()})
		}
		c = append(c, line)
	}
	b, _ := json.Marshal(map[string]any{"type": "Polygon", "coordinates": c})
	return string(b)
}

func TestBox(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ name, query, want string }{
		{"cuts four parcels of the corner", cells(0.5, 0.5, 1.1, 1.1), "88801-1 88801-2 88801-5 88801-6"},
		{"touching is not enough", cells(1, 2, 2, 3), "88801-10"},
		{"aliases", strings.NewReplacer("west", "minlon", "south", "minlat", "east", "maxlon", "north",
			"maxlat").Replace(cells(1, 2, 2, 3)), "88801-10"},
		{"order of axes free", "north=48.003&west=15.001&east=15.002&south=48.002", "88801-10"},
		{"across the border of two KGs, by KG code", cells(3.5, 2.1, 4.5, 2.2), "88801-12 88802-9"},
		{"within", cells(0, 0, 2.5, 1) + "&relation=within", "88801-1 88801-2"},
		{"buffer in metres: 100 m are more than one cell of 75 by 111 m east, less than one north",
			cells(1.2, 0.2, 1.8, 0.8) + "&buffer=20", "88801-1 88801-2 88801-3"},
		{"inside the hole lies the parcel that fills it", cells(1.4, 1.4, 1.6, 1.6), "88801-.6/1"},
		{"over the hole both", cells(1.2, 1.2, 1.8, 1.8), "88801-6 88801-.6/1"},
		{"the part that lies apart", cells(6.2, 6.2, 6.8, 6.8), "88801-16"},
		{"a parcel without area stands for its position", cells(5.4, 2.4, 5.6, 2.6), "88802-10 88802-99"},
		{"land use by code", cells(0, 0, 4, 1) + "&landuse=56", "88801-3"},
		{"land use by abbreviation", cells(0, 0, 4, 1) + "&landuse=W", "88801-3"},
		{"land use among areas", cells(1, 1, 2, 2) + "&landuse=83", "88801-.6/1"},
		{"min_area", cells(0, 0, 4, 1) + "&min_area=8003", "88801-3 88801-4"},
		{"max_area", cells(0, 0, 4, 1) + "&max_area=8002", "88801-1 88801-2"},
		{"has_buildings", cells(0, 0, 8, 2) + "&has_buildings=true", "88801-1 88801-.6/1 88802-1"},
		{"without buildings", cells(0, 0, 2, 1) + "&has_buildings=no", "88801-2"},
		{"limit", cells(0, 0, 4, 1) + "&limit=2", "88801-1 88801-2"},
		{"offset", cells(0, 0, 4, 1) + "&limit=2&offset=3", "88801-4"},
		{"offset behind the end", cells(0, 0, 4, 1) + "&offset=99", ""},
		{"nothing there", cells(20, 20, 21, 21), ""},
		{"far from Austria", "west=2&south=48&east=3&north=49", ""},
		{"unpadded code comes padded", cells(40, 0, 41, 1), "00804-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := getList(t, h, "/api/v1/spatial/bbox?"+c.query)
			if got := l.ids("parcel_id"); got != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
			if l.Data == nil {
				t.Error("data is null")
			}
		})
	}
}

func TestBoxLayers(t *testing.T) {
	h := world(t)
	l := getList(t, h, "/api/v1/spatial/bbox?"+cells(0, 0.1, 8, 2)+"&layers=buildings,kg,parcel&limit=5")
	var got []string
	for _, r := range l.Data {
		got = append(got, fmt.Sprint(r["_layer"], " ", r["building_id"], r["parcel_id"], r["kg_code"]))
	}
	want := "building 8880101-00188801-188801|building 8880102-00188801-.6/188801|building 8880201-00188802-188802|kg <nil> <nil>88801|kg <nil> <nil>88802"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("layers in the order asked:\nwant %s\ngot  %s", want, s)
	}
	if l.total() != 3+2+17 {
		t.Errorf("want a total over all layers of 22, got %d", l.total())
	}
	for _, r := range l.Data[:3] {
		if _, ok := r["geometry"]; ok {
			t.Error("address points come without geometry")
		}
	}
	for _, f := range []string{"_layer", "building_id", "kg_code", "gemeinde_code", "house_number", "street", "postal_code", "ort",
		"full_address", "object_type", "lon", "lat", "parcel_id", "ez"} {
		if _, ok := l.Data[0][f]; !ok {
			t.Errorf("a building row has no %s", f)
		}
	}
}

func TestStrayAddressPoint(t *testing.T) {
	h := world(t)
	for _, path := range []string{"bbox?layers=buildings&" + cells(8.1, 0.1, 8.6, 0.9),
		"point?layers=buildings&radius=20&" + lonlat(8.4, 0.5)} {
		l := getList(t, h, "/api/v1/spatial/"+path)
		if l.ids("building_id") != "8880202-001" || l.Data[0]["parcel_id"] != nil || l.Data[0]["ez"] != nil {
			t.Errorf("%s: got %v", path, l.Data)
		}
	}
}

func TestAttrsOnly(t *testing.T) {
	h := world(t)
	l := getList(t, h, "/api/v1/spatial/bbox?"+cells(0.2, 0.2, 0.4, 0.4)+"&attrs_only=true")
	if _, ok := l.Data[0]["geometry"]; ok || l.Data[0]["lon"] != 15.0005 {
		t.Errorf("want the centroid alone, got %v", l.Data[0])
	}
	w := call(h, "GET", "/api/v1/spatial/bbox?"+cells(0.2, 0.2, 0.4, 0.4)+"&attrs_only=1&format=geojson", "")
	if !strings.Contains(w.Body.String(), `"geometry":{"type":"Point","coordinates":[15.0005000,48.0005000]}`) {
		t.Errorf("want a centroid in GeoJSON, got %s", w.Body)
	}
}

func TestColdKGsAreSaid(t *testing.T) {
	h := world(t)
	w := call(h, "GET", "/api/v1/spatial/bbox?"+cells(0.5, -0.5, 0.6, 0.5), "")
	l := readList(t, w)
	if l.ids("parcel_id") != "88801-1" || l.Meta["ready"] != false ||
		fmt.Sprint(l.Meta["kgs_warming"], l.Meta["kgs_unavailable"]) != "[] [88803]" {
		t.Errorf("got %v %v", l.ids("parcel_id"), l.Meta)
	}
	if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("a partial answer can be cached: %v", w.Header())
	}
	box := polygonJSON(fixture.Rect(0.5, -0.5, 0.6, 0.5))
	for _, c := range []struct{ method, path, body string }{
		{"GET", "spatial/bbox?" + cells(0.5, -0.5, 0.6, 0.5), ""}, {"GET", "spatial/point?radius=500&" + lonlat(0.5, 0.5), ""},
		{"GET", "spatial/parcels?" + cells(0.5, -0.5, 0.6, 0.5), ""}, {"GET", "spatial/footprints?" + cells(0.5, -0.5, 0.6, 0.5), ""},
		{"GET", "parcels/geometry/batch?ids=88801-1,88803-1", ""}, {"POST", "footprints/geometry/batch?", `["88803_fp_1"]`},
		{"POST", "spatial/polygon?", box},
		{"POST", "spatial/polygon", `{"polygons":[` + box + `]}`}, {"POST", "spatial/point", pointsBodyOf(fixture.At(0.5, -0.5))},
		{"POST", "spatial/points", pointsBodyOf(fixture.At(0.5, -0.5))},
	} {
		paths := []string{c.path}
		if strings.Contains(c.path, "?") {
			paths = nil
			for _, f := range format.WithShapefile(format.AllFormats(), listedKinds) {
				paths = append(paths, c.path+"&format="+string(f))
			}
		}
		for _, p := range paths {
			for _, method := range []string{c.method, strings.Replace(c.method, "GET", "HEAD", 1)} {
				w := call(h, method, "/api/v1/"+p, c.body)
				if w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%s %s: %d, does not say that it is partial: %v", method, p, w.Code, w.Header())
				}
				if !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "X-Data-Ready") {
					t.Error("scripts of other origins cannot read X-Data-Ready")
				}
			}
		}
	}
	for _, p := range []string{"spatial/bbox?format=csv&" + cells(0.5, 0.1, 0.6, 0.5),
		"spatial/kgs?format=csv&" + cells(0.5, -0.5, 0.6, 0.5)} {
		if w := call(h, "GET", "/api/v1/"+p, ""); w.Code != 200 || w.Header()["X-Data-Ready"] != nil {
			t.Errorf("%s: %d, nothing is missing: %v", p, w.Code, w.Header())
		}
	}
	if l := getList(t, h, "/api/v1/spatial/bbox?"+cells(0.5, 0.1, 0.6, 0.5)); l.Meta["ready"] != true ||
		fmt.Sprint(l.Meta["kgs_warming"]) != "[]" {
		t.Errorf("got %v", l.Meta)
	}
}

func TestPolygon(t *testing.T) {
	h := world(t)
	triangle := geom.Ring{fixture.At(0, 0), fixture.At(2, 0), fixture.At(0, 2)}
	around := fixture.Rect(0.5, 0.5, 3.5, 3.5)
	for _, c := range []struct{ name, polygon, query, want string }{
		{"the polygon of a parcel finds that parcel", polygonJSON(fixture.Rect(0, 2, 1, 3)), "", "88801-9"},
		{"cut by the border", polygonJSON(triangle), "", "88801-1 88801-2 88801-5"},
		{"within", polygonJSON(triangle), "&relation=within", "88801-1"},
		{"with a hole", polygonJSON(around, fixture.Rect(1, 1, 3, 3)), "&relation=intersects",
			"88801-1 88801-2 88801-3 88801-4 88801-5 88801-8 88801-9 88801-12 88801-13 88801-14 88801-15 88801-16"},
		{"holed parcel within", polygonJSON(fixture.Rect(1, 1, 2, 2)), "&relation=within", "88801-6 88801-.6/1"},
		{"clockwise and open ring", `{"type":"Polygon","coordinates":[[[15.000,48.002],[15.000,48.003],[15.001,48.003],[15.001,48.002]]]}`,
			"", "88801-9"},
		{"buffer", polygonJSON(fixture.Rect(0.3, 2.3, 0.7, 2.7)), "&buffer=30", "88801-9 88801-10"},
		{"buffer reaches north too", polygonJSON(fixture.Rect(0.3, 2.3, 0.7, 2.7)), "&buffer=40", "88801-5 88801-9 88801-10 88801-13"},
		{"layer in the singular", polygonJSON(fixture.Rect(0, 0, 1, 1)), "&layer=parcel", "88801-1"},
		{"address points", polygonJSON(fixture.Rect(0, 0, 8, 1)), "&layer=building", "88801-1 88802-1"},
		{"filters", polygonJSON(fixture.Rect(0, 0, 4, 4)), "&landuse=56&min_area=8010", "88801-12 88801-15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := getList(t, h, "/api/v1/spatial/polygon?geojson="+url.QueryEscape(c.polygon)+c.query)
			if got := l.ids("parcel_id"); got != c.want {
				t.Errorf("GET: want %s, got %s", c.want, got)
			}
			for _, body := range []string{c.polygon, `{"properties":{"name":"x"},"geometry":` + c.polygon + `,"type":"Feature"}`} {
				l := readList(t, call(h, "POST", "/api/v1/spatial/polygon?"+strings.TrimPrefix(c.query, "&"), body))
				if got := l.ids("parcel_id"); got != c.want {
					t.Errorf("POST: want %s, got %s", c.want, got)
				}
			}
		})
	}
}

func TestPolygonBatch(t *testing.T) {
	h := world(t)
	a, b := polygonJSON(fixture.Rect(0, 0, 1, 1)), polygonJSON(fixture.Rect(4.2, 0.2, 4.8, 0.8))
	type answer struct {
		Results []struct {
			ID                 any
			Parcels, Buildings []map[string]any
		}
		Meta map[string]any
	}
	ask := func(body string) (a answer) {
		t.Helper()
		w := call(h, "POST", "/api/v1/spatial/polygon", body, "Accept", "application/geo+json") // it has but one form
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
			t.Fatalf("%d %v %s", w.Code, err, w.Body)
		}
		return a
	}
	feature := func(p, props string) string {
		return `{"type":"Feature","properties":` + props + `,"geometry":` + p + `}`
	}
	got := ask(`{"type":"FeatureCollection","features":[` + feature(a, `{"fid":3,"ID":"big","id":"west"}`) + `,` + feature(b, `{"fid":3}`) +
		`,` + feature(a, `null`) + `],"layers":["parcels","buildings"]}`)
	if len(got.Results) != 3 || got.Results[0].ID != "west" || got.Results[1].ID != 3.0 || got.Results[2].ID != 2.0 {
		t.Errorf("ids: got %+v", got.Results)
	}
	if p := got.Results[0]; len(p.Parcels) != 1 || p.Parcels[0]["parcel_id"] != "88801-1" || len(p.Buildings) != 1 ||
		p.Buildings[0]["building_id"] != "8880101-001" {
		t.Errorf("first polygon: got %v", p)
	}
	if got.Meta["polygon_count"] != 3.0 || got.Meta["total_features"] != 6.0 || fmt.Sprint(got.Meta["layers"]) != "[parcels buildings]" {
		t.Errorf("meta: got %v", got.Meta)
	}
	got = ask(`{"polygons":[` + a + `,` + polygonJSON(fixture.Rect(20, 20, 21, 21)) + `]}`)
	if got.Results[0].Buildings != nil || got.Results[1].Parcels == nil || len(got.Results[1].Parcels) != 0 {
		t.Errorf("only asked layers appear, empty ones as empty arrays: got %+v", got.Results)
	}
}

// A file can leave the store while the register still names it: every endpoint then says so.
func TestFilesThatAreGoneAreSaid(t *testing.T) {
	s, v := worldView(t)
	if err := s.Delete(t.Context(), v.Register().KG("88801").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	loads := serve(t, s, library.Options{Warmup: func(austria.KGCode) {}})
	h := serve(t, s, library.Options{})
	area := polygonJSON(fixture.Rect(0.2, 0.2, 0.8, 0.8))
	at := fixture.At(0.5, 0.5)
	point := fmt.Sprintf(`{"points":[{"lon":%f,"lat":%f}],"radius":1}`, at.Lon(), at.Lat())
	for _, c := range []struct{ method, target, body string }{
		{"GET", "/api/v1/spatial/bbox?" + cells(0.2, 0.2, 0.8, 0.8), ""},
		{"GET", "/api/v1/spatial/parcels?" + cells(0.2, 0.2, 0.8, 0.8), ""},
		{"POST", "/api/v1/spatial/polygon", area},
		{"POST", "/api/v1/spatial/polygon", `{"polygons":[` + area + `]}`},
		{"POST", "/api/v1/spatial/point", point},
		{"POST", "/api/v1/parcels/geometry/batch", `{"ids":["88801-1"]}`},
	} {
		for want, h := range map[string]http.Handler{"[] [88801]": h, "[88801] []": loads} {
			w := call(h, c.method, c.target, c.body)
			var l struct{ Meta map[string]any }
			if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil || w.Code != 200 {
				t.Fatalf("%s %s: %d %v %s", c.method, c.target, w.Code, err, w.Body)
			}
			if l.Meta["ready"] != false || fmt.Sprint(l.Meta["kgs_warming"], l.Meta["kgs_unavailable"]) != want {
				t.Errorf("%s %s %.60s: want KG 88801 missing as %s, got %v", c.method, c.target, c.body, want, l.Meta)
			}
		}
	}
}

func TestKGs(t *testing.T) {
	h := world(t)
	type answer struct {
		Data struct {
			Codes []string `json:"kg_codes"`
			KGs   []map[string]any
			BBox  []float64
		}
		Meta map[string]any
	}
	diagonal := geom.Ring{fixture.At(0, 8), fixture.At(8, 0.5), fixture.At(8, 8)}
	for _, c := range []struct{ name, method, query, body, want string }{
		{"box", "GET", cells(3.5, 1, 4.5, 2), "", "88801 88802"},
		{"bounding boxes: that of 88801 reaches to its part that lies apart", "GET", cells(4, 0, 8, 4), "", "88801 88802"},
		{"exact: outlines, touching is not enough", "GET", cells(4, 0, 8, 4) + "&exact=true", "", "88802"},
		{"buffer", "GET", cells(4.5, 1, 5, 2) + "&buffer=50&exact=1", "", "88801 88802"},
		{"box and polygon", "GET", cells(0, -4, 8, 4) + "&exact=1&geojson=" + url.QueryEscape(polygonJSON(fixture.Rect(5, 1, 6, 2))), "",
			"88802"},
		{"polygon", "POST", "exact=1", polygonJSON(diagonal), "88801 88802"},
		{"polygon inside a KG", "POST", "", polygonJSON(fixture.Rect(1, 1, 2, 2)), "88801"},
		{"polygon around everything", "POST", "", polygonJSON(fixture.Rect(-10, -10, 60, 10)), "00804 88801 88802 88803"},
		{"page", "POST", "limit=2&offset=1", polygonJSON(fixture.Rect(-10, -10, 60, 10)), "88801 88802"},
		{"nothing", "GET", cells(20, 20, 21, 21), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := call(h, c.method, "/api/v1/spatial/kgs?"+c.query, c.body)
			var a answer
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
				t.Fatalf("%d %v %s", w.Code, err, w.Body)
			}
			if got := strings.Join(a.Data.Codes, " "); got != c.want || len(a.Data.KGs) != len(a.Data.Codes) || a.Data.KGs == nil ||
				len(a.Data.BBox) != 4 {
				t.Errorf("want %q, got %q, %d rows, bbox %v", c.want, got, len(a.Data.KGs), a.Data.BBox)
			}
		})
	}
}

func TestViewport(t *testing.T) {
	h := world(t)
	w := call(h, "GET", "/api/v1/spatial/parcels?"+cells(3.5, 0.5, 4.5, 0.6), "")
	l := readList(t, w)
	if got := l.ids("parcel_id"); got != "88801-4 88802-1" || l.Meta["ready"] != true ||
		!strings.HasSuffix(w.Body.String(), `"ready":true}`+"\n") {
		t.Errorf("got %s %v", got, l.Meta)
	}
	g, _ := l.Data[0]["geometry"].(map[string]any)
	if g["type"] != "Polygon" {
		t.Errorf("rows come with polygons, got %v", l.Data[0])
	}
	l = getList(t, h, "/api/v1/spatial/parcels?"+cells(3.5, 0.5, 4.5, 0.6)+"&geometry=0")
	if _, ok := l.Data[0]["geometry"]; ok {
		t.Error("geometry=0 leaves the polygons out")
	}
	for path, id := range map[string]string{"parcels": `"parcel_id":"88801-4"`, "footprints": `"footprint_id":"88801_fp_1"`} {
		for _, f := range []string{"json", "geojson", "geojsonseq", "ndjson", "csv"} {
			w := call(h, "GET", "/api/v1/spatial/"+path+"?"+cells(0, 0, 8, 4)+"&geometry=0&format="+f, "")
			body := w.Body.String()
			if w.Code != 200 || w.Header().Get("Content-Crs") != "" || strings.Contains(body, "coordinates") ||
				strings.Contains(body, "POLYGON") {
				t.Errorf("%s as %s has coordinates: %d %v %.300s", path, f, w.Code, w.Header(), body)
			}
			if f != "csv" && !strings.Contains(body, id) || strings.HasPrefix(f, "geojson") && !strings.Contains(body, `"geometry":null`) {
				t.Errorf("%s as %s: %.300s", path, f, body)
			}
		}
	}
	l = getList(t, h, "/api/v1/spatial/footprints?"+cells(0, -1, 8, 4)+"&limit=20000")
	if got := l.ids("footprint_id"); got != "88801_fp_1 88801_fp_2 88802_fp_1" || l.Meta["ready"] != false {
		t.Errorf("got %s %v", got, l.Meta)
	}
}

func TestGeometryBatch(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ name, path, get, post, field, want, missing, pending string }{
		{"parcels", "/api/v1/parcels/geometry/batch", "88802-2,88801-16,88801-.6%2F1,88801-16,88801-999,12345-1,88803-1,804-1",
			`{"ids":["88802-2","88801-16","88801-.6/1","88801-16","88801-999","12345-1","88803-1","804-1"]}`,
			"parcel_id", "00804-1 88801-16 88801-.6/1 88802-2", "[12345-1 88801-999]", "[88803-1]"},
		{"footprints", "/api/v1/footprints/geometry/batch", "88802_fp_1,88801_fp_2,88801_fp_9,88803_fp_1",
			`["88802_fp_1","88801_fp_2","88801_fp_9","88803_fp_1"]`,
			"footprint_id", "88801_fp_2 88802_fp_1", "[88801_fp_9]", "[88803_fp_1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, w := range []list{getList(t, h, c.path+"?ids="+c.get), readList(t, call(h, "POST", c.path, c.post))} {
				if got := w.ids(c.field); got != c.want || fmt.Sprint(w.Meta["not_found"]) != c.missing ||
					fmt.Sprint(w.Meta["pending_ids"]) != c.pending || w.Meta["ready"] != false {
					t.Errorf("got %s, meta %v", got, w.Meta)
				}
				if w.Data[0]["geometry"] == nil {
					t.Error("rows come with polygons")
				}
			}
		})
	}
	l := getList(t, h, "/api/v1/parcels/geometry/batch?ids=88801-16")
	g, _ := l.Data[0]["geometry"].(map[string]any)
	if g["type"] != "MultiPolygon" || l.Meta["ready"] != true {
		t.Errorf("a parcel keeps all parts: got %v", l.Data[0])
	}
}

func TestCacheStats(t *testing.T) {
	h := world(t)
	getList(t, h, "/api/v1/spatial/bbox?"+cells(0.2, 0.2, 0.4, 0.4))
	for _, path := range []string{"/api/v1/spatial/geom_cache/stats", "/api/v1/footprints/geom_cache/stats"} {
		w := call(h, "GET", path, "")
		var s map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		for _, k := range []string{"entries", "bytes", "budget_bytes", "hits", "misses", "evictions", "pending"} {
			if _, ok := s[k]; !ok {
				t.Errorf("%s has no %s", path, k)
			}
		}
		if s["entries"] != 1.0 || w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %s %v", path, w.Body, w.Header())
		}
	}
}
