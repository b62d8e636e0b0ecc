package layout

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Centred texts of several lines have no line much shorter than the others, as many lines as on the whole
// measure, and no word divided that was not.
func TestCentredLinesAreEven(t *testing.T) {
	d, err := newDesign(spec.Default(), 100)
	if err != nil {
		t.Fatal(err)
	}
	s := &setter{d: d, book: &manuscript.Book{}, shaper: line.NewShaper(), report: &Report{}, stopped: func() error { return nil }}
	r := rand.New(rand.NewPCG(3, 1))
	words := strings.Fields(vocabulary["en"][0] + " " + vocabulary["en"][1] + " " + vocabulary["de"][1])
	several, uneven, before := 0, 0, 0
	short := func(lines []line.Line) int {
		widest := Unit(0)
		for _, l := range lines {
			widest = max(widest, l.Width)
		}
		if lines[len(lines)-1].Width < widest/2 {
			return 1
		}
		return 0
	}
	for range 300 {
		var b strings.Builder
		for range 4 + r.IntN(24) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		pieces, err := s.pieces([]manuscript.Inline{manuscript.Text{S: b.String()}}, styleKey{size: d.noteSize})
		if err != nil {
			t.Fatal(err)
		}
		c := s.whole()
		p := s.evened(pieces, c)
		got := p.Lines(p.Break(0)[0])
		q := s.shaper.Paragraph(pieces, line.Shape{Measure: c.measure, Align: line.Center})
		whole := q.Lines(q.Break(0)[0])
		if len(got) != len(whole) {
			t.Fatalf("%d lines, %d on the whole measure: %s", len(got), len(whole), b.String())
		}
		for _, l := range got {
			if off := 2*l.Left + l.Width - c.width; off < -4000 || off > 4000 {
				t.Errorf("a line stands %d/1000 pt off the middle", off/2)
			}
		}
		if len(got) > 1 && len(got) <= maxTitle {
			several++
			uneven += short(got)
			before += short(whole)
		}
	}
	if several < 100 || before < 20 || uneven*5 > before {
		t.Errorf("of %d texts %d end in a short line, %d on the whole measure", several, uneven, before)
	}
}

// The lines of a caption stand closer than those of the text, and what follows stands on the grid.
func TestCaptionsAreTight(t *testing.T) {
	caption := []manuscript.Inline{manuscript.Text{S: strings.Repeat("Caption about what is seen ", 6)}}
	figure := &manuscript.Figure{Image: 0, WidthMM: 40, Caption: caption}
	table := &manuscript.Table{Caption: caption, Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned("Cell", 1, 1)}}}}
	prose := func(s string) *manuscript.Paragraph {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}}
	}
	book := tableBook(prose("Before"), figure, prose("Between"), table, prose("After"))
	book.Images = []manuscript.Image{picture(t, 400, 200)}
	s := spec.Default()
	out, r := set(t, book, s, Options{})
	sound(t, out, r)
	d, err := newDesign(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	var lines []Unit // of captions
	for _, m := range out.Pages[0].Marks {
		if g, ok := m.(page.Glyphs); ok && g.Size == d.noteSize && g.Text != "Cell" && (len(lines) == 0 || lines[len(lines)-1] != g.Y) {
			lines = append(lines, g.Y)
		}
	}
	if len(lines) < 4 || len(lines)%2 == 1 {
		t.Fatalf("captions of %d lines", len(lines))
	}
	for i := 1; i < len(lines); i++ {
		if by := lines[i] - lines[i-1]; i != len(lines)/2 && by != d.noteLeading {
			t.Errorf("lines of a caption %d/1000 pt apart, want %d", by, d.noteLeading)
		}
	}
	_, before := where(t, out, "Before")
	for _, w := range []string{"Between", "After", "Cell"} {
		if _, g := where(t, out, w); (g.Y-before.Y)%d.leading != 0 {
			t.Errorf("%s stands off the grid", w)
		}
	}
}

// The lines of a long title stand closer than two rows, below them the text stands on the grid.
func TestLongTitlesHoldTogether(t *testing.T) {
	book := tableBook(&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Before all"}}},
		&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "After"}}})
	book.Sections[0].Title = []manuscript.Inline{manuscript.Text{S: strings.Repeat("Title of many words ", 5)}}
	s := spec.Default()
	out, r := set(t, book, s, Options{})
	sound(t, out, r)
	size := Unit(s.SizePt*1000) * 165 / 100
	var lines []Unit
	for _, m := range out.Pages[0].Marks {
		if g, ok := m.(page.Glyphs); ok && g.Size == size && (len(lines) == 0 || lines[len(lines)-1] != g.Y) {
			lines = append(lines, g.Y)
		}
	}
	if len(lines) < 2 {
		t.Fatalf("a title of %d lines", len(lines))
	}
	for i := 1; i < len(lines); i++ {
		if by := lines[i] - lines[i-1]; by != size*12/10 {
			t.Errorf("lines of a title %d/1000 pt apart, want %d", by, size*12/10)
		}
	}
	_, before := where(t, out, "Before")
	if grid := Unit(s.LeadingPt * 1000); (before.Y-lines[0])%grid != 0 || before.Y-lines[len(lines)-1] < 3*grid {
		t.Errorf("the title at %v, the text at %d", lines, before.Y)
	}
}

// A title of any length is set, on as many pages as it needs.
func TestTitlesOfAnyLength(t *testing.T) {
	for words := 1; words < 200; words += 1 + words/4 {
		title := strings.TrimSpace(strings.Repeat("Wonderful ", words))
		book := tableBook(&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Text"}}})
		book.Sections[0].Title = []manuscript.Inline{manuscript.Text{S: title}}
		s := spec.Default()
		s.Title = title
		out, _ := set(t, book, s, Options{})
		n := 0
		for _, p := range out.Pages {
			for _, m := range p.Marks {
				if g, ok := m.(page.Glyphs); ok && g.Size > 18_000 {
					n += strings.Count(g.Text, "Wonderful")
				}
			}
		}
		if n < words { // on the title page and above the chapter
			t.Errorf("%d words of a title of %d", n, words)
		}
	}
}
