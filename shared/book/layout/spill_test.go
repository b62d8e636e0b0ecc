package layout

import (
	"fmt"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// TestContentsDoNotSpill: whatever the number of chapters, no page of the contents holds so few lines that the
// pages before could have held them.
func TestContentsDoNotSpill(t *testing.T) {
	for chapters := 20; chapters <= 40; chapters++ {
		var b manuscript.Book
		for i := range chapters {
			b.Sections = append(b.Sections,
				manuscript.Section{Kind: manuscript.KindChapter,
					Title:  []manuscript.Inline{manuscript.Text{S: fmt.Sprintf("Gallery %d", i+1)}},
					Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Text."}}}}})
		}
		s := spec.Default()
		s.Openers = spec.NextPage
		out, r := set(t, b, s, Options{})
		for i := range r.Sections[0].Page {
			lines := map[Unit]bool{}
			for _, m := range out.Pages[i].Marks {
				if g, ok := m.(page.Glyphs); ok && g.Text == "." {
					lines[g.Y] = true
				}
			}
			if len(lines) > 0 && len(lines) <= 3 {
				t.Errorf("%d chapters: page %d of the contents has %d lines", chapters, i+1, len(lines))
			}
		}
	}
}

// TestQuotationsAreIndented: the first paragraph of a quotation is flush, those behind it begin with an indent.
func TestQuotationsAreIndented(t *testing.T) {
	para := func(s string) manuscript.Block {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}}
	}
	b := manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "A"}},
		Blocks: []manuscript.Block{para("Before."),
			&manuscript.Quote{Blocks: []manuscript.Block{para("First."), para("Second."), para("Third.")}}, para("Behind.")}}}}
	out, _ := set(t, b, spec.Default(), Options{})
	at := map[string]Unit{}
	for _, p := range out.Pages {
		for _, m := range p.Marks {
			if g, ok := m.(page.Glyphs); ok {
				at[g.Text] = g.X
			}
		}
	}
	if in := at["Second."] - at["First."]; in < 10_000 || in > 16_000 || at["Third."] != at["Second."] || at["First."] <= at["Before."] ||
		at["Behind."] != at["Before."] {
		t.Errorf("left edges %v", at)
	}
}
