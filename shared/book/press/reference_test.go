package press

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/layout/page"
)

// TestPagesAWordFileRefersTo: the printed book and the e-book show the book's own numbers and not Word's, and
// the report speaks of those alone that lead nowhere.
func TestPagesAWordFileRefersTo(t *testing.T) {
	body := P("H1", R("One", "")) + P("", R("The town (page ", ""), Field(` PAGEREF _Ref9 \h `, R("4711", "")), R("), the lake (page ", ""),
		Field(` PAGEREF _Ref0 \h `, R("4712", "")), R(").", ""))
	for range 30 {
		body += P("", R(strings.Repeat("It swung above the harbour, and nobody came to look. ", 10), ""))
	}
	body += P("H1", R("Two", "")) + P("", `<w:bookmarkStart w:id="1" w:name="_Ref9"/><w:bookmarkEnd w:id="1"/>`, R("Graz is reached.", ""))
	file := Word{Body: body, Styles: Style("H1", "heading 1", "", `<w:pPr><w:outlineLvl w:val="0"/></w:pPr>`)}.Bytes()
	var pages *page.Book
	p := watched(&pages)
	m, err := p.Open("river.docx", file, ordinary())
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Report.Summary.ByType["page_reference"]; n != 1 {
		t.Errorf("%d numbers that stay are told, want 1", n)
	}
	made, err := p.Build(t.Context(), m, ordinary(), Job{Edition: Final, Format: Both, Created: created})
	if err != nil {
		t.Fatal(err)
	}
	folio, print := "", ""
	for i := range pages.Pages {
		for _, mark := range pages.Pages[i].Marks {
			g, ok := mark.(page.Glyphs)
			if !ok {
				continue
			}
			print += g.Text + " "
			if strings.Contains(g.Text, "Graz") {
				folio = pages.Pages[i].Folio
			}
		}
	}
	book := xhtml(t, made.EPUB)
	print = strings.Join(strings.Fields(print), "")
	if folio == "" || !strings.Contains(print, "town(page"+folio+"),thelake(page4712)") {
		t.Errorf("want the pages %s and 4712 in %.300s", folio, print)
	}
	if strings.Contains(book, "4711") || !strings.Contains(book, ">"+folio+"</a>") {
		t.Errorf("want a link that says %s in the e-book", folio)
	}
}

// xhtml is the text of all pages of an EPUB.
func xhtml(t *testing.T, b []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".xhtml") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return all.String()
}
