package legal

import (
	"os"
	"testing"
	"testing/fstest"

	"mappe/artefacts/overlays"
	"mappe/builders/source/table"
	"mappe/infra/realdata"
	"mappe/shared/austria"
)

var few = []KG{{"01004", "Innere Stadt", "90001", "Wien"}, {"55309", "Höch", "50404", "Flachau"},
	{"66125", "Höch", "61032", "Sankt Andrä-Höch"}}

func TestTablesAndTexts(t *testing.T) {
	files := fstest.MapFS{
		Dir + "/a.csv": {Data: []byte("\ufeffkg_code,kg_name,gemeinde_name,grundstueck,source_law_name,legal_context,parcel_list_type\n" +
			"1004,,,\"1 bis 3, 7 (Teil)\",Schutzverordnung,nature_protection,listed\n" +
			",Höch,Flachau,12,Grenzverordnung,admin_boundary,boundary_walk\n" +
			",Höch,,13,Grenzverordnung,admin_boundary,boundary_walk\n" +
			"1004,,,zwölf,Schutzverordnung,nature_protection,listed\n")},
		Dir + "/b.json": {Data: []byte(`[{"id":"p1","gesetzesnummer":"7","title":"Verordnung","text":"Wasserschutzgebiet auf Grundstück Nr. 9"},
			{"id":"p2","gesetzesnummer":"7","title":"Verordnung","text":"Wasserschutzgebiet: Grundstück Nr. 8, KG Innere Stadt"},
			{"id":"p3","gesetzesnummer":"8","text":"Grundstück Nr. 10"}, 5]`)},
	}
	var p table.Problems
	got, err := Read(files, NewNames(few), &p)
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != 4 {
		t.Errorf("want 4 problems (a name of two KGs, no number, no KG, no passage), got %v", p.First)
	}
	want := map[austria.KGCode][]string{"01004": {"1", "2", "3", "7*", "8", "9"}, "55309": {"12"}}
	if len(got.KGs) != len(want) {
		t.Fatalf("want %d KGs, got %v", len(want), got.KGs)
	}
	for _, k := range got.KGs {
		for i, r := range k.Refs {
			name := string(r.GNR)
			if r.Partial {
				name += "*"
			}
			if i >= len(want[k.KG]) || want[k.KG][i] != name {
				t.Errorf("KG %s: want %v, got %s at %d", k.KG, want[k.KG], name, i)
			}
		}
	}
	if last := got.Laws[got.KGs[0].Refs[5].Law]; last.Context != "water_protection" || last.Name != "Verordnung" {
		t.Errorf("want the decree's own name and a context from its text, got %+v", last)
	}
	if r := got.KGs[1].Refs[0]; r.List != overlays.BoundaryWalk {
		t.Errorf("want a boundary walk, got %v", r)
	}
}

// The whole file of real passages as a raw source.
func TestRealFile(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "legal/legal_excerpts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p table.Problems
	got, err := Read(fstest.MapFS{Dir + "/excerpts.json": {Data: b}}, realNames(t), &p)
	if err != nil {
		t.Fatal(err)
	}
	count := map[austria.KGCode]int{}
	for _, k := range got.KGs {
		count[k.KG] = len(k.Refs)
	}
	for code, want := range map[austria.KGCode]int{"66125": 19, "63012": 1, "63028": 4, "64147": 3, "33005": 42, "33015": 65, "19019": 9,
		"19008": 2, "03332": 1, "03310": 1} {
		if count[code] != want {
			t.Errorf("KG %s: want %d references, got %d", code, want, count[code])
		}
	}
	if len(count) != 10 || p.Total != 1 {
		t.Errorf("want 10 KGs and one passage without any, got %v and %v", count, p.First)
	}
}
