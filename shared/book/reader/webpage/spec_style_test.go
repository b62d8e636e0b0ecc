package webpage

import (
	"testing"

	. "mappe/infra/readertest"
)

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
