package spatial

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/infra/golden"
)

// One answer of each endpoint in each text form, as clients get it.
func TestGolden(t *testing.T) {
	h := world(t)
	box := cells(1.2, 1.2, 4.5, 1.8)
	square := polygonJSON(fixture.Rect(1, 1, 2, 2))
	points := strings.Replace(pointsBodyOf(fixture.At(1.5, 1.5), fixture.At(1.5, -1.5)), "{",
		`{"radius":10,"layers":["parcels","buildings"],`, 1)
	forms := []string{"json", "geojson", "csv", "ndjson", "geojsonseq"}
	for _, c := range []struct {
		name, method, path, body string
		forms                    []string
	}{
		{"bbox", "GET", "spatial/bbox?layers=parcels,buildings,kg&limit=9&" + box, "", forms},
		{"point", "GET", "spatial/point?layers=parcels,buildings,kg&radius=30&" + lonlat(1.5, 1.5), "", forms},
		{"polygon", "GET", "spatial/polygon?geojson=" + url.QueryEscape(square), "", forms},
		{"polygon_post", "POST", "spatial/polygon?fields=parcel_id,area_sqm,geometry", square, forms},
		{"kgs", "GET", "spatial/kgs?" + box, "", forms},
		{"kgs_post", "POST", "spatial/kgs?fields=kg_code,bbox", square, forms},
		{"parcels", "GET", "spatial/parcels?" + box, "", forms},
		{"footprints", "GET", "spatial/footprints?" + cells(0, -1, 8, 4), "", forms},
		{"parcels_batch", "GET", "parcels/geometry/batch?ids=88801-6,88801-.6%2F1,88801-77,88803-1", "", forms},
		{"parcels_batch_post", "POST", "parcels/geometry/batch", `{"ids":["88801-16"]}`, forms},
		{"footprints_batch", "GET", "footprints/geometry/batch?ids=88801_fp_2", "", forms},
		{"footprints_batch_post", "POST", "footprints/geometry/batch", `{"ids":["88801_fp_1","88801_fp_7"]}`, forms},
		{"point_post", "POST", "spatial/point", points, forms[:1]},
		{"points", "POST", "spatial/points", pointsBodyOf(fixture.At(1.5, 1.5), fixture.At(1.5, -1.5), fixture.At(30, 30)),
			forms[:1]},
		{"polygon_batch", "POST", "spatial/polygon", `{"polygons":[` + square + `],"layers":["parcels","buildings"]}`, forms[:1]},
	} {
		for _, f := range c.forms {
			t.Run(c.name+"."+f, func(t *testing.T) {
				target := "/api/v1/" + c.path
				sep := "?"
				if strings.Contains(target, "?") {
					sep = "&"
				}
				if len(c.forms) > 1 {
					target += sep + "format=" + f
					sep = "&"
				}
				if f == "json" || f == "geojson" {
					target += sep + "pretty=1"
				}
				w := call(h, c.method, target, c.body)
				if w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				golden.Check(t, c.name+"."+f, w.Body.Bytes())
			})
		}
	}
}

func TestGeoPackage(t *testing.T) {
	h := world(t)
	for _, path := range []string{"spatial/bbox?" + cells(0, 0, 8, 4), "spatial/bbox?attrs_only=1&" + cells(0, 0, 8, 4),
		"spatial/kgs?" + cells(0, 0, 8, 4), "spatial/footprints?" + cells(0, 0, 8, 4)} {
		w := call(h, "GET", "/api/v1/"+path+"&format=gpkg", "")
		if w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("SQLite format 3\x00")) ||
			w.Header().Get("Content-Type") != "application/geopackage+sqlite3" ||
			!strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d %v %.200s", path, w.Code, w.Header(), w.Body)
		}
	}
}

// The examples of the documentation are requests that work.
func TestExamples(t *testing.T) {
	h := world(t)
	for _, e := range New(Deps{}).Endpoints {
		target := strings.ReplaceAll(e.Example, "/99101-", "/88801-") // a parcel of the demo country as one of this world
		if w := call(h, e.Method, target, e.ExampleBody); w.Code != 200 {
			t.Errorf("%s %s: %d %s", e.Method, target, w.Code, w.Body)
		}
	}
}

func TestConventions(t *testing.T) {
	h := world(t)
	target := "/api/v1/spatial/bbox?" + cells(0.2, 0.2, 0.4, 0.4)
	w := call(h, "GET", target, "")
	etag := w.Header().Get("ETag")
	if etag == "" || call(h, "GET", target, "", "If-None-Match", etag).Code != 304 {
		t.Errorf("ETag %s does not give 304", etag)
	}
	if w := call(h, "GET", strings.Replace(target, "west=15.0002", "west=15.00020", 1), ""); w.Header().Get("ETag") != etag {
		t.Error("another spelling of the same query has another ETag")
	}
	if w := call(h, "HEAD", target, ""); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %s", w.Code, w.Body)
	}
	if w := call(h, "GET", target+"&callback=f.g", ""); !strings.HasPrefix(w.Body.String(), `/**/f.g({"data":[`) {
		t.Errorf("JSONP: %s", w.Body)
	}
	if w := call(h, "GET", target+"&fields=gnr", ""); !strings.Contains(w.Body.String(), `{"data":[{"gnr":"1"}],`) {
		t.Errorf("fields: %s", w.Body)
	}
	if w := call(h, "GET", target+"&format=geojson&crs=3035", ""); w.Header().Get("Content-Crs") == "" ||
		strings.Contains(w.Body.String(), "15.000") && strings.Contains(w.Body.String(), "[15.0") {
		t.Errorf("crs: %v %s", w.Header(), w.Body)
	}
}

// The description of the service can be made of the declarations, and every operation is in it.
func TestOpenAPI(t *testing.T) {
	h := world(t)
	w := call(h, "GET", "/openapi.json", "")
	for _, e := range New(Deps{}).Endpoints {
		if !strings.Contains(w.Body.String(), `"operationId":"`+e.ID+`"`) && !strings.Contains(w.Body.String(),
			`"operationId": "`+e.ID+`"`) {
			t.Errorf("%s is not described", e.ID)
		}
	}
	for _, part := range []string{`"X-Data-Ready":{`, `"polygon_count":{`, `"pending_ids":{`, `"kgs_warming":{`} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s is not described", part)
		}
	}
	if w := call(h, "DELETE", "/api/v1/spatial/bbox", ""); w.Code != 405 || w.Header().Get("Allow") == "" {
		t.Errorf("want 405 with Allow, got %d %v", w.Code, w.Header())
	}
}
