package e2e

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/export"
	"mappe/functions/core"
	"mappe/localdev/command/build"
	"mappe/localdev/demo"
	"mappe/shared/cloud/store/dir"
)

// demoExports are the exports of the demo country, and its KGs that are built.
func demoExports(t *testing.T) (h http.Handler, kgs []string) {
	t.Helper()
	source, data := filepath.Join(t.TempDir(), "source"), filepath.Join(t.TempDir(), "data")
	if _, err := demo.Generate(t.Context(), source,
		demo.Options{Without: []string{"terrain", "laser scans", "community map"}}); err != nil {
		t.Fatal(err)
	}
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	if err := build.Run(t.Context(), quiet, build.Options{Source: source, Data: data}); err != nil {
		t.Fatal(err)
	}
	st, err := dir.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range v.Register().KGs() {
		if k.Snapshot.Key != "" {
			kgs = append(kgs, string(k.Code))
		}
	}
	if h, err = export.New(export.Deps{Deps: core.Deps{Library: lib}}).Handler(); err != nil {
		t.Fatal(err)
	}
	return h, kgs
}

// TestSizesOfTheDemo: a stored file has the size that is told, as it is saved, and what is written is within a fifth of it: each form
// as the download page asks for it, of each KG, of a municipality and of all.
func TestSizesOfTheDemo(t *testing.T) {
	h, kgs := demoExports(t)
	if len(kgs) < 10 {
		t.Fatalf("the demo country has the KGs %v", kgs)
	}
	areas := []string{"gemeinde_code=59902", "district=599"}
	for _, kg := range kgs {
		areas = append(areas, "kg="+kg)
	}
	for _, form := range []struct{ path, layers string }{{"gpkg", ""}, {"shapefile", ""}, {"dxf", ""}, {"geojson", ""}, {"flatgeobuf", ""},
		{"kml", ""}, {"geojson", "parcels,buildings,building_footprints,labels,landuse_polygons,landuse_points"}, {"geojson", "landuse"},
		{"shapefile", "parcels"}, {"dxf", "buildings"}, {"flatgeobuf", "landuse_polygons"}, {"csv", ""},
		{"csv", "parcels,buildings,building_footprints,labels,landuse_polygons,landuse_points"}, {"csv", "building_footprints"}, {"xlsx", ""},
		{"xlsx", "parcels,landuse_points"}, {"xlsx", "landuse_polygons"}, {"kml", "parcels,landuse_polygons,kgs,municipalities"}} {
		worst, of := 0.0, ""
		for _, area := range areas {
			if form.layers != "" {
				area += "&layer=" + form.layers
			}
			var told struct {
				Bytes     int64
				Estimated bool
				From      string
			}
			w := exported(t, h, "size?form="+form.path+"&"+area, "")
			if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
				t.Fatal(err)
			}
			file, err := io.ReadAll(asSaved(t, exported(t, h, form.path+"?"+area, "gzip")))
			if err != nil {
				t.Fatal(err)
			}
			off := math.Abs(float64(told.Bytes)/float64(len(file)) - 1)
			if off > worst {
				worst, of = off, area
			}
			if told.From == "store" && (told.Estimated || off > 0) || off > 0.2 {
				t.Errorf("%s of %s: %d bytes are told (%s), the file has %d", form.path, area, told.Bytes, told.From, len(file))
			}
		}
		t.Logf("%-10s at most %.1f %% off (%s)", form.path, 100*worst, of)
	}
}

// asSaved is the body of an answer, unpacked as a browser saves it.
func asSaved(t *testing.T, w *httptest.ResponseRecorder) io.Reader {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return z
}
