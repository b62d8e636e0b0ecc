package layout

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

func line1(s string, role manuscript.Role) manuscript.Block {
	return &manuscript.Paragraph{Role: role, Inlines: []manuscript.Inline{manuscript.Text{S: s}}}
}

// leaves names the pages of a book by the first of these words that stands on each, "-" where none does and "" for a
// blank one.
func leaves(b *page.Book, words ...string) string {
	var all []string
	for _, p := range b.Pages {
		on := strings.Join(texts(p), " ")
		i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(on, w) })
		switch {
		case i >= 0:
			all = append(all, words[i])
		case len(p.Marks) == 0:
			all = append(all, "")
		default:
			all = append(all, "-")
		}
	}
	return strings.Join(all, "|")
}

// TestPagesBeforeTheBody: half-title, title and dedication begin on rectos, the imprint stands on the back of the
// title page whoever has written that, and what the manuscript has is not made again. Rectos are the odd pages: the
// first, the third.
func TestPagesBeforeTheBody(t *testing.T) {
	section := func(k manuscript.SectionKind, s string) manuscript.Section {
		return manuscript.Section{Kind: k, Blocks: []manuscript.Block{line1(s, manuscript.RoleBody)}}
	}
	title := section(manuscript.KindTitlePage, "Flood")
	half := manuscript.Section{Kind: manuscript.KindHalfTitle, Title: line1("Rivers", 0).(*manuscript.Paragraph).Inlines}
	words := []string{"Rights", "Imprint", "Flood", "Mother", "Water", "Contents", "Body", "Rivers"}
	for _, c := range []struct {
		name     string
		sections []manuscript.Section
		change   func(*spec.Spec)
		want     string
	}{
		{"title made, nothing to say in an imprint", nil, func(*spec.Spec) {}, "Rivers||Body|"},
		{"title and imprint made", nil, func(s *spec.Spec) { s.Rights = "Rights 2026" }, "Rivers|Rights|Body|"},
		{"an ISBN alone makes an imprint", nil, func(s *spec.Spec) { s.ISBN = "978-3-16-148410-0" }, "Rivers|-|Body|"},
		{"the author's title page and an imprint made", []manuscript.Section{title}, func(s *spec.Spec) { s.Rights = "Rights 2026" },
			"Flood|Rights|Body|"},
		{"the author's title page and imprint", []manuscript.Section{title, section(manuscript.KindCopyright, "Imprint")},
			func(s *spec.Spec) { s.Rights = "Rights 2026" }, "Flood|Imprint|Body|"},
		{"the author's imprint, a title made", []manuscript.Section{section(manuscript.KindCopyright, "Imprint")}, func(*spec.Spec) {},
			"Rivers|Imprint|Body|"},
		{"a half-title before the author's title page", []manuscript.Section{half, title}, func(s *spec.Spec) { s.Rights = "Rights 2026" },
			"Rivers||Flood|Rights|Body|"},
		{"a dedication and an epigraph on rectos", []manuscript.Section{title, section(manuscript.KindDedication, "Mother"),
			section(manuscript.KindEpigraph, "Water")}, func(s *spec.Spec) { s.Rights = "Rights 2026" },
			"Flood|Rights|Mother||Water||Body|"},
	} {
		sp := spec.Default()
		sp.Contents = spec.ContentsNo
		c.change(&sp)
		b := manuscript.Book{Meta: manuscript.Meta{Title: "Rivers", Author: "Anna", Language: "en"},
			Sections: append(c.sections, section(manuscript.KindChapter, "Body"))}
		out, _ := set(t, b, sp, Options{})
		if got := leaves(out, words...); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestImprintMade: the imprint from the specification stands at the foot of its page, in small type, a line for each.
func TestImprintMade(t *testing.T) {
	sp := spec.Default()
	sp.Rights, sp.Publisher, sp.ISBN = "© 2026 Anna", "Verlag Nord", "978-3-16-148410-0"
	out, _ := set(t, manuscript.Book{Meta: manuscript.Meta{Title: "Rivers"},
		Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Blocks: []manuscript.Block{line1("Body", 0)}}}}, sp, Options{})
	d, err := newDesign(sp, len(out.Pages))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[Unit]string{}
	var at []Unit
	for _, m := range out.Pages[1].Marks {
		g := m.(page.Glyphs)
		if lines[g.Y] == "" {
			at = append(at, g.Y)
		}
		lines[g.Y] += g.Text
		if g.Size != d.noteSize {
			t.Errorf("%s has the size %d, want %d", g.Text, g.Size, d.noteSize)
		}
	}
	var got []string
	for _, y := range at {
		got = append(got, strings.ReplaceAll(lines[y], " ", ""))
	}
	if want := []string{"©2026Anna", "VerlagNord", "ISBN978-3-16-148410-0"}; !slices.Equal(got, want) {
		t.Errorf("says %q, want %q", got, want)
	}
	if at[0] < out.Height/2 || !slices.IsSorted(at) {
		t.Errorf("stands at %v of %d", at, out.Height)
	}
}

// TestTitlePageByRoles: the lines of an author's title page by their roles; one that says the book's title is it.
func TestTitlePageByRoles(t *testing.T) {
	sp := spec.Default()
	sec := manuscript.Section{Kind: manuscript.KindTitlePage, Title: []manuscript.Inline{manuscript.Text{S: "Flood"}},
		Subtitle: []manuscript.Inline{manuscript.Text{S: "Tale"}},
		Blocks: []manuscript.Block{line1("Anna", manuscript.RoleAuthor), line1("Graz", manuscript.RoleBody),
			line1("RIVERS", manuscript.RoleBody)}}
	out, _ := set(t, manuscript.Book{Meta: manuscript.Meta{Title: "Rivers"}, Sections: []manuscript.Section{sec}}, sp, Options{})
	d, err := newDesign(sp, len(out.Pages))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range out.Pages[0].Marks {
		g := m.(page.Glyphs)
		names = append(names, g.Text)
		want := map[string]Unit{"Flood": d.size * 240 / 100, "RIVERS": d.size * 240 / 100, "Tale": d.size * 130 / 100,
			"Anna": d.size * 130 / 100, "Graz": d.size}[g.Text]
		if g.Size != want {
			t.Errorf("%s has the size %d, want %d", g.Text, g.Size, want)
		}
		if g.Text == "Tale" && out.Fonts[g.Font].Style != "italic" {
			t.Errorf("the subtitle is %s", out.Fonts[g.Font].Style)
		}
	}
	if got := strings.Join(names, " "); got != "Flood Tale Anna Graz RIVERS" {
		t.Errorf("says %s", got)
	}
}
