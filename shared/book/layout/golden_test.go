package layout

import (
	"fmt"
	"strings"
	"testing"

	"mappe/infra/golden"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/spec"
)

// dump writes a display list for people: a line of text is a line, with its baseline, left edge, size and
// the words that stand on it.
func dump(b *page.Book) string {
	var out strings.Builder
	for i, p := range b.Pages {
		fmt.Fprintf(&out, "page %d folio %q blank %t\n", i, p.Folio, p.Blank)
		last := page.Glyphs{Y: -1}
		for _, m := range p.Marks {
			switch m := m.(type) {
			case page.Glyphs:
				if m.Y == last.Y && m.Size == last.Size && m.Font == last.Font && m.X > last.X {
					fmt.Fprintf(&out, " %s", m.Text)
				} else {
					if last.Y >= 0 {
						out.WriteByte('\n')
					}
					fmt.Fprintf(&out, " y %d x %d size %d font %d: %s", m.Y, m.X, m.Size, m.Font, m.Text)
				}
				last = m
				continue
			case page.Rule:
				fmt.Fprintf(&out, "\n rule %d %d %d × %d", m.X, m.Y, m.Width, m.Height)
			case page.Picture:
				fmt.Fprintf(&out, "\n picture %d at %d %d %d × %d %s", m.Image, m.X, m.Y, m.Width, m.Height, m.Alt)
			}
			last.Y = 0
			last.X = 1 << 30
		}
		if len(p.Marks) > 0 {
			out.WriteByte('\n')
		}
		for _, l := range p.Links {
			fmt.Fprintf(&out, " link %d %d %d × %d to %d %s\n", l.X, l.Y, l.Width, l.Height, l.Page, l.URI)
		}
	}
	for _, o := range b.Outline {
		fmt.Fprintf(&out, "outline %d %s: page %d\n", o.Level, o.Title, o.Page)
	}
	return out.String()
}

// The pages of a small book with a block of every kind are what they were.
func TestGolden(t *testing.T) {
	s := spec.Default()
	s.FirstLine = spec.FirstDropCap
	out, _ := set(t, everything(t), s, Options{})
	again, _ := set(t, everything(t), s, Options{})
	got := dump(out)
	if got != dump(again) {
		t.Fatal("two settings of the same book differ")
	}
	golden.Check(t, "everything.golden", []byte(got))
}
