package wordtemplate

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

const contentTypes = head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="application/xml"/>` +
	`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
	`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
	`<Override PartName="/word/numbering.xml" ` +
	`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>` +
	`<Override PartName="/word/footnotes.xml" ` +
	`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>` +
	`<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>` +
	`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

const relation = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`

const rels = head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
	`<Relationship Id="rId1" Type="` + relation + `officeDocument" Target="word/document.xml"/>` +
	`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`

const documentRels = head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
	`<Relationship Id="rId1" Type="` + relation + `styles" Target="styles.xml"/>` +
	`<Relationship Id="rId2" Type="` + relation + `numbering" Target="numbering.xml"/>` +
	`<Relationship Id="rId3" Type="` + relation + `footnotes" Target="footnotes.xml"/>` +
	`<Relationship Id="rId4" Type="` + relation + `settings" Target="settings.xml"/></Relationships>`

const word = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

// numbering has two lists: 1 of points, 2 of numbers.
const numbering = head + `<w:numbering ` + word + `>` +
	`<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>` +
	`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a strings.Builder takes everything
	}
	return b.String()
}

// twips are twentieths of a point.
func twips(mm float64) int { return int(math.Round(mm * 1440 / 25.4)) }

func (t *template) core() string {
	return head + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
		`<dc:title>` + escape(t.spec.Title) + `</dc:title><dc:creator>` + escape(t.spec.Author) + `</dc:creator></cp:coreProperties>`
}

func (t *template) settings() string {
	return head + `<w:settings ` + word + `><w:mirrorMargins/><w:defaultTabStop w:val="720"/>` +
		`<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>` +
		`<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>` +
		`<w:themeFontLang w:val="` + escape(t.language()) + `"/></w:settings>`
}

// language is the tag as Word knows it, always with a region.
func (t *template) language() string {
	switch l := t.spec.Language; l {
	case "en", "":
		return "en-US"
	case "de", "de-1901":
		return "de-DE"
	default:
		return l
	}
}

func (t *template) footnotes() string {
	return head + `<w:footnotes ` + word + `>` +
		`<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>` +
		`<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>` +
		`<w:footnote w:id="1"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>` +
		`<w:r><w:t xml:space="preserve"> ` + escape(t.pick(noteText)) + `</w:t></w:r></w:p></w:footnote></w:footnotes>`
}

// page is the book's page: its size, and margins close to those the press will choose.
func (t *template) page() string {
	s := t.spec
	or := func(v, otherwise float64) int {
		if v > 0 {
			return twips(v)
		}
		return twips(otherwise)
	}
	return fmt.Sprintf(`<w:sectPr><w:pgSz w:w="%d" w:h="%d"/><w:pgMar w:top="%d" w:right="%d" w:bottom="%d" w:left="%d" w:header="360" w:footer="360" w:gutter="0"/></w:sectPr>`,
		twips(s.Trim.WidthMM), twips(s.Trim.HeightMM), or(s.Margins.TopMM, s.Trim.HeightMM*0.11),
		or(s.Margins.OuterMM, max(12.7, s.Trim.WidthMM*0.11)),
		or(s.Margins.BottomMM, s.Trim.HeightMM*0.12), or(s.Margins.InnerMM, 19.05))
}
