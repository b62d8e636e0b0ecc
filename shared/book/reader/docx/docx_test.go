package docx

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	. "mappe/infra/readertest"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

func read(t *testing.T, f Word) (manuscript.Book, []finding.Finding) {
	t.Helper()
	b, found, err := Read(f.Bytes(), source.Default())
	if err != nil {
		t.Fatal(err)
	}
	return b, found
}

const someStyles = `<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults>` +
	`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/><w:rPr><w:i/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Titre3"><w:name w:val="Titre 3"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Vers"><w:name w:val="Gedicht"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Attr"><w:name w:val="Attribution"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Cap"><w:name w:val="caption"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Ded"><w:name w:val="Dedication"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="CT"><w:name w:val="Chapter Title"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="CS"><w:name w:val="Chapter Subtitle"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Loop1"><w:name w:val="Loop one"/><w:basedOn w:val="Loop2"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Loop2"><w:name w:val="Loop two"/><w:basedOn w:val="Loop1"/></w:style>` +
	`<w:style w:type="character" w:styleId="Em"><w:name w:val="Emphasis"/><w:rPr><w:i/></w:rPr></w:style>` +
	`<w:style w:type="character" w:styleId="Mono"><w:name w:val="Verbatim Char"/></w:style>`

const someLists = `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Chapter %1:"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl><w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlRestart w:val="0"/><w:lvlText w:val="(%3)"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="7"/></w:num>` +
	`<w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="§ %1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="4"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="5"/></w:num>` +
	`<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>` +
	`<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`

func listed(id, level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr></w:pPr>%s</w:p>`, level, id, R(text, ""))
}

func props(inside, runs string) string { return "<w:p><w:pPr>" + inside + "</w:pPr>" + runs + "</w:p>" }

func tracked(element, runs string) string {
	return `<w:` + element + ` w:id="1" w:author="Anna">` + runs + `</w:` + element + `>`
}

// element is a run of one element.
func element(s string) string { return "<w:r>" + s + "</w:r>" }

// code is a field that has no result.
func code(s string) string {
	return element(`<w:fldChar w:fldCharType="begin"/>`) + element(`<w:instrText xml:space="preserve">`+s+`</w:instrText>`) +
		element(`<w:fldChar w:fldCharType="end"/>`)
}

// boxes is a text in n text boxes, one in the other.
func boxes(n int, text string) string {
	s := R(text, "")
	for range n {
		s = element(`<w:pict><v:shape><v:textbox><w:txbxContent>` + P("", s) + `</w:txbxContent></v:textbox></v:shape></w:pict>`)
	}
	return s
}

func deleted(s string) string {
	return tracked("del", `<w:r><w:delText xml:space="preserve">`+s+`</w:delText></w:r>`)
}

const deletedMark = `<w:rPr><w:del w:id="2" w:author="Anna"/></w:rPr>`

// shown is a paragraph with a picture of 60 by 30 millimetres that Word turns and cuts.
func shown(rel, xfrm, crop string) string {
	return P("", `<w:r><w:drawing><wp:inline><wp:extent cx="2160000" cy="1080000"/><a:graphic><a:graphicData uri="u"><pic:pic><pic:blipFill><a:blip r:embed="`+rel+`"/>`+crop+`</pic:blipFill><pic:spPr><a:xfrm `+xfrm+`><a:ext cx="2160000" cy="1080000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`)
}

// reading is a Word file with what is read of it: the outline of the book, and what is found.
type reading struct {
	name  string
	file  Word
	want  string
	found string
}

// readAll reads each file; one that brings no styles and numbers of its own has someStyles and someLists.
func readAll(t *testing.T, cases []reading) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.file.Styles == "" && c.file.NS == "" {
				c.file.Styles = someStyles
			}
			if c.file.NS == "" {
				c.file.Numbering = someLists
			}
			b, found := read(t, c.file)
			if got, want := Outline(b), strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if got, want := Told(found), strings.TrimPrefix(c.found, "\n"); got != want {
				t.Errorf("found\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Headings, parts of a book, quotations and verse.
func TestStructure(t *testing.T) {
	readAll(t, []reading{
		{
			"headings by outline level and by name",
			Word{
				Body: P("", R("front", "")) +
					P("berschrift1", R("One", `<w:b/>`)) +
					P("berschrift2", R("Sub", "")) +
					P("Titre3", R("Trois", "")) +
					P("CT", R("Two", "")) +
					P("CS", R("below", "")) +
					props(`<w:outlineLvl w:val="0"/>`, R("Three", "")) +
					props(`<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>`, R("text", "")),
			},
			`
§other |
p front
§other |One
h1 Sub
h2 Trois
§chapter |Two|below
§other |Three
p text
`,
			"",
		},
		{
			"a heading without words is no heading",
			Word{Body: P("berschrift1", R(" ", "")) + P("", R("a", ""))},
			`
§other |
p a
`,
			"empty_heading:",
		},
		{
			"styles that name a part of a book",
			Word{Body: P("Ded", R("For Anna", "")) + P("", R("text", ""))},
			`
§dedication |
p For Anna
§other |
p text
`,
			"",
		},
		{
			"styles that inherit from each other",
			Word{Body: P("Loop1", R("a", ""))},
			`
§other |
p a
`,
			"",
		},
		{
			"italic against the style of a quotation",
			Word{
				Body: P("Zitat", R("a ", ""), R("b", `<w:i w:val="0"/>`)) +
					P("Zitat", R("c", "")) +
					P("Attr", R("Goethe", "")) +
					P("", R("d", "")),
			},
			`
§other |
quote false Goethe
p a </b>
p c
p d
`,
			"",
		},
		{
			"a paragraph indented on both sides is a quotation",
			Word{
				Body: props(`<w:ind w:left="720" w:right="720"/>`, R("q", "")) +
					props(`<w:ind w:left="720" w:hanging="720"/>`, R("b", "")),
			},
			"§other |\n" +
				"quote false \n" +
				"p q\n" +
				"p b\n",
			"",
		},
		{
			"verse",
			Word{
				Body: P("Vers", R("a", ""), `<w:r><w:br/></w:r>`, R("\u00a0\u00a0b", "")) +
					P("Vers", R("c", "")) +
					P("Vers", R("d", "")) +
					P("Vers") +
					P("Vers", R("e", "")),
			},
			"§other |\n" +
				"verse \n" +
				" 0 a\n" +
				" 1 b\n" +
				" --\n" +
				" 0 c\n" +
				" 0 d\n" +
				" --\n" +
				" 0 e\n" +
				" --\n",
			"",
		},
		{
			"a page break cuts a paragraph",
			Word{
				Body: P("", R("a", ""), `<w:r><w:br w:type="page"/></w:r>`, R("b", "")) +
					P("", `<w:r><w:br w:type="page"/></w:r>`) +
					props(`<w:pageBreakBefore/>`, R("c", "")),
			},
			`
§other |
p a
pagebreak
p b
pagebreak
pagebreak
p c
`,
			"",
		},
		{
			"sections of pages",
			Word{
				Body: props(`<w:sectPr><w:cols w:num="2"/></w:sectPr>`, R("a", "")) +
					props(`<w:sectPr><w:type w:val="continuous"/></w:sectPr>`, R("b", "")) +
					P("", R("c", "")) +
					`<w:sectPr><w:pgSz w:orient="landscape"/></w:sectPr>`,
			},
			`
§other |
p a
p b
pagebreak
p c
`,
			`
columns: (2 columns)
columns: (landscape pages)`,
		},
		{
			"a column ends a line",
			Word{Body: P("", R("one", ""), element(`<w:br w:type="column"/>`), R("two", ""))},
			`
§other |
p one⏎two
`,
			"",
		},
		{
			"a line across",
			Word{
				Body: P("", R("a", "")) +
					P("", element(`<w:pict><v:rect style="width:0;height:1.5pt" o:hr="t"/></w:pict>`)) +
					P("", R("b", "")),
			},
			"§other |\n" +
				"p a\n" +
				"scene \n" +
				"p b\n",
			"",
		},
	})
}

func TestMetaAndStyles(t *testing.T) {
	b, _ := read(t, Word{Styles: someStyles, Body: P("berschrift1", R("One", "")) + P("", R("a", `<w:lang w:val="de-AT"/>`)) + P("",
		R("b", `<w:lang w:val="de-AT"/>`)),
		More: []Part{{Name: "docProps/core.xml",
			Body: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Der Titel</dc:title><dc:creator>Anna</dc:creator></cp:coreProperties>`}}})
	if b.Meta.Title != "Der Titel" || b.Meta.Author != "Anna" {
		t.Errorf("meta %+v", b.Meta)
	}
	if got := fmt.Sprint(b.Styles); got != "[{Normal 2} {heading 1 1}]" {
		t.Errorf("styles %s", got)
	}
	p := b.Sections[0].Blocks[1].(*manuscript.Paragraph)
	if p.Place != (manuscript.Place{Section: "One", Part: "body", Paragraph: 3}) {
		t.Errorf("place %+v", p.Place)
	}
}

func TestRefused(t *testing.T) {
	with := func(change func([]Part) []Part) []byte { return Zip(change(Word{Body: P("", R("a", ""))}.Parts())...) }
	Refuses(t, Read, map[string]Refusal{
		"macros": {with(func(p []Part) []Part { return append(p, Part{Name: "word/vbaProject.bin", Body: "x"}) }), source.Macros},
		"macro type": {with(func(p []Part) []Part {
			p[0].Body = strings.Replace(p[0].Body, "openxmlformats-officedocument.wordprocessingml.document.main",
				"ms-word.document.macroEnabled.main", 1)
			return p
		}), source.Macros},
		"no main part": {with(func(p []Part) []Part { return append(p[:2:2], p[3:]...) }), source.Broken},
		"workbook":     {with(func(p []Part) []Part { return append(p, Part{Name: "xl/workbook.xml", Body: "<a/>"}) }), source.NotText},
		"no body":      {with(func(p []Part) []Part { p[2].Body = "<a/>"; return p }), source.Broken},
		"cut off XML":  {with(func(p []Part) []Part { p[2].Body = p[2].Body[:len(p[2].Body)-9]; return p }), source.Broken},
		"doctype": {with(func(p []Part) []Part { p[2].Body = `<!DOCTYPE a [<!ENTITY b "x">]>` + p[2].Body[56:]; return p }),
			source.DocType},
		"deep": {with(func(p []Part) []Part {
			p[2].Body = strings.Replace(p[2].Body, "<w:body>", "<w:body>"+strings.Repeat("<w:sdt><w:sdtContent>",
				7500)+strings.Repeat("</w:sdtContent></w:sdt>", 7500), 1)
			return p
		}), source.TooComplex},
		"broken styles": {Word{Body: P("", R("a", "")), Styles: "<"}.Bytes(), source.Broken},
	})
}

func TestFirstOfTwoPartsCounts(t *testing.T) {
	parts := Word{Body: P("", R("first", ""))}.Parts()
	second := Word{Body: P("", R("second", ""))}.Parts()[2]
	second.Name = "WORD\\Document.XML"
	b, _, err := Read(Zip(append(parts, second)...), source.Default())
	if err != nil {
		t.Fatal(err)
	}
	if got := Outline(b); got != "§other |\np first\n" {
		t.Errorf("got %s", got)
	}
}

func TestPartsInUTF16(t *testing.T) {
	parts := Word{Body: P("", R("Grüße 𝄞", ""))}.Parts()
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(strings.Replace(parts[2].Body, "UTF-8", "UTF-16", 1))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	parts[2].Body = string(wide)
	b, _, err := Read(Zip(parts...), source.Default())
	if err != nil {
		t.Fatal(err)
	}
	if got := Outline(b); got != "§other |\np Grüße 𝄞\n" {
		t.Errorf("got %s", got)
	}
}

// TestEveryHighFindingIsCountedWhenThereAreMany: of each type the first are told one by one, and all where words are
// left out.
func TestEveryHighFindingIsCountedWhenThereAreMany(t *testing.T) {
	l := source.Default()
	l.Findings = 3
	for run, want := range map[string]int{`<w:ins w:id="1" w:author="A">` + R("x", "") + `</w:ins>`: 3, R("x", `<w:vanish/>`): 10} {
		var body strings.Builder
		for range 10 {
			body.WriteString(P("", run, R("y", "")))
		}
		_, found, err := Read(Word{Body: body.String()}.Bytes(), l)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range found {
			n += f.Count
		}
		if len(found) != want || n != 10 {
			t.Errorf("%d findings that count %d, want %d that count 10", len(found), n, want)
		}
	}
}

// TestManyMarks: every reference looks no further than the text behind it. Looking to the end of the run at each
// takes minutes.
func TestManyMarks(t *testing.T) {
	const n = 20_000
	b, _ := read(t, Word{Body: "<w:p><w:r><w:t>a</w:t>" + strings.Repeat(`<w:footnoteReference w:customMarkFollows="1" w:id="1"/>`,
		n) + strings.Repeat("<w:t>b</w:t>", n) + "</w:r></w:p>"})
	if got := Outline(b); got != "§other |\np a\n" {
		t.Errorf("got %.80s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(P("", R("a", `<w:i/>`)), someStyles, someLists, `<w:footnote w:id="1"><w:p/></w:footnote>`)
	f.Add(P("berschrift1", R("a", ""))+listed(1, 0, "x")+listed(1, 2, "y")+P("", Field(`XE "a:b" \r x`, "")), someStyles, someLists, "")
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999"/><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>`, "", "", "")
	f.Add(props(deletedMark, deleted("x"))+props(`<w:framePr w:dropCap="drop"/>`, R("x", ""))+P("", Drawing("p1", "x", 4)), someStyles, "",
		"")
	f.Fuzz(func(t *testing.T, body, styles, numbering, notes string) {
		Withstands(t, Read, Word{Body: body, Styles: styles, Numbering: numbering, Footnotes: notes, Comments: notes}.Bytes())
	})
}
