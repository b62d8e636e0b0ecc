package national

import (
	"os"
	"strings"
	"testing"

	"mappe/artefacts/register"
	"mappe/builders/kgbuild"
	"mappe/builders/source/sourcetest"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// TestTheRealUniverse publishes one made-up KG together with the real register of 7,850 KGs and the
// real outlines of Salzburg: all are listed, those without a snapshot are cold, and without the made-up
// one the fingerprint is the published one.
func TestTheRealUniverse(t *testing.T) {
	real, err := os.ReadFile(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	outlines, err := os.ReadFile(realdata.Path(t, "admin/salzburg_kg_vgd50_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	published, err := os.ReadFile(realdata.Path(t, "admin/kg_universe_hash.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := sourcetest.Write(t, sourcetest.Three[0])
	mine, err := os.ReadFile(dir + "/kg.geojson")
	if err != nil {
		t.Fatal(err)
	}
	feature := strings.TrimSuffix(strings.TrimPrefix(string(mine), `{"type":"FeatureCollection","features":[`), "]}")
	head, tail, _ := strings.Cut(string(outlines), `"features":[`)
	sourcetest.File(t, dir, "kg.geojson", head+`"features":[`+feature+","+tail)
	sourcetest.File(t, dir, "registers/kg.csv", strings.TrimRight(string(real), "\n")+"\n99001,Probe 99001,50999,Probe,Salzburg,\n")

	st := mem.New()
	s := mustBuild(t, dir, st, Options{KGs: nil})
	if s.Count(kgbuild.Built) != 1 {
		// The outlines of Salzburg have no tiles here: they fail alone and stay cold.
		t.Fatalf("want the one KG with tiles built, got %d built, %d failed, %d refused", s.Count(kgbuild.Built), s.Count(kgbuild.Failed),
			s.Count(kgbuild.Refused))
	}
	r := served(t, st)
	if got := len(r.KGs()); got != 7851 {
		t.Fatalf("want 7,851 KGs, got %d", got)
	}
	warm := 0
	for _, k := range r.KGs() {
		if k.Snapshot.Key != "" {
			warm++
		}
	}
	if warm != 1 {
		t.Errorf("want 1 warm KG, got %d", warm)
	}
	if k := r.KG("56537"); k == nil || r.Outline("56537") == nil {
		t.Error("KG 56537 Salzburg has no outline")
	}
	if got := r.Candidates(geom.Point{X: 130450000, Y: 478000000}); len(got) == 0 {
		t.Error("no KG is a candidate for a point in the city of Salzburg")
	}

	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	p := Publication{Country: source.Country}
	var known []austria.KGCode
	for _, f := range p.Country.Known {
		if f.Code != "99001" {
			known = append(known, f.Code)
		}
	}
	if len(known) != 7850 {
		t.Fatalf("want the 7,850 real KGs, got %d", len(known))
	}
	if !strings.Contains(string(published), register.UniverseHash(known)) {
		t.Errorf("fingerprint %s is not the published one: %s", register.UniverseHash(known), published)
	}
}
