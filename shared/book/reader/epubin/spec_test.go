package epubin

import (
	"testing"

	. "mappe/infra/readertest"
)

// TestSpine: the pages of the spine in their order are one text (EPUB 3.3, 5.7).
func TestSpine(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"each page with a heading begins a section",
			EBook("<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p>"),
			`
§other |One
p a
§other |Two
p b
`,
			"",
		},
		{
			"a page without a heading goes on",
			EBook("<h1>One</h1><p>a</p>", "<p>b</p>"),
			`
§other |One
p a
p b
`,
			"",
		},
		{
			"one level of headings for all pages",
			EBook("<h1>One</h1><p>a</p><h2>Sub</h2>", "<h2>Two</h2><p>b</p>"),
			`
§other |One
p a
h1 Sub
§other |Two
p b
`,
			"",
		},
		{
			"an empty page is nothing, the next begins a section",
			EBook("<p>a</p>", "", "<p>b</p>"),
			`
§other |
p a
§other |
p b
`,
			"",
		},
		{
			"the table of contents is told",
			EBook(`<nav epub:type="toc"><ol><li>One</li></ol></nav>`, "<h1>One</h1><p>a</p>"),
			`
§other |One
p a
`,
			"toc_field:One",
		},
	})
}

// TestLinksBetweenPages: links and notes lead from page to page.
func TestLinksBetweenPages(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a link to a place of another page",
			EBook(`<p><a href="p2.xhtml#x">a</a></p>`, `<p id="x">b</p>`),
			`
§other |
p [a→#p2-x]
§other |
p [#p2-x]b
`,
			"",
		},
		{
			"a link to a page",
			EBook(`<p><a href="p2.xhtml">a</a></p>`, "<p>b</p>"),
			`
§other |
p [a→#p2]
§other |
p [#p2]b
`,
			"",
		},
		{
			"a link to a file that is no page leaves its text",
			EBook(`<p><a href="nowhere.xhtml#x">a</a></p>`),
			`
§other |
p a
`,
			"",
		},
		{
			"a note on another page",
			EBook(`<p>a<a epub:type="noteref" href="p2.xhtml#n1">1</a></p>`, `<aside epub:type="footnote" id="n1"><p>A note.</p></aside>`),
			`
§other |
p a[note 0]
note 0 false
p A note.
`,
			"",
		},
		{
			"the same id on two pages",
			EBook(`<p><a href="p2.xhtml#x">a</a> <a href="#x">b</a></p><p id="x">c</p>`, `<p id="x">d</p>`),
			`
§other |
p [a→#p2-x] [b→#p1-x]
p [#p1-x]c
§other |
p [#p2-x]d
`,
			"",
		},
	})
}

// TestSemantics: epub:type says which part of a book a section is (EPUB structural semantics).
func TestSemantics(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"front matter",
			EBook(`<section epub:type="copyright-page"><p>© 2026</p></section>`, `<section epub:type="dedication"><p>For Ben</p></section>`,
				`<section epub:type="epigraph"><p>All is water.</p></section>`,
				`<section epub:type="foreword"><h1>Foreword</h1><p>a</p></section>`),
			`
§copyright |
p © 2026
§dedication |
p For Ben
§other |
p All is water.
§foreword |Foreword
p a
`,
			"",
		},
		{
			"parts and chapters",
			EBook(`<section epub:type="part"><h1>Part I</h1></section>`, `<section epub:type="chapter"><h2>One</h2><p>a</p></section>`),
			`
§part |Part I
§chapter |One
p a
`,
			"",
		},
		{
			"back matter",
			EBook(`<section epub:type="chapter"><h1>One</h1><p>a</p></section>`,
				`<section epub:type="appendix"><h1>Tables</h1><p>b</p></section>`,
				`<section epub:type="afterword"><h1>Afterword</h1><p>c</p></section>`),
			`
§chapter |One
p a
§appendix |Tables
p b
§afterword |Afterword
p c
`,
			"",
		},
		{
			"a page break of the print book is nothing",
			EBook(`<p>a<span epub:type="pagebreak" id="p12" title="12"/>b</p>`),
			`
§other |
p ab
`,
			"",
		},
	})
}

// TestSheetOfTheBook: the style sheets of the book count on every page.
func TestSheetOfTheBook(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"italics, small capitals and centred lines by class",
			EBook(`<p class="mitte">a <span class="kursiv">b</span> <span class="kap">c</span></p>`),
			`
§other |
pa2 a </b> <^c>
`,
			"",
		},
	})
}
