package layout

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// A reference to a page shows the number of the page it leads to, forwards and backwards, in the front matter
// and in notes, whatever the word processor counted. One that leads nowhere keeps its text, and so does a link
// that is no such reference.
func TestReferencesShowTheBooksOwnPages(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, openers := range []spec.Openers{spec.Recto, spec.NextPage} {
		w := &writer{}
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}}
		refer := func(to string) manuscript.Inline {
			return manuscript.Link{Href: "#" + to, Page: true, Inlines: []manuscript.Inline{manuscript.Text{S: fmt.Sprint(r.IntN(2000))}}}
		}
		for i := range 12 {
			s := manuscript.Section{Kind: manuscript.KindChapter, Title: w.inlines("H", 2)}
			if i == 0 {
				s.Kind = manuscript.KindPreface
			}
			for k := range 14 {
				p := w.paragraph("X", 20+r.IntN(90))
				p.Inlines = append([]manuscript.Inline{manuscript.Target{Name: fmt.Sprintf("t%d", i*14+k)}}, p.Inlines...)
				for range 3 {
					p.Inlines = append(p.Inlines, manuscript.Text{S: " see "}, refer(fmt.Sprintf("t%d", r.IntN(12*14))),
						manuscript.Text{S: w.text("X", 12)})
				}
				s.Blocks = append(s.Blocks, p)
			}
			b.Notes = append(b.Notes, manuscript.Note{
				Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Also "},
					refer("t100")}}}})
			last := s.Blocks[13].(*manuscript.Paragraph)
			last.Inlines = append(last.Inlines, manuscript.NoteRef{Note: i})
			b.Sections = append(b.Sections, s)
		}
		plain := manuscript.Link{Href: "#t3", Inlines: []manuscript.Inline{manuscript.Text{S: "4711"}}}
		nowhere := manuscript.Link{Href: "#nowhere", Page: true, Inlines: []manuscript.Inline{manuscript.Text{S: "4712"}}}
		b.Sections[3].Blocks = append(b.Sections[3].Blocks,
			&manuscript.Paragraph{Inlines: []manuscript.Inline{plain, manuscript.Text{S: " and "}, nowhere}})
		s := spec.Default()
		s.Openers = openers
		out, report := set(t, b, s, Options{})
		sound(t, out, report)
		where(t, out, "4711")
		where(t, out, "4712")
		seen := 0
		for _, p := range out.Pages {
			at := map[[2]Unit]string{}
			for _, m := range p.Marks {
				if g, ok := m.(page.Glyphs); ok {
					at[[2]Unit{g.X, g.Y - g.Size*8/10}] = g.Text
				}
			}
			for _, l := range p.Links {
				text := at[[2]Unit{l.X, l.Y}]
				if text == "" || text == "4711" || text[0] == 'H' { // the contents have titles
					continue
				}
				seen++
				if want := out.Pages[l.Page].Folio; text != want {
					t.Errorf("page %s refers to %s as %s", p.Folio, want, text)
				}
			}
		}
		if seen < 12*14*3 {
			t.Errorf("%d references seen", seen)
		}
		if report.Referred["t100"] == "" || report.Referred["nowhere"] != "4712" {
			t.Errorf("referred: t100 %q, nowhere %q", report.Referred["t100"], report.Referred["nowhere"])
		}
	}
}
