package layout

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// writer makes up text whose words are all different, so that each can be found again on the pages.
type writer struct{ n int }

// word is a new word beginning with a letter that says what it stands in.
func (w *writer) word(kind string) string {
	w.n++
	const consonants, vowels = "bdfgklmnprst", "aeiou"
	s := kind
	for n := w.n; n > 0; n /= 60 {
		s += string(vowels[n%5]) + string(consonants[n/5%12])
	}
	return s
}

func (w *writer) text(kind string, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.word(kind))
		switch {
		case i+1 == words:
			b.WriteByte('.')
		case i%11 == 7:
			b.WriteByte(',')
		}
	}
	return b.String()
}

func (w *writer) inlines(kind string, words int) []manuscript.Inline {
	return []manuscript.Inline{manuscript.Text{S: w.text(kind, words)}}
}

func (w *writer) paragraph(kind string, words int) *manuscript.Paragraph {
	return &manuscript.Paragraph{Inlines: w.inlines(kind, words)}
}

func picture(t testing.TB, width, height int) manuscript.Image {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return manuscript.Image{Name: "p.png", MediaType: "image/png", Bytes: b.Bytes(), Width: width, Height: height, Gray: true}
}

// everything is a book with a block of every kind, notes in all places, links and an index mark. Words of
// running text begin with X, those of other things with other capitals.
func everything(t testing.TB) manuscript.Book {
	w := &writer{}
	text := func(s string) manuscript.Text { return manuscript.Text{S: s} }
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Everything", Author: "Nobody", Language: "en"}}
	note := func(blocks ...manuscript.Block) manuscript.Inline {
		b.Notes = append(b.Notes, manuscript.Note{Blocks: blocks})
		return manuscript.NoteRef{Note: len(b.Notes) - 1}
	}
	b.Images = []manuscript.Image{picture(t, 900, 600), picture(t, 40, 30), picture(t, 300, 4000)}
	cell := func(in ...manuscript.Inline) manuscript.Cell {
		return manuscript.Cell{ColSpan: 1, RowSpan: 1, Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: in}}}
	}
	table := &manuscript.Table{HeadRows: 1, Caption: append(w.inlines("C", 4), note(w.paragraph("N", 6))),
		Rows: []manuscript.Row{{Cells: []manuscript.Cell{cell(text("head one")), cell(text("head two"))}}}}
	for i := range 40 {
		c := []manuscript.Inline{text(w.text("T", 3))}
		if i == 3 {
			c = append(c, note(w.paragraph("N", 30)))
		}
		table.Rows = append(table.Rows, manuscript.Row{Cells: []manuscript.Cell{cell(c...), cell(text(w.text("T", 9)))}})
	}
	noted := w.paragraph("X", 60)
	noted.Inlines = append(noted.Inlines,
		note(w.paragraph("N", 20), &manuscript.List{Ordered: true, Start: 1, Items: [][]manuscript.Block{{w.paragraph("N", 5)},
			{w.paragraph("N", 4)}}}, &manuscript.Quote{Blocks: []manuscript.Block{w.paragraph("N", 12)}}),
		text(" "+w.text("X", 30)), note(w.paragraph("N", 400)), text(" "+w.text("X", 9)))
	linked := w.paragraph("X", 30)
	linked.Inlines = append(linked.Inlines, manuscript.Link{Href: "https://example.org/", Inlines: w.inlines("L", 2)}, text(" and "),
		manuscript.Link{Href: "#there", Inlines: w.inlines("L", 2)}, manuscript.Link{Href: "#nowhere", Inlines: w.inlines("L", 1)},
		manuscript.InlineImage{Image: 1, Alt: "a mark"}, manuscript.LineBreak{},
		manuscript.Text{S: w.text("L", 3), Style: manuscript.Italic | manuscript.Bold},
		manuscript.Text{S: w.text("L", 1), Style: manuscript.Superscript}, manuscript.Text{S: w.text("L", 3), Style: manuscript.SmallCaps})
	var deep manuscript.Block = w.paragraph("D", 9)
	for range 9 {
		deep = &manuscript.List{Ordered: true, Start: 1, Format: "lower-roman", Items: [][]manuscript.Block{{w.paragraph("D", 5), deep}}}
	}
	blocks := []manuscript.Block{
		w.paragraph("X", 120), noted, &manuscript.SceneBreak{}, w.paragraph("X", 50), linked,
		&manuscript.Heading{Level: 1, Inlines: w.inlines("H", 5)}, w.paragraph("X", 90),
		&manuscript.Heading{Level: 2, Inlines: w.inlines("H", 5)}, &manuscript.Heading{Level: 3, Inlines: w.inlines("H", 3)},
		w.paragraph("X", 70),
		&manuscript.Quote{Blocks: []manuscript.Block{w.paragraph("Q", 50), w.paragraph("Q", 40)}, Attribution: w.inlines("Q", 3)},
		&manuscript.Paragraph{Inlines: append(w.inlines("X", 40), manuscript.Target{Name: "there"}, text(" "+w.text("X", 30)))},
		&manuscript.Verse{Stanzas: [][]manuscript.VerseLine{
			{{Inlines: w.inlines("V", 6)}, {Inlines: w.inlines("V", 25), Indent: 1}, {Inlines: w.inlines("V", 5), Indent: 40}},
			{{Inlines: w.inlines("V", 6)}, {Inlines: w.inlines("V", 4)}},
		}, Attribution: w.inlines("V", 2)},
		&manuscript.Figure{Image: 0, Alt: "wide", Caption: append(w.inlines("F", 12), note(w.paragraph("N", 8)))},
		w.paragraph("X", 80), &manuscript.Figure{Image: 2, Alt: "high", WidthMM: 400, Caption: w.inlines("F", 6)}, w.paragraph("X", 60),
		&manuscript.Figure{Image: -1, Alt: "none"}, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.InlineImage{Image: 0}}},
		table, w.paragraph("X", 100), deep,
		&manuscript.List{Items: [][]manuscript.Block{{w.paragraph("D", 30)}, {w.paragraph("D", 3)}, {}}},
		&manuscript.Code{Lines: []string{"K" + w.word(""), "", "\tK" + w.word("")}}, &manuscript.PageBreak{}, w.paragraph("X", 200),
	}
	b.Sections = []manuscript.Section{
		{Kind: manuscript.KindHalfTitle, Title: []manuscript.Inline{text("Everything")}},
		{Kind: manuscript.KindTitlePage, Blocks: []manuscript.Block{
			&manuscript.Paragraph{Role: manuscript.RoleTitle, Inlines: w.inlines("E", 3)},
			&manuscript.Paragraph{Role: manuscript.RoleSubtitle, Inlines: w.inlines("E", 4)},
			&manuscript.Paragraph{Role: manuscript.RoleAuthor, Inlines: w.inlines("E", 2)}, w.paragraph("E", 4)}},
		{Kind: manuscript.KindCopyright, Blocks: []manuscript.Block{w.paragraph("E", 25), w.paragraph("E", 5)}},
		{Kind: manuscript.KindDedication, Blocks: []manuscript.Block{w.paragraph("E", 5)}},
		{Kind: manuscript.KindPreface, Title: []manuscript.Inline{text("Preface")}, Blocks: []manuscript.Block{w.paragraph("X", 500)}},
		{Kind: manuscript.KindPart, Label: "1", Number: "1", Title: []manuscript.Inline{text("A part")}},
		{Kind: manuscript.KindChapter, Label: "Chapter 1", Number: "1", Title: []manuscript.Inline{text("All blocks")},
			Subtitle: w.inlines("S", 4), Blocks: blocks},
		{Kind: manuscript.KindChapter, Number: "2", Title: []manuscript.Inline{text("Chapter 2")}},
		{Kind: manuscript.KindChapter, Title: []manuscript.Inline{text("The last")},
			Blocks: []manuscript.Block{w.paragraph("X", 40), w.paragraph("X", 300)}},
	}
	return b
}

// said are all words of a manuscript that are made up, and those of running text in order.
func said(b manuscript.Book) (out map[string]bool, prose []string) {
	out = map[string]bool{}
	var inlines func([]manuscript.Inline)
	var all func([]manuscript.Block)
	inlines = func(in []manuscript.Inline) {
		for _, x := range in {
			switch x := x.(type) {
			case manuscript.Text:
				for _, w := range strings.Fields(x.S) {
					if w = strings.Trim(w, ".,"); made(w) {
						out[w] = true
						if w[0] == 'X' {
							prose = append(prose, w)
						}
					}
				}
			case manuscript.Link:
				inlines(x.Inlines)
			}
		}
	}
	all = func(blocks []manuscript.Block) {
		for _, x := range blocks {
			switch x := x.(type) {
			case *manuscript.Paragraph:
				inlines(x.Inlines)
			case *manuscript.Heading:
				inlines(x.Inlines)
			case *manuscript.Figure:
				inlines(x.Caption)
			case *manuscript.Quote:
				all(x.Blocks)
				inlines(x.Attribution)
			case *manuscript.List:
				for _, i := range x.Items {
					all(i)
				}
			case *manuscript.Table:
				inlines(x.Caption)
				for _, r := range x.Rows {
					for _, c := range r.Cells {
						all(c.Blocks)
					}
				}
			case *manuscript.Verse:
				for _, s := range x.Stanzas {
					for _, l := range s {
						inlines(l.Inlines)
					}
				}
				inlines(x.Attribution)
			case *manuscript.Code:
				for _, l := range x.Lines {
					inlines([]manuscript.Inline{manuscript.Text{S: l}})
				}
			}
		}
	}
	for _, s := range b.Sections {
		inlines(s.Subtitle)
		all(s.Blocks)
	}
	for _, n := range b.Notes {
		all(n.Blocks)
	}
	return out, prose
}

// made says whether a word is one of a writer's.
func made(s string) bool {
	return len(s) > 2 && s[0] >= 'A' && s[0] <= 'Z' && strings.ContainsRune("aeiou", rune(s[1])) &&
		strings.Trim(s[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// shownWords are the made up words of the pages with how often each stands there, those of running text
// in order.
func shownWords(b *page.Book) (count map[string]int, prose []string) {
	count = map[string]int{}
	for _, p := range b.Pages {
		for _, m := range p.Marks {
			g, ok := m.(page.Glyphs)
			if !ok {
				continue
			}
			for _, w := range strings.FieldsFunc(g.Text, func(c rune) bool { return c == ' ' || c == '\u00a0' || c == '.' || c == ',' }) {
				if !made(w) {
					continue
				}
				count[w]++
				if w[0] == 'X' {
					prose = append(prose, w)
				}
			}
		}
	}
	return count, prose
}

// sound checks what holds for the pages of every book.
func sound(t testing.TB, b *page.Book, r Report) {
	t.Helper()
	arabic, last := false, 0
	for i, p := range b.Pages {
		for _, m := range p.Marks {
			x, y, w, h := Unit(0), Unit(0), Unit(0), Unit(0)
			switch m := m.(type) {
			case page.Glyphs:
				x, y = m.X, m.Y
				for _, g := range m.Glyphs {
					w += g.Advance
				}
			case page.Rule:
				x, y, w, h = m.X, m.Y, m.Width, m.Height
			case page.Picture:
				x, y, w, h = m.X, m.Y, m.Width, m.Height
				if w > b.Width-2*36_000 || w <= 0 || h <= 0 {
					t.Errorf("page %d: a picture of %d × %d", i, w, h)
				}
			}
			if x < 0 || y < 0 || x+w > b.Width || y+h > b.Height {
				t.Fatalf("page %d: outside the page: %+v", i, m)
			}
		}
		for _, l := range p.Links {
			if l.URI == "" && (l.Page < 0 || l.Page >= len(b.Pages)) {
				t.Errorf("page %d: a link to page %d of %d", i, l.Page, len(b.Pages))
			}
		}
		n := 0
		if _, err := fmt.Sscanf(p.Folio, "%d", &n); err == nil {
			if !arabic {
				arabic, last = true, 0
				if i%2 != 0 {
					t.Errorf("page 1 is a verso")
				}
			}
		} else if arabic && p.Folio != "" {
			t.Errorf("page %d: folio %q after arabic ones", i, p.Folio)
		} else {
			for n = 1; n < 4000 && roman(n) != p.Folio; n++ {
				if p.Folio == "" {
					n = last + 1
					break
				}
			}
		}
		if n != last+1 && p.Folio != "" {
			t.Errorf("page %d: folio %s after %d", i, p.Folio, last)
		}
		last = n
	}
	if r.Pages != len(b.Pages) {
		t.Errorf("report says %d pages of %d", r.Pages, len(b.Pages))
	}
}

func set(t testing.TB, b manuscript.Book, s spec.Spec, o Options) (*page.Book, Report) {
	t.Helper()
	out, r, err := Set(context.Background(), b, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return out, r
}
