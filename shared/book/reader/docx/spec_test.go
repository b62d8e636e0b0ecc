package docx

import (
	"testing"

	. "mappe/infra/readertest"
)

// file is a Word file with the styles and lists of the other tests.
func file(w Word) []byte {
	w.Styles, w.Numbering = someStyles, someLists
	return w.Bytes()
}

// TestRunProperties: what the properties of a run are in a book (ECMA-376 part 1, 17.3.2).
func TestRunProperties(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"b and i, and turned off",
			file(Word{
				Body: P("", R("a", "<w:b/>"), R("b", `<w:b w:val="0"/>`), R("c", `<w:i w:val="true"/>`), R("d", `<w:i w:val="off"/>`), R("e", `<w:b w:val="1"/><w:i/>`)),
			}),
			`
§other |
p <*a>b</c>d</*e>
`,
			"",
		},
		{
			"a character style and the property over it",
			file(Word{
				Body: P("", R("a", `<w:rStyle w:val="Em"/>`), R("b", `<w:rStyle w:val="Em"/><w:i w:val="0"/>`)),
			}),
			`
§other |
p </a>b
`,
			"",
		},
		{
			"strike and dstrike",
			file(Word{Body: P("", R("a", "<w:strike/>"), R("b", "<w:dstrike/>"))}),
			`
§other |
p <-ab>
`,
			"",
		},
		{
			"every kind of underlining is one",
			file(Word{
				Body: P("", R("a", `<w:u w:val="double"/>`), R("b", `<w:u w:val="wave"/>`), R(" c", `<w:u w:val="none"/>`)),
			}),
			`
§other |
p <_ab> c
`,
			"",
		},
		{
			"caps and smallCaps",
			file(Word{Body: P("", R("a", "<w:caps/>"), R("b", "<w:smallCaps/>"))}),
			`
§other |
p <!a><^b>
`,
			"",
		},
		{
			"vertAlign baseline is none",
			file(Word{Body: P("", R("a", `<w:vertAlign w:val="baseline"/>`))}),
			`
§other |
p a
`,
			"",
		},
		{
			"webHidden and noProof change nothing",
			file(Word{Body: P("", R("a", "<w:webHidden/>"), R("b", "<w:noProof/>"))}),
			`
§other |
p ab
`,
			"",
		},
		{
			"colours and fonts are told and not kept",
			file(Word{Body: P("", R("a", `<w:color w:val="FF0000"/>`))}),
			`
§other |
p a
`,
			"direct_formatting:a (colour FF0000)",
		},
		{
			"the language of the run",
			file(Word{
				Body: P("", R("An ordinary English sentence, ", ""), R("und Deutsch", `<w:lang w:val="de-AT"/>`)),
			}),
			`
§other |
p An ordinary English sentence, <{de-AT}und Deutsch>
`,
			"",
		},
		{
			"a character style that is not there",
			file(Word{Body: P("", R("a", `<w:rStyle w:val="Nowhere"/>`))}),
			`
§other |
p a
`,
			"",
		},
	})
}

// TestRunContent: the elements of a run (17.3.3).
func TestRunContent(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"t without xml:space loses the spaces at its edges",
			file(Word{Body: P("", "<w:r><w:t> a </w:t></w:r><w:r><w:t>b</w:t></w:r>")}),
			`
§other |
p ab
`,
			"",
		},
		{
			"t with xml:space keeps them",
			file(Word{Body: P("", `<w:r><w:t xml:space="preserve">a </w:t></w:r><w:r><w:t>b</w:t></w:r>`)}),
			`
§other |
p a b
`,
			"",
		},
		{
			"several t in a run",
			file(Word{Body: P("", "<w:r><w:t>a</w:t><w:t>b</w:t></w:r>")}),
			`
§other |
p ab
`,
			"",
		},
		{
			"tab, br, cr, noBreakHyphen",
			file(Word{
				Body: P("", "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t></w:r>"),
			}),
			"§other |\n" +
				"p a\tb⏎c⏎d\u2011e\n",
			"",
		},
		{
			"lastRenderedPageBreak is nothing",
			file(Word{Body: P("", "<w:r><w:t>a</w:t><w:lastRenderedPageBreak/><w:t>b</w:t></w:r>")}),
			`
§other |
p ab
`,
			"",
		},
		{
			"a column break ends a line",
			file(Word{Body: P("", `<w:r><w:t>a</w:t><w:br w:type="column"/><w:t>b</w:t></w:r>`)}),
			`
§other |
p a⏎b
`,
			"",
		},
		{
			"a page break at the end of a paragraph",
			file(Word{Body: P("", R("a", ""), `<w:r><w:br w:type="page"/></w:r>`) + P("", R("b", ""))}),
			`
§other |
p a
pagebreak
p b
`,
			"",
		},
		{
			"an ink annotation is told",
			file(Word{Body: P("", R("a", ""), "<w:r><w:contentPart/></w:r>")}),
			`
§other |
p a
`,
			"unsupported_object: (ink or a control)",
		},
		{
			"deleted text outside of a deletion is nothing",
			file(Word{Body: P("", "<w:r><w:delText>a</w:delText></w:r>", R("b", ""))}),
			`
§other |
p b
`,
			"",
		},
	})
}

// TestParagraphProperties: what the properties of a paragraph are in a book (17.3.1).
func TestParagraphProperties(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"jc centres and flushes right",
			file(Word{
				Body: props(`<w:jc w:val="center"/>`, R("a", "")) +
					props(`<w:jc w:val="right"/>`, R("b", "")) +
					props(`<w:jc w:val="both"/>`, R("c", "")) +
					props(`<w:jc w:val="left"/>`, R("d", "")),
			}),
			`
§other |
pa2 a
pa3 b
p c
p d
`,
			"",
		},
		{
			"pageBreakBefore, and turned off",
			file(Word{
				Body: P("", R("a", "")) +
					props("<w:pageBreakBefore/>", R("b", "")) +
					props(`<w:pageBreakBefore w:val="0"/>`, R("c", "")),
			}),
			`
§other |
p a
pagebreak
p b
p c
`,
			"",
		},
		{
			"outlineLvl makes a heading of any style",
			file(Word{
				Body: props(`<w:outlineLvl w:val="0"/>`, R("One", "")) +
					props(`<w:outlineLvl w:val="1"/>`, R("Sub", "")) +
					P("", R("a", "")),
			}),
			`
§other |One
h1 Sub
p a
`,
			"",
		},
		{
			"outlineLvl 9 is text",
			file(Word{Body: props(`<w:outlineLvl w:val="9"/>`, R("a", ""))}),
			`
§other |
p a
`,
			"",
		},
		{
			"empty paragraphs stay, they are gaps",
			file(Word{Body: P("", R("a", "")) + P("") + P("", R("b", ""))}),
			"§other |\n" +
				"p a\n" +
				"p \n" +
				"p b\n",
			"",
		},
		{
			"a paragraph of spaces",
			file(Word{Body: P("", R("a", "")) + P("", R("   ", "")) + P("", R("b", ""))}),
			"§other |\n" +
				"p a\n" +
				"p    \n" +
				"p b\n",
			"",
		},
		{
			"a style that is not there is body text",
			file(Word{Body: P("Nowhere", R("a", ""))}),
			`
§other |
p a
`,
			"",
		},
		{
			"keepNext, spacing and tabs change nothing",
			file(Word{
				Body: props(`<w:keepNext/><w:spacing w:before="240"/><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs>`, R("a", "")),
			}),
			`
§other |
p a
`,
			"",
		},
	})
}

// TestNumbering: lists by their numbering (17.9).
func TestNumbering(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"numId 0 takes a paragraph out of a list",
			file(Word{
				Body: listed(1, 0, "a") + props(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>`, R("b", "")),
			}),
			`
§other |
list true decimal 1
- p a
p b
`,
			"",
		},
		{
			"a list that another paragraph divides goes on",
			file(Word{Body: listed(1, 0, "a") + P("", R("x", "")) + listed(1, 0, "b")}),
			`
§other |
list true decimal 1
- p a
p x
list true decimal 2
- p b
`,
			"",
		},
		{
			"another list begins anew",
			file(Word{Body: listed(1, 0, "a") + listed(4, 0, "b")}),
			`
§other |
list true decimal 1
- p a
list true decimal 7
- p b
`,
			"",
		},
		{
			"a level that the list does not define is text",
			file(Word{Body: listed(1, 0, "a") + listed(2, 1, "b") + listed(1, 0, "c")}),
			`
§other |
list true decimal 1
- p a
p b
list true decimal 2
- p c
`,
			"",
		},
	})
}

// TestHyperlinks: links by relationship, by anchor and by field (17.16).
func TestHyperlinks(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"an address by relationship",
			file(Word{
				Body: P("", `<w:hyperlink r:id="h1">`, R("a", ""), "</w:hyperlink>"),
				Rels: `<Relationship Id="h1" Type="x/hyperlink" Target="https://x.at/a" TargetMode="External"/>`,
			}),
			`
§other |
p [a→https://x.at/a]
`,
			"",
		},
		{
			"an anchor at an address",
			file(Word{
				Body: P("", `<w:hyperlink r:id="h1" w:anchor="m">`, R("a", ""), "</w:hyperlink>"),
				Rels: `<Relationship Id="h1" Type="x/hyperlink" Target="https://x.at/a" TargetMode="External"/>`,
			}),
			`
§other |
p [a→https://x.at/a#m]
`,
			"",
		},
		{
			"files and scripts leave their text",
			file(Word{
				Body: P("", `<w:hyperlink r:id="h1">`, R("a", ""), "</w:hyperlink>"),
				Rels: `<Relationship Id="h1" Type="x/hyperlink" Target="file:///c:/a.doc" TargetMode="External"/>`,
			}),
			`
§other |
p a
`,
			"",
		},
		{
			"a bookmark by anchor",
			file(Word{
				Body: P("", `<w:hyperlink w:anchor="m">`, R("a", ""), "</w:hyperlink>") +
					P("", `<w:bookmarkStart w:id="1" w:name="m"/>`, R("b", ""), `<w:bookmarkEnd w:id="1"/>`),
			}),
			`
§other |
p [a→#m]
p [#m]b
`,
			"",
		},
		{
			"_GoBack is no target",
			file(Word{
				Body: P("", `<w:bookmarkStart w:id="1" w:name="_GoBack"/>`, R("a", ""), `<w:bookmarkEnd w:id="1"/>`),
			}),
			`
§other |
p a
`,
			"",
		},
		{
			"an address by field",
			file(Word{Body: P("", Field(` HYPERLINK "https://x.at/a" `, R("a", "")))}),
			`
§other |
p [a→https://x.at/a]
`,
			"",
		},
		{
			"a bookmark by field",
			file(Word{
				Body: P("", Field(` HYPERLINK \l "m" `, R("a", ""))) +
					P("", `<w:bookmarkStart w:id="1" w:name="m"/>`, R("b", "")),
			}),
			`
§other |
p [a→#m]
p [#m]b
`,
			"",
		},
	})
}

// TestFields: a field is its result; what the book makes itself is told and left out (17.16.5).
func TestFields(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a date, an author and a formula show their result",
			file(Word{
				Body: P("", Field(` DATE `, R("1. Mai", "")), R(" ", ""), Field(` AUTHOR `, R("Anna", "")), R(" ", ""), Field(` = 1+1 `, R("2", ""))),
			}),
			`
§other |
p 1. Mai Anna 2
`,
			"",
		},
		{
			"a field in a field",
			file(Word{Body: P("", Field(` IF `+`x`, Field(` PAGE `, R("7", ""))))}),
			`
§other |
p 7
`,
			"page_reference:7",
		},
		{
			"a field without a result",
			file(Word{Body: P("", R("a", ""), code(` DATE `), R("b", ""))}),
			`
§other |
p ab
`,
			"",
		},
		{
			"a field that is not closed",
			file(Word{
				Body: P("", R("a", ""), `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> DATE </w:instrText></w:r><w:r>`+
					`<w:fldChar w:fldCharType="separate"/></w:r>`, R("1. Mai", "")) +
					P("", R("b", "")),
			}),
			`
§other |
p a1. Mai
p b
`,
			"",
		},
		{
			"an end without a beginning",
			file(Word{Body: P("", R("a", ""), `<w:r><w:fldChar w:fldCharType="end"/></w:r>`, R("b", ""))}),
			`
§other |
p ab
`,
			"",
		},
		{
			"a simple field",
			file(Word{Body: P("", `<w:fldSimple w:instr=" TITLE ">`, R("Die Mappe", ""), "</w:fldSimple>")}),
			`
§other |
p Die Mappe
`,
			"",
		},
	})
}

// TestTables: rows, heads and spans (17.4).
func TestTables(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a table without rows is nothing",
			file(Word{Body: P("", R("a", "")) + `<w:tbl></w:tbl>` + P("", R("b", ""))}),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"tblHeader counts in the first rows alone",
			file(Word{
				Body: "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr>" +
					"<w:tblHeader/></w:trPr><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
			}),
			`
§other |
table head=0 caption=
[1x1 p a
]
[1x1 p b
]
`,
			"",
		},
		{
			"gridSpan of no number is one",
			file(Word{
				Body: `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="x"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>` +
					`<w:tc><w:tcPr><w:gridSpan w:val="0"/></w:tcPr><w:p><w:r>` +
					`<w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
			}),
			`
§other |
table head=0 caption=
[1x1 p a
][1x1 p b
]
`,
			"",
		},
		{
			"vMerge without a beginning is a cell of its own",
			file(Word{
				Body: "<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p>" +
					"<w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
			}),
			`
§other |
table head=0 caption=
[1x1 p a
][1x1 p b
]
`,
			"",
		},
		{
			"a caption above",
			file(Word{
				Body: P("Cap", R("Table 1", "")) +
					"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
			}),
			`
§other |
table head=0 caption=Table 1
[1x1 p a
]
`,
			"",
		},
		{
			"content controls around rows",
			file(Word{
				Body: "<w:tbl><w:sdt><w:sdtContent><w:tr><w:tc><w:p><w:r>" +
					"<w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>",
			}),
			`
§other |
table head=0 caption=
[1x1 p a
]
`,
			"",
		},
	})
}

// TestRevisions: tracked changes are accepted and told (17.13.5).
func TestRevisions(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"an insertion in a deletion is gone",
			file(Word{
				Body: P("", R("a ", ""), `<w:del w:id="1" w:author="Ben"><w:ins w:id="2" w:author="Ben"><w:r><w:delText>b</w:delText></w:r></w:ins></w:del>`, R("c", "")),
			}),
			`
§other |
p a c
`,
			"tracked_change:b (deleted by Ben)",
		},
		{
			"changed properties are those that are now",
			file(Word{
				Body: P("", R("a", `<w:b/><w:rPrChange w:id="1" w:author="Ben"><w:rPr><w:i/></w:rPr></w:rPrChange>`)),
			}),
			`
§other |
p <*a>
`,
			"tracked_change:a (formatting by Ben)",
		},
		{
			"a changed paragraph is as it is now",
			file(Word{
				Body: props(`<w:jc w:val="center"/><w:pPrChange w:id="1" w:author="Ben"><w:pPr><w:jc w:val="right"/></w:pPr></w:pPrChange>`, R("a", "")),
			}),
			`
§other |
pa2 a
`,
			"tracked_change:a (formatting by Ben)",
		},
		{
			"an inserted end of a paragraph stays",
			file(Word{Body: props(`<w:rPr><w:ins w:id="1" w:author="Ben"/></w:rPr>`, R("a", "")) + P("", R("b", ""))}),
			`
§other |
p a
p b
`,
			"tracked_change:¶ (inserted by Ben)",
		},
		{
			"a comment without a text",
			file(Word{Body: P("", R("a", ""), `<w:r><w:commentReference w:id="9"/></w:r>`)}),
			`
§other |
p a
`,
			"comment:",
		},
	})
}

// TestMarkupCompatibility: one of the alternatives counts (part 3).
func TestMarkupCompatibility(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"the first choice that is understood",
			file(Word{
				Body: P("", `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t>a</w:t></mc:Choice><mc:Fallback>`+
					`<w:t>b</w:t></mc:Fallback></mc:AlternateContent></w:r>`),
			}),
			`
§other |
p a
`,
			"",
		},
		{
			"an alternative without choices is its fallback",
			file(Word{
				Body: P("", "<w:r><mc:AlternateContent><mc:Fallback><w:t>b</w:t></mc:Fallback></mc:AlternateContent></w:r>"),
			}),
			`
§other |
p b
`,
			"",
		},
		{
			"elements of other namespaces are nothing",
			file(Word{Body: P("", R("a", ""), `<x:y xmlns:x="urn:x"><x:z>b</x:z></x:y>`, R("c", ""))}),
			`
§other |
p ac
`,
			"",
		},
	})
}
