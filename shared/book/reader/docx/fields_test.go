package docx

import (
	"testing"

	. "mappe/infra/readertest"
)

// What Word computes: references, contents, index entries, numbers.
func TestFieldsOfABook(t *testing.T) {
	readAll(t, []reading{
		{
			"fields",
			Word{
				Body: P("", Field(` TOC \o "1-3" `, R("One 1", ""))) +
					P("", Field(` HYPERLINK "https://example.org/a" `, R("link", `<w:u w:val="single"/>`))+R(" and ", ""),
						Field(` PAGEREF mark \h `, R("12", ""))+
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
				Body: P("", R("a ", ""), Field(` PAGEREF m \h `, R("7", "")), Field(` REF m \h `, R("Graz", "")), R(" b ", ""),
					Field(` PAGEREF m \p `, R("on page 7", ""))) +
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
				Body: P("", R("a", ""), Field(` XE "Wien:Ring\:straße" `, ""), R("b", `<w:vanish w:val="0"/>`),
					Field(` XE "Lenz" \t "see Winter" `, ""), Field(` XE "Mai" \t "siehe auch Juni" `, ""),
					`<w:bookmarkStart w:id="7" w:name="r"/>`, R("c", ""), `<w:bookmarkEnd w:id="7"/>`, Field(` XE "Lang" \r "r" \b `, "")),
			},
			`
§other |
p a[xe Wien|Ring:straße|||]b[xe Lenz||Winter||][xe Mai|||Juni|][xe Lang||||r/end][#r]c[#r/end]
`,
			"",
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
	})
}
