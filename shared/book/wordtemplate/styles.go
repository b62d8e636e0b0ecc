package wordtemplate

import (
	"fmt"
	"strings"
)

// style is a named style: id, its name, and what is special to it. A name of Word's own stands alike in
// both languages: Word shows it in the author's.
type style struct {
	id      string
	name    bilingual
	next    string
	outline int // from 1; 0 is text
	para    string
	letters string
}

func own(name string) bilingual { return bilingual{name, name} }

const (
	left   = `<w:ind w:firstLine="0"/>`
	middle = `<w:jc w:val="center"/>`
	keep   = `<w:keepNext/>`
)

// table are the paragraph styles. Body text is Normal.
var table = []style{
	{id: "Title", name: own("Title"), next: "Subtitle", para: `<w:spacing w:before="2400" w:after="240"/>` + left + middle,
		letters: `<w:sz w:val="52"/>`},
	{id: "Subtitle", name: own("Subtitle"), next: "Author", para: `<w:spacing w:after="240"/>` + left + middle,
		letters: `<w:i/><w:sz w:val="28"/>`},
	{id: "Author", name: bilingual{"Author", "Autor"}, next: "Normal", para: left + middle, letters: `<w:smallCaps/><w:sz w:val="28"/>`},
	{id: "HalfTitle", name: bilingual{"Half Title", "Schmutztitel"}, next: "Title", para: `<w:spacing w:before="2400"/>` + left + middle},
	{id: "Copyright", name: bilingual{"Copyright", "Impressum"}, para: left, letters: `<w:sz w:val="18"/>`},
	{id: "Dedication", name: bilingual{"Dedication", "Widmung"}, para: `<w:spacing w:before="2400"/>` + left + middle, letters: `<w:i/>`},
	{id: "PartTitle", name: bilingual{"Part Title", "Teiltitel"}, next: "Heading1", outline: 1,
		para: keep + `<w:pageBreakBefore/><w:spacing w:before="2400" w:after="480"/>` + left + middle, letters: `<w:sz w:val="40"/>`},
	{id: "ChapterTitle", name: bilingual{"Chapter Title", "Kapiteltitel"}, next: "FirstParagraph", outline: 1,
		para: keep + `<w:pageBreakBefore/><w:spacing w:before="1200" w:after="480"/>` + left + middle, letters: `<w:sz w:val="36"/>`},
	{id: "Heading1", name: own("heading 1"), next: "FirstParagraph", outline: 1,
		para: keep + `<w:pageBreakBefore/><w:spacing w:before="1200" w:after="480"/>` + left + middle, letters: `<w:sz w:val="36"/>`},
	{id: "ChapterSubtitle", name: bilingual{"Chapter Subtitle", "Kapiteluntertitel"}, next: "FirstParagraph",
		para: keep + `<w:spacing w:after="480"/>` + left + middle, letters: `<w:i/>`},
	{id: "Heading2", name: own("heading 2"), next: "FirstParagraph", outline: 2,
		para: keep + `<w:spacing w:before="280" w:after="60"/>` + left, letters: `<w:b/><w:sz w:val="26"/>`},
	{id: "Heading3", name: own("heading 3"), next: "FirstParagraph", outline: 3,
		para: keep + `<w:spacing w:before="240" w:after="40"/>` + left, letters: `<w:i/>`},
	{id: "Heading4", name: own("heading 4"), next: "FirstParagraph", outline: 4, para: keep + `<w:spacing w:before="240"/>` + left,
		letters: `<w:smallCaps/>`},
	{id: "FirstParagraph", name: bilingual{"First Paragraph", "Erster Absatz"}, next: "Normal", para: left},
	{id: "Quote", name: own("Quote"), next: "Normal",
		para: `<w:spacing w:before="140" w:after="140"/><w:ind w:left="360" w:right="360" w:firstLine="0"/>`},
	{id: "Epigraph", name: bilingual{"Epigraph", "Motto"}, next: "Attribution",
		para: `<w:spacing w:before="140"/><w:ind w:left="720" w:firstLine="0"/>`, letters: `<w:i/>`},
	{id: "Attribution", name: bilingual{"Attribution", "Zitatquelle"}, next: "Normal",
		para: `<w:spacing w:after="140"/>` + left + `<w:jc w:val="right"/>`},
	{id: "Verse", name: bilingual{"Verse", "Vers"}, para: `<w:ind w:left="480" w:firstLine="0"/><w:jc w:val="left"/>`},
	{id: "Code", name: bilingual{"Code", "Quelltext"}, para: `<w:ind w:left="360" w:firstLine="0"/><w:jc w:val="left"/>`,
		letters: `<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="18"/>`},
	{id: "Caption", name: own("caption"), next: "Normal", para: `<w:spacing w:before="80" w:after="160"/>` + left + middle,
		letters: `<w:sz w:val="18"/>`},
	{id: "Centered", name: bilingual{"Centered", "Zentriert"}, next: "Normal", para: left + middle},
	{id: "FlushRight", name: bilingual{"Flush Right", "Rechtsbündig"}, next: "Normal", para: left + `<w:jc w:val="right"/>`},
	{id: "SceneBreak", name: bilingual{"Scene Break", "Szenenwechsel"}, next: "FirstParagraph",
		para: keep + `<w:spacing w:before="140" w:after="140"/>` + left + middle},
	{id: "ListBullet", name: own("List Bullet"), para: `<w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="360" w:hanging="360"/>`},
	{id: "ListNumber", name: own("List Number"), para: `<w:numPr><w:numId w:val="2"/></w:numPr><w:ind w:left="360" w:hanging="360"/>`},
	{id: "ListContinue", name: own("List Continue"), para: `<w:ind w:left="360" w:firstLine="0"/>`},
	{id: "FootnoteText", name: own("footnote text"), para: left, letters: `<w:sz w:val="18"/>`},
}

func (t *template) styles() string {
	var b strings.Builder
	size, leading := int(t.spec.SizePt*2+0.5), int(t.spec.LeadingPt*20+0.5)
	fmt.Fprintf(&b, `%s<w:styles %s><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/><w:sz w:val="%d"/><w:lang w:val="%s"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>`, head, word, size, escape(t.language()))
	fmt.Fprintf(&b, `<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/><w:pPr><w:widowControl/><w:spacing w:line="%d" w:lineRule="exact"/><w:ind w:firstLine="%d"/><w:jc w:val="both"/></w:pPr></w:style>`, leading, size*12)
	b.WriteString(`<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style>`)
	b.WriteString(`<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>`)
	b.WriteString(`<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>`)
	for _, s := range table {
		next := s.next
		if next == "" {
			next = s.id
		}
		para := spaced(s.para, strings.Contains(s.letters, "<w:sz "))
		if s.outline > 0 {
			para += fmt.Sprintf(`<w:outlineLvl w:val="%d"/>`, s.outline-1)
		}
		fmt.Fprintf(&b, `<w:style w:type="paragraph" w:styleId="%s"%s><w:name w:val="%s"/><w:basedOn w:val="Normal"/><w:next w:val="%s"/><w:qFormat/><w:pPr>%s</w:pPr>`, s.id, custom(s), escape(t.pick(s.name)), next, para)
		if s.letters != "" {
			fmt.Fprintf(&b, `<w:rPr>%s</w:rPr>`, s.letters)
		}
		b.WriteString(`</w:style>`)
	}
	b.WriteString(`</w:styles>`)
	return b.String()
}

// spaced lets lines of another size than the text's have the height they need.
func spaced(para string, sized bool) string {
	if !sized {
		return para
	}
	if before, after, ok := strings.Cut(para, `<w:spacing `); ok {
		return before + `<w:spacing w:line="240" w:lineRule="auto" ` + after
	}
	at := strings.Index(para, `<w:ind `)
	if at < 0 {
		at = 0
	}
	return para[:at] + `<w:spacing w:line="240" w:lineRule="auto"/>` + para[at:]
}

func custom(s style) string {
	if s.name.en == s.name.de {
		return "" // Word's own
	}
	return ` w:customStyle="1"`
}
