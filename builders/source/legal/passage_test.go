package legal

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/infra/realdata"
	"mappe/shared/austria"
)

// realNames are all KGs of the statistics office's register.
func realNames(t testing.TB) *Names {
	f, err := os.Open(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []KG
	for _, r := range rows[1:] {
		list = append(list, KG{austria.KGCode(r[0]), r[1], austria.GemeindeCode(r[2]), r[3]})
	}
	return NewNames(list)
}

type expected struct {
	Code    *string  `json:"kg_code"`
	GNR     []string `json:"gnr"`
	Partial []string `json:"partial"`
}

// Ten passages of decrees that are in force, with the lists that they mean.
func TestRealDecrees(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "legal/legal_excerpts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID, Text, Kind, Bundesland, Context string
		Expected                            []expected
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	names := realNames(t)
	for _, c := range cases {
		got := ReadText(names, c.Text, c.Bundesland)
		if walk := got.List == overlays.BoundaryWalk; walk != (c.Kind == "boundary_walk") {
			t.Errorf("%s: want %s, got %s", c.ID, c.Kind, got.List)
		}
		if len(got.Named) != len(c.Expected) {
			t.Errorf("%s: want %d KGs, got %d: %v", c.ID, len(c.Expected), len(got.Named), got.Named)
			continue
		}
		for i, want := range c.Expected {
			compareNamed(t, c.ID, want, got.Named[i])
		}
		if context := ContextOf(c.Text); string(context) != c.Context {
			t.Errorf("%s: want %s, got %s", c.ID, c.Context, context)
		}
	}
}

func compareNamed(t *testing.T, id string, want expected, got Named) {
	t.Helper()
	switch {
	case want.Code == nil && got.KG != nil:
		t.Errorf("%s: want no KG, got %s", id, got.KG.Code)
	case want.Code != nil && (got.KG == nil || string(got.KG.Code) != *want.Code):
		t.Errorf("%s: want KG %s, got %v", id, *want.Code, got.KG)
	}
	var gnr, partial []string
	for _, p := range got.Parcels {
		gnr = append(gnr, string(p.GNR))
		if p.Partial {
			partial = append(partial, string(p.GNR))
		}
	}
	if !slices.Equal(gnr, want.GNR) {
		t.Errorf("%s: want %v\ngot %v", id, want.GNR, gnr)
	}
	if !slices.Equal(partial, want.Partial) {
		t.Errorf("%s: parts: want %v, got %v", id, want.Partial, partial)
	}
}

func TestRowsOfNumbers(t *testing.T) {
	names := NewNames([]KG{{"01004", "Innere Stadt", "90001", "Wien"}, {"55309", "Höch", "50404", "Flachau"},
		{"66125", "Höch", "61032", "Sankt Andrä-Höch"}, {"88801", "Ob der Kirche", "30001", "Ort"}})
	for _, c := range []struct{ name, text, want string }{
		{"main numbers", "die Grundstücke Nr. 3 bis 5 KG Innere Stadt", "01004: 3 4 5"},
		{"sub-numbers", "Gst.-Nr. 7/1 bis 7/3, KG 01004", "01004: 7/1 7/2 7/3"},
		{"short end of sub-numbers", "Gst. Nr. 7/1 bis 4, KG 01004", "01004: 7/1 7/2 7/3 7/4"},
		{"a dash", "Parzellen 7–9 der KG Innere Stadt", "01004: 7 8 9"},
		{"ends that make no row", "Grundstücke 7/2 bis 9/1 KG Innere Stadt", "01004: 7/2 9/1"},
		{"without blanks", "Grundstücke 7,8,9 KG Innere Stadt", "01004: 7 8 9"},
		{"building plots", "Grundstücke .17 und .18/1, KG Innere Stadt", "01004: .17 .18/1"},
		{"parts", "Grundstücke 1 (Teil), 2 teilweise, 3 KG Innere Stadt", "01004: 1* 2* 3"},
		{"all in part", "auf Teilen der Grundstücke 1 und 2 KG Innere Stadt", "01004: 1* 2*"},
		{"part once and whole once is whole", "Grundstück 1 (Teil) KG Innere Stadt und Grundstück 1 KG Innere Stadt", "01004: 1"},
		{"the municipality decides", "Grundstück 1, KG Höch, Gemeinde Flachau", "55309: 1"},
		{"nothing decides", "Grundstück 1, KG Höch", "?: 1"},
		{"KG before", "In der Katastralgemeinde Ob der Kirche die Grundstücke 1 und 2.", "88801: 1 2"},
		{"gazette", "Grundstück 1 KG Innere Stadt, LGBl. Nr. 23/1999, KG Innere Stadt LGBl 12/2001", "01004: 1"},
		{"no cue", "Punkte 1, 2, 3 der KG Innere Stadt", "01004:"},
		{"measures", "Grundstück 5 KG Innere Stadt im Ausmaß von 33 a 62 m2, Koordinate 2091.23", "01004: 5"},
		{"endless range", "Grundstücke 1 bis 99999 KG Innere Stadt", "01004: 1 99999"},
		{"backward range", "Grundstücke 9 bis 7 KG Innere Stadt", "01004: 9 7"},
	} {
		var got []string
		for _, n := range ReadText(names, c.text, "").Named {
			line := "?:"
			if n.KG != nil {
				line = string(n.KG.Code) + ":"
			}
			for _, p := range n.Parcels {
				line += " " + string(p.GNR)
				if p.Partial {
					line += "*"
				}
			}
			got = append(got, line)
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, g)
		}
	}
}

// Any text is read: every number found is a parcel number and stands once.
func FuzzReadText(f *testing.F) {
	f.Add("Grundstücke Nr. 3 bis 5, 7/1 (Teil) KG Innere Stadt, .8 und KG. 01004")
	f.Add("Katastralgemeinden Innere Stadt und Höch\x00 Gst 1/2/3 . 4-")
	names := NewNames([]KG{{"01004", "Innere Stadt", "90001", "Wien"}})
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range ReadText(names, text, "Wien").Named {
			seen := map[austria.GNR]bool{}
			for _, p := range n.Parcels {
				if g, err := austria.ParseGNR(string(p.GNR)); err != nil || g != p.GNR || seen[g] {
					t.Fatalf("%q: %v", p.GNR, err)
				}
				seen[p.GNR] = true
			}
		}
	})
}
