package line

import (
	"slices"
	"strings"
	"testing"
)

func TestJoints(t *testing.T) {
	for _, c := range []struct {
		language, word string
		want           []int
	}{
		{"de", "Auflage", []int{3}}, {"de-AT", "auffallen", []int{3}}, {"de", "hoffen", nil}, {"de", "Pflege", nil},
		{"de", "Schifffahrt", nil}, {"en", "shelflife", nil}, {"de", "Haus", nil},
	} {
		if got := joints(c.language, c.word); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v, want %v", c.language, c.word, got, c.want)
		}
	}
	s := NewShaper()
	if st := style(t, "de"); len(s.get(st, "Auflage").glyphs) != 7 || len(s.get(st, "Pflege").glyphs) != 5 {
		t.Errorf("%d glyphs for Auflage, %d for Pflege", len(s.get(st, "Auflage").glyphs), len(s.get(st, "Pflege").glyphs))
	}
}

// The author's soft hyphens are where a word is divided, and are never shown.
func TestSoftHyphens(t *testing.T) {
	st := style(t, "en")
	word := "un\u00adbreak\u00adables"
	p := NewShaper().Paragraph([]Piece{{Text: strings.Repeat(word+" ", 12), Style: st}}, Shape{Measure: measure(95)})
	divided := 0
	for _, l := range p.Lines(p.Break(0)[0]) {
		for _, r := range l.Runs {
			if strings.Contains(r.Text, "\u00ad") {
				t.Fatalf("a soft hyphen is shown: %q", r.Text)
			}
			if part, ok := strings.CutSuffix(r.Text, "-"); ok {
				divided++
				if part != "un" && part != "unbreak" && part != "break" {
					t.Errorf("divided behind %q", part)
				}
			}
		}
	}
	if divided == 0 {
		t.Error("nothing is divided")
	}
}

func TestClosingMarksCling(t *testing.T) {
	st := style(t, "en")
	for _, s := range []string{"I never talked of it until—”", "and so—”)", "so–», he", "a—“b”"} {
		sh := NewShaper()
		for w := Unit(20); w < 140; w += 3 {
			p := sh.Paragraph([]Piece{{Text: s, Style: st}}, Shape{Measure: measure(w), Align: Left})
			for _, l := range p.Lines(p.Break(0)[0]) {
				if len(l.Runs) > 0 && strings.ContainsAny(l.Runs[0].Text[:min(3, len(l.Runs[0].Text))], "”)") {
					t.Errorf("%s at %d pt: a line begins with %q", s, w, l.Runs[0].Text)
				}
			}
		}
	}
}
