package docx

import (
	"testing"

	. "mappe/infra/readertest"
)

// Changes, comments and notes: the text as its author means it now.
func TestReviewAndNotes(t *testing.T) {
	readAll(t, []reading{
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

				Body: P("", R("a ", ""), `<w:commentRangeStart w:id="5"/>`, R("doubtful", ""),
					`<w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/></w:r>`, R(" b", "")),
			},
			`
§other |
p a doubtful b
`,
			"comment:doubtful (Ben: Really?)",
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

				Body: P("", R("a", ""), `<w:r><w:footnoteReference w:id="2"/></w:r>`, R("b", ""),
					`<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r><w:r>`+
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
			"marks of notes in the author's words",
			Word{
				Footnotes: `<w:footnote w:id="1"><w:p>` +
					R("*", `<w:vertAlign w:val="superscript"/>`) +
					R(" Said so.", "") +
					`</w:p></w:footnote><w:footnote w:id="2"><w:p>` +
					R("* a star", "") +
					`</w:p></w:footnote>`,

				Body: P("", R("a", ""), element(`<w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t>`),
					element(`<w:footnoteReference w:id="2"/>`),
					element(`<w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:sym w:font="Symbol" w:char="F02A"/>`)),
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
	})
}
