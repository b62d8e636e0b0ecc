package clean

import (
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// kindsOf are the kinds of the sections of a book, in order.
func kindsOf(b manuscript.Book) string {
	var all []string
	for _, s := range b.Sections {
		all = append(all, s.Kind.String())
	}
	return strings.Join(all, " ")
}

// TestPagesBeforeTheFirstChapter: what stands before the first heading is told apart by its words and its form; the
// text of the pages stays as it is.
func TestPagesBeforeTheFirstChapter(t *testing.T) {
	chapters := []string{"# Chapter 1", "@", "# Chapter 2", "@"}
	for _, c := range []struct {
		name, want string
		lines      []string
		found      string
	}{
		{"title and author", "title_page chapter chapter", []string{"^**The River**", "^by Anna Huber", "="}, ""},
		{"an English imprint", "copyright chapter chapter", []string{"Copyright 2026 by Anna Huber. All rights reserved.", "="}, ""},
		{"a German imprint", "copyright chapter chapter", []string{"Impressum", "Alle Rechte vorbehalten.", "="}, "fake_heading 1"},
		{"a printer's line", "copyright chapter chapter", []string{"Printed in Austria.", "="}, ""},
		{"lines below an imprint belong to it", "copyright chapter chapter", []string{"© 2026 Anna Huber", "", "Cover by Karl Maier.", "="},
			"empty_paragraphs 1"},
		{"a dedication", "dedication chapter chapter", []string{"In memory of Karl", "="}, ""},
		{"a German dedication", "dedication chapter chapter", []string{"Für meine Mutter", "="}, ""},
		{"a quotation with its author", "epigraph chapter chapter", []string{"All is water, and all that lives came from it.", "– Thales",
			"="}, ""},
		{"a quotation in marks", "epigraph chapter chapter", []string{"»Alles fließt und nichts bleibt.«", "="}, ""},
		{"a title, a dedication and a quotation on one page", "title_page dedication epigraph chapter chapter",
			[]string{"^**The River**", "", "For my mother", "", "“All is water.”", "— Thales", "="}, "empty_paragraphs 2"},
		{"contents with leaders", "contents chapter chapter", []string{"Chapter 1 ........ 5", "Chapter 2 ........ 19", "="},
			"toc_field 1"},
		{"contents with tabs", "contents chapter chapter", []string{"Chapter 1\t5", "Chapter 2\t19", "="}, "toc_field 1"},
		{"contents in paragraphs apart", "contents chapter chapter", []string{"Contents", "", "Chapter 1\t5", "", "Chapter 2\t19", "="},
			"empty_paragraphs 2, toc_field 1"},
		{"contents of another book", "other chapter chapter", []string{"The Storm\t5", "Home\t19", "The End\t31", "="},
			"front_matter_unclear 1"},
		{"contents whose numbers fall", "other chapter chapter", []string{"Chapter 1\t19", "Chapter 2\t5", "="}, "front_matter_unclear 1"},
		{"years are no pages", "other chapter chapter", []string{"Chapter 1\t1914", "Chapter 2\t1915", "="}, "front_matter_unclear 1"},
		{"a timeline", "other chapter chapter", []string{"Timeline", "The crossing\t1914", "The camp\t1915", "Home\t1918", "="},
			"front_matter_unclear 1"},
		{"a recipe", "other chapter chapter", []string{"Flour (g) . . . . 500", "Butter (g) . . . . 250", "Sugar (g) . . . . 120", "="},
			"front_matter_unclear 1"},
		{"a prologue in which a book is printed", "other chapter chapter",
			[]string{"The book that he gave me was printed in Leipzig, he said, and it had no owner.", prose, "="},
			"front_matter_unclear 1"},
		{"a half-title before the title page", "half_title title_page chapter chapter",
			[]string{"^**The River**", "=", "^**The River**", "^by Anna Huber", "="}, ""},
		{"a page that nothing tells", "other chapter chapter", []string{prose, "="}, "front_matter_unclear 1"},
		{"a page headed by its name", "dedication chapter chapter", []string{"Dedication", "She knows why, and so do I.", "="},
			"fake_heading 1"},
	} {
		b, found := Repair(bookOf(append(c.lines, chapters...)...), Options{Language: "en"})
		if got := kindsOf(b); got != c.want {
			t.Errorf("%s\n got %s\nwant %s\n%s", c.name, got, c.want, outline(b))
		}
		told := strings.TrimSuffix(strings.TrimSuffix(counted(found), "manual_page_break 1"), ", ")
		if told != c.found {
			t.Errorf("%s: told %q, want %q", c.name, told, c.found)
		}
		var said []string
		for _, s := range b.Sections[:len(b.Sections)-2] {
			said = append(said, manuscript.Flow(s.Title))
			for in := range manuscript.Passages(s.Blocks) {
				said = append(said, manuscript.Flow(in))
			}
		}
		var wrote []string
		for _, l := range c.lines {
			if l = strings.NewReplacer("^", "", "*", "").Replace(l); l != "" && l != "=" {
				wrote = append(wrote, l)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(said, " ")), " "), strings.Join(strings.Fields(strings.Join(wrote, " ")),
			" "); got != want {
			t.Errorf("%s: says %q, want %q", c.name, got, want)
		}
	}
}

// TestTitlePage: the lines of a title page have their roles, and the book learns its title and its author from them.
func TestTitlePage(t *testing.T) {
	for _, c := range []struct {
		name          string
		lines         []string
		title, author string // what the file says of itself
		want          string // title by author
		roles         string
	}{
		{"title, then by", []string{"^**The River**", "^by Anna Huber"}, "", "", "The River by Anna Huber", "title author"},
		{"title, then von", []string{"^**Der Fluss**", "^von Anna Huber"}, "", "", "Der Fluss by Anna Huber", "title author"},
		{"the author's name that the file knows", []string{"^**The River**", "^ANNA HUBER"}, "", "Anna Huber", "The River by Anna Huber",
			"title author"},
		{"the author above the title that the file knows", []string{"^Anna Huber", "^**The River**", "^A Novel"}, "The River", "",
			"The River by Anna Huber", "author title centered"},
		{"by alone, above the name", []string{"^**The River**", "^A Novel", "^by"}, "", "Anna Huber", "The River by Anna Huber",
			"title centered author"},
		{"what the file says of itself stays", []string{"^**The River**", "^by A. H."}, "Rivers", "Anna Huber", "Rivers by Anna Huber",
			"title author"},
	} {
		b := bookOf(append(c.lines, "=", "# Chapter 1", "@", "# Chapter 2", "@")...)
		b.Meta.Title, b.Meta.Author = c.title, c.author
		got, _ := Repair(b, Options{Language: "en"})
		var roles []string
		for _, x := range got.Sections[0].Blocks {
			if p, ok := x.(*manuscript.Paragraph); ok {
				roles = append(roles, map[manuscript.Role]string{manuscript.RoleTitle: "title", manuscript.RoleAuthor: "author",
					manuscript.RoleCentered: "centered"}[p.Role])
			}
		}
		if got := got.Meta.Title + " by " + got.Meta.Author; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := strings.Join(roles, " "); got != c.roles {
			t.Errorf("%s: the lines are %q, want %q", c.name, got, c.roles)
		}
	}
}

// TestAWholeBookWithoutHeadings: where nothing is headed, what follows the pages that are known is one chapter.
func TestAWholeBookWithoutHeadings(t *testing.T) {
	b, _ := Repair(bookOf("^**The River**", "^by Anna Huber", "=", "© 2026 Anna Huber", "=", "@", "@", "", "@"), Options{Language: "en"})
	if got := kindsOf(b); got != "title_page copyright other" && got != "title_page copyright chapter" {
		t.Errorf("got %s", got)
	}
	last := b.Sections[len(b.Sections)-1]
	if n := len(last.Blocks); n != 4 { // two paragraphs, the break of a scene, one paragraph
		t.Errorf("the text has %d blocks:\n%s", n, outline(b))
	}
}
