package check

import (
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

func TestPrinter(t *testing.T) {
	s := specification(pdf.X1a)
	s.Printer = spec.PrinterKDP
	b := manuscriptOf(t, 8)
	good := set(t, b, s, pdf.X1a)
	// A spec's own margins and pictures: 60 mm of 900 pixels are 381 dpi.
	if wrong, refused := Printer(write(t, good, pdf.X1a), pdf.X1a, s); len(wrong)+len(refused) > 0 {
		t.Fatalf("a good book: %v, %v", wrong, refused)
	}
	for _, c := range []struct {
		what   string
		change func(p *page.Book, s *spec.Spec)
		want   string
	}{
		{"too few pages", func(p *page.Book, s *spec.Spec) { p.Pages = p.Pages[:10] }, "10 pages, the printer takes 24 to 828"},
		{"too many for Ingram", func(p *page.Book, s *spec.Spec) {
			s.Printer = spec.PrinterIngram
			for len(p.Pages) < 1201 {
				p.Pages = append(p.Pages, p.Pages[2])
			}
		}, "takes 18 to 1200"},
		{"another trim", func(p *page.Book, s *spec.Spec) { s.Trim.WidthMM = 148 }, "the specification says 148"},
		{"another bleed", func(p *page.Book, s *spec.Spec) { s.BleedMM = 5 }, "the bleed is not 5.0 mm"},
		{"blank pages", func(p *page.Book, s *spec.Spec) {
			for i := 4; i < 7; i++ {
				p.Pages[i] = page.Page{Blank: true}
			}
		}, "blank page in a row"},
		{"blank pages at the end", func(p *page.Book, s *spec.Spec) {
			p.Pages = append(p.Pages, make([]page.Page, 12)...)
		}, "blank page in a row"},
		{"small type", func(p *page.Book, s *spec.Spec) { mark(p, 4, func(g *page.Glyphs) { g.Size = 5000 }) },
			"type below 7 points: page 5 (5.0 pt)"},
		{"text at the edge", func(p *page.Book, s *spec.Spec) { mark(p, 4, func(g *page.Glyphs) { g.X = 10_000 }) },
			"page 5: text stands within"},
		{"text at the foot", func(p *page.Book, s *spec.Spec) { mark(p, 5, func(g *page.Glyphs) { g.Y = p.Height - 5000 }) },
			"page 6: text stands within"},
		{"coarse picture", func(p *page.Book, s *spec.Spec) {
			for i := range p.Pages {
				for k, m := range p.Pages[i].Marks {
					if x, ok := m.(page.Picture); ok {
						x.Width, x.Height = 350_000, 233_000
						x.X = 0
						p.Pages[i].Marks[k] = x
						return
					}
				}
			}
		}, "185 dpi"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := s
			p := set(t, b, s, pdf.X1a)
			c.change(p, &s)
			p.Outline = nil
			wrong, refused := Printer(write(t, p, pdf.X1a), pdf.X1a, s)
			if got := strings.Join(refused, "\n"); !strings.Contains(got, c.want) || strings.Contains(strings.Join(wrong, "\n"), c.want) {
				t.Errorf("%q, want %q in it alone; the file itself: %q", got, c.want, wrong)
			}
		})
	}
	if wrong, _ := Printer([]byte("hello"), pdf.X1a, s); len(wrong) == 0 {
		t.Error("no file: no fault")
	}
}

// mark changes the first longer word of a page.
func mark(p *page.Book, at int, change func(*page.Glyphs)) {
	for k, m := range p.Pages[at].Marks {
		if g, ok := m.(page.Glyphs); ok && len(g.Glyphs) > 5 {
			change(&g)
			p.Pages[at].Marks[k] = g
			return
		}
	}
}

// TestIngram sets a book by the rules of the other printer: wider margins, no faults.
func TestIngram(t *testing.T) {
	s := specification(pdf.X1a)
	s.Printer = spec.PrinterIngram
	b := manuscriptOf(t, 8)
	if wrong, refused := Printer(write(t, set(t, b, s, pdf.X1a), pdf.X1a), pdf.X1a, s); len(wrong)+len(refused) > 0 {
		t.Errorf("%v, %v", wrong, refused)
	}
}
