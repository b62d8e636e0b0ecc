package export

import (
	"testing"

	"mappe/infra/golden"
)

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
		golden.Check(t, name+".json", w.Body.Bytes())
	}
}
