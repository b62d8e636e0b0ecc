package national

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// A KG that the tiles hold nothing of says so, and does not stop the others.
func TestAKGWithoutParcels(t *testing.T) {
	st := mem.New()
	source, err := OpenSource(t.Context(), SourceOptions{Dir: writeSample(t, three...), Reader: cutSource{}})
	if err != nil {
		t.Fatal(err)
	}
	task, err := source.Task(source.KGs[0], st)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := buildKG(t.Context(), task); err == nil || !strings.Contains(err.Error(), "no parcel") {
		t.Errorf("want an error that no parcel was found, got %v", err)
	}
}

// A KG that the register names and kg.geojson does not draw is listed without a place.
func TestAKGWithoutOutline(t *testing.T) {
	dir, st := writeSample(t, three...), mem.New()
	csv, err := os.ReadFile(filepath.Join(dir, "registers/kg.csv"))
	if err != nil {
		t.Fatal(err)
	}
	file(t, dir, "registers/kg.csv", string(csv)+"99009,Ohne,50999,Probe,509,Probe,5,Salzburg\n")
	mustBuild(t, dir, st, Options{})
	k := served(t, st).KG("99009")
	if k == nil || !k.Box.Empty() || k.Centroid != (geom.Point{}) {
		t.Errorf("register: want an empty box and no centroid, got %+v", k)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read(t.Context(), st, live.Manifest.KGList.Key)
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
