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
	return element(`<w:fldChar w:fldCharType="begin"/>`) + element(`<w:instrText xml:space="preserve">`+s+`</w:instrText>`) + element(`<w:fldChar w:fldCharType="end"/>`)
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

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		file  Word
		want  string
		found string
	}{
		{
			"letters",
			Word{
				Body: P("", R("a ", ""), R("b", `<w:i/>`), R("c", `<w:b/><w:i w:val="0"/>`), R("d", `<w:smallCaps/>`), R("e", `<w:vertAlign w:val="superscript"/>`),
					R("f", `<w:vertAlign w:val="subscript"/>`), R("g", `<w:u w:val="single"/>`), R("h", `<w:dstrike/>`), R("i", `<w:caps/>`), R("j", `<w:rStyle w:val="Em"/>`), R("k", `<w:rStyle w:val="Mono"/>`), R("l", `<w:u w:val="none"/>`)),
			},
			"§other |\n" +
				"p a </b><*c><^d><'e><,f><_g><-h><!i></j><`k>l\n",
			"",
		},
		{
			"a word in many runs is one text",
			Word{
				Body: P("", R("Ma", ""), `<w:proofErr w:type="x"/>`, R("nu", `<w:lang w:val="en-GB"/>`), R("script", "")),
			},
			`
§other |
p Manuscript
`,
			"",
		},
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
			"breaks and signs",
			Word{
				Body: P("", `<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:softHyphen/><w:cr/>`+
					`<w:t xml:space="preserve"> d </w:t><w:t> e </w:t></w:r>`),
			},
			"§other |\n" +
				"p a⏎b\tc‑\u00ad⏎ d e\n",
			"",
		},
		{
			"symbols",
			Word{
				Body: P("", `<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>`, R("\uf062", `<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>`)),
			},
			`
§other |
p α→β
`,
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
			"tracked changes are accepted",
			Word{
				Body: P("", R("a ", ""), deleted("b "), tracked("ins", R("c ", "")), tracked("ins", R("d", "")), R(" e", "")) +
					P("", tracked("moveFrom", R("away", ""))) +
					P("", tracked("moveTo", R("here", ""))),
			},
			`
§other |
p a c d e
p here
`,
			`
tracked_change:b (deleted by Anna)
tracked_change:c (inserted by Anna)
tracked_change:away (moved away by Anna)
tracked_change:here (moved here by Anna)`,
		},
		{
			"a deleted end of a paragraph joins two",
			Word{
				Body: props(deletedMark, R("one ", "")) +
					P("", R("two", "")) +
					props(deletedMark, deleted("gone")) +
					P("", R("three", "")),
			},
			`
§other |
p one two
p three
`,
			`
tracked_change:¶ (deleted by Anna)
tracked_change:gone (deleted by Anna)`,
		},
		{
			"deleted cells and rows",
			Word{
				Body: `<w:tbl><w:tr><w:tc><w:p>` +
					R("a", "") +
					`</w:p></w:tc><w:tc><w:tcPr><w:cellDel w:id="1" w:author="Anna"/></w:tcPr><w:p>` +
					deleted("b") +
					`</w:p></w:tc></w:tr><w:tr><w:trPr><w:del w:id="1" w:author="Ben"/></w:trPr><w:tc><w:p>` +
					deleted("c") +
					`</w:p></w:tc></w:tr></w:tbl>`,
			},
			`
§other |
table head=0 caption=
[1x1 p a
]
`,
			`
tracked_change:b (deleted by Anna)
tracked_change:c (deleted by Ben)`,
		},
		{
			"comments",
			Word{
				Comments: `<w:comment w:id="5" w:author="Ben"><w:p><w:r><w:t>Really?</w:t></w:r></w:p></w:comment>`,

				Body: P("", R("a ", ""), `<w:commentRangeStart w:id="5"/>`, R("doubtful", ""), `<w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/></w:r>`, R(" b", "")),
			},
			`
§other |
p a doubtful b
`,
			"comment:doubtful (Ben: Really?)",
		},
		{
			"hidden and highlighted text",
			Word{
				Body: P("", R("a ", ""), R("se", `<w:vanish/>`), R("cret ", `<w:vanish/>`), R("b ", `<w:highlight w:val="yellow"/>`), R("c", `<w:highlight w:val="none"/>`)) +
					P("", R("all", `<w:vanish/>`)),
			},
			`
§other |
p a b c
`,
			`
hidden_text:secret
highlight:b
hidden_text:all`,
		},
		{
			"formatting by hand",
			Word{
				Body: P("", R("a", `<w:rFonts w:ascii="Comic Sans MS"/>`)) +
					P("", R("b", `<w:sz w:val="24"/>`)) +
					P("", R("c", `<w:sz w:val="33"/>`)) +
					P("", R("d", `<w:color w:val="ff0000"/>`)) +
					P("", R("e", `<w:color w:val="auto"/>`)),
			},
			`
§other |
p a
p b
p×1.4 c
p d
p e
`,
			`
direct_formatting:a (font Comic Sans MS)
direct_formatting:c (16.5 pt)
direct_formatting:d (colour FF0000)`,
		},
		{
			"notes in the order of their references",
			Word{
				Footnotes: `<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote><w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r>` +
					R(" First.", "") +
					`</w:p><w:p>` +
					R("More.", "") +
					`</w:p></w:footnote><w:footnote w:id="2"><w:p>` +
					R("Second.", "") +
					`</w:p></w:footnote><w:footnote w:id="3"><w:p>` +
					R("Lost.", "") +
					`</w:p></w:footnote><w:footnote w:id="4"><w:p/></w:footnote>`,

				Endnotes: `<w:endnote w:id="1"><w:p>` + R("End.", "") + `</w:p></w:endnote>`,

				Body: P("", R("a", ""), `<w:r><w:footnoteReference w:id="2"/></w:r>`, R("b", ""), `<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r><w:r>`+
					`<w:footnoteReference w:id="9"/></w:r><w:r><w:footnoteReference w:id="4"/></w:r>`),
			},
			`
§other |
p a[note 0]b[note 1][note 2]
note 0 false
p Second.
note 1 false
p First.
p More.
note 2 true
p End.
`,
			`
note_without_text:ab
note_without_text:ab
note_without_reference:Lost.`,
		},
		{
			"a note in deleted text is gone",
			Word{
				Footnotes: `<w:footnote w:id="1"><w:p>` + R("x", "") + `</w:p></w:footnote>`,
				Body:      P("", R("a", ""), tracked("del", `<w:r><w:footnoteReference w:id="1"/></w:r>`)),
			},
			`
§other |
p a
`,
			"tracked_change: (deleted by Anna)",
		},
		{
			"lists",
			Word{
				Body: listed(1, 0, "a") +
					listed(1, 1, "b") +
					listed(1, 1, "c") +
					listed(1, 0, "d") +
					P("", R("e", "")) +
					listed(1, 0, "f") +
					listed(4, 0, "g") +
					listed(2, 0, "h") +
					listed(99, 0, "i"),
			},
			`
§other |
list true decimal 1
- p a
list true lower-alpha 1
- p b
- p c
- p d
p e
list true decimal 3
- p f
list true decimal 7
- p g
list false  0
- p h
p i
`,
			"",
		},
		{
			"numbered headings",
			Word{
				Body: props(`<w:pStyle w:val="berschrift1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>`, R("A", "")) +
					props(`<w:pStyle w:val="berschrift2"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>`, R("B", "")) +
					props(`<w:pStyle w:val="berschrift1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>`, R("C", "")),
			},
			`
§other I|A
h1 I.1 B
§other II|C
`,
			"",
		},
		{
			"cells over rows and tables in cells",
			Word{
				Body: `<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>` +
					P("", R("a", "")) +
					`</w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>` +
					P("", R("b", "")) +
					`</w:tc></w:tr>` +
					`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/>` +
					`<w:vMerge w:val="continue"/></w:tcPr><w:p/></w:tc></w:tr>` +
					`<w:tr><w:tc>` +
					P("", R("c", "")) +
					`<w:tbl><w:tr><w:tc>` +
					P("", R("d", "")) +
					`</w:tc><w:tc>` +
					P("", R("e", "")) +
					`</w:tc></w:tr></w:tbl>` +
					P("", R("f", "")) +
					`</w:tc><w:tc>` +
					P("", R("g", "")) +
					`</w:tc><w:tc>` +
					P("", R("h", "")) +
					`</w:tc></w:tr></w:tbl>`,
			},
			`
§other |
table head=0 caption=
[1x2 p a
][2x2 p b
]

[1x1 p c
table head=0 caption=
[1x1 p d
][1x1 p e
]
p f
][1x1 p g
][1x1 p h
]
`,
			"",
		},
		{
			"tables",
			Word{
				Body: P("Cap", R("Table 1", "")) +
					`<w:tbl><w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="300"/></w:tblGrid>` +
					`<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>` +
					P("", R("head", "")) +
					`</w:tc></w:tr>` +
					`<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>` +
					P("", R("a", "")) +
					`</w:tc><w:tc>` +
					P("", R("b", "")) +
					`</w:tc></w:tr>` +
					`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:sdt><w:sdtContent><w:tc>` +
					P("", R("c", "")) +
					`</w:tc></w:sdtContent></w:sdt></w:tr></w:tbl>`,
			},
			`
§other |
table head=1 caption=Table 1
[2x1 p head
]
[1x2 p a
][1x1 p b
]
[1x1 p c
]
`,
			"",
		},
		{
			"fields",
			Word{
				Body: P("", Field(` TOC \o "1-3" `, R("One 1", ""))) +
					P("", Field(` HYPERLINK "https://example.org/a" `, R("link", `<w:u w:val="single"/>`))+R(" and ", ""), Field(` PAGEREF mark \h `, R("12", ""))+
						`<w:bookmarkStart w:id="1" w:name="mark"/>`+
						R(" x", "")+
						`<w:bookmarkEnd w:id="1"/><w:bookmarkStart w:id="2" w:name="other"/>`) +
					P("", `<w:fldSimple w:instr=" DATE ">`+R("today", "")+`</w:fldSimple>`, Field(` INDEX `, R("gone", ""))),
			},
			`
§other |
p [link→https://example.org/a] and [page 12→#mark][#mark] x
p today
`,
			`
toc_field:One 1 (TOC)
toc_field:gone (INDEX)`,
		},
		{
			"references to pages",
			Word{
				Body: P("", R("a ", ""), Field(` PAGEREF m \h `, R("7", "")), Field(` REF m \h `, R("Graz", "")), R(" b ", ""), Field(` PAGEREF m \p `, R("on page 7", ""))) +
					P("", `<w:bookmarkStart w:id="1" w:name="m"/>`, R("Graz", "")),
			},
			`
§other |
p a [page 7→#m][Graz→#m] b [on page 7→#m]
p [#m]Graz
`,
			"page_reference:a 7Graz b on page 7",
		},
		{
			"a table of contents over several paragraphs",
			Word{
				Body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r><w:r>` +
					`<w:fldChar w:fldCharType="separate"/></w:r>` +
					R("One", "") +
					`</w:p>` +
					P("", R("Two", "")) +
					`<w:p><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>` +
					P("", R("text", "")) +
					`<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>` +
					P("", R("Contents", "")) +
					`</w:sdtContent></w:sdt>`,
			},
			`
§other |
p text
`,
			`
toc_field:One Two (TOC)
toc_field:Contents`,
		},
		{
			"a table of contents without an end",
			Word{
				Body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r><w:r>` +
					`<w:fldChar w:fldCharType="separate"/></w:r>` +
					R("One", "") +
					`</w:p>` +
					P("berschrift1", R("One", "")) +
					P("", R("text", "")),
			},
			`
§other |One
p text
`,
			"toc_field:One (TOC)",
		},
		{
			"index entries",
			Word{
				Body: P("", R("a", ""), Field(` XE "Wien:Ring\:straße" `, ""), R("b", `<w:vanish w:val="0"/>`), Field(` XE "Lenz" \t "see Winter" `, ""), Field(` XE "Mai" \t "siehe auch Juni" `, ""), `<w:bookmarkStart w:id="7" w:name="r"/>`, R("c", ""), `<w:bookmarkEnd w:id="7"/>`, Field(` XE "Lang" \r "r" \b `, "")),
			},
			`
§other |
p a[xe Wien|Ring:straße|||]b[xe Lenz||Winter||][xe Mai|||Juni|][xe Lang||||r/end][#r]c[#r/end]
`,
			"",
		},
		{
			"pictures",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>` +
					`<Relationship Id="p2" Type="x/image" Target="https://example.org/b.png" TargetMode="External"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(30, 20)}},

				Body: P("", Drawing("p1", "A hill", 80)) +
					P("Cap", R("Figure 1", "")) +
					P("", R("a ", ""), Drawing("p1", "small", 5), R(" b", "")) +
					P("", Drawing("p2", "", 10)) +
					P("", `<w:r><w:pict><v:shape style="width:72pt;height:1pt" alt="old"><v:imagedata r:id="p1"/></v:shape></w:pict></w:r>`),
			},
			`
§other |
fig 0 80mm alt=A hill caption=Figure 1
p a [img 0 small] b
fig -1 10mm alt= caption=
fig 0 25mm alt=old caption=
`,
			"missing_image: (the picture is linked, not embedded: https://example.org/b.png)",
		},
		{
			"pictures as Word shows them",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/><Relationship Id="p2" Type="x/image" Target="media/b.jpg"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(40, 20)}, {Name: "word/media/b.jpg", Body: LyingJPEG(40, 24)}},

				Body: shown("p1", `rot="5400000"`, "") +
					shown("p1", `rot="10800000" flipH="1"`, "") +
					shown("p1", "", `<a:srcRect l="25000" b="50%"/>`) +
					shown("p1", `rot="16180000"`, "") +
					shown("p1", `rot="720000"`, "") +
					shown("p2", `rot="5400000"`, "") +
					shown("p2", "", "") +
					P("", `<w:r><w:pict><v:shape style="width:72pt;height:36pt;rotation:-5898240fd;flip:y" alt="old">`+
						`<v:imagedata r:id="p1" cropright="16384f" croptop="0.1"/></v:shape></w:pict></w:r>`),
			},
			`
§other |
fig 0 30mm alt= caption=
fig 1 60mm alt= caption=
fig 2 60mm alt= caption=
fig 3 30mm alt= caption=
fig 4 60mm alt= caption=
fig 5 30mm alt= caption=
fig 6 60mm alt= caption=
fig 7 13mm alt=old caption=
`,
			"direct_formatting: (a picture at an angle of 12°)",
		},
		{
			"text boxes",
			Word{
				Body: P("", R("a", ""), `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData>`+
					`<wps:wsp><wps:txbx><w:txbxContent>`+
					P("", R("boxed", ""))+
					`</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>`+
					`<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>`+
					P("", R("boxed", ""))+
					`</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`, R("b", "")),
			},
			`
§other |
p ab
p boxed
`,
			"text_box:boxed",
		},
		{
			"what cannot be set",
			Word{
				Body: P("", R("a", ""), `<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>`) +
					P("", `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>`+
						`<c:chart r:id="x"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`) +
					P("", `<w:r><w:object><o:OLEObject ProgID="Excel.Sheet"/></w:object></w:r>`) +
					`<w:altChunk r:id="x"/>`,
			},
			`
§other |
p a
`,
			`
unsupported_object:x=1 (an equation)
unsupported_object: (a chart)
unsupported_object: (an embedded object (Excel.Sheet))
unsupported_object: (an embedded document)`,
		},
		{
			"what is above the line, fields that are drawn",
			Word{
				Body: P("", R("a ", ""), element(`<w:ruby><w:rt>`+R("kan", "")+`</w:rt><w:rubyBase>`+R("漢", "")+`</w:rubyBase></w:ruby>`)) +
					P("", R("b ", ""), code(` EQ \f(1,2) `)) +
					P("", R("c ", ""), code(` AUTONUM `), code(` MACROBUTTON None [here I go] `)) +
					P("", R("d", ""), Field(` EQ x `, ""), Field(` SEQ Figure `, R("4", ""))),
			},
			"§other |\n" +
				"p a 漢\n" +
				"p b \n" +
				"p c [here I go]\n" +
				"p d4\n",
			`
unsupported_object:kan (a reading above the line)
unsupported_object:\f(1,2) (an equation)
unsupported_object:c (what the field AUTONUM shows)
unsupported_object:x (an equation)`,
		},
		{
			"numbers of pages in the text",
			Word{Body: P("", R("All ", ""), Field(` NUMPAGES `, R("120", "")), R(" pages", ""))},
			`
§other |
p All 120 pages
`,
			"page_reference:All 120",
		},
		{
			"fonts of symbols without characters",
			Word{
				Body: P("", element(`<w:sym w:font="Webdings" w:char="F04E"/>`), R("P", `<w:rFonts w:ascii="Wingdings 2"/>`), R("P", `<w:rFonts w:ascii="Wingdings"/>`), element(`<w:sym w:font="Arial" w:char="2192"/>`)),
			},
			"§other |\n" +
				"p \uf04e\uf050\uf050→\n",
			"",
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
		{
			"drawings",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(3, 2)}},

				Body: P("", R("a", ""), element(`<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>`+
					P("")+
					`</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`)) +
					P("", R("b", ""), element(`<w:pict><v:line/></w:pict>`)) +
					P("", R("c", ""), `<w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:line/></w:pict></w:r>`) +
					P("", R("d", ""), element(`<mc:AlternateContent><mc:Choice Requires="cx1"><w:drawing><wp:inline/></w:drawing></mc:Choice>`+
						`<mc:Fallback><w:pict><v:shape alt="chart">`+
						`<v:imagedata r:id="p1"/></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`)),
			},
			`
§other |
p a
p b
p c
p d[img 0 chart]
`,
			`
unsupported_object:a (a drawing)
unsupported_object:b (a drawing)
hidden_text:c (a picture or a drawing)`,
		},
		{
			"boxes in boxes",
			Word{Body: P("", R("a", ""), boxes(3, "in three")) + P("", R("b", ""), boxes(5, "in five"))},
			`
§other |
p a
p in three
p b
`,
			`
text_box:in three
text_box:in three
text_box:in three
unsupported_object:in five (a text box in others)
unsupported_object: (a drawing)
unsupported_object: (a drawing)
unsupported_object: (a drawing)
unsupported_object:b (a drawing)`,
		},
		{
			"paragraphs in a frame",
			Word{
				Body: props(`<w:framePr w:w="100"/>`, R("a", "")) +
					props(`<w:framePr w:w="100"/>`, R("b", "")) +
					P("", R("c", "")) +
					props(`<w:framePr w:w="100"/>`, R("d", "")),
			},
			`
§other |
p a
p b
p c
p d
`,
			`
text_box:a
text_box:d`,
		},
		{
			"marks of notes in the author's words",
			Word{
				Footnotes: `<w:footnote w:id="1"><w:p>` +
					R("*", `<w:vertAlign w:val="superscript"/>`) +
					R(" Said so.", "") +
					`</w:p></w:footnote><w:footnote w:id="2"><w:p>` +
					R("* a star", "") +
					`</w:p></w:footnote>`,

				Body: P("", R("a", ""), element(`<w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t>`), element(`<w:footnoteReference w:id="2"/>`), element(`<w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:sym w:font="Symbol" w:char="F02A"/>`)),
			},
			`
§other |
p a[note 0][note 1][note 1]
note 0 false
p Said so.
note 1 false
p * a star
`,
			"",
		},
		{
			"a row that begins later",
			Word{
				Body: `<w:tbl><w:tr><w:tc>` +
					P("", R("a", "")) +
					`</w:tc><w:tc>` +
					P("", R("b", "")) +
					`</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc><w:tcPr>` +
					`<w:cellIns w:id="1" w:author="Anna"/></w:tcPr>` +
					P("", R("c", "")) +
					`</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val="0"/></w:trPr><w:tc>` +
					P("", R("d", "")) +
					`</w:tc></w:tr></w:tbl>`,
			},
			`
§other |
table head=0 caption=
[1x1 p a
][1x1 p b
]
[1x1 ][1x1 p c
]
[1x1 p d
]
`,
			"tracked_change:c (inserted by Anna)",
		},
		{
			"numbers that lists cannot say",
			Word{
				Body: listed(1, 0, "a") +
					listed(5, 0, "b") +
					listed(5, 1, "c") +
					listed(5, 0, "d") +
					listed(5, 2, "e") +
					listed(5, 0, "f") +
					listed(5, 2, "g") +
					listed(5, 1, "h") +
					listed(5, 2, "i"),
			},
			`
§other |
list true decimal 1
- p a
list true decimal 1
- p b
p 1.1 c
- p d
list true decimal 1
- p e
- p f
list true decimal 2
- p g
p 3.2 h
- p i
`,
			"",
		},
		{
			"paragraphs whose bullet is blank",
			Word{
				Body: listed(1, 0, "a") +
					listed(7, 0, "b") +
					listed(1, 1, "c") +
					listed(7, 1, "d") +
					listed(7, 0, "e") +
					listed(1, 0, "f") +
					P("", R("g", "")) +
					listed(7, 0, "h"),
			},
			`
§other |
list true decimal 1
- p a
p b
list true lower-alpha 1
- p c
p d
p e
- p f
p g
p h
`,
			"",
		},
		{
			"numbers with words",
			Word{
				Body: listed(6, 0, "a") +
					P("", R("b", "")) +
					listed(6, 0, "c") +
					listed(6, 1, "d") +
					listed(6, 1, "e") +
					listed(6, 0, "f") +
					listed(6, 1, "g"),
			},
			`
§other |
p § 1 a
p b
p § 2 c
list true decimal 1
- p d
- p e
p § 3 f
list true decimal 1
- p g
`,
			"",
		},
		{
			"a page break in an item",
			Word{Body: listed(1, 0, `a</w:t><w:br w:type="page"/><w:t>b`) + listed(1, 0, "c")},
			`
§other |
list true decimal 1
- p a
pagebreak
p b
list true decimal 2
- p c
`,
			"",
		},
		{
			"a hidden end of a paragraph joins two",
			Word{
				Body: props(`<w:rPr><w:vanish/></w:rPr>`, R("one ", "")) +
					P("", R("two", "")) +
					props(`<w:pStyle w:val="berschrift2"/><w:rPr><w:vanish/></w:rPr>`, R("Head", "")) +
					P("", R("three", "")),
			},
			`
§other |
p one two
h1 Head
p three
`,
			"",
		},
		{
			"drop caps",
			Word{
				Body: props(`<w:framePr w:dropCap="drop" w:lines="3"/>`, R("O", `<w:sz w:val="90"/>`)) +
					P("", R("nce upon a time", "")),
			},
			`
§other |
pD Once upon a time
`,
			"direct_formatting:Once upon a time (45 pt)",
		},
		{
			"sizes of type",
			Word{
				Body: P("", R(strings.Repeat("a", 50), "")) +
					P("", R("b ", `<w:sz w:val="36"/>`), R("c", `<w:sz w:val="30"/>`)) +
					P("", R("d", `<w:sz w:val="36"/>`), R("e", "")) +
					P("", R("f", `<w:sz w:val="25"/>`)) +
					P("", R("g", `<w:sz w:val="18"/><w:vertAlign w:val="superscript"/>`)),
			},
			"§other |\np " + strings.Repeat("a", 50) + "\np×1.2 b c\np de\np f\np×0.75 <'g>\n",
			`
direct_formatting:b c (18 pt)
direct_formatting:de (18 pt)
direct_formatting:f (12.5 pt)
direct_formatting:g (9 pt)`,
		},
		{
			"languages",
			Word{
				Body: P("", R("Ein langer deutscher Satz. ", `<w:lang w:val="de-AT"/>`), R("Bonjour", `<w:lang w:val="fr-FR"/>`), R(" 12 ", `<w:lang w:val="fr-FR"/>`), R("Grüezi", `<w:lang w:val="de-CH"/>`)),
			},
			`
§other |
p Ein langer deutscher Satz. <{fr-FR}Bonjour 12 >Grüezi
`,
			"",
		},
		{
			"alignment",
			Word{
				Body: props(`<w:jc w:val="center"/>`, R("a", "")) +
					props(`<w:jc w:val="end"/>`, R("b", "")) +
					props(`<w:jc w:val="both"/>`, R("c", "")),
			},
			`
§other |
pa2 a
pa3 b
p c
`,
			"",
		},
		{
			"accents are composed, controls are dropped",
			Word{Body: P("", R("U\u0308ber&#x9;a&#x1;b", ""))},
			"§other |\n" +
				"p Über\tab\n",
			"",
		},
		{
			"strict, another main part, transparent elements",
			Word{
				NS:   StrictNS,
				Main: "doc/main2.xml",
				Body: P("", `<w:smartTag>`+
					R("a", "")+
					`</w:smartTag><w:sdt><w:sdtContent>`+
					R("b", "")+
					`</w:sdtContent></w:sdt><w:customXml>`+
					R("c", "")+
					`</w:customXml>`),
			},
			`
§other |
p abc
`,
			"",
		},
	} {
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

// TestPicturesAreCutAndTurned: what is set has the pixels that Word shows.
func TestPicturesAreCutAndTurned(t *testing.T) {
	for _, c := range []struct{ xfrm, crop, want string }{
		{"", "", "40 20"},
		{`rot="0" flipH="0"`, `<a:srcRect/>`, "40 20"},
		{`rot="16200000"`, "", "20 40"},
		{`rot="-5400000"`, `<a:srcRect l="25000" r="25000"/>`, "20 20"},
		{`rot="10800000"`, `<a:srcRect t="75000"/>`, "40 5"},
		{"", `<a:srcRect l="-50000" r="-50000"/>`, "40 20"}, // a wider frame
		{"", `<a:srcRect l="60000" r="60000"/>`, "40 20"},
		{`rot="what"`, `<a:srcRect l="NaN"/>`, "40 20"},
	} {
		b, _ := read(t, Word{Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>`, More: []Part{{Name: "word/media/a.png", Body: PNG(40, 20)}}, Body: shown("p1", c.xfrm, c.crop)})
		if got := fmt.Sprint(b.Images[0].Width, b.Images[0].Height); got != c.want || !b.Images[0].Gray {
			t.Errorf("%s %s: %s, grey %v; want %s", c.xfrm, c.crop, got, b.Images[0].Gray, c.want)
		}
	}
}

func TestMetaAndStyles(t *testing.T) {
	b, _ := read(t, Word{Styles: someStyles, Body: P("berschrift1", R("One", "")) + P("", R("a", `<w:lang w:val="de-AT"/>`)) + P("", R("b", `<w:lang w:val="de-AT"/>`)),
		More: []Part{{Name: "docProps/core.xml", Body: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Der Titel</dc:title><dc:creator>Anna</dc:creator></cp:coreProperties>`}}})
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
			p[0].Body = strings.Replace(p[0].Body, "openxmlformats-officedocument.wordprocessingml.document.main", "ms-word.document.macroEnabled.main", 1)
			return p
		}), source.Macros},
		"no main part": {with(func(p []Part) []Part { return append(p[:2:2], p[3:]...) }), source.Broken},
		"workbook":     {with(func(p []Part) []Part { return append(p, Part{Name: "xl/workbook.xml", Body: "<a/>"}) }), source.NotText},
		"no body":      {with(func(p []Part) []Part { p[2].Body = "<a/>"; return p }), source.Broken},
		"cut off XML":  {with(func(p []Part) []Part { p[2].Body = p[2].Body[:len(p[2].Body)-9]; return p }), source.Broken},
		"doctype":      {with(func(p []Part) []Part { p[2].Body = `<!DOCTYPE a [<!ENTITY b "x">]>` + p[2].Body[56:]; return p }), source.DocType},
		"deep": {with(func(p []Part) []Part {
			p[2].Body = strings.Replace(p[2].Body, "<w:body>", "<w:body>"+strings.Repeat("<w:sdt><w:sdtContent>", 7500)+strings.Repeat("</w:sdtContent></w:sdt>", 7500), 1)
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

func TestEveryHighFindingIsCountedWhenThereAreMany(t *testing.T) {
	l := source.Default()
	l.Findings = 3
	var body strings.Builder
	for range 10 {
		body.WriteString(P("", R("x", `<w:vanish/>`), R("y", "")))
	}
	_, found, err := Read(Word{Body: body.String()}.Bytes(), l)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range found {
		n += f.Count
	}
	if len(found) != 3 || n != 10 {
		t.Errorf("%d findings that count %d, want 3 that count 10", len(found), n)
	}
}

// TestManyMarks: every reference looks no further than the text behind it. Looking to the end of the run at each
// takes minutes.
func TestManyMarks(t *testing.T) {
	const n = 20_000
	b, _ := read(t, Word{Body: "<w:p><w:r><w:t>a</w:t>" + strings.Repeat(`<w:footnoteReference w:customMarkFollows="1" w:id="1"/>`, n) + strings.Repeat("<w:t>b</w:t>", n) + "</w:r></w:p>"})
	if got := Outline(b); got != "§other |\np a\n" {
		t.Errorf("got %.80s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(P("", R("a", `<w:i/>`)), someStyles, someLists, `<w:footnote w:id="1"><w:p/></w:footnote>`)
	f.Add(P("berschrift1", R("a", ""))+listed(1, 0, "x")+listed(1, 2, "y")+P("", Field(`XE "a:b" \r x`, "")), someStyles, someLists, "")
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999"/><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>`, "", "", "")
	f.Add(props(deletedMark, deleted("x"))+props(`<w:framePr w:dropCap="drop"/>`, R("x", ""))+P("", Drawing("p1", "x", 4)), someStyles, "", "")
	f.Fuzz(func(t *testing.T, body, styles, numbering, notes string) {
		Withstands(t, Read, Word{Body: body, Styles: styles, Numbering: numbering, Footnotes: notes, Comments: notes}.Bytes())
	})
}
