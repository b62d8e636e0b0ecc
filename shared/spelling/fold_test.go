package spelling

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Spellings of one name that people use are one spelling when folded.
func TestFold(t *testing.T) {
	for want, spellings := range map[string]string{
		"sankt polten":       "St. Pölten|Sankt Pölten|ST PÖLTEN|st.poelten|Sankt Polten|St.-Pölten",
		"gross enzersdorf":   "Groß-Enzersdorf|Gr. Enzersdorf|Gross Enzersdorf|GROSS-ENZERSDORF|Gr.-Enzersdorf",
		"klein potzneusiedl": "Klein Pötzneusiedl|Kl. Poetzneusiedl",
		"munchendorf":        "Münchendorf|Muenchendorf|munchendorf|Mu\u0308nchendorf",
		"hauptstrasse":       "Hauptstraße|Hauptstrasse|Hauptstr.|HAUPTSTRASSE",
		"neue quelle auen":   "Neue Quelle, Auen",
		"zelezna kapla":      "Železna Kapla",
		"brauer":             "Bräuer|Braeuer",
		"kg 2 a":             "KG-2/a",
		"":                   " - .|",
	} {
		for s := range strings.SplitSeq(spellings, "|") {
			if got := Fold(s); got != want {
				t.Errorf("%q: want %q, got %q", s, want, got)
			}
		}
	}
	if got := Compact(Fold("Bad Ischl")); got != Fold("Badischl") {
		t.Errorf("compact: got %q", got)
	}
}

// Names that differ in more than their spelling stay different.
func TestFoldKeepsNamesApart(t *testing.T) {
	for _, c := range [][2]string{{"Aue", "Au"}, {"Neu", "Neue"}, {"Groß", "Gros"}, {"Steyr", "Steyer"}, {"Wald", "Walde"},
		{"Sankt Veit", "Stadt Veit"}} {
		if Fold(c[0]) == Fold(c[1]) {
			t.Errorf("%s and %s are both %q", c[0], c[1], Fold(c[0]))
		}
	}
}

// Whatever a client sends: folding twice changes nothing, and only letters and digits are left with one blank
// between words.
func TestFoldIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-zÄÖÜäöüßčšž .\-]{0,40}`)).Draw(t, "name")
		once := Fold(name)
		if twice := Fold(once); twice != once {
			t.Fatalf("%q: %q, then %q", name, once, twice)
		}
		if strings.Join(strings.Fields(once), " ") != once {
			t.Fatalf("%q: blanks in %q", name, once)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Fold("Sankt Georgen am Längsee-Großstraße")
	}
}
