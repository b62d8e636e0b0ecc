package sample

import (
	"archive/zip"
	"fmt"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// docx writes one Word file.
type docx struct {
	m        *Manuscript
	b        strings.Builder
	comments strings.Builder
	lists    int // numbering instances
	ordered  []bool
	pictures map[int]bool
	objects  int
}

// DOCX is the manuscript as a Word file.
func (m *Manuscript) DOCX() []byte {
	w := &docx{m: m, pictures: map[int]bool{}}
	if m.toc {
		w.toc()
	}
	for i := range m.Book.Sections {
		sec := &m.Book.Sections[i]
		if len(sec.Title) > 0 {
			w.paragraph("Heading1", "", sec.Title)
		}
		w.blocks(sec.Blocks, "")
	}
	p := newPacked()
	p.add("[Content_Types].xml", xmlHead+
		`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>`+
		`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>`+
		`<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/><Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`)
	p.add("_rels/.rels", xmlHead+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="`+relType+`officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`)
	p.add("docProps/core.xml", xmlHead+
		`<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>`+esc(m.Book.Meta.Title)+`</dc:title><dc:creator>`+esc(m.Book.Meta.Author)+`</dc:creator></cp:coreProperties>`)
	p.add("word/document.xml", xmlHead+`<w:document `+wordSpaces+`><w:body>`+w.b.String()+
		`<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`)
	p.add("word/styles.xml", xmlHead+`<w:styles `+wordSpaces+`>`+wordStyles(m.Book.Meta.Language)+`</w:styles>`)
	p.add("word/numbering.xml", xmlHead+w.numbering())
	p.add("word/footnotes.xml", xmlHead+w.footnotes())
	p.add("word/comments.xml", xmlHead+`<w:comments `+wordSpaces+`>`+w.comments.String()+`</w:comments>`)
	rels := `<Relationship Id="rIdS" Type="` + relType + `styles" Target="styles.xml"/><Relationship Id="rIdN" Type="` + relType +
		`numbering" Target="numbering.xml"/><Relationship Id="rIdF" Type="` + relType +
		`footnotes" Target="footnotes.xml"/><Relationship Id="rIdC" Type="` + relType + `comments" Target="comments.xml"/>` +
		`<Relationship Id="rIdX" Type="` + relType + `image" Target="https://example.org/picture.png" TargetMode="External"/>`
	for i := range m.Book.Images {
		if w.pictures[i] {
			rels += fmt.Sprintf(`<Relationship Id="rIdI%d" Type="%simage" Target="media/image%d.png"/>`, i, relType, i+1)
			p.put(fmt.Sprintf("word/media/image%d.png", i+1), m.Book.Images[i].Bytes, zip.Store)
		}
	}
	p.add("word/_rels/document.xml.rels", xmlHead+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+
		rels+`</Relationships>`)
	return p.bytes()
}

const (
	relType    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	wordSpaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml"`
)

// wordStyles are the styles of the file, with the names Word shows.
func wordStyles(language string) string {
	tag := "en-US"
	if language == "de" {
		tag = "de-DE"
	}
	s := `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/><w:sz w:val="24"/><w:lang w:val="` + tag + `"/></w:rPr></w:rPrDefault></w:docDefaults>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>`
	for i := 1; i <= 4; i++ {
		s += fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="Heading%d"><w:name w:val="heading %d"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:outlineLvl w:val="%d"/></w:pPr><w:rPr><w:b/><w:sz w:val="%d"/></w:rPr></w:style>`, i, i, i-1, 40-4*i)
	}
	for _, name := range []string{"Title", "Subtitle", "Author", "Quote", "Verse", "Caption", "TOC 1"} {
		s += `<w:style w:type="paragraph" w:styleId="` + strings.ReplaceAll(name, " ", "") + `"><w:name w:val="` + name +
			`"/><w:basedOn w:val="Normal"/></w:style>`
	}
	return s + fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="Large"><w:name w:val="Large"/><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="%d"/></w:rPr></w:style>`, int(24*largeScale))
}

func (w *docx) blocks(blocks []manuscript.Block, style string) {
	for _, b := range blocks {
		w.block(b, style)
	}
}

// roleStyles are the styles of the lines of a title page.
var roleStyles = map[manuscript.Role]string{manuscript.RoleTitle: "Title", manuscript.RoleAuthor: "Author",
	manuscript.RoleSubtitle: "Subtitle"}

func (w *docx) block(b manuscript.Block, style string) {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		if s := roleStyles[b.Role]; s != "" {
			style = s
		}
		if t, ok := w.m.extra[b]; ok {
			w.planted(t, b)
			return
		}
		props := ""
		if b.Align == manuscript.AlignCenter {
			props = `<w:jc w:val="center"/>`
		}
		if b.Scale > 1 {
			style = "Large"
		}
		w.paragraph(style, props, b.Inlines)
	case *manuscript.Heading:
		w.paragraph(fmt.Sprintf("Heading%d", min(b.Level+1, 4)), "", b.Inlines)
	case *manuscript.SceneBreak:
		w.paragraph("", "", inline(b.Mark))
	case *manuscript.PageBreak:
		w.b.WriteString(`<w:p><w:r><w:br w:type="page"/></w:r></w:p>`)
	case *manuscript.Quote:
		w.blocks(b.Blocks, "Quote")
		if len(b.Attribution) > 0 {
			w.paragraph("Quote", "", append(inline("— "), b.Attribution...))
		}
	case *manuscript.Verse:
		for i, stanza := range b.Stanzas {
			if i > 0 {
				w.paragraph("Verse", "", nil)
			}
			for _, l := range stanza {
				w.paragraph("Verse", "", append(inline(strings.Repeat("\t", l.Indent)), l.Inlines...))
			}
		}
	case *manuscript.List:
		w.lists++
		w.ordered = append(w.ordered, b.Ordered)
		for _, item := range b.Items {
			for _, x := range item {
				if p, ok := x.(*manuscript.Paragraph); ok {
					w.paragraph("", fmt.Sprintf(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="%d"/></w:numPr>`, w.lists), p.Inlines)
				}
			}
		}
	case *manuscript.Table:
		w.table(b)
	case *manuscript.Figure:
		w.b.WriteString(`<w:p><w:r>` + w.drawing(b.Image, b.Alt, b.WidthMM) + `</w:r></w:p>`)
		if len(b.Caption) > 0 {
			w.paragraph("Caption", "", b.Caption)
		}
	}
}

func (w *docx) paragraph(style, props string, in []manuscript.Inline) {
	w.b.WriteString("<w:p>")
	if style != "" {
		props = `<w:pStyle w:val="` + style + `"/>` + props
	}
	if props != "" {
		w.b.WriteString("<w:pPr>" + props + "</w:pPr>")
	}
	w.inlines(in)
	w.b.WriteString("</w:p>")
}

func (w *docx) inlines(in []manuscript.Inline) {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			w.b.WriteString(wordRun(i.S, wordProps(i.Style)))
		case manuscript.NoteRef:
			fmt.Fprintf(&w.b, `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="%d"/></w:r>`, i.Note+1)
		case manuscript.LineBreak:
			w.b.WriteString(`<w:r><w:br/></w:r>`)
		case manuscript.InlineImage:
			w.b.WriteString(`<w:r>` + w.drawing(i.Image, i.Alt, 10) + `</w:r>`)
		case manuscript.IndexMark:
			w.b.WriteString(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> XE &quot;` + esc(i.Term) +
				`&quot; </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`)
		}
	}
}

func wordProps(s manuscript.Style) string {
	p := ""
	for _, x := range []struct {
		style manuscript.Style
		xml   string
	}{{manuscript.Bold, "<w:b/>"}, {manuscript.Italic, "<w:i/>"}, {manuscript.SmallCaps, "<w:smallCaps/>"}, {manuscript.Underline,
		`<w:u w:val="single"/>`},
		{manuscript.Superscript, `<w:vertAlign w:val="superscript"/>`}, {manuscript.Subscript, `<w:vertAlign w:val="subscript"/>`}} {
		if s.Has(x.style) {
			p += x.xml
		}
	}
	return p
}

// wordRun is a run of text; tabs and soft hyphens are elements.
func wordRun(s, props string) string {
	if props != "" {
		props = "<w:rPr>" + props + "</w:rPr>"
	}
	t := esc(s)
	t = strings.ReplaceAll(t, "\t", `</w:t><w:tab/><w:t xml:space="preserve">`)
	t = strings.ReplaceAll(t, "\u00ad", `</w:t><w:softHyphen/><w:t xml:space="preserve">`)
	return `<w:r>` + props + `<w:t xml:space="preserve">` + t + `</w:t></w:r>`
}

// planted writes a paragraph of three pieces with a fault about the middle one.
func (w *docx) planted(t finding.Type, p *manuscript.Paragraph) {
	piece := func(i int) string { return p.Inlines[i].(manuscript.Text).S }
	before, word, after := piece(0), piece(1), piece(2)
	w.b.WriteString("<w:p>" + wordRun(before, ""))
	who := ` w:id="` + fmt.Sprint(1000+w.objects) + `" w:author="A. Reader" w:date="2026-01-01T10:00:00Z"`
	w.objects++
	switch t {
	case finding.TrackedChange:
		w.b.WriteString(`<w:ins` + who + `>` + wordRun(word, "") + `</w:ins>`)
	case finding.Comment:
		id := fmt.Sprint(w.objects)
		w.comments.WriteString(`<w:comment w:id="` + id + `" w:author="A. Reader"><w:p>` + wordRun("Is this so?",
			"") + `</w:p></w:comment>`)
		w.b.WriteString(`<w:commentRangeStart w:id="` + id + `"/>` + wordRun(word, "") + `<w:commentRangeEnd w:id="` + id +
			`"/><w:r><w:commentReference w:id="` + id + `"/></w:r>`)
	case finding.HiddenText:
		w.b.WriteString(wordRun(word, "") + wordRun(" hidden words", "<w:vanish/>"))
	case finding.Highlight:
		w.b.WriteString(wordRun(word, `<w:highlight w:val="yellow"/>`))
	case finding.DirectFormatting:
		w.b.WriteString(wordRun(word, `<w:rFonts w:ascii="Comic Sans MS" w:hAnsi="Comic Sans MS"/><w:color w:val="FF0000"/><w:sz w:val="36"/>`))
	case finding.TextBox:
		w.b.WriteString(wordRun(word, "") + `<w:r><w:pict><v:shape style="width:100pt;height:40pt"><v:textbox><w:txbxContent><w:p>` +
			wordRun("Words in a box beside the text.", "") + `</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>`)
	case finding.PageReference:
		w.b.WriteString(wordRun(word, "") +
			`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGEREF _Ref1 \h </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + wordRun("12", "") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`)
	case finding.UnsupportedObject:
		w.b.WriteString(wordRun(word, "") + `<m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath>`)
	case finding.MissingImage:
		w.b.WriteString(wordRun(word, "") + `<w:r>` + blip("rIdX", 9000+w.objects, "A picture that is linked", 50, 40) + `</w:r>`)
	}
	w.b.WriteString(wordRun(after, "") + "</w:p>")
}

func (w *docx) drawing(image int, alt string, widthMM float64) string {
	if image < 0 || image >= len(w.m.Book.Images) {
		return blip("rIdX", 1, alt, widthMM, widthMM)
	}
	w.pictures[image] = true
	img := &w.m.Book.Images[image]
	return blip(fmt.Sprintf("rIdI%d", image), image+1, alt, widthMM, widthMM*float64(img.Height)/float64(img.Width))
}

// blip is a picture in a line; lengths are millimetres, 36,000 units each.
func blip(rel string, id int, alt string, width, height float64) string {
	cx, cy := int(width*36000), int(height*36000)
	return fmt.Sprintf(`<w:drawing><wp:inline><wp:extent cx="%d" cy="%d"/><wp:docPr id="%d" name="Picture %d" descr="%s"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="%d" name="picture"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip %s="%s"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="%d" cy="%d"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`,
		cx, cy, id, id, esc(alt), id, map[bool]string{true: "r:link", false: "r:embed"}[rel == "rIdX"], rel, cx, cy)
}

func (w *docx) table(t *manuscript.Table) {
	if len(t.Caption) > 0 {
		w.paragraph("Caption", "", t.Caption)
	}
	w.b.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid>`)
	if len(t.Rows) > 0 {
		for range t.Rows[0].Cells {
			w.b.WriteString(`<w:gridCol w:w="1200"/>`)
		}
	}
	w.b.WriteString(`</w:tblGrid>`)
	for i, r := range t.Rows {
		w.b.WriteString("<w:tr>")
		if i < t.HeadRows {
			w.b.WriteString("<w:trPr><w:tblHeader/></w:trPr>")
		}
		for _, c := range r.Cells {
			w.b.WriteString(`<w:tc><w:tcPr><w:tcW w:w="1200" w:type="dxa"/></w:tcPr>`)
			w.blocks(c.Blocks, "")
			w.b.WriteString("</w:tc>")
		}
		w.b.WriteString("</w:tr>")
	}
	w.b.WriteString("</w:tbl>")
}

func (w *docx) numbering() string {
	s := `<w:numbering ` + wordSpaces +
		`><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>`
	for i, ordered := range w.ordered {
		abstract := 1
		if ordered {
			abstract = 0
		}
		s += fmt.Sprintf(`<w:num w:numId="%d"><w:abstractNumId w:val="%d"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`, i+1, abstract)
	}
	return s + `</w:numbering>`
}

func (w *docx) footnotes() string {
	body := w.b
	w.b = strings.Builder{}
	w.b.WriteString(`<w:footnotes ` + wordSpaces +
		`><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`)
	for i, n := range w.m.Book.Notes {
		if len(n.Blocks) == 0 {
			continue
		}
		fmt.Fprintf(&w.b, `<w:footnote w:id="%d">`, i+1)
		for j, b := range n.Blocks {
			if p, ok := b.(*manuscript.Paragraph); ok {
				w.b.WriteString("<w:p>")
				if j == 0 {
					w.b.WriteString(`<w:r><w:footnoteRef/></w:r>` + wordRun(" ", ""))
				}
				w.inlines(p.Inlines)
				w.b.WriteString("</w:p>")
			}
		}
		w.b.WriteString("</w:footnote>")
	}
	w.b.WriteString("</w:footnotes>")
	s := w.b.String()
	w.b = body
	return s
}

// toc is a field with a table of contents as Word leaves it.
func (w *docx) toc() {
	w.b.WriteString(`<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TOC \o "1-3" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`)
	n := 0
	for i := range w.m.Book.Sections {
		if t := w.m.Book.Sections[i].Title; len(t) > 0 {
			if n++; n > 1 {
				w.b.WriteString(`<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr>`)
			}
			w.b.WriteString(wordRun(t[0].(manuscript.Text).S+"\t"+string(appendInt(nil, n*9)), "") + "</w:p>")
		}
	}
	w.b.WriteString(`<w:p><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`)
}
