package layout

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// runsOf are the runs of text of a chapter without a title, in order, without folio and running head.
func runsOf(t *testing.T, s spec.Spec, blocks ...manuscript.Block) (runs []page.Glyphs, d *design) {
	t.Helper()
	s.HeadVerso, s.HeadRecto, s.Contents = spec.HeadNone, spec.HeadNone, spec.ContentsNo
	out, _ := set(t, manuscript.Book{Meta: manuscript.Meta{Language: s.Language},
		Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Blocks: blocks}}}, s, Options{})
	d, err := newDesign(s, len(out.Pages))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Pages {
		for i, m := range p.Marks {
			if g, ok := m.(page.Glyphs); ok && (i+1 < len(p.Marks) || g.Text != p.Folio) {
				runs = append(runs, g)
			}
		}
	}
	return runs, d
}

func saying(runs []page.Glyphs) string {
	var all []string
	for _, g := range runs {
		all = append(all, g.Text)
	}
	return strings.Join(all, " ")
}

// TestMarksOfLists: what stands before the items of a list, by its format and depth.
func TestMarksOfLists(t *testing.T) {
	items := func(n int) (all [][]manuscript.Block) {
		for range n {
			all = append(all, []manuscript.Block{line1("x", 0)})
		}
		return all
	}
	nested := &manuscript.List{Items: [][]manuscript.Block{{line1("y", 0),
		&manuscript.List{Items: [][]manuscript.Block{{line1("z", 0), &manuscript.List{Items: items(1)}}}}}}}
	for _, c := range []struct {
		name string
		list *manuscript.List
		want string
	}{
		{"bullets", &manuscript.List{Items: items(2)}, "• x • x"},
		{"bullets in each other", nested, "• y – z • x"},
		{"figures", &manuscript.List{Ordered: true, Start: 1, Items: items(2)}, "1. x 2. x"},
		{"figures from nine", &manuscript.List{Ordered: true, Start: 9, Format: "decimal", Items: items(2)}, "9. x 10. x"},
		{"figures from nought", &manuscript.List{Ordered: true, Start: 0, Format: "decimal", Items: items(1)}, "0. x"},
		{"letters", &manuscript.List{Ordered: true, Start: 26, Format: "lower-alpha", Items: items(2)}, "z. x aa. x"},
		{"capitals", &manuscript.List{Ordered: true, Start: 3, Format: "upper-alpha", Items: items(1)}, "C. x"},
		{"roman numbers", &manuscript.List{Ordered: true, Start: 3, Format: "lower-roman", Items: items(2)}, "iii. x iv. x"},
		{"large roman numbers", &manuscript.List{Ordered: true, Start: 9, Format: "upper-roman", Items: items(1)}, "IX. x"},
		{"an empty item has no mark", &manuscript.List{Ordered: true, Start: 1,
			Items: [][]manuscript.Block{{line1("x", 0)}, {}, {line1("x", 0)}}}, "1. x 3. x"},
	} {
		runs, _ := runsOf(t, spec.Default(), c.list)
		if got := saying(runs); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		n            int
		format, want string
	}{
		{27, "lower-alpha", "aa"}, {52, "lower-alpha", "az"}, {53, "lower-alpha", "ba"}, {702, "upper-alpha", "ZZ"},
		{703, "lower-alpha", "aaa"}, {0, "lower-alpha", "0"}, {-1, "upper-roman", "-1"},
		{1994, "lower-roman", "mcmxciv"}, {3999, "upper-roman", "MMMCMXCIX"}, {4000, "upper-roman", "4000"}, {7, "", "7"},
		{7, "unknown", "7"},
	} {
		if got := ordinal(c.n, c.format); got != c.want {
			t.Errorf("%d in %s: %s, want %s", c.n, c.format, got, c.want)
		}
	}
}

// TestLooksOfText: what a style does to a run of text.
func TestLooksOfText(t *testing.T) {
	for _, c := range []struct {
		name, in, text string
		style          manuscript.Style
		size           Unit // in hundredths of the text's
		up             Unit // in hundredths of the text's size
	}{
		{"plain", "Weg", "Weg", 0, 100, 0},
		{"capitals", "Straße", "STRASSE", manuscript.AllCaps, 100, 0},
		{"capitals with accents", "état", "ÉTAT", manuscript.AllCaps, 100, 0},
		{"above the line", "th", "th", manuscript.Superscript, 68, 33},
		{"below the line", "2", "2", manuscript.Subscript, 68, -14},
		{"small capitals keep their letters", "Weg", "Weg", manuscript.SmallCaps, 100, 0},
	} {
		p := &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "am "}, manuscript.Text{S: c.in, Style: c.style}}}
		s := spec.Default()
		runs, d := runsOf(t, s, p)
		i := slices.IndexFunc(runs, func(g page.Glyphs) bool { return strings.HasSuffix(g.Text, c.text) })
		if i < 0 {
			t.Errorf("%s: no %q in %q", c.name, c.text, saying(runs))
			continue
		}
		g := runs[i]
		var rise Unit
		for _, gl := range g.Glyphs {
			rise = -gl.DY
		}
		rise += runs[0].Y - g.Y
		if g.Size != d.size*c.size/100 || rise != d.size*c.up/100 {
			t.Errorf("%s: size %d, %d above the line, want %d and %d", c.name, g.Size, rise, d.size*c.size/100, d.size*c.up/100)
		}
	}
}

// TestDropCaps: the first letter of a chapter is two lines high and begins at the edge; a quotation mark before it
// hangs in the margin in the size of the text. Where the paragraph is short or begins with no letter, no initial is set.
func TestDropCaps(t *testing.T) {
	s := spec.Default()
	s.FirstLine, s.Hyphenate = spec.FirstDropCap, false
	long := strings.Repeat(" went down to the river and nobody saw them there", 8)
	for _, c := range []struct {
		name, in, letter, mark string
	}{
		{"a letter", "They" + long, "T", ""},
		{"a small letter", "they" + long, "T", ""},
		{"an umlaut", "Äpfel" + long, "Ä", ""},
		{"a quotation", "“They" + long, "T", "“"},
		{"a German quotation", "„Sie" + long, "S", "„"},
		{"guillemets", "»Sie" + long, "S", "»"},
		{"a figure", "12 men" + long, "", ""},
		{"a short paragraph", "They went.", "", ""},
	} {
		runs, d := runsOf(t, s, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: c.in}}}, line1("End.", 0))
		letter, mark := "", ""
		left := Unit(1 << 30)
		for _, g := range runs {
			if g.Size > d.size*3/2 {
				letter = g.Text
			}
			if g.Text == c.mark {
				mark, left = g.Text, g.X
			}
		}
		if letter != c.letter || mark != c.mark {
			t.Errorf("%s: letter %q behind %q, want %q behind %q", c.name, letter, mark, c.letter, c.mark)
		}
		if c.mark != "" && left >= d.inner {
			t.Errorf("%s: the mark stands at %d, the text at %d", c.name, left, d.inner)
		}
		if got, want := strings.Join(strings.Fields(strings.ReplaceAll(saying(runs), " ", "")), ""), strings.ReplaceAll(c.in, " ",
			"")+"End."; c.letter == "" && got != want {
			t.Errorf("%s: says %q", c.name, got)
		}
	}
}

// TestInitials: what a drop cap takes from the beginning of a paragraph.
func TestInitials(t *testing.T) {
	long := strings.Repeat("went down to the river and nobody ", 6)
	text := func(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }
	for _, c := range []struct {
		name  string
		in    []manuscript.Inline
		quote string
		first rune
		rest  string
		ok    bool
	}{
		{"a letter", text("They " + long), "", 'T', "hey " + long, true},
		{"a mark and a letter", text("„Ja " + long), "„", 'J', "a " + long, true},
		{"two marks", text("“‘Yes " + long), "", 0, "", false},
		{"a dash", text("– Yes " + long), "", 0, "", false},
		{"a picture first", append([]manuscript.Inline{manuscript.InlineImage{}}, text("They "+long)...), "", 0, "", false},
		{"nothing", nil, "", 0, "", false},
		{"less than two lines", text("They went."), "", 0, "", false},
	} {
		quote, first, rest, ok := initial(c.in)
		if quote != c.quote || first != c.first || manuscript.Plain(rest) != c.rest && c.ok || ok != c.ok {
			t.Errorf("%s: %q %q %.10q %v", c.name, quote, first, manuscript.Plain(rest), ok)
		}
	}
	// The words that lead in small capitals: whole words of at least so many letters.
	for in, want := range map[string]string{"They went down": "They went", "Longitude was": "Longitude", "Yes": "Yes"} {
		out := smallCapsLead(text(in), 8)
		if got := out[0].(manuscript.Text); got.S != want || !got.Style.Has(manuscript.SmallCaps) {
			t.Errorf("%q leads with %q", in, got.S)
		}
		if manuscript.Plain(out) != in {
			t.Errorf("%q became %q", in, manuscript.Plain(out))
		}
	}
}
