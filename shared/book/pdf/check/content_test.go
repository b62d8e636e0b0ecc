package check

import (
	"fmt"
	"strings"
	"testing"
)

// painted follows the operators of a page of 500 × 800 points with one font and one picture of 90 × 90 pixels.
func painted(content string) (*sheet, *check, *face) {
	c := &check{}
	p := &sheet{number: 1, media: box{0, 0, 500, 800}}
	f := &face{shown: map[int]int{}, widths: []float64{0, 500, 600}}
	c.content(p, []byte(content), map[name]*face{"F0": f}, map[name]*picture{"I0": {width: 90, height: 90}})
	return p, c, f
}

// TestContentOfPages: the operators that a page may have, with what they take and where (ISO 32000-1, annex A); every
// other one is a fault.
func TestContentOfPages(t *testing.T) {
	const text = "BT /F0 10 Tf 1 0 0 1 72 700 Tm [<0001>] TJ ET"
	for _, c := range []struct{ name, content, want string }{
		{"text", text, ""},
		{"text with kerning and a raised run", "BT /F0 10 Tf 1 0 0 1 72 700 Tm [<0001> -20 <0002>] TJ 3 Ts [<0001>] TJ ET", ""},
		{"grey and four colours", "0.5 g 0 0 0 1 k " + text, ""},
		{"a rule", "72 700 100 0.5 re f", ""},
		{"a picture", "q 72 0 0 72 100 100 cm /I0 Do Q", ""},
		{"nothing", "", ""},
		{"a number too many", "1 0 0 g", `the operator "g" with 3 operands`},
		{"a number too few", "72 700 100 re", `the operator "re" with 3 operands`},
		{"numbers without end", "1 2 3 4 5 6 7 8 9 g", "objects without an operator"},
		{"numbers at the end", "1 2", "ends in the middle"},
		{"no syntax", "q ) Q", "not the syntax"},
		{"a name for a number", "/A g", "no number where one has to be"},
		{"a colour below black", "-0.1 g", "a colour of -0.1"},
		{"too much of a colour", "0 0 0 1.1 k", "a colour of 1.1"},
		{"text outside of its object", "/F0 10 Tf", "Tf outside of a text object"},
		{"a rule inside of a text object", "BT 1 1 1 1 re ET", "re in a text object"},
		{"text without a font", "BT 1 0 0 1 72 700 Tm [<0001>] TJ ET", "text without a font"},
		{"a font of the object before", text + " BT 1 0 0 1 72 700 Tm [<0001>] TJ ET", "text without a font"},
		{"a font of no size", "BT /F0 0 Tf ET", "font F0 of 0 points"},
		{"text that is no list", "BT /F0 10 Tf <0001> TJ ET", "text without a font"},
		{"half a glyph", "BT /F0 10 Tf 1 0 0 1 72 700 Tm [<000102>] TJ ET", "half a glyph"},
		{"a name in the text", "BT /F0 10 Tf 1 0 0 1 72 700 Tm [<0001> /A] TJ ET", "text of check.name"},
		{"text that runs off the page", "BT /F0 10 Tf 1 0 0 1 496 700 Tm [<0001>] TJ ET", "text beside the page, at 496.0, 700.0"},
		{"text that is raised off the page", "BT /F0 10 Tf 1 0 0 1 72 798 Tm 3 Ts [<0001>] TJ ET", "text beside the page"},
		{"text moved off the page", "q 1 0 0 1 490 0 cm " + text + " Q", "text beside the page"},
		{"a rule of no width", "72 700 0 1 re f", "a rule of 0 × 1 points"},
		{"a rule off the page", "490 700 20 1 re f", "a rule of 20 × 1 points at 490, 700"},
		{"a picture turned", "q 0 72 -72 0 100 100 cm /I0 Do Q", "turned or of no size"},
		{"a picture of no size", "q 72 0 0 0.1 100 100 cm /I0 Do Q", "turned or of no size"},
		{"a picture that is not there", "/I9 Do", "not among its resources"},
		{"more restored than saved", "q Q Q", "Q without q"},
		{"more saved than restored", "q", "ends in the middle"},
		{"28 states", strings.Repeat("q ", 28) + strings.Repeat("Q ", 28), ""},
		{"29 states", strings.Repeat("q ", 29) + strings.Repeat("Q ", 29), "more than 28 saved states"},
	} {
		_, k, _ := painted(c.content)
		if got := strings.Join(k.faults, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWhatAPageShows: how far its text reaches, its smallest run, its pictures' resolution and its glyphs.
func TestWhatAPageShows(t *testing.T) {
	// Glyphs 1 and 2 of half and six tenths of the size: 5 + 0.2 + 6 points at 10.
	p, _, f := painted("BT /F0 10 Tf 1 0 0 1 72 700 Tm [<0001> -20 <0002>] TJ 1 0 0 1 60 640 Tm /F0 6 Tf [<0001000100010001>] TJ /F0 5 Tf [<000100010001>] TJ ET q 2 0 0 2 0 0 cm 36 0 0 18 100 100 cm /I0 Do Q")
	if got, want := fmt.Sprintf("%.1f", p.extent), "[60.0 640.0 83.2 700.0]"; got != want {
		t.Errorf("the text reaches %s, want %s", got, want)
	}
	if p.small != 6 { // three glyphs, as the number of a note, are no text
		t.Errorf("the smallest text has %g points, want 6", p.small)
	}
	if len(p.pics) != 1 || p.pics[0].dpi != 90 { // 90 pixels on 72 points, and on 36
		t.Errorf("the pictures are %v", p.pics)
	}
	if len(f.shown) != 2 || f.shown[1] != 1 || f.shown[2] != 1 {
		t.Errorf("the glyphs are %v", f.shown)
	}
	if empty, _, _ := painted("0 g"); empty.marks || !p.marks {
		t.Errorf("a page of nothing has marks: %v; one of text: %v", empty.marks, p.marks)
	}
}
