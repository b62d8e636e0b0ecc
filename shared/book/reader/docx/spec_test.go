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
				Body: P("", R("a", "<w:b/>"), R("b", `<w:b w:val="0"/>`), R("c", `<w:i w:val="true"/>`), R("d", `<w:i w:val="off"/>`),
					R("e", `<w:b w:val="1"/><w:i/>`)),
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
			"vertAlign baseline changes nothing",
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
