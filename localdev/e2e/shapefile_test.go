package e2e

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre/query"
	"mappe/functions/core"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/mem"
)

// TestGDALReadsTheShapefileOfAFilter: the rows of /query as a shapefile are those of its JSON, and their shapes those of the snapshot, as
// GDAL reads them: parcels of several parts, with holes, without a folio.
func TestGDALReadsTheShapefileOfAFilter(t *testing.T) {
	ogrinfo, ogr2ogr := oracles.Program(t, "ogrinfo"), oracles.Program(t, "ogr2ogr")
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 700, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := query.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(more string) []byte {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/query?kg=99001&limit=1000"+more, nil))
		if w.Code != 200 {
			t.Fatalf("%s: %d %.300s", more, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	saved := func(name string, body []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		return "/vsizip/" + path
	}
	run := func(program string, args ...string) string {
		out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "ERROR") {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	var list struct {
		Data []map[string]any
	}
	if err := json.Unmarshal(ask(""), &list); err != nil || len(list.Data) != 700 {
		t.Fatalf("%d rows, %v", len(list.Data), err)
	}
	lines := run(ogr2ogr, "-f", "GeoJSONSeq", "/vsistdout/", saved("query.zip", ask("&format=shapefile")), "parcel")
	parts := features(t, lines)
	for i := range snapshot.Parcels {
		p := &snapshot.Parcels[i]
		if got := parts["99001-"+string(p.GNR)]; got != len(p.Geometry) {
			t.Errorf("parcel %s has %d parts as GDAL reads it, %d in the snapshot", p.GNR, got, len(p.Geometry))
		}
	}
	i := 0
	for line := range strings.Lines(lines) {
		var f struct{ Properties map[string]any }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		for short, name := range map[string]string{"parcel_id": "parcel_id", "ez": "ez", "area_sqm": "area_sqm",
			"gemeinde_c": "gemeinde_code", "dominant_l": "dominant_landuse", "footprint_": "footprint_count", "kg_name": "kg_name", "compactnes": "compactness"} {
			if got, want := f.Properties[short], list.Data[i][name]; got != want {
				t.Errorf("row %d: %s is %v, %s is %v", i, short, got, name, want)
			}
		}
		i++
	}
	about := run(ogrinfo, "-so", saved("lambert.zip", ask("&format=shapefile&crs=31287")), "parcel")
	if !strings.Contains(about, "Feature Count: 700\n") || !strings.Contains(about, `ID["EPSG",31287]`) {
		t.Errorf("GDAL sees\n%s", about)
	}
	empty := run(ogrinfo, "-so", saved("empty.zip", ask("&format=shapefile&min_area=99999999")), "parcel")
	if !strings.Contains(empty, "Feature Count: 0\n") || !strings.Contains(empty, "Geometry: Polygon") ||
		!strings.Contains(empty, "area_sqm: Real") {
		t.Errorf("of no parcel GDAL sees\n%s", empty)
	}
}
