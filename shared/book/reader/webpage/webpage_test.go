package webpage

import (
	"encoding/base64"
	"testing"

	. "mappe/infra/readertest"
)

func TestRead(t *testing.T) {
	png := base64.StdEncoding.EncodeToString([]byte(PNG(4, 3)))
	Cases(t, Read, []Case{
		{
			"letters",
			[]byte("<p>a  <i>b</i> <b>c</b><sup>d</sup>\n<span style='font-variant:small-caps'>e</span> <em>f " +
				"<span style='font-style: normal'>g</span></em> <s>h</s> <u>i</u> <code>j</code> &uuml;&nbsp;k"),
			"§other |\n" +
				"p a </b> <*c><'d> <^e> </f >g <-h> <_i> <`j> ü\u00a0k\n",
			"",
		},
		{
			"headings",
			[]byte("front<h1>One</h1>a<h2>Sub</h2>b<h1>Two<br>three</h1>"),
			`
§other |
p front
§other |One
p a
h1 Sub
p b
§other |Two⏎three
`,
			"",
		},
		{
			"a group of headings",
			[]byte("<hgroup><h2>I</h2><p>The Title</p></hgroup><p>a</p>"),
			`
§other |I|The Title
p a
`,
			"",
		},
		{
			"blocks",
			[]byte("<blockquote><p>q</p><p><cite>Goethe</cite></p></blockquote><ul><li>a<li>b<ol start=3 type=a>" +
				"<li>c</ol></ul><hr><pre>x\n  y</pre><dl><dt>t<dd>d</dl>"),
			`
§other |
quote false </Goethe>
p q
list false  0
- p a
- p b
list true lower-alpha 3
- p c
scene * * *
code x/  y
p t
p d
`,
			"",
		},
		{
			"numbers of lists",
			[]byte("<ol start=5><li>a<li value=9>b<li>c<li></ol><ol reversed><li>d<li>e</ol><ol><li>f<li value=2>g<li value=x>h</ol>"),
			`
§other |
list true decimal 5
- p a
list true decimal 9
- p b
- p c
list true decimal 2
- p d
list true decimal 1
- p e
list true decimal 1
- p f
- p g
- p h
`,
			"",
		},
		{
			"readings and forms",
			[]byte("<p>a <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <input value=b><input type=hidden><select><option>c</select>"),
			`
§other |
p a 漢
`,
			`
unsupported_object:kan (a reading above the line)
unsupported_object: (a field of a form)
unsupported_object:c (a field of a form)`,
		},
		{
			"tables",
			[]byte("<table><caption>T</caption><tr><th colspan=2>h</th></tr><tr><td rowspan=99999999>a<td><p>b<p>c</table>"),
			`
§other |
table head=1 caption=T
[2x1 p h
]
[1x1 p a
][1x1 p b
p c
]
`,
			"",
		},
		{
			"cells over rows and tables in cells",
			[]byte("<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td rowspan=2>d<td rowspan=2>e<tr></tr><tr></tr><tr>" +
				"<td>f<table><tr><td>g<td>h</table>i<td>j</table>"),
			`
§other |
table head=0 caption=
[1x2 p a
][1x1 p b
]
[1x1 p c
]
[1x2 p d
][1x2 p e
]

[1x1 p f
table head=0 caption=
[1x1 p g
][1x1 p h
]
p i
][1x1 p j
]
`,
			"",
		},
		{
			"pictures",
			[]byte("<figure><img alt='hill' src='data:image/png;base64," + png +
				"'><figcaption>A <i>hill</i></figcaption></figure><p>a <img src='data:image/png;base64," + png +
				"' alt=x> b</p><img src='https://x.at/y.png' alt=far>"),
			`
§other |
fig 0 0mm alt=hill caption=A </hill>
p a [img 0 x] b
fig -1 0mm alt=far caption=
`,
			"missing_image:far (the picture is linked, not embedded: https://x.at/y.png)",
		},
		{
			"links and targets",
			[]byte("<p>a <a href='#z'>b</a> <a href='https://x.at'><u>c</u></a> <a href='javascript:d'>d</a> " +
				"<a href='#nowhere'>e</a><p id=z>f"),
			`
§other |
p a [b→#z] [c→https://x.at] d e
p [#z]f
`,
			"",
		},
		{
			"notes by role",
			[]byte("<p>a<a role=doc-noteref href='#n1' id=r1>1</a> b<a role=doc-noteref href='#n9'>2</a></p>" +
				"<section role=doc-endnotes><h2>Notes</h2><ol><li id=n1 role=doc-endnote><p>First. " +
				"<a href='#r1' role=doc-backlink>↩</a></p></ol></section>"),
			`
§other |
p a[note 0] b
note 0 true
p First.
`,
			"note_without_text:a b",
		},
		{
			"notes by look",
			[]byte("<p>a<sup><a href='#n1' id='r1'>[1]</a></sup> b</p><p id='n1'><a href='#r1'>[1]</a> A note.</p>"),
			`
§other |
p a[note 0] b
note 0 false
p A note.
`,
			"",
		},
		{
			"verse",
			[]byte("<div class=poem><p>a<br>&nbsp; b</p><p>c</p></div><p>d"),
			"§other |\n" +
				"verse \n" +
				" 0 a\n" +
				" 0 \u00a0 b\n" +
				" --\n" +
				" 0 c\n" +
				" --\n" +
				"p d\n",
			"",
		},
		{
			"what is left out",
			[]byte("<head><title>t</title><style>.x{display:none}</style><script>s</script></head><p>a" +
				"<span class=x>hidden</span><svg><path/></svg><math><mi>x</mi></math><nav class=toc>one</nav><p>b"),
			`
§other |
p a
p b
`,
			`
hidden_text:hidden
unsupported_object: (a drawing)
unsupported_object:x (an equation)
toc_field:one`,
		},
		{
			"languages",
			[]byte("<html lang=de><p>Guten <span lang=fr>bonjour</span> <i lang=de-AT>Tag</i>"),
			`
§other |
p Guten <{fr}bonjour> </Tag>
`,
			"",
		},
		{
			"sizes of type",
			[]byte("<style>.g{font-size:1.5em}.p{font-size:18pt}</style><p>a long paragraph in the type of the page" +
				"<p class=g>b<p class=g>c <span style='font-size:50%'>d</span><div class=p><p>e" +
				"<p style='font-size:12px'>f</div><p><big>g</big><p style='font-size:x-large'>h" +
				"<p style='font-size:2ex'>i"),
			`
§other |
p a long paragraph in the type of the page
p×1.5 b
p×0.75 c d
p×1.5 e
p×0.75 f
p×1.2 g
p×1.5 h
p i
`,
			"",
		},
		{
			"alignment",
			[]byte("<style>.m{text-align:center}</style><p class=m>a<p align=right>b<center>c</center>"),
			`
§other |
pa2 a
pa3 b
p c
`,
			"",
		},
		{
			"words over several elements",
			[]byte("<p>Ma<b>nu</b>script</p><div>in a <div>box</div></div>"),
			`
§other |
p Ma<*nu>script
p in a
p box
`,
			"",
		},
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("<!doctype html><html lang=de><style>.a,p.b{font-style:italic}</style><h1>a</h1><p class=a>b<a href='#n'><sup>1</sup></a><table><tr><td colspan=3>c</table><p id=n><a href='#r'>1</a> x"))
	f.Add([]byte("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><ul><li/></ul><svg/><pre>a\n</pre></body></html>"))
	f.Fuzz(func(t *testing.T, b []byte) { Withstands(t, Read, b) })
}
