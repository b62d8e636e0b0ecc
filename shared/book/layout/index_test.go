package layout

import (
	"fmt"
	"strings"
	"testing"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// lines are the texts of a page's lines from top to bottom, left column before right; words of one line are
// joined by spaces.
func lines(p page.Page, middle Unit) []string {
	type key struct {
		column int
		y      Unit
	}
	var order []key
	text := map[key]string{}
	for _, m := range p.Marks {
		g, ok := m.(page.Glyphs)
		if !ok {
			continue
		}
		k := key{0, g.Y}
		if g.X > middle {
			k.column = 1
		}
		if _, ok := text[k]; !ok {
			order = append(order, k)
		} else {
			text[k] += " "
		}
		text[k] += g.Text
	}
	var out []string
	for _, k := range order {
		out = append(out, strings.NewReplacer(" ,", ",", " .", ".").Replace(text[k]))
	}
	return out
}

// Page numbers of the index are those of the pages the words came to stand on.
func TestIndex(t *testing.T) {
	b := bookindex.Anchor(prose(3, 2, 60))
	s := spec.Default()
	s.Hyphenate = false
	var entries []bookindex.Entry
	where := map[string]string{} // the folio, by term
	paragraphs := func(yield func(*manuscript.Paragraph)) {
		for _, sec := range b.Sections {
			for _, x := range sec.Blocks {
				if p, ok := x.(*manuscript.Paragraph); ok {
					yield(p)
				}
			}
		}
	}
	paragraphs(func(p *manuscript.Paragraph) {
		w := strings.Fields(manuscript.Plain(p.Inlines))
		term := strings.Trim(w[len(w)-1], ".,") // the last word: a long paragraph may end on the next page
		where[term] = ""
		entries = append(entries, bookindex.Entry{ID: fmt.Sprint(len(entries)), Term: term,
			Locators: []bookindex.Locator{{Anchor: p.Anchor}}, Keep: true})
	})
	for _, n := range b.Notes {
		p := n.Blocks[0].(*manuscript.Paragraph)
		w := strings.Fields(manuscript.Plain(p.Inlines))
		term := strings.Trim(w[0], ".,")
		where[term] = "n"
		entries = append(entries, bookindex.Entry{ID: fmt.Sprint(len(entries)), Term: term,
			Locators: []bookindex.Locator{{Anchor: p.Anchor}}, Keep: true})
	}
	first, last := entries[0].Locators[0].Anchor, entries[40].Locators[0].Anchor
	entries = append(entries,
		bookindex.Entry{ID: "r", Term: "Range", Locators: []bookindex.Locator{{Anchor: first, EndAnchor: last}}, Keep: true},
		bookindex.Entry{ID: "s", Term: "Synonym", See: []string{"Range"}, Keep: true},
		bookindex.Entry{ID: "a", Term: "Range", Sub: "its end", SeeAlso: []string{"Synonym"}, Locators: []bookindex.Locator{{Anchor: last}},
			Keep: true},
		bookindex.Entry{ID: "l", Term: "Lost", Locators: []bookindex.Locator{{Anchor: "gone"}}, Keep: true},
		bookindex.Entry{ID: "n", Term: "Not wanted", Locators: []bookindex.Locator{{Anchor: first}}},
	)
	out, r := set(t, b, s, Options{Index: entries, Proof: "PROOF"})
	sound(t, out, r)
	at := -1
	for _, x := range r.Sections {
		if x.Title == "Index" {
			at = x.Page
		}
	}
	if at < 0 || at%2 != 0 {
		t.Fatalf("the index begins on page %d", at)
	}
	for i, p := range out.Pages[:at] {
		for _, m := range p.Marks {
			if g, ok := m.(page.Glyphs); ok {
				w := strings.Trim(g.Text, ".,")
				if suffix, ok := where[w]; ok && (suffix == "" || suffix == "n") {
					where[w] = out.Pages[i].Folio + suffix
				}
			}
		}
	}
	got := map[string]string{}
	var all []string
	for _, p := range out.Pages[at:] {
		all = append(all, lines(p, out.Width/2)...)
	}
	for _, l := range all {
		if term, pages, ok := strings.Cut(l, ", "); ok {
			got[term] = pages
		}
	}
	for term, want := range where {
		if got[term] != want {
			t.Errorf("%s: the index says %q, it stands on %q", term, got[term], want)
		}
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"Range, 1–", "Synonym. See Range", "its end, ", ". See also Synonym"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the index:\n%s", want, text)
		}
	}
	for _, not := range []string{"Lost", "Not wanted"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is in the index", not)
		}
	}
	links := 0
	for _, p := range out.Pages[at:] {
		links += len(p.Links)
	}
	if links < len(where) {
		t.Errorf("%d links of %d entries", links, len(where))
	}
}

// A column that goes on behind a page turn with a subject says the term again.
func TestIndexContinued(t *testing.T) {
	b := bookindex.Anchor(prose(4, 1, 10))
	a := b.Sections[0].Blocks[0].(*manuscript.Paragraph).Anchor
	var entries []bookindex.Entry
	for i := range 200 {
		entries = append(entries, bookindex.Entry{ID: fmt.Sprint(i), Term: "Term", Sub: fmt.Sprintf("subject %03d", i),
			Locators: []bookindex.Locator{{Anchor: a}}, Keep: true})
	}
	for language, want := range map[string]string{"en": "Term (continued)", "de": "Term (Fortsetzung)"} {
		s := spec.Default()
		s.Language = language
		out, _ := set(t, b, s, Options{Index: entries})
		n := 0
		for i, p := range out.Pages {
			for _, l := range lines(p, out.Width/2) {
				if l == want {
					n++
					if i%2 == 0 {
						t.Errorf("%s stands on recto %d", want, i)
					}
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: nothing is continued", language)
		}
	}
}

// TestMarksInAnyBlock: an entry that the author has marked has its page in the index, whatever it is marked in.
func TestMarksInAnyBlock(t *testing.T) {
	n := 0
	var want []string
	marked := func(where string) []manuscript.Inline {
		n++
		want = append(want, where)
		return []manuscript.Inline{manuscript.Text{S: fmt.Sprint("Words ", n)}, manuscript.IndexMark{Term: where},
			manuscript.Text{S: " behind."}}
	}
	p := func(where string) *manuscript.Paragraph { return &manuscript.Paragraph{Inlines: marked(where)} }
	verse := func(where string) *manuscript.Verse {
		return &manuscript.Verse{Stanzas: [][]manuscript.VerseLine{{{Inlines: marked(where)},
			{Inlines: []manuscript.Inline{manuscript.Text{S: "and so on"}}}}}}
	}
	cell := manuscript.Cell{ColSpan: 1, RowSpan: 1, Blocks: []manuscript.Block{p("cell")}}
	noted := p("paragraph")
	noted.Inlines = append(noted.Inlines, manuscript.NoteRef{Note: 0})
	b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Images: []manuscript.Image{picture(t, 400, 300)},
		Notes: []manuscript.Note{{Blocks: []manuscript.Block{p("note")}}},
		Sections: []manuscript.Section{
			{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "One"}}, Blocks: []manuscript.Block{
				noted, &manuscript.Heading{Level: 1, Inlines: marked("heading")},
				&manuscript.List{Items: [][]manuscript.Block{{p("item")}}},
				&manuscript.Quote{Blocks: []manuscript.Block{p("quotation")}, Attribution: marked("source")}, verse("verse"),
				&manuscript.Figure{Image: 0, Caption: marked("caption")},
				&manuscript.Table{Caption: marked("table"), Rows: []manuscript.Row{{Cells: []manuscript.Cell{cell}}}},
			}},
			{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "Two"}},
				Blocks: []manuscript.Block{verse("first verse")}},
		}}
	entries := bookindex.Draft(b)
	if err := bookindex.Validate(entries, b); err != nil {
		t.Fatal(err)
	}
	out, _ := set(t, b, spec.Default(), Options{Index: entries})
	var said []string
	for _, pg := range out.Pages {
		said = append(said, lines(pg, out.Width/2)...)
	}
	all := "\n" + strings.Join(said, "\n") + "\n"
	for _, where := range want {
		if !strings.Contains(all, "\n"+where+", ") {
			t.Errorf("a mark in a %s has no page", where)
		}
	}
}
