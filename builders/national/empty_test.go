package national

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// A KG that the register names and kg.geojson does not draw is listed without a place.
func TestAKGWithoutOutline(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	csv, err := os.ReadFile(filepath.Join(dir, "registers/kg.csv"))
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.File(t, dir, "registers/kg.csv", string(csv)+"99009,Ohne,50999,Probe,509,Probe,5,Salzburg\n")
	mustBuild(t, dir, st, Options{})
	k := served(t, st).KG("99009")
	if k == nil || !k.Box.Empty() || k.Centroid != (geom.Point{}) {
		t.Errorf("register: want an empty box and no centroid, got %+v", k)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Manifest.KGList.Key)
	if err != nil {
		t.Fatal(err)
	}
	var list KGList
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	for _, r := range list.KGs {
		if drawn := r.Code != "99009"; drawn != (r.BBox != nil) || drawn != (r.Centroid != nil) {
			t.Errorf("KG %s: bbox %v, centroid %v", r.Code, r.BBox, r.Centroid)
		}
	}
}
