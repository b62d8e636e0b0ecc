package layout

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

func TestVisual(t *testing.T) {
	for in, want := range map[string]string{
		"abc":                 "abc",
		"a \u05d0\u05d1 b":    "a \u05d1\u05d0 b",
		"\u05d0\u05d1 \u05d2": "\u05d2 \u05d1\u05d0",
		"\u05d0\u05b7\u05d1.": "\u05d1\u05d0\u05b7.",
	} {
		if got := visual(in); got != want {
			t.Errorf("%+q: got %+q, want %+q", in, got, want)
		}
	}
}

// A character that no face has is a number in a frame in a proof and the glyph of nothing in a final; the
// report names it in both.
func TestUnknownCharacter(t *testing.T) {
	b := prose(1, 1, 2)
	b.Sections[0].Blocks[0].(*manuscript.Paragraph).Inlines = []manuscript.Inline{
		manuscript.Text{S: "before \u4e2d\u6587 behind\u2e3b and \u00adof\u00adten"}}
	for _, proof := range []string{"PROOF", ""} {
		out, r := set(t, b, spec.Default(), Options{Proof: proof})
		if string(r.Missing) != "\u4e2d\u6587" {
			t.Errorf("missing %q", string(r.Missing))
		}
		framed, none := slices.Contains(allTexts(out), "4E2D"), 0
		for _, p := range out.Pages {
			for _, m := range p.Marks {
				if g, ok := m.(page.Glyphs); ok {
					for _, x := range g.Glyphs {
						if x.ID == 0 {
							none++
						}
					}
				}
			}
		}
		if framed != (proof != "") || (none > 0) != (proof == "") {
			t.Errorf("proof %q: framed %t, %d empty glyphs", proof, framed, none)
		}
		text := strings.Join(allTexts(out), " ")
		if !strings.Contains(text, "behind———") || !strings.Contains(text, "often") {
			t.Errorf("proof %q: %s", proof, text)
		}
	}
}
