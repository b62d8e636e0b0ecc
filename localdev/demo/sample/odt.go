package sample

import (
	"archive/zip"
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

// odt writes one OpenDocument text.
type odt struct {
	m    *Manuscript
	b    strings.Builder
	used map[int]bool
}

const odtSpaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" office:version="1.3"`

// ODT is the manuscript as an OpenDocument text.
func (m *Manuscript) ODT() []byte {
	w := &odt{m: m, used: map[int]bool{}}
	for i := range m.Book.Sections {
		sec := &m.Book.Sections[i]
		if len(sec.Title) > 0 {
			w.b.WriteString(`<text:h text:style-name="Heading_20_1" text:outline-level="1">` + w.inlines(sec.Title) + "</text:h>\n")
		}
		for _, b := range sec.Blocks {
			w.block(b, "Standard")
		}
	}
	p := newPacked()
	p.put("mimetype", []byte("application/vnd.oasis.opendocument.text"), zip.Store)
	manifest := ""
	for i := range m.Book.Images {
		if w.used[i] {
			p.put(fmt.Sprintf("Pictures/image%d.png", i+1), m.Book.Images[i].Bytes, zip.Store)
			manifest += fmt.Sprintf(`<manifest:file-entry manifest:full-path="Pictures/image%d.png" manifest:media-type="image/png"/>`, i+1)
		}
	}
	p.add("META-INF/manifest.xml",
		xmlHead+`<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>`+manifest+`</manifest:manifest>`)
	p.add("meta.xml", xmlHead+`<office:document-meta `+odtSpaces+`><office:meta><dc:title>`+esc(m.Book.Meta.Title)+
		`</dc:title><meta:initial-creator>`+esc(m.Book.Meta.Author)+`</meta:initial-creator><dc:language>`+m.Book.Meta.Language+
		`</dc:language></office:meta></office:document-meta>`)
	country := "US"
	if m.Book.Meta.Language == "de" {
		country = "DE"
	}
	styles := `<style:default-style style:family="paragraph"><style:text-properties fo:language="` + m.Book.Meta.Language +
		`" fo:country="` + country + `"/></style:default-style><style:style style:name="Standard" style:family="paragraph"/>`
	for _, name := range []string{"Title", "Author", "Quotations", "Verse", "Caption"} {
		styles += `<style:style style:name="` + name + `" style:family="paragraph" style:parent-style-name="Standard"/>`
	}
	styles += fmt.Sprintf(`<style:style style:name="Large" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:font-size="%d%%"/></style:style>`, int(100*largeScale))
	for i := 1; i <= 4; i++ {
		styles += fmt.Sprintf(`<style:style style:name="Heading_20_%d" style:display-name="Heading %d" style:family="paragraph" style:default-outline-level="%d"/>`, i, i, i)
	}
	p.add("styles.xml", xmlHead+`<office:document-styles `+odtSpaces+`><office:styles>`+styles+`</office:styles></office:document-styles>`)
	p.add("content.xml", xmlHead+`<office:document-content `+odtSpaces+`><office:automatic-styles>`+
		`<style:style style:name="Ti" style:family="text"><style:text-properties fo:font-style="italic"/></style:style><style:style style:name="Tb" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>`+
		`<style:style style:name="Tu" style:family="text"><style:text-properties style:text-underline-style="solid"/></style:style>`+
		`<style:style style:name="Pb" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:break-before="page"/></style:style>`+
		`<text:list-style style:name="Ln"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style><text:list-style style:name="Lb"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>`+
		`</office:automatic-styles><office:body><office:text>`+w.b.String()+`</office:text></office:body></office:document-content>`)
	return p.bytes()
}

// odtText writes tabs and runs of spaces as the elements the format has for them.
func odtText(s string) string {
	var b strings.Builder
	space := true // leading ones would be lost
	for _, c := range s {
		switch {
		case c == '\t':
			b.WriteString("<text:tab/>")
		case c == ' ' && space:
			b.WriteString("<text:s/>")
			continue
		default:
			b.WriteString(esc(string(c)))
		}
		space = c == ' '
	}
	return b.String()
}

func (w *odt) inlines(in []manuscript.Inline) string {
	var b strings.Builder
	for n, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			s := odtText(i.S)
			if n > 0 && strings.HasPrefix(i.S, " ") { // a space after a span is no leading one
				s = " " + strings.TrimPrefix(s, "<text:s/>")
			}
			switch {
			case i.Style.Has(manuscript.Italic):
				s = `<text:span text:style-name="Ti">` + s + `</text:span>`
			case i.Style.Has(manuscript.Bold):
				s = `<text:span text:style-name="Tb">` + s + `</text:span>`
			case i.Style.Has(manuscript.Underline):
				s = `<text:span text:style-name="Tu">` + s + `</text:span>`
			}
			b.WriteString(s)
		case manuscript.LineBreak:
			b.WriteString("<text:line-break/>")
		case manuscript.NoteRef:
			note := w.m.Book.Notes[i.Note]
			fmt.Fprintf(&b, `<text:note text:id="ftn%d" text:note-class="footnote"><text:note-citation>%d</text:note-citation><text:note-body>`, i.Note+1, i.Note+1)
			for _, x := range note.Blocks {
				if p, ok := x.(*manuscript.Paragraph); ok {
					b.WriteString(`<text:p>` + w.inlines(p.Inlines) + `</text:p>`)
				}
			}
			b.WriteString(`</text:note-body></text:note>`)
		}
	}
	return b.String()
}

func (w *odt) paragraph(style string, in []manuscript.Inline) {
	w.b.WriteString(`<text:p text:style-name="` + style + `">` + w.inlines(in) + "</text:p>\n")
}

func (w *odt) block(b manuscript.Block, style string) {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		switch b.Role {
		case manuscript.RoleTitle:
			style = "Title"
		case manuscript.RoleAuthor:
			style = "Author"
		}
		if b.Scale > 1 {
			style = "Large"
		}
		w.paragraph(style, b.Inlines)
	case *manuscript.Heading:
		fmt.Fprintf(&w.b, `<text:h text:style-name="Heading_20_%d" text:outline-level="%d">%s</text:h>`+"\n", min(b.Level+1, 4), b.Level+1,
			w.inlines(b.Inlines))
	case *manuscript.SceneBreak:
		w.paragraph(style, inline(b.Mark))
	case *manuscript.PageBreak:
		w.paragraph("Pb", nil)
	case *manuscript.Quote:
		for _, x := range b.Blocks {
			w.block(x, "Quotations")
		}
	case *manuscript.Verse:
		for i, stanza := range b.Stanzas {
			if i > 0 {
				w.paragraph("Verse", nil)
			}
			for _, l := range stanza {
				w.paragraph("Verse", append(inline(strings.Repeat("\t", l.Indent)), l.Inlines...))
			}
		}
	case *manuscript.List:
		name := "Lb"
		if b.Ordered {
			name = "Ln"
		}
		w.b.WriteString(`<text:list text:style-name="` + name + `">`)
		for _, item := range b.Items {
			w.b.WriteString(`<text:list-item>`)
			for _, x := range item {
				w.block(x, "Standard")
			}
			w.b.WriteString(`</text:list-item>`)
		}
		w.b.WriteString("</text:list>\n")
	case *manuscript.Table:
		w.table(b)
	case *manuscript.Figure:
		w.used[b.Image] = true
		img := &w.m.Book.Images[b.Image]
		fmt.Fprintf(&w.b, `<text:p text:style-name="Standard"><draw:frame svg:width="%gmm" svg:height="%.2fmm"><draw:image xlink:href="Pictures/image%d.png"/><svg:desc>%s</svg:desc></draw:frame></text:p>`+"\n", b.WidthMM, b.WidthMM*float64(img.Height)/float64(img.Width), b.Image+1, esc(b.Alt))
		if len(b.Caption) > 0 {
			w.paragraph("Caption", b.Caption)
		}
	}
}

func (w *odt) table(b *manuscript.Table) {
	if len(b.Caption) > 0 {
		w.paragraph("Caption", b.Caption)
	}
	columns := 0
	if len(b.Rows) > 0 {
		columns = len(b.Rows[0].Cells)
	}
	fmt.Fprintf(&w.b, `<table:table><table:table-column table:number-columns-repeated="%d"/>`, max(columns, 1))
	for i, r := range b.Rows {
		if i < b.HeadRows {
			w.b.WriteString(`<table:table-header-rows>`)
		}
		w.b.WriteString(`<table:table-row>`)
		for _, c := range r.Cells {
			w.b.WriteString(`<table:table-cell>`)
			for _, x := range c.Blocks {
				w.block(x, "Standard")
			}
			w.b.WriteString(`</table:table-cell>`)
		}
		w.b.WriteString(`</table:table-row>`)
		if i < b.HeadRows {
			w.b.WriteString(`</table:table-header-rows>`)
		}
	}
	w.b.WriteString("</table:table>\n")
}
