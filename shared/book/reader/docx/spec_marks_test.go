package docx

import (
	"testing"

	. "mappe/infra/readertest"
)

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
				Body: P("", Field(` DATE `, R("1. Mai", "")), R(" ", ""), Field(` AUTHOR `, R("Anna", "")), R(" ", ""),
					Field(` = 1+1 `, R("2", ""))),
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
				Body: props(`<w:jc w:val="center"/><w:pPrChange w:id="1" w:author="Ben"><w:pPr><w:jc w:val="right"/></w:pPr></w:pPrChange>`,
					R("a", "")),
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
