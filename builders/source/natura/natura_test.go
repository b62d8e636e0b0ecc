package natura

import (
	"math"
	"os"
	"strings"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/builders/source/table"
	"mappe/infra/realdata"
	"mappe/shared/geo/crs"
)

func square(code, kind, name string, x string) string {
	return `{"type":"Feature","properties":{"SITECODE":"` + code + `","SiteName":"` + name + `","sitetype":"` + kind +
		`"},"geometry":{"type":"Polygon","coordinates":[[[13.` + x + `,47],[13.` + x + `5,47],[13.` + x + `5,47.05],[13.` + x +
		`,47.05],[13.` + x + `,47]]]}}`
}

func TestFeaturesOfOneCodeAreOneSite(t *testing.T) {
	in := `{"type":"FeatureCollection","features":[` + strings.Join([]string{
		square("AT0000002", "b", "Moorwald am See", "2"), square("AT0000001", "A", "Auen", "0"),
		square("AT0000002", "A", "Moorwald am See", "2"),
		square("AT0000001", "A", "Auen", "1"), square("X", "A", "", "4"), square("AT0000003", "D", "", "4"),
	}, ",") + `]}`
	var p table.Problems
	got, err := Read(strings.NewReader(in), &p)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || p.Total != 2 {
		t.Fatalf("want 2 sites and 2 bad features, got %v and %v", got, p.First)
	}
	birds, both := got[0], got[1]
	if birds.Type != overlays.Birds || birds.Features != 2 || len(birds.Geometry) == 0 {
		t.Errorf("want a site of birds in 2 features, got %+v", birds)
	}
	if both.Type != overlays.Both || both.Features != 2 || len(both.Geometry) != 1 {
		t.Errorf("want the two directives' drawings of one square united, got %+v", both)
	}
	if ratio := birds.AreaHa / both.AreaHa; math.Abs(ratio-2) > 0.01 {
		t.Errorf("want the area of what is drawn twice counted once, got %g to %g ha", birds.AreaHa, both.AreaHa)
	}
}

func TestTagsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"Wenger Moor": "moor wetland", "Salzachauen": "floodplain", "Zeller See": "lake", "Hohe Tauern": "alpine",
		"Weidmoos": "moor wetland", "Tauglgries": "", "Nationalpark Hohe Tauern": "alpine park", "Entrische Kirche (Höhle)": "cave",
		"Danube Floodplain and River": "floodplain river", "Bluntautal": "valley",
	} {
		var got []string
		for _, h := range Tags(name).List() {
			got = append(got, string(h))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: want %q, got %q", name, want, g)
		}
	}
}

// Every line of the table names a tag that exists.
func TestTableOfTags(t *testing.T) {
	seen := map[overlays.Habitat]bool{}
	for _, k := range keywords() {
		if _, err := overlays.ParseHabitat(string(k.tag)); err != nil {
			t.Error(err)
		}
		seen[k.tag] = true
	}
	for _, h := range overlays.AllHabitats() {
		if !seen[h] {
			t.Errorf("no keyword for %s", h)
		}
	}
}

// Salzburg's sites: 58 features are 53 sites, each valid and with the area that the state gives.
func TestRealSites(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "overlays/salzburg_natura2000_parts_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	got, err := Read(f, &p)
	if err != nil {
		t.Fatal(err)
	}
	features := 0
	for _, s := range got {
		features += s.Features
		if fault := s.Geometry.Validate(); fault != nil {
			t.Errorf("%s: %v", s.Code, fault)
		}
		drawn := s.Geometry.Area(crs.EqualArea) / 10_000
		if math.Abs(drawn-s.AreaHa) > 0.01*s.AreaHa+0.01 {
			t.Errorf("%s %s: want %.2f ha, drawn are %.2f", s.Code, s.Name, s.AreaHa, drawn)
		}
	}
	if len(got) != 53 || features != 58 || p.Total != 0 {
		t.Errorf("want 53 sites of 58 features, got %d of %d; %v", len(got), features, p.First)
	}
}
