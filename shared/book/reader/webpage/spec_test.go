package webpage

import (
	"encoding/base64"
	"testing"

	. "mappe/infra/readertest"
)

// page is the bytes of a page for the web.
func page(s string) []byte { return []byte(s) }

// picture is a picture of four by three pixels as an address that holds its data.
var picture = "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(PNG(4, 3)))

// TestTextLevelElements: what the elements of the HTML standard for text (4.5) are in a book: emphasis by what it looks like,
// everything else by its letters.
func TestTextLevelElements(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"em and i are italic",
			page("<p>a <em>b</em> <i>c</i>"),
			`
§other |
p a </b> </c>
`,
			"",
		},
		{
			"cite, dfn and var are italic as browsers show them",
			page("<p><cite>Faust</cite> <dfn>x</dfn> <var>y</var>"),
			`
§other |
p </Faust> </x> </y>
`,
			"",
		},
		{
			"strong and b are bold",
			page("<p><strong>a</strong> <b>b</b>"),
			`
§other |
p <*a> <*b>
`,
			"",
		},
		{
			"italic in italic stays italic",
			page("<p><i>a <em>b</em></i>"),
			`
§other |
p </a b>
`,
			"",
		},
		{
			"sub and sup",
			page("<p>H<sub>2</sub>O, m<sup>2</sup>"),
			`
§other |
p H<,2>O, m<'2>
`,
			"",
		},
		{
			"code, kbd, samp and tt are in type of one width",
			page("<p><code>a</code><kbd>b</kbd><samp>c</samp><tt>d</tt>"),
			"§other |\n" +
				"p <`abcd>\n",
			"",
		},
		{
			"s, del and strike are struck out, ins is underlined",
			page("<p><s>a</s> <strike>b</strike> <del>c</del> <ins>d</ins>"),
			`
§other |
p <-a> <-b> <-c> <_d>
`,
			"",
		},
		{
			"u is underlined, but not in a link",
			page(`<p><u>a</u> <a href="https://x.at"><u>b</u></a>`),
			`
§other |
p <_a> [b→https://x.at]
`,
			"",
		},
		{
			"small and big change the size of the line alone",
			page("<p>an ordinary line of some length<p><small>small</small><p><big>big</big>"),
			`
§other |
p an ordinary line of some length
p×0.83 small
p×1.2 big
`,
			"",
		},
		{
			"q is in quotation marks",
			page("<html lang=en><p>He said: <q>Yes.</q>"),
			`
§other |
p He said: “Yes.”
`,
			"",
		},
		{
			"mark, abbr, time and data are their letters",
			page("<p><mark>a</mark> <abbr title=x>b</abbr> <time datetime=2026>c</time> <data value=1>d</data>"),
			`
§other |
p a b c d
`,
			"",
		},
		{
			"wbr is a place for a break and no letter",
			page("<p>Grund<wbr>buch"),
			`
§other |
p Grundbuch
`,
			"",
		},
		{
			"br ends a line",
			page("<p>a<br>b<br/>c"),
			`
§other |
p a⏎b⏎c
`,
			"",
		},
		{
			"a br at the end of a paragraph is nothing",
			page("<p>a<br></p><p>b"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"white space is one space",
			page("<p>  a \n\t b   <i> c </i>  d "),
			`
§other |
p a b </c >d
`,
			"",
		},
		{
			"entities are letters",
			page("<p>&amp;&lt;&eacute;&#8212;&#x201E;&nbsp;&shy;x"),
			"§other |\n" +
				"p &<é—„\u00a0\u00adx\n",
			"",
		},
		{
			"comments are left out",
			page("<p>a<!-- b -->c"),
			`
§other |
p ac
`,
			"",
		},
		{
			"bdo and span are transparent",
			page("<p><bdo dir=rtl>a</bdo><span>b</span><font color=red>c</font>"),
			`
§other |
p abc
`,
			"",
		},
	})
}

// TestGroupingElements: paragraphs, lists, quotations and breaks (HTML 4.4).
func TestGroupingElements(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a p that is not closed ends at the next block",
			page("<p>a<p>b<div>c</div>d"),
			`
§other |
p a
p b
p c
p d
`,
			"",
		},
		{
			"an empty p is nothing",
			page("<p>a<p></p><p>b"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"text without an element is a paragraph",
			page("a<p>b</p>c"),
			`
§other |
p a
p b
p c
`,
			"",
		},
		{
			"hr is a scene break",
			page("<p>a<hr><p>b"),
			`
§other |
p a
scene * * *
p b
`,
			"",
		},
		{
			"a blockquote of two paragraphs is one quotation",
			page("<blockquote><p>a<p>b</blockquote><p>c"),
			"§other |\n" +
				"quote false \n" +
				"p a\n" +
				"p b\n" +
				"p c\n",
			"",
		},
		{
			"the footer of a blockquote says who wrote it",
			page("<blockquote><p>a</p><footer>Goethe</footer></blockquote>"),
			`
§other |
quote false Goethe
p a
`,
			"",
		},
		{
			"ul has no numbers",
			page("<ul><li>a<li>b</ul>"),
			`
§other |
list false  0
- p a
- p b
`,
			"",
		},
		{
			"ol with types of numbers",
			page("<ol><li>a</ol><p>x<ol type=A><li>b</ol><p>x<ol type=i start=4><li>c</ol>"),
			`
§other |
list true decimal 1
- p a
p x
list true upper-alpha 1
- p b
p x
list true lower-roman 4
- p c
`,
			"",
		},
		{
			"lists in lists",
			page("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>"),
			`
§other |
list false  0
- p a
list false  0
- p b
list true decimal 1
- p c
- p d
`,
			"",
		},
		{
			"an item of two paragraphs",
			page("<ul><li><p>a<p>b<li>c</ul>"),
			`
§other |
list false  0
- p a
p b
- p c
`,
			"",
		},
		{
			"a list without items is nothing",
			page("<p>a<ul></ul><p>b"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"dl is paragraphs",
			page("<dl><dt>a<dd>b<dd>c</dl>"),
			`
§other |
p a
p b
p c
`,
			"",
		},
		{
			"pre keeps lines and spaces",
			page(`<pre>
for x {
    y
}
</pre>`),
			`
§other |
code for x {/    y/}
`,
			"",
		},
		{
			"div, section, article, main and aside are transparent",
			page("<main><article><section><div>a</div></section></article><aside>b</aside></main>"),
			`
§other |
p a
p b
`,
			"",
		},
		{
			"address, header and footer are paragraphs",
			page("<header>a</header><address>b</address><footer>c</footer>"),
			`
§other |
p a
p b
p c
`,
			"",
		},
		{
			"details with its summary",
			page("<details><summary>a</summary><p>b</details>"),
			`
§other |
p a
p b
`,
			"",
		},
	})
}

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

// TestStyleSheets: what of CSS changes the text: selectors of elements, classes and both, in the order of the cascade.
func TestStyleSheets(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a class",
			page("<style>.k{font-style:italic}</style><p>a <span class=k>b</span>"),
			`
§other |
p a </b>
`,
			"",
		},
		{
			"an element with a class",
			page("<style>p.k{font-weight:bold}</style><p class=k>a<div class=k>b</div>"),
			`
§other |
p <*a>
p b
`,
			"",
		},
		{
			"several selectors",
			page(`<style>.a,.b{font-variant:small-caps}</style><p><span class=a>a</span> <span class="x b">b</span>`),
			`
§other |
p <^a> <^b>
`,
			"",
		},
		{
			"font-weight by number",
			page(`<p><span style="font-weight:700">a</span> <span style="font-weight:400">b</span>`),
			`
§other |
p <*a> b
`,
			"",
		},
		{
			"oblique is italic",
			page(`<p><span style="font-style:oblique">a</span>`),
			`
§other |
p </a>
`,
			"",
		},
		{
			"text-transform",
			page(`<p><span style="text-transform:uppercase">a</span>`),
			`
§other |
p <!a>
`,
			"",
		},
		{
			"vertical-align",
			page(`<p>a<span style="vertical-align:super">b</span><span style="vertical-align:sub">c</span>`),
			`
§other |
p a<'b><,c>
`,
			"",
		},
		{
			"text-decoration",
			page(`<p><span style="text-decoration:underline">a</span> <span style="text-decoration:line-through">b</span>`),
			`
§other |
p <_a> <-b>
`,
			"",
		},
		{
			"style of the element over the sheet",
			page(`<style>.k{font-style:italic}</style><p><span class=k style="font-style:normal">a</span>`),
			`
§other |
p a
`,
			"",
		},
		{
			"display none and visibility hidden are told and left out",
			page(`<p>a<span style="display:none">b</span><span style="visibility:hidden">c</span>d`),
			`
§other |
p ad
`,
			`
hidden_text:b
hidden_text:c`,
		},
		{
			"comments and rules that are not understood",
			page(`<style>/* x */ @media print{.k{font-style:italic}} @import "a.css"; p>em{} .k{font-weight:bold}</style><p class=k>a`),
			`
§other |
p <*a>
`,
			"",
		},
		{
			"a sheet that is cut off",
			page("<style>.k{font-style:italic}.l{font-wei</style><p><span class=k>a</span>"),
			`
§other |
p </a>
`,
			"",
		},
		{
			"alignment",
			page(`<p style="text-align:center">a<p style="text-align:right">b<p style="text-align:justify">c`),
			`
§other |
pa2 a
pa3 b
p c
`,
			"",
		},
	})
}

// TestWhatIsNoText: what a book cannot set is told, and stands nowhere.
func TestWhatIsNoText(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"script, style, template and noscript",
			page("<p>a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>f"),
			`
§other |
p af
`,
			"",
		},
		{
			"forms",
			page("<p>a <input type=text value=b><textarea>c</textarea><button>d</button>"),
			`
§other |
p a
`,
			`
unsupported_object: (a field of a form)
unsupported_object:c (a field of a form)
unsupported_object:d (a field of a form)`,
		},
		{
			"media and frames",
			page("<p>a<video src=x>b</video><audio></audio><iframe src=x></iframe><object data=x>c</object><canvas></canvas>"),
			`
§other |
p abc
`,
			`
unsupported_object:b (an embedded video)
unsupported_object: (an embedded audio)
unsupported_object: (an embedded iframe)
unsupported_object:c (an embedded object)
unsupported_object: (an embedded canvas)`,
		},
		{
			"math and svg",
			page("<p>a<math><mi>x</mi></math><svg><text>y</text></svg>b"),
			`
§other |
p ab
`,
			`
unsupported_object:x (an equation)
unsupported_object:y (a drawing)`,
		},
		{
			"the table of contents",
			page(`<nav epub:type="toc"><ol><li>One</ol></nav><p>a`),
			`
§other |
p a
`,
			"toc_field:One",
		},
		{
			"the list of pages",
			page(`<nav epub:type="page-list"><ol><li>1</ol></nav><p>a`),
			`
§other |
p a
`,
			"toc_field:1",
		},
		{
			"a nav without a meaning is text",
			page("<nav>a</nav><p>b"),
			`
§other |
p a
p b
`,
			"",
		},
	})
}

// TestPictures: pictures in the file are read, others are told and never fetched.
func TestPictures(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a picture alone is a figure",
			page(`<p><img alt=hill src="` + picture + `"></p>`),
			`
§other |
fig 0 0mm alt=hill caption=
`,
			"",
		},
		{
			"a picture in a line stays in it",
			page(`<p>a <img alt=hill src="` + picture + `"> b</p>`),
			`
§other |
p a [img 0 hill] b
`,
			"",
		},
		{
			"figure with figcaption",
			page(`<figure><img alt=hill src="` + picture + `"><figcaption>Fig. 1</figcaption></figure>`),
			`
§other |
fig 0 0mm alt=hill caption=Fig. 1
`,
			"",
		},
		{
			"no alt is an empty text",
			page(`<p><img src="` + picture + `"></p>`),
			`
§other |
fig 0 0mm alt= caption=
`,
			"",
		},
		{
			"a picture of the web",
			page(`<p><img alt=hill src="http://x.at/a.png"></p>`),
			`
§other |
fig -1 0mm alt=hill caption=
`,
			"missing_image:hill (the picture is linked, not embedded: http://x.at/a.png)",
		},
		{
			"data that is no picture",
			page(`<p><img alt=hill src="data:image/png;base64,AAAA"></p>`),
			`
§other |
fig -1 0mm alt=hill caption=
`,
			"missing_image:hill (the picture is broken)",
		},
	})
}
