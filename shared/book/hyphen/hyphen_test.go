package hyphen

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shown is a word with its divisions as hyphens.
func shown(l *Language, word string) string {
	var b strings.Builder
	last := 0
	for _, p := range l.Points(nil, word) {
		b.WriteString(word[last:p] + "-")
		last = p
	}
	return b.String() + word[last:]
}

func TestPoints(t *testing.T) {
	for _, c := range []struct{ tag, word, want string }{
		{"en", "hyphenation", "hy-phen-ation"},
		{"en-US", "typesetting", "type-set-ting"},
		{"en-GB", "university", "uni-ver-sity"},
		{"en", "project", "project"},
		{"en", "as-is", "as-is"},
		{"en", "cat", "cat"},
		{"de", "Donaudampfschifffahrt", "Do-nau-dampf-schiff-fahrt"},
		{"de-AT", "Silbentrennung", "Sil-ben-tren-nung"},
		{"de", "Straßenbahn", "Stra-ßen-bahn"},
		{"de", "Umbach/Inn-Kreis", "Um-bach/Inn-Kreis"},
		{"de-1901", "Zucker", "Zucker"}, // k-k needs other letters, which nothing here sets
		{"de", "Äpfel", "Äp-fel"},
	} {
		l, ok := For(c.tag)
		if !ok {
			t.Fatalf("no patterns for %s", c.tag)
		}
		if got := shown(l, c.word); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.tag, c.word, got, c.want)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	for _, tag := range []string{"", "fr", "x-klingon"} {
		if _, ok := For(tag); ok {
			t.Errorf("patterns for %q", tag)
		}
	}
}

// Every division leaves at least two letters before and three behind it, at a letter's border.
func FuzzPoints(f *testing.F) {
	for _, w := range []string{"hyphenation", "ÄÖÜß", "a'b’c", "\xff\xfe", strings.Repeat("lang", 100), "İstanbul"} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, name := range slices.Sorted(maps.Keys(loaded)) {
			l, _ := For(name)
			last := -1
			for _, p := range l.Points(nil, word) {
				if p <= last || p <= 0 || p >= len(word) || !utf8.RuneStart(word[p]) {
					t.Fatalf("%s: division at %d of %q", name, p, word)
				}
				if utf8.RuneCountInString(word[:p]) < 2 || utf8.RuneCountInString(word[p:]) < 3 {
					t.Fatalf("%s: division at %d of %q leaves too little", name, p, word)
				}
				last = p
			}
		}
	})
}

func BenchmarkPoints(b *testing.B) {
	l, _ := For("de")
	words := strings.Fields("Katastralgemeinde Grundstück Einlagezahl Vermessung Digitale Mappe Buchdruckerkunst und die der")
	dst := make([]int, 0, 32)
	for b.Loop() {
		for _, w := range words {
			dst = l.Points(dst[:0], w)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		read("de-1996", 2, 3)
	}
}
