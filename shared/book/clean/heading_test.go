package clean

import (
	"strings"
	"testing"
	"unicode"

	"mappe/shared/book/manuscript"
)

// TestHeadingsStand: whatever of a heading numbers its section, label and title together say what the author
// wrote, in the same order.
func TestHeadingsStand(t *testing.T) {
	for _, c := range []struct {
		heading, label, title string
		value                 int
		kind                  manuscript.SectionKind
	}{
		{"Erstes Kapitel", "", "Erstes Kapitel", 1, manuscript.KindChapter},
		{"Siebentes Capitel: Die Flucht", "Siebentes Capitel", "Die Flucht", 7, manuscript.KindChapter},
		{"Einundzwanzigstes Kapitel", "", "Einundzwanzigstes Kapitel", 21, manuscript.KindChapter},
		{"Ein und zwanzigstes Kapitel.", "", "Ein und zwanzigstes Kapitel.", 21, manuscript.KindChapter},
		{"Das dritte Buch", "", "Das dritte Buch", 3, manuscript.KindPart},
		{"Zweyter Theil. Die See", "Zweyter Theil", "Die See", 2, manuscript.KindPart},
		{"Book Two", "", "Book Two", 2, manuscript.KindPart},
		{"BOOK TWO: THE SEA", "BOOK TWO", "THE SEA", 2, manuscript.KindPart},
		{"Second Chapter", "", "Second Chapter", 2, manuscript.KindChapter},
		{"The Twenty-Second Chapter – Rain", "The Twenty-Second Chapter", "Rain", 22, manuscript.KindChapter},
		{"Chapter the First", "", "Chapter the First", 1, manuscript.KindChapter},
		{"Chapter Ninety Nine", "", "Chapter Ninety Nine", 99, manuscript.KindChapter},
		{"Chapitre vingt et un : La mer", "Chapitre vingt et un", "La mer", 21, manuscript.KindChapter},
		{"3. Kapitel", "", "3. Kapitel", 3, manuscript.KindChapter},
		{"III. The Storm", "III", "The Storm", 3, manuscript.KindChapter},
		{"Chapter 3 The Storm", "Chapter 3", "The Storm", 3, manuscript.KindChapter},
		{"Kapitel Eleventy", "", "Kapitel Eleventy", 0, manuscript.KindChapter},
	} {
		b := manuscript.Book{Sections: []manuscript.Section{{Title: []manuscript.Inline{manuscript.Text{S: c.heading}},
			Blocks: []manuscript.Block{&manuscript.Paragraph{
				Inlines: []manuscript.Inline{manuscript.Text{S: "It rained, and nobody came."}}}}}}}
		out, _ := Repair(b, Options{})
		sec := out.Sections[0]
		if got := manuscript.Plain(sec.Title); sec.Label != c.label || got != c.title || Value(sec.Number) != c.value ||
			sec.Kind != c.kind {
			t.Errorf("%q: label %q, title %q, number %q = %d, %v", c.heading, sec.Label, got, sec.Number, Value(sec.Number), sec.Kind)
		}
		if got := onlyLetters(sec.Label + manuscript.Plain(sec.Title)); got != onlyLetters(c.heading) {
			t.Errorf("%q became %q", c.heading, got)
		}
	}
}

func onlyLetters(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, s)
}

// TestSpelledNumbers: every number up to a hundred is understood in each of its spellings, and the spellings of
// different numbers differ.
func TestSpelledNumbers(t *testing.T) {
	ways := map[int]int{}
	for _, n := range spelled {
		ways[n.value]++
	}
	for n := 1; n <= 100; n++ {
		if ways[n] < 9 { // at least two in English, six in German and one of French alone
			t.Errorf("%d has %d spellings", n, ways[n])
		}
	}
	for n, words := range map[int]string{
		7: "siebentes Siebte SEVEN seventh sept septième", 12: "zwölf Zwölftes zwoelfter twelfth douze", 16: "sechszehntes sechzehn",
		17: "Siebenzehntes siebzehnte dix-sept", 30: "dreißigstes dreissigster thirtieth trente",
		43: "dreiundvierzigstes forty-third quarante-trois",
		71: "einundsiebzigstes soixante-et-onze", 92: "zweiundneunzig quatre-vingt-douze ninety-second",
		100: "hundertstes hundred hundredth cent", 1: "Erste ersten first premier",
	} {
		for _, w := range strings.Fields(words) {
			if got := Value(w); got != n {
				t.Errorf("%s is %d, want %d", w, got, n)
			}
		}
	}
	for _, w := range []string{"", "kein", "nothing", "twentyeleven", "hundredfold", "mix", "civil"} {
		if got := Value(w); got != 0 {
			t.Errorf("%q is %d", w, got)
		}
	}
}
