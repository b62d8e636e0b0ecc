package sample

import (
	"archive/zip"
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

// web writes blocks as XHTML, for e-books.
type web struct {
	m     *Manuscript
	b     strings.Builder
	notes []int // of this file
	used  map[int]bool
}

// EPUB is the manuscript as an e-book of one file per section.
func (m *Manuscript) EPUB() []byte {
	p := newPacked()
	p.put("mimetype", []byte("application/epub+zip"), zip.Store)
	p.add("META-INF/container.xml",
		xmlHead+`<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`)
	manifest, spine, nav := "", "", ""
	used := map[int]bool{}
	for i := range m.Book.Sections {
		sec := &m.Book.Sections[i]
		w := &web{m: m, used: used}
		title := m.Book.Meta.Title
		if len(sec.Title) > 0 {
			title = flat(sec.Title, "")
			w.b.WriteString("<h1>" + w.inlines(sec.Title) + "</h1>\n")
		}
		for _, b := range sec.Blocks {
			w.block(b)
		}
		for _, n := range w.notes {
			fmt.Fprintf(&w.b, `<aside epub:type="footnote" id="fn%d">`, n+1)
			for _, b := range m.Book.Notes[n].Blocks {
				w.block(b)
			}
			w.b.WriteString("</aside>\n")
		}
		name := fmt.Sprintf("s%03d.xhtml", i+1)
		p.add("OEBPS/"+name, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<!DOCTYPE html>`+"\n"+
			`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="`+m.Book.Meta.Language+
			`"><head><title>`+esc(title)+`</title></head><body>`+w.b.String()+`</body></html>`)
		manifest += fmt.Sprintf(`<item id="s%d" href="%s" media-type="application/xhtml+xml"/>`, i+1, name)
		spine += fmt.Sprintf(`<itemref idref="s%d"/>`, i+1)
		nav += `<li><a href="` + name + `">` + esc(title) + `</a></li>`
	}
	for i := range m.Book.Images {
		if used[i] {
			p.put(fmt.Sprintf("OEBPS/image%d.png", i+1), m.Book.Images[i].Bytes, zip.Store)
			manifest += fmt.Sprintf(`<item id="i%d" href="image%d.png" media-type="image/png"/>`, i+1, i+1)
		}
	}
	p.add("OEBPS/nav.xhtml", `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body><nav epub:type="toc"><ol>`+nav+`</ol></nav></body></html>`)
	p.add("OEBPS/book.opf", `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:00000000-0000-4000-8000-000000000001</dc:identifier><dc:title>`+esc(m.Book.Meta.Title)+`</dc:title><dc:creator>`+esc(m.Book.Meta.Author)+`</dc:creator><dc:language>`+m.Book.Meta.Language+`</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>`+
		`<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`+manifest+`</manifest><spine>`+
		spine+`</spine></package>`)
	return p.bytes()
}

func (w *web) inlines(in []manuscript.Inline) string {
	var b strings.Builder
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			s := esc(i.S)
			for _, x := range []struct {
				style manuscript.Style
				tag   string
			}{{manuscript.Italic, "em"}, {manuscript.Bold, "strong"}, {manuscript.Underline, "u"}, {manuscript.Superscript,
				"sup"}, {manuscript.Subscript, "sub"}} {
				if i.Style.Has(x.style) {
					s = "<" + x.tag + ">" + s + "</" + x.tag + ">"
				}
			}
			b.WriteString(s)
		case manuscript.LineBreak:
			b.WriteString("<br/>")
		case manuscript.NoteRef:
			fmt.Fprintf(&b, `<a epub:type="noteref" href="#fn%d">%d</a>`, i.Note+1, i.Note+1)
			if len(w.m.Book.Notes[i.Note].Blocks) > 0 {
				w.notes = append(w.notes, i.Note)
			}
		}
	}
	return b.String()
}

func (w *web) block(b manuscript.Block) {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		if s := w.inlines(b.Inlines); s == "* * *" {
			w.b.WriteString("<hr/>\n")
		} else if b.Scale > 1 {
			fmt.Fprintf(&w.b, `<p style="font-size: %gem">%s</p>`+"\n", largeScale, s)
		} else if s != "" {
			w.b.WriteString("<p>" + s + "</p>\n")
		}
	case *manuscript.Heading:
		n := min(b.Level+1, 6)
		fmt.Fprintf(&w.b, "<h%d>%s</h%d>\n", n, w.inlines(b.Inlines), n)
	case *manuscript.SceneBreak:
		w.b.WriteString("<hr/>\n")
	case *manuscript.Quote:
		w.b.WriteString("<blockquote>")
		for _, x := range b.Blocks {
			w.block(x)
		}
		w.b.WriteString("</blockquote>\n")
	case *manuscript.Verse:
		w.b.WriteString(`<div class="verse">`)
		for _, stanza := range b.Stanzas {
			w.b.WriteString("<p>")
			for i, l := range stanza {
				if i > 0 {
					w.b.WriteString("<br/>")
				}
				w.b.WriteString(w.inlines(l.Inlines))
			}
			w.b.WriteString("</p>")
		}
		w.b.WriteString("</div>\n")
	case *manuscript.List:
		w.list(b)
	case *manuscript.Table:
		w.table(b)
	case *manuscript.Figure:
		w.used[b.Image] = true
		fmt.Fprintf(&w.b, `<figure><img src="image%d.png" alt="%s" style="width: %gmm"/>`, b.Image+1, esc(b.Alt), b.WidthMM)
		if len(b.Caption) > 0 {
			w.b.WriteString("<figcaption>" + w.inlines(b.Caption) + "</figcaption>")
		}
		w.b.WriteString("</figure>\n")
	}
}

func (w *web) table(b *manuscript.Table) {
	w.b.WriteString("<table>")
	if len(b.Caption) > 0 {
		w.b.WriteString("<caption>" + w.inlines(b.Caption) + "</caption>")
	}
	for i, r := range b.Rows {
		tag := "td"
		if i < b.HeadRows {
			tag = "th"
		}
		w.b.WriteString("<tr>")
		for _, c := range r.Cells {
			w.b.WriteString("<" + tag + ">")
			for _, x := range c.Blocks {
				if p, ok := x.(*manuscript.Paragraph); ok && len(c.Blocks) == 1 {
					w.b.WriteString(w.inlines(p.Inlines))
				} else {
					w.block(x)
				}
			}
			w.b.WriteString("</" + tag + ">")
		}
		w.b.WriteString("</tr>")
	}
	w.b.WriteString("</table>\n")
}

func (w *web) list(b *manuscript.List) {
	tag := "ul"
	if b.Ordered {
		tag = "ol"
	}
	w.b.WriteString("<" + tag + ">")
	for _, item := range b.Items {
		w.b.WriteString("<li>")
		for _, x := range item {
			w.block(x)
		}
		w.b.WriteString("</li>")
	}
	w.b.WriteString("</" + tag + ">\n")
}
