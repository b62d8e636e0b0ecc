package webpage

import (
	"testing"

	. "mappe/infra/readertest"
)

// TestHeadings: the highest level on a page begins the chapters; what lies deeper are headings in them.
func TestHeadings(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"h1 begins a chapter, h2 is a heading in it",
			page("<h1>One</h1><p>a<h2>Sub</h2><p>b<h3>Deep</h3><p>c"),
			`
§other |One
p a
h1 Sub
p b
h2 Deep
p c
`,
			"",
		},
		{
			"where h2 is the highest, h2 begins the chapters",
			page("<h2>One</h2><p>a<h3>Sub</h3><p>b<h2>Two</h2><p>c"),
			`
§other |One
p a
h1 Sub
p b
§other |Two
p c
`,
			"",
		},
		{
			"a heading without words is told",
			page("<h1> </h1><p>a<h1>One</h1><p>b"),
			`
§other |
p a
§other |One
p b
`,
			"empty_heading:",
		},
		{
			"text before the first heading is a section of its own",
			page("<p>a<h1>One</h1><p>b"),
			`
§other |
p a
§other |One
p b
`,
			"",
		},
		{
			"emphasis in a heading stays",
			page("<h1>The <i>Beagle</i></h1><p>a"),
			`
§other |The </Beagle>
p a
`,
			"",
		},
		{
			"a line break in a heading stays",
			page("<h1>One<br>Two</h1><p>a"),
			`
§other |One⏎Two
p a
`,
			"",
		},
		{
			"hgroup: the first heading with a number, the second the title",
			page("<hgroup><h1>Chapter 1</h1><h2>The Ferry</h2></hgroup><p>a"),
			`
§other |Chapter 1|The Ferry
p a
`,
			"",
		},
		{
			"epub:type names the kind of a section",
			page(`<section epub:type="dedication"><p>For Anna</section><section epub:type="chapter"><h1>One</h1><p>a</section>`),
			`
§dedication |
p For Anna
§chapter |One
p a
`,
			"",
		},
		{
			"role names the kind of a section",
			page(`<section role="doc-preface"><h1>Preface</h1><p>a</section><section role="doc-chapter"><h1>One</h1><p>b</section>`),
			`
§preface |Preface
p a
§chapter |One
p b
`,
			"",
		},
	})
}

// TestTables: rows, heads and spans (HTML 4.9).
func TestTables(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"th in the first row are the head",
			page("<table><tr><th>a<th>b<tr><td>c<td>d</table>"),
			`
§other |
table head=1 caption=
[1x1 p a
][1x1 p b
]
[1x1 p c
][1x1 p d
]
`,
			"",
		},
		{
			"thead is the head, whatever its cells are",
			page("<table><thead><tr><td>a</thead><tbody><tr><td>b</table>"),
			`
§other |
table head=1 caption=
[1x1 p a
]
[1x1 p b
]
`,
			"",
		},
		{
			"th in the first column is no head",
			page("<table><tr><th>a<td>b<tr><th>c<td>d</table>"),
			`
§other |
table head=0 caption=
[1x1 p a
][1x1 p b
]
[1x1 p c
][1x1 p d
]
`,
			"",
		},
		{
			"colspan and rowspan",
			page("<table><tr><td colspan=2>a<tr><td rowspan=2>b<td>c<tr><td>d</table>"),
			`
§other |
table head=0 caption=
[2x1 p a
]
[1x2 p b
][1x1 p c
]
[1x1 p d
]
`,
			"",
		},
		{
			"spans that are no numbers are one",
			page("<table><tr><td colspan=x rowspan=-3>a<td colspan=0>b</table>"),
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
			"a caption",
			page("<table><caption>Table 1. <i>Heights</i></caption><tr><td>a</table>"),
			`
§other |
table head=0 caption=Table 1. </Heights>
[1x1 p a
]
`,
			"",
		},
		{
			"a table without rows is nothing",
			page("<p>a<table></table><p>b"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"blocks in a cell",
			page("<table><tr><td><p>a<ul><li>b</ul></table>"),
			`
§other |
table head=0 caption=
[1x1 p a
list false  0
- p b
]
`,
			"",
		},
	})
}

// TestLinks: links that lead somewhere stay; addresses that a book cannot carry leave their text.
func TestLinks(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"https, http and mailto",
			page(`<p><a href="https://x.at/a">a</a> <a href="http://x.at">b</a> <a href="mailto:a@x.at">c</a>`),
			`
§other |
p [a→https://x.at/a] [b→http://x.at] [c→mailto:a@x.at]
`,
			"",
		},
		{
			"scripts, files and data are left out",
			page(`<p><a href="javascript:x()">a</a> <a href="file:///etc/passwd">b</a> <a href="data:text/html,x">c</a>`),
			`
§other |
p a b c
`,
			"",
		},
		{
			"a link into the text and its target",
			page(`<p><a href="#b">a</a><p id=b>b`),
			`
§other |
p [a→#b]
p [#b]b
`,
			"",
		},
		{
			"the name of an a is a target too",
			page(`<p><a href="#b">a</a><p><a name=b></a>b`),
			`
§other |
p [a→#b]
p [#b]b
`,
			"",
		},
		{
			"an id counts before a name",
			page(`<p><a href="#b">a</a><p><a id=b name=c></a>b`),
			`
§other |
p [a→#b]
p [#b]b
`,
			"",
		},
		{
			"a target that nothing leads to is left out",
			page("<p id=x>a"),
			`
§other |
p a
`,
			"",
		},
		{
			"a link without text is left out",
			page(`<p>a<a href="https://x.at"></a>b`),
			`
§other |
p ab
`,
			"",
		},
	})
}

// TestNotes: a note is read where it is referred to, once.
func TestNotes(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"epub:type noteref and footnote",
			page(`<p>a<a epub:type="noteref" href="#n">1</a> b</p><aside epub:type="footnote" id="n"><p>Note.</aside>`),
			`
§other |
p a[note 0] b
note 0 false
p Note.
`,
			"",
		},
		{
			"two references to one note",
			page(`<p>a<a role=doc-noteref href="#n">1</a> b<a role=doc-noteref href="#n">1</a></p>` +
				`<aside role=doc-footnote id=n><p>Note.</aside>`),
			`
§other |
p a[note 0] b[note 0]
note 0 false
p Note.
`,
			"",
		},
		{
			"a note that nothing refers to is told",
			page("<p>a</p><aside role=doc-footnote id=n><p>Lost.</aside>"),
			`
§other |
p a
`,
			"note_without_reference:Lost.",
		},
		{
			"a reference to nothing is told",
			page(`<p>a<a role=doc-noteref href="#n">1</a> b`),
			`
§other |
p a b
`,
			"note_without_text:a",
		},
		{
			"a note with emphasis and two paragraphs",
			page(`<p>a<a role=doc-noteref href="#n">1</a></p><aside role=doc-footnote id=n><p>One <i>two</i>.<p>Three.</aside>`),
			`
§other |
p a[note 0]
note 0 false
p One </two>.
p Three.
`,
			"",
		},
		{
			"a raised number without a link is no note",
			page("<p>a<sup>2</sup>"),
			`
§other |
p a<'2>
`,
			"",
		},
	})
}
