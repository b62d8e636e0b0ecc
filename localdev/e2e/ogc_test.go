package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre"
	"mappe/functions/cadastre/ogc"
	"mappe/infra/judges"
	"mappe/shared/cloud/store/mem"
)

// TestGDALReadsTheCollections: GDAL's driver for OGC API Features opens the service by its address, knows the types
// of all columns and brings every parcel, page by page, as it stands in the snapshot.
func TestGDALReadsTheCollections(t *testing.T) {
	ogrinfo, ogr2ogr := judges.Program(t, "ogrinfo"), judges.Program(t, "ogr2ogr")
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 700, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := ogc.New(cadastre.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	run := func(program string, args ...string) string {
		c := exec.CommandContext(t.Context(), program, args...)
		var problems bytes.Buffer
		c.Stderr = &problems
		out, err := c.Output()
		if err != nil || strings.Contains(problems.String(), "ERROR") {
			t.Fatalf("%s %v: %v\n%s", program, args, err, problems.String())
		}
		return string(out)
	}
	source := "OAPIF:" + server.URL + "/ogc"
	for _, id := range []string{"parcels", "address_points", "footprints", "landuse", "kgs", "municipalities"} {
		if out := run(ogrinfo, "-so", source); !strings.Contains(out, ": "+id+" ") {
			t.Errorf("GDAL does not see %s:\n%s", id, out)
		}
	}
	about := run(ogrinfo, "-so", source, "parcels")
	for _, line := range []string{"Feature Count: 700\n", "far: Real", "total_building_area_sqm: Real", "gnr: String", "ez: Integer"} {
		if !strings.Contains(about, line) {
			t.Errorf("GDAL's description lacks %q:\n%s", line, about)
		}
	}
	all := features(t, run(ogr2ogr, "-f", "GeoJSONSeq", "/vsistdout/", source, "parcels", "-oo", "PAGE_SIZE=150"))
	if len(all) != 700 {
		t.Errorf("GDAL brought %d parcels", len(all))
	}
	for i := range snapshot.Parcels {
		p := &snapshot.Parcels[i]
		if all["99001-"+string(p.GNR)] != len(p.Geometry) {
			t.Errorf("parcel %s has %d parts as GDAL reads it, %d in the snapshot", p.GNR, all["99001-"+string(p.GNR)], len(p.Geometry))
		}
	}
	b := snapshot.Parcels[0].Geometry.Bounds()
	some := features(t, run(ogr2ogr, "-f", "GeoJSONSeq", "/vsistdout/", source, "parcels", "-spat", fmt.Sprint(float64(b.MinX)/1e7), fmt.Sprint(float64(b.MinY)/1e7), fmt.Sprint(float64(b.MaxX)/1e7), fmt.Sprint(float64(b.MaxY)/1e7)))
	if _, ok := some["99001-"+string(snapshot.Parcels[0].GNR)]; !ok || len(some) > 100 {
		t.Errorf("a box of one parcel: %d parcels, itself among them %v", len(some), ok)
	}
}

// features are the ids of newline-delimited features with the number of their parts.
func features(t *testing.T, lines string) map[string]int {
	t.Helper()
	parts := map[string]int{}
	for s := bufio.NewScanner(strings.NewReader(lines)); s.Scan(); {
		var f struct {
			Properties struct {
				ID string `json:"parcel_id"`
			} `json:"properties"`
			Geometry struct {
				Type        string            `json:"type"`
				Coordinates []json.RawMessage `json:"coordinates"`
			} `json:"geometry"`
		}
		if err := json.Unmarshal(s.Bytes(), &f); err != nil {
			t.Fatalf("%v: %.200s", err, s.Text())
		}
		if !slices.Contains([]string{"Polygon", "MultiPolygon"}, f.Geometry.Type) {
			t.Errorf("%s is a %s", f.Properties.ID, f.Geometry.Type)
		}
		parts[f.Properties.ID] = 1
		if f.Geometry.Type == "MultiPolygon" {
			parts[f.Properties.ID] = len(f.Geometry.Coordinates)
		}
	}
	return parts
}
