package docx

import (
	"testing"

	. "mappe/infra/readertest"
)

// Lists with their numbers, tables with their cells.
func TestListsAndTables(t *testing.T) {
	readAll(t, []reading{
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
	})
}
