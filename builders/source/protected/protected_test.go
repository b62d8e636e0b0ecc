package protected

import (
	"math"
	"os"
	"strings"
	"testing"

	"mappe/builders/source/table"
	"mappe/infra/realdata"
)

const ring = `"geometry":{"type":"Polygon","coordinates":[[[13,47],[13.01,47],[13.01,47.01],[13,47.01],[13,47]]]}}`

func TestBothForms(t *testing.T) {
	in := `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"WDPAID":1,"NAME":"Hohe Tauern","DESIG":"Nationalpark","DESIG_ENG":"National Park","DESIG_TYPE":"National","IUCN_CAT":"II","REP_AREA":805,"GIS_AREA":800.1,"REALM":"Terrestrial"},` + ring + `,
		{"type":"Feature","properties":{"nokey":"NSG00001","name":"Trumerseen","kategorie":"Naturschutzgebiet (NSG)","iucn_cat":"IV","area_ha":84.25},` + ring + `,
		{"type":"Feature","properties":{"desig":"Naturpark"},` + ring + `]}`
	var p table.Problems
	got, err := Read(strings.NewReader(in), &p)
	if err != nil || len(got) != 2 || p.Total != 1 {
		t.Fatalf("want 2 areas and one without a name, got %v, %v, %v", got, p.First, err)
	}
	if a := got[0]; a.Name != "Hohe Tauern" || a.DesigEng != "National Park" || a.IUCN != "II" || a.RepArea != 805 {
		t.Errorf("world database: got %+v", a)
	}
	if a := got[1]; a.Desig != "Naturschutzgebiet" || a.DesigEng != "Nature Conservation Area" || a.DesigType != "National" ||
		a.RepArea != 0.8425 || math.Abs(a.GISArea-0.845) > 0.005 {
		t.Errorf("states' form: got %+v", a)
	}
}

func TestRealAreas(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "overlays/salzburg_protected_areas_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	got, err := Read(f, &p)
	if err != nil || p.Total != 0 {
		t.Fatal(err, p.First)
	}
	untranslated := map[string]int{}
	for _, a := range got {
		if fault := a.Geometry.Validate(); fault != nil {
			t.Errorf("%s: %v", a.Name, fault)
		}
		if a.DesigEng == "" {
			untranslated[a.Desig]++
		}
	}
	t.Logf("%d areas of 452 features; without an English name: %v", len(got), untranslated)
	if len(got) < 300 || len(got) > 452 || len(untranslated) > 0 {
		t.Errorf("got %d areas, %v", len(got), untranslated)
	}
}
