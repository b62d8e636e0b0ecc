package odt

import (
	"testing"

	. "mappe/infra/readertest"
)

// TestHeadings: text:h by its level, and what has the style of one.
func TestHeadings(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"levels",
			someText(`<text:h text:outline-level="1">One</text:h><text:h text:outline-level="2">Sub</text:h>` +
				`<text:h text:outline-level="3">Deep</text:h><text:p>a</text:p>`),
			`
§other |One
h1 Sub
h2 Deep
p a
`,
			"",
		},
		{
			"a heading without a level is of the first",
			someText("<text:h>One</text:h><text:p>a</text:p>"),
			`
§other |One
p a
`,
			"",
		},
		{
			"a heading without words is told",
			someText(`<text:h text:outline-level="1"> </text:h><text:p>a</text:p>`),
			`
§other |
p a
`,
			"empty_heading:",
		},
		{
			"a heading in a cell is a paragraph",
			someText(`<table:table><table:table-row><table:table-cell>` +
				`<text:h text:outline-level="1">a</text:h></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=0 caption=
[1x1 p a
]
`,
			"",
		},
		{
			"italics in a heading stay",
			someText(`<text:h text:outline-level="1">The <text:span text:style-name="T1">Beagle</text:span></text:h><text:p>a</text:p>`),
			`
§other |The </Beagle>
p a
`,
			"",
		},
	})
}

// TestLists: lists by their style (ODF 1.3 part 3, 5.3 and 16.30).
func TestLists(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"an item without a paragraph is nothing",
			someText(`<text:list text:style-name="L1"><text:list-item/><text:list-item><text:p>a</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 1
- p a
`,
			"",
		},
		{
			"a list header is an item without a number",
			someText(`<text:list text:style-name="L1"><text:list-header><text:p>a</text:p></text:list-header>` +
				`<text:list-item><text:p>b</text:p></text:list-item></text:list>`),
			`
§other |
p a
list true decimal 1
- p b
`,
			"",
		},
		{
			"a list that begins at another number",
			someText(`<text:list text:style-name="L1"><text:list-item text:start-value="5">` +
				`<text:p>a</text:p></text:list-item><text:list-item><text:p>b</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 5
- p a
- p b
`,
			"",
		},
		{
			"a list that goes on",
			someText(`<text:list text:style-name="L1"><text:list-item><text:p>a</text:p></text:list-item></text:list>` +
				`<text:p>x</text:p><text:list text:style-name="L1" text:continue-numbering="true"><text:list-item>` +
				`<text:p>b</text:p></text:list-item></text:list>`),
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
			"an item of two paragraphs",
			someText(`<text:list text:style-name="L1"><text:list-item><text:p>a</text:p><text:p>b</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 1
- p a
p b
`,
			"",
		},
		{
			"a list without a style has no numbers",
			someText("<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>"),
			`
§other |
list false  0
- p a
`,
			"",
		},
	})
}

// TestLinks: addresses, bookmarks and references.
func TestLinks(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"https, http and mailto",
			someText(`<text:p><text:a xlink:href="https://x.at/a">a</text:a> <text:a xlink:href="mailto:a@x.at">b</text:a></text:p>`),
			`
§other |
p [a→https://x.at/a] [b→mailto:a@x.at]
`,
			"",
		},
		{
			"scripts and files leave their text",
			someText(`<text:p><text:a xlink:href="javascript:x()">a</text:a> <text:a xlink:href="../b.odt">b</text:a></text:p>`),
			`
§other |
p a b
`,
			"",
		},
		{
			"a bookmark that nothing leads to is left out",
			someText(`<text:p><text:bookmark text:name="m"/>a</text:p>`),
			`
§other |
p a
`,
			"",
		},
		{
			"a link to a bookmark",
			someText(`<text:p><text:a xlink:href="#m">a</text:a></text:p><text:p><text:bookmark-start text:name="m"/>b` +
				`<text:bookmark-end text:name="m"/></text:p>`),
			`
§other |
p [a→#m]
p [#m]b
`,
			"",
		},
		{
			"a reference to a mark",
			someText(`<text:p>` +
				`<text:reference-ref text:reference-format="text" text:ref-name="m">b</text:reference-ref></text:p>` +
				`<text:p><text:reference-mark text:name="m"/>b</text:p>`),
			`
§other |
p [b→#m]
p [#m]b
`,
			"",
		},
		{
			"the number of a caption leads nowhere",
			someText(`<text:p>see <text:sequence-ref text:ref-name="f">4</text:sequence-ref></text:p>`),
			`
§other |
p see 4
`,
			"",
		},
	})
}

// TestReview: tracked changes are accepted and told; comments are told and left out.
func TestReview(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a comment",
			someText("<text:p>a<office:annotation><dc:creator>Ben</dc:creator><text:p>Really?</text:p></office:annotation>b</text:p>"),
			`
§other |
p ab
`,
			"comment:a (Ben: Really?)",
		},
		{
			"an insertion stays; what stands before it is told",
			someText(`<text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>` +
				`<dc:creator>Ben</dc:creator></office:change-info></text:insertion></text:changed-region></text:tracked-changes>` +
				`<text:p>a<text:change-start text:change-id="c1"/>b<text:change-end text:change-id="c1"/>c</text:p>`),
			`
§other |
p abc
`,
			"tracked_change:a (inserted by Ben)",
		},
		{
			"a deletion is gone",
			someText(`<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info>` +
				`<dc:creator>Ben</dc:creator></office:change-info>` +
				`<text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>a` +
				`<text:change text:change-id="c1"/>b</text:p>`),
			`
§other |
p ab
`,
			"tracked_change:gone (deleted by Ben)",
		},
	})
}

// TestTablesAndIndexes: tables with heads and spans; directories that the book makes itself are told.
func TestTablesAndIndexes(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a table without rows is nothing",
			someText("<text:p>a</text:p><table:table/><text:p>b</text:p>"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"rows in groups",
			someText("<table:table><table:table-rows><table:table-row><table:table-cell>" +
				"<text:p>a</text:p></table:table-cell></table:table-row></table:table-rows><table:table-row-group>" +
				"<table:table-row><table:table-cell>" +
				"<text:p>b</text:p></table:table-cell></table:table-row></table:table-row-group></table:table>"),
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
			"a row that is repeated",
			someText(`<table:table><table:table-row table:number-rows-repeated="2"><table:table-cell>` +
				`<text:p>a</text:p></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=0 caption=
[1x1 p a
]
[1x1 p a
]
`,
			"",
		},
		{
			"the table of contents",
			someText("<text:table-of-content><text:index-body>" +
				"<text:p>One 1</text:p></text:index-body></text:table-of-content><text:p>a</text:p>"),
			`
§other |
p a
`,
			"toc_field:One 1 (table-of-content)",
		},
		{
			"the index that the word processor made",
			someText("<text:alphabetical-index><text:index-body>" +
				"<text:p>Wien 4</text:p></text:index-body></text:alphabetical-index><text:p>a</text:p>"),
			`
§other |
p a
`,
			"toc_field:Wien 4 (alphabetical-index)",
		},
		{
			"a bibliography is text",
			someText("<text:bibliography><text:index-body><text:p>Goethe: Faust</text:p></text:index-body></text:bibliography>"),
			`
§other |
p Goethe: Faust
`,
			"",
		},
		{
			"index marks",
			someText(`<text:p>a<text:alphabetical-index-mark text:string-value="Ring" text:key1="Wien"/>b</text:p>`),
			`
§other |
p a[xe Wien|Ring|||]b
`,
			"",
		},
		{
			"a section of two columns is told",
			someText(`<text:section text:style-name="S1"><text:p>a</text:p></text:section>`),
			`
§other |
p a
`,
			"columns: (columns)",
		},
		{
			"a hidden section is told and left out",
			someText(`<text:section text:display="none"><text:p>a</text:p></text:section><text:p>b</text:p>`),
			`
§other |
p b
`,
			"hidden_text:a",
		},
	})
}
