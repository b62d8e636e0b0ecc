package export

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// One answer of each shape, as clients get it.
func TestGolden(t *testing.T) {
	h := world(t)
	for name, target := range map[string]string{
		"parcels":        "geojson?kg=804",
		"points":         "geojson?kg=804&include_geometry=false&fields=parcel_id,landuse_on_parcel",
		"several_layers": "geojson?kg=88801,88803&layers=buildings,building_footprints,landuse",
	} {
		w := get(h, target+"&pretty=1")
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		path := filepath.Join("testdata", name+".json")
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, w.Body.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(w.Body.Bytes(), want) {
			t.Errorf("%s is not %s:\n%s", target, path, w.Body)
		}
	}
}
