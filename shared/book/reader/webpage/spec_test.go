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
