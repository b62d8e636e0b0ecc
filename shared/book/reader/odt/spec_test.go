package odt

import (
	"testing"

	. "mappe/infra/readertest"
)

// TestParagraphContent: the elements of OpenDocument for the text of a paragraph (ODF 1.3 part 3, 6.1).
func TestParagraphContent(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"spaces in a row are one, text:s are as many as it says",
			someText(`<text:p>a   b<text:s/><text:s text:c="3"/>c</text:p>`),
			`
§other |
p a b    c
`,
			"",
		},
		{
			"a space at the start of a paragraph is dropped",
			someText("<text:p>  a</text:p>"),
			`
§other |
p a
`,
			"",
		},
		{
			"tabs and line breaks",
			someText("<text:p>a<text:tab/>b<text:line-break/>c</text:p>"),
			"§other |\n" +
				"p a\tb⏎c\n",
			"",
		},
		{
			"spans in spans add up",
			someText(`<text:p><text:span text:style-name="T1">a<text:span text:style-name="T2">b</text:span></text:span></text:p>`),
			`
§other |
p </a></*^'b>
`,
			"",
		},
		{
			"a span whose style is not there is its text",
			someText(`<text:p>a<text:span text:style-name="Nowhere">b</text:span></text:p>`),
			`
§other |
p ab
`,
			"",
		},
		{
			"soft page breaks are nothing",
			someText("<text:p>a<text:soft-page-break/>b</text:p><text:soft-page-break/><text:p>c</text:p>"),
			`
§other |
p ab
p c
`,
			"",
		},
		{
			"fields are what they show",
			someText("<text:p><text:date>1. Mai</text:date> <text:author-name>Anna</text:author-name> " +
				"<text:title>Die Mappe</text:title></text:p>"),
			`
§other |
p 1. Mai Anna Die Mappe
`,
			"",
		},
		{
			"the number of a page in the text is told",
			someText("<text:p>Seite <text:page-number>12</text:page-number></text:p>"),
			`
§other |
p Seite 12
`,
			"page_reference:Seite 12",
		},
		{
			"a placeholder is its text",
			someText(`<text:p><text:placeholder text:placeholder-type="text">&lt;Name&gt;</text:placeholder></text:p>`),
			`
§other |
p <Name>
`,
			"",
		},
		{
			"hidden text by its condition",
			someText(`<text:p>a<text:hidden-text text:is-hidden="true" text:string-value="b">b</text:hidden-text>c</text:p>`),
			`
§other |
p ac
`,
			"hidden_text:b",
		},
		{
			"ruby: the letters under the reading",
			someText("<text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p>"),
			`
§other |
p 漢
`,
			"unsupported_object:kan (a reading above the line)",
		},
		{
			"meta fields are transparent",
			someText("<text:p><text:meta>a</text:meta><text:meta-field>b</text:meta-field></text:p>"),
			`
§other |
p ab
`,
			"",
		},
	})
}

// TestTextStyles: what properties of letters are in a book (ODF 1.3 part 3, 20).
func TestTextStyles(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"weights from 600 are bold",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span> <text:span text:style-name="B">b</text:span></text:p>`,
				`<style:style style:name="A" style:family="text">`+
					`<style:text-properties fo:font-weight="700"/></style:style>`+
					`<style:style style:name="B" style:family="text">`+
					`<style:text-properties fo:font-weight="400"/></style:style>`),
			`
§other |
p <*a> b
`,
			"",
		},
		{
			"oblique is italic",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span></text:p>`,
				`<style:style style:name="A" style:family="text"><style:text-properties fo:font-style="oblique"/></style:style>`),
			`
§other |
p </a>
`,
			"",
		},
		{
			"underlined and struck out",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span> <text:span text:style-name="B">b</text:span></text:p>`,
				`<style:style style:name="A" style:family="text">`+
					`<style:text-properties style:text-underline-style="solid"/></style:style>`+
					`<style:style style:name="B" style:family="text">`+
					`<style:text-properties style:text-line-through-style="solid"/></style:style>`),
			`
§other |
p <_a> <-b>
`,
			"",
		},
		{
			"underline none is no underline",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span></text:p>`, `<style:style style:name="A" style:family="text">`+
				`<style:text-properties style:text-underline-style="none"/></style:style>`),
			`
§other |
p a
`,
			"",
		},
		{
			"raised and lowered",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span><text:span text:style-name="B">b</text:span>`+
				`<text:span text:style-name="C">c</text:span></text:p>`, `<style:style style:name="A" style:family="text">`+
				`<style:text-properties style:text-position="super 58%"/></style:style>`+
				`<style:style style:name="B" style:family="text">`+
				`<style:text-properties style:text-position="-33% 58%"/></style:style>`+
				`<style:style style:name="C" style:family="text">`+
				`<style:text-properties style:text-position="33% 58%"/></style:style>`),
			`
§other |
p <'a><,b><'c>
`,
			"",
		},
		{
			"capitals",
			OpenText(`<text:p><text:span text:style-name="A">a</text:span></text:p>`,
				`<style:style style:name="A" style:family="text"><style:text-properties fo:text-transform="uppercase"/></style:style>`),
			`
§other |
p <!a>
`,
			"",
		},
		{
			"hidden text is told and left out",
			someText(`<text:p>a<text:span text:style-name="T4">b</text:span>c</text:p>`),
			`
§other |
p ac
`,
			"hidden_text:b",
		},
		{
			"a background is a highlight, and told",
			someText(`<text:p>a <text:span text:style-name="T5">b</text:span></text:p>`),
			`
§other |
p a b
`,
			"highlight:b",
		},
	})
}

// TestParagraphStyles: a style says by its name what a paragraph is for; alignment comes from its properties.
func TestParagraphStyles(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"title, subtitle and author",
			someText(`<text:p text:style-name="Title">Die Mappe</text:p>` +
				`<text:p text:style-name="Subtitle">Ein Buch</text:p><text:p text:style-name="Author">Anna</text:p>` +
				`<text:p>a</text:p>`),
			`
§other |
pr5 Die Mappe
pr6 Ein Buch
pr7 Anna
p a
`,
			"",
		},
		{
			"names with escapes",
			someText(`<text:p text:style-name="Heading_20_1">Eins</text:p><text:p>a</text:p>`),
			`
§other |Eins
p a
`,
			"",
		},
		{
			"German names",
			someText(`<text:p text:style-name="Zitat">a</text:p><text:p text:style-name="Gedicht">b</text:p><text:p>c</text:p>`),
			"§other |\n" +
				"quote false \n" +
				"p a\n" +
				"verse \n" +
				" 0 b\n" +
				" --\n" +
				"p c\n",
			"",
		},
		{
			"a scene break",
			someText(`<text:p>a</text:p><text:p text:style-name="Scene_20_Break">* * *</text:p><text:p>b</text:p>`),
			`
§other |
p a
scene * * *
p b
`,
			"",
		},
		{
			"code is lines",
			someText(`<text:p text:style-name="Preformatted_20_Text">for x {</text:p>` +
				`<text:p text:style-name="Preformatted_20_Text">}</text:p><text:p>b</text:p>`),
			`
§other |
code for x {/}
p b
`,
			"",
		},
		{
			"an epigraph and who wrote it",
			someText(`<text:p text:style-name="Epigraph">a</text:p>` +
				`<text:p text:style-name="Attribution">Goethe</text:p><text:p>b</text:p>`),
			`
§other |
quote true Goethe
p a
p b
`,
			"",
		},
		{
			"verse: lines, and a stanza at an empty line",
			someText(`<text:p text:style-name="Verse">a<text:line-break/>b</text:p><text:p text:style-name="Verse"/>` +
				`<text:p text:style-name="Verse">c</text:p><text:p>d</text:p>`),
			"§other |\n" +
				"verse \n" +
				" 0 a\n" +
				" 0 b\n" +
				" --\n" +
				" 0 c\n" +
				" --\n" +
				"p d\n",
			"",
		},
		{
			"left and right indents make a quotation",
			OpenText(`<text:p text:style-name="A">a</text:p><text:p>b</text:p>`, `<style:style style:name="A" style:family="paragraph">`+
				`<style:paragraph-properties fo:margin-left="1cm" fo:margin-right="1cm"/></style:style>`),
			"§other |\n" +
				"quote false \n" +
				"p a\n" +
				"p b\n",
			"",
		},
		{
			"centred and flush right",
			OpenText(`<text:p text:style-name="A">a</text:p><text:p text:style-name="B">b</text:p>`,
				`<style:style style:name="A" style:family="paragraph">`+
					`<style:paragraph-properties fo:text-align="center"/></style:style>`+
					`<style:style style:name="B" style:family="paragraph">`+
					`<style:paragraph-properties fo:text-align="end"/></style:style>`),
			`
§other |
pa2 a
pa3 b
`,
			"",
		},
		{
			"a break before a paragraph",
			someText(`<text:p text:style-name="P2">a</text:p>`),
			`
§other |
pagebreak
pa2 a
`,
			"",
		},
		{
			"a hidden paragraph is told",
			OpenText(`<text:p text:style-name="A">a</text:p><text:p>b</text:p>`,
				`<style:style style:name="A" style:family="paragraph"><style:text-properties text:display="none"/></style:style>`),
			`
§other |
p b
`,
			"hidden_text:a",
		},
	})
}
