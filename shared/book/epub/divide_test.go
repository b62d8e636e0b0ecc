package epub

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/infra/oracles/epubcheck"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// volume is a book of one chapter of that many paragraphs, with headings, notes of both kinds and links
// from its first paragraph to its last and back.
func volume(paragraphs int) manuscript.Book {
	b := manuscript.Book{Meta: manuscript.Meta{Title: "A long chapter", Author: "A. Huber", Language: "en"}}
	s := manuscript.Section{Kind: manuscript.KindChapter, Label: "Chapter 1", Number: "1", Title: text("One"), Blocks: []manuscript.Block{
		&manuscript.Paragraph{Anchor: "first", Inlines: in{manuscript.Link{Href: "#last", Inlines: text("to the last")},
			manuscript.Link{Href: "#note5", Inlines: text("to a note")}}},
	}}
	words := strings.Repeat("The surveyor had measured nine valleys before the first snow of that year, & nobody affirmed it. ", 6)
	for i := range paragraphs {
		if i%40 == 39 {
			s.Blocks = append(s.Blocks, &manuscript.Heading{Level: 1 + i%3, Inlines: text(fmt.Sprintf("Section %d", i))})
		}
		b.Notes = append(b.Notes, manuscript.Note{Endnote: i%2 == 1,
			Blocks: []manuscript.Block{&manuscript.Paragraph{Anchor: fmt.Sprintf("note%d", i), Inlines: text(words)}}})
		s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: in{manuscript.Text{S: fmt.Sprintf("Paragraph %d. ", i)},
			manuscript.Text{S: words, Style: manuscript.Italic}, manuscript.NoteRef{Note: i}}})
	}
	s.Blocks = append(s.Blocks, &manuscript.Paragraph{Anchor: "last",
		Inlines: in{manuscript.Link{Href: "#first", Inlines: text("to the first")}}})
	b.Sections = []manuscript.Section{s, {Kind: manuscript.KindChapter, Label: "Chapter 2", Number: "2", Title: text("Two"),
		Blocks: []manuscript.Block{para("Short.")}}}
	return b
}

// TestLongSections: no page is longer than MaxPage, nothing is lost or out of order, notes count on, links
// and pages of the print book lead to the right file.
func TestLongSections(t *testing.T) {
	const paragraphs = 900
	b := volume(paragraphs)
	var pages []PageRef
	for i := range b.Sections[0].Blocks {
		pages = append(pages, PageRef{Folio: fmt.Sprint(i + 1), Section: 0, Block: i, Letters: i % 50})
	}
	o := Options{Created: created, Pages: pages}
	s := specOf("en")
	s.Notes = spec.NotesAsWritten
	packed := write(t, b, s, o)
	if f := Check(packed); len(f) > 0 {
		t.Error(f)
	}
	if !bytes.Equal(packed, write(t, b, s, o)) {
		t.Error("two runs differ")
	}
	got := files(t, packed)
	spine := regexp.MustCompile(`<itemref idref="([^"]*)"/>`).FindAllStringSubmatch(got["package.opf"], -1)
	var order []string
	for _, m := range spine {
		if strings.HasPrefix(m[1], "s0") || strings.HasPrefix(m[1], "notes") {
			order = append(order, m[1]+".xhtml")
		}
	}
	if len(order) < 8 || !slices.IsSortedFunc(order[:4], strings.Compare) && order[0] != "s001.xhtml" {
		t.Fatalf("pages %v", order)
	}
	chapter, heads, all := "", 0, ""
	for i, name := range order {
		body := got[name]
		t.Logf("%s: %d bytes", name, len(body))
		if len(body) > MaxPage*11/10 {
			t.Errorf("%s has %d bytes", name, len(body))
		}
		all += body
		if !strings.HasPrefix(name, "s001") {
			continue
		}
		chapter += body
		inner := body[strings.Index(body, "<section"):]
		if i > 0 && regexp.MustCompile(`^<section[^>]*>\n(<div epub:type="pagebreak"[^>]*></div>\n)?<h`).MatchString(inner) {
			heads++
		}
		if regexp.MustCompile(`</h[2-6]>\n(<div[^>]*></div>\n)?<section class="footnotes"`).MatchString(body) {
			t.Errorf("%s ends with a heading", name)
		}
	}
	if heads < 2 {
		t.Errorf("%d pages begin with a heading", heads)
	}
	at := 0
	for i := range paragraphs {
		n := strings.Index(chapter[at:], fmt.Sprintf(">Paragraph %d. ", i))
		if n < 0 {
			t.Fatalf("paragraph %d is lost or out of order", i)
		}
		at += n
	}
	if n := strings.Count(all, "<aside"); n != paragraphs {
		t.Errorf("%d notes, want %d", n, paragraphs)
	}
	numbers := regexp.MustCompile(`class="noteref"[^>]*>(\d+)<`).FindAllStringSubmatch(chapter, -1)
	for i, m := range numbers {
		if m[1] != fmt.Sprint(i+1) {
			t.Fatalf("reference %d has the number %s", i+1, m[1])
		}
	}
	if n := strings.Count(got["nav.xhtml"], "#page"); n != len(pages) {
		t.Errorf("%d pages in the list, want %d", n, len(pages))
	}
	last := order[slices.Index(order, "s002.xhtml")-1]
	for _, want := range []string{`href="` + last + "#", `href="notes.xhtml#`} {
		if !strings.Contains(got["s001.xhtml"], want) {
			t.Errorf("no %s in the first page", want)
		}
	}
	if !strings.Contains(got[last], `href="s001.xhtml#`) || strings.Count(got["nav.xhtml"], `href="s001.xhtml"`) != 2 {
		t.Error("the way back to the first page, or the contents' and the beginning's link to it")
	}
}

func TestDivided(t *testing.T) {
	p, h1, h2 := para("x"), &manuscript.Heading{Level: 1}, &manuscript.Heading{Level: 2}
	for _, c := range []struct {
		what   string
		blocks []manuscript.Block
		bytes  []int
		want   []int
	}{
		{"nothing", nil, nil, []int{0}},
		{"short", []manuscript.Block{p, p}, []int{40, 40}, []int{2}},
		{"even pages", []manuscript.Block{p, p, p, p}, []int{40, 40, 40, 40}, []int{2, 4}},
		{"at a heading", []manuscript.Block{p, p, h1, p, p}, []int{20, 20, 5, 20, 50}, []int{2, 5}},
		{"at the higher heading", []manuscript.Block{p, h1, p, h2, p}, []int{35, 5, 10, 5, 55}, []int{1, 5}},
		{"not behind a heading", []manuscript.Block{p, p, p, h2, p}, []int{10, 10, 10, 1, 90}, []int{3, 5}},
		{"one too long", []manuscript.Block{p, p, p}, []int{10, 300, 10}, []int{1, 2, 3}},
		{"headings alone", []manuscript.Block{h1, h1, h1}, []int{90, 90, 90}, []int{3}},
	} {
		if got := divided(c.blocks, c.bytes, 100); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

func TestEPUBCheckLongSections(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out EPUBCheck, which takes seconds")
	}
	t.Parallel()
	b := volume(500)
	for _, m := range epubcheck.Check(t, write(t, b, specOf("en"), Options{Created: created, Pages: pagesOf(b)})) {
		t.Error(m)
	}
}
