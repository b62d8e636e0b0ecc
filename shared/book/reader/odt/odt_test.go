package odt

import (
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/reader/source"
)

const someStyles = `<style:style style:name="T1" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>` +
	`<style:style style:name="T2" style:family="text"><style:text-properties fo:font-weight="bold" style:text-position="super 58%" fo:font-variant="small-caps"/></style:style>` +
	`<style:style style:name="T3" style:family="text"><style:text-properties fo:language="fr" fo:country="FR"/></style:style>` +
	`<style:style style:name="T4" style:family="text"><style:text-properties text:display="none"/></style:style>` +
	`<style:style style:name="T5" style:family="text"><style:text-properties fo:background-color="#ffff00"/></style:style>` +
	`<style:style style:name="T6" style:family="text"><style:text-properties fo:font-style="normal"/></style:style>` +
	`<style:style style:name="T7" style:family="text"><style:text-properties style:font-name="Comic" fo:font-size="20pt"/></style:style>` +
	`<style:style style:name="T8" style:family="text"><style:text-properties fo:font-size="50%"/></style:style>` +
	`<style:style style:name="P7" style:family="paragraph"><style:text-properties fo:font-size="150%"/></style:style>` +
	`<style:style style:name="Table" style:family="paragraph"/>` +
	`<style:style style:name="Quotations" style:family="paragraph"><style:text-properties fo:font-style="italic"/></style:style>` +
	`<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>` +
	`<style:style style:name="P2" style:family="paragraph"><style:paragraph-properties fo:text-align="center" fo:break-before="page"/></style:style>` +
	`<style:style style:name="Loop" style:family="paragraph" style:parent-style-name="Loop2"/><style:style style:name="Loop2" style:family="paragraph" style:parent-style-name="Loop"/>` +
	`<style:style style:name="S1" style:family="section"><style:section-properties><style:columns fo:column-count="2"/></style:section-properties></style:style>` +
	`<style:style style:name="G1" style:family="graphic"><style:graphic-properties style:mirror="horizontal" fo:clip="rect(0.0104in, 0in, 0in, 0.0208in)"/></style:style>` +
	`<style:style style:name="G2" style:family="graphic"><style:graphic-properties style:mirror="vertical" fo:clip="rect(auto,auto,auto,auto)"/></style:style>` +
	`<style:style style:name="G3" style:family="graphic"><style:graphic-properties fo:clip="rect(9in 9in 9in 9in)"/></style:style>` +
	`<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char=" "/></text:list-style>` +
	`<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>`

// someText is a text in German with the styles above and a picture.
func someText(body string) []byte {
	return OpenText(body, someStyles, Part{Name: "Pictures/a.png", Body: PNG(4, 3)},
		Part{Name: "styles.xml", Body: `<o:document-styles xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"><o:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="de" fo:country="AT"/></style:default-style></o:styles></o:document-styles>`})
}

// inLine is a picture that stands in a line.
const inLine = `<draw:frame text:anchor-type="as-char"><draw:image xlink:href="Pictures/a.png"/></draw:frame>`

func TestRead(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"letters",
			someText(`<text:p>a <text:span text:style-name="T1">b</text:span><text:span text:style-name="T2">c</text:span>` +
				`<text:s text:c="2"/>d  e<text:tab/>f<text:line-break/>g</text:p>`),
			"§other |\n" +
				"p a </b><*^'c>  d e\tf⏎g\n",
			"",
		},
		{
			"headings",
			someText(`<text:p>front</text:p><text:h text:outline-level="1">One</text:h><text:list><text:list-item>` +
				`<text:h text:outline-level="2">Sub</text:h></text:list-item></text:list><text:p>a</text:p>`),
			`
§other |
p front
§other |One
h1 Sub
p a
`,
			"",
		},
		{
			"quotations",
			someText(`<text:p text:style-name="P1">a <text:span text:style-name="T6">b</text:span></text:p>` +
				`<text:p text:style-name="Quotations">c</text:p><text:p text:style-name="Loop">d</text:p>`),
			"§other |\n" +
				"quote false \n" +
				"p a </b>\n" +
				"p c\n" +
				"p d\n",
			"",
		},
		{
			"lists",
			someText(`<text:list text:style-name="L1"><text:list-item><text:p>a</text:p><text:list><text:list-item>` +
				`<text:p>b</text:p></text:list-item></text:list></text:list-item><text:list-item>` +
				`<text:p>c</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 1
- p a
list false  0
- p b
- p c
`,
			"",
		},
		{
			"tables",
			someText(`<table:table><table:table-header-rows><table:table-row>` +
				`<table:table-cell table:number-columns-spanned="2"><text:p>h</text:p></table:table-cell>` +
				`<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>` +
				`<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell>` +
				`<text:p>b</text:p></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=1 caption=
[2x1 p h
]
[1x1 p a
][1x1 p b
]
`,
			"",
		},
		{
			"cells over rows and tables in cells",
			someText(`<table:table><table:table-row><table:table-cell table:number-rows-spanned="2">` +
				`<text:p>a</text:p></table:table-cell><table:table-cell>` +
				`<text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/>` +
				`<table:table-cell><text:p>c</text:p></table:table-cell></table:table-row><table:table-row>` +
				`<table:table-cell table:number-columns-repeated="2" table:number-rows-spanned="2">` +
				`<text:p>d</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/>` +
				`<table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>f</text:p>` +
				`<table:table><table:table-row><table:table-cell>` +
				`<text:p>g</text:p></table:table-cell></table:table-row></table:table>` +
				`<text:p>i</text:p></table:table-cell><table:table-cell>` +
				`<text:p>j</text:p></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=0 caption=
[1x2 p a
][1x1 p b
]
[1x1 p c
]
[1x2 p d
][1x2 p d
]

[1x1 p f
table head=0 caption=
[1x1 p g
]
p i
][1x1 p j
]
`,
			"",
		},
		{
			"captions",
			someText(`<text:p text:style-name="Table">Above one</text:p><table:table><table:table-row><table:table-cell>` +
				`<text:p>a</text:p></table:table-cell></table:table-row></table:table>` +
				`<text:p text:style-name="Table">Above two</text:p><table:table><table:table-row><table:table-cell>` +
				`<text:p>b</text:p></table:table-cell></table:table-row></table:table><text:p>c</text:p><table:table>` +
				`<table:table-row><table:table-cell>` +
				`<text:p>d</text:p></table:table-cell></table:table-row></table:table>` +
				`<text:p text:style-name="Table">Below three</text:p>`),
			`
§other |
table head=0 caption=Above one
[1x1 p a
]
table head=0 caption=Above two
[1x1 p b
]
p c
table head=0 caption=Below three
[1x1 p d
]
`,
			"",
		},
		{
			"page numbers",
			someText(`<text:p>see page ` +
				`<text:bookmark-ref text:reference-format="page" text:ref-name="m">12</text:bookmark-ref>, ` +
				`<text:bookmark-ref text:reference-format="text" text:ref-name="m">Graz</text:bookmark-ref></text:p>` +
				`<text:p><text:bookmark text:name="m"/>Graz</text:p>`),
			`
§other |
p see page [page 12→#m], [Graz→#m]
p [#m]Graz
`,
			"",
		},
		{
			"notes",
			someText(`<text:p>a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>` +
				`<text:note-body><text:p>Foot.</text:p></text:note-body></text:note> b` +
				`<text:note text:note-class="endnote"><text:note-body>` +
				`<text:p>End.</text:p></text:note-body></text:note><text:note><text:note-body>` +
				`<text:p/></text:note-body></text:note></text:p>`),
			`
§other |
p a[note 0] b[note 1]
note 0 false
p Foot.
note 1 true
p End.
`,
			"note_without_text:a b",
		},
		{
			"pictures",
			someText(`<text:p><draw:frame svg:width="5cm"><draw:image xlink:href="Pictures/a.png"/>` +
				`<svg:desc>hill</svg:desc></draw:frame></text:p><text:p><draw:frame><draw:text-box><text:p>` +
				`<draw:frame>` +
				`<draw:image xlink:href="Pictures/a.png"/></draw:frame>Figure 1: hill</text:p></draw:text-box></draw:frame></text:p>` +
				`<text:p><draw:frame><draw:image xlink:href="https://x.at/y.png"/></draw:frame></text:p>`),
			`
§other |
fig 0 50mm alt=hill caption=
fig 0 0mm alt= caption=Figure 1: hill
fig -1 0mm alt= caption=
`,
			"missing_image: (the picture is linked, not embedded: https://x.at/y.png)",
		},
		{
			"pictures in lines",
			someText(`<text:p>a ` + inLine + ` b</text:p><text:p> ` + inLine +
				`</text:p><text:p>c<draw:frame><draw:image xlink:href="Pictures/a.svg"/>` +
				`<draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p><text:p><draw:frame><draw:text-box>` +
				`<text:p>` + inLine + `Figure 1</text:p></draw:text-box></draw:frame></text:p>`),
			`
§other |
p a [img 0 ] b
fig 0 0mm alt= caption=
p c
fig 0 0mm alt= caption=
fig 0 0mm alt= caption=Figure 1
`,
			"",
		},
		{
			"lists that go on",
			someText(`<text:list xml:id="a" text:style-name="L1"><text:list-item><text:p>a</text:p></text:list-item>` +
				`<text:list-item text:start-value="5"><text:p>b</text:p></text:list-item></text:list>` +
				`<text:p>x</text:p><text:list text:style-name="L1" text:continue-numbering="true"><text:list-item>` +
				`<text:p>c</text:p></text:list-item></text:list><text:p>y</text:p><text:list text:style-name="L1">` +
				`<text:list-header><text:p>head</text:p></text:list-header><text:list-item>` +
				`<text:p>d</text:p></text:list-item><text:list-header>` +
				`<text:p>more</text:p></text:list-header></text:list>` +
				`<text:list text:continue-list="a" text:style-name="L1"><text:list-item>` +
				`<text:p>e</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 1
- p a
list true decimal 5
- p b
p x
list true decimal 6
- p c
p y
p head
list true decimal 1
- p d
p more
list true decimal 6
- p e
`,
			"",
		},
		{
			"items that only hold a list",
			someText(`<text:list text:style-name="L1"><text:list-item><text:p>a</text:p></text:list-item><text:list-item>` +
				`<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item>` +
				`<text:list-item><text:p>c</text:p></text:list-item></text:list><text:list text:style-name="L2">` +
				`<text:list-item><text:p>d</text:p></text:list-item></text:list>`),
			`
§other |
list true decimal 1
- p a
list false  0
- p b
- p c
p d
`,
			"",
		},
		{
			"lines across",
			someText(`<text:p>a</text:p><text:p><draw:rect svg:width="16cm" svg:height="0.5mm">` +
				`<text:p/></draw:rect></text:p><text:p>b</text:p><text:p text:style-name="Horizontal_20_Line"/>` +
				`<text:p>c</text:p><text:p><draw:rect svg:width="16cm" svg:height="5cm"/></text:p>`),
			"§other |\n" +
				"p a\n" +
				"scene \n" +
				"p b\n" +
				"scene \n" +
				"p c\n",
			"unsupported_object: (a drawing)",
		},
		{
			"styles that the file does not define",
			someText(`<text:p text:style-name="TableCaption">Cap</text:p><table:table><table:table-row><table:table-cell>` +
				`<text:p>a</text:p></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=0 caption=Cap
[1x1 p a
]
`,
			"",
		},
		{
			"spaces behind tabs and lines",
			someText(`<text:p> a<text:tab/> b<text:line-break/> <text:s text:c="2"/>c  d</text:p>`),
			"§other |\n" +
				"p a\t b⏎   c d\n",
			"",
		},
		{
			"boxes",
			someText(`<text:p>a<draw:frame><draw:text-box><text:p>boxed<text:note text:note-class="footnote">` +
				`<text:note-body>` +
				`<text:p>Said.</text:p></text:note-body></text:note></text:p></draw:text-box></draw:frame></text:p>` +
				`<text:p>` + strings.Repeat(`<draw:frame><draw:text-box><text:p>`, 5) + `deep` +
				strings.Repeat(`</text:p></draw:text-box></draw:frame>`,
					5) + `</text:p><text:p>b<draw:custom-shape><text:p/></draw:custom-shape><draw:line/></text:p>`),
			`
§other |
p a
p boxed[note 0]
p b
note 0 false
p Said.
`,
			`
text_box:boxed
unsupported_object:deep (a text box in others)
unsupported_object:b (a drawing)
unsupported_object:b (a drawing)`,
		},
		{
			"what is shown by a field",
			someText(`<text:p>a<text:ruby><text:ruby-base>漢</text:ruby-base>` +
				`<text:ruby-text>kan</text:ruby-text></text:ruby> <text:page-count>20</text:page-count>` +
				`<text:hidden-text text:string-value="secret" text:is-hidden="true"/>` +
				`<text:hidden-text text:string-value="x" text:is-hidden="false">shown</text:hidden-text>` +
				`<text:conditional-text>yes</text:conditional-text><text:script>no()</text:script></text:p>`),
			`
§other |
p a漢 20shownyes
`,
			`
unsupported_object:kan (a reading above the line)
page_reference:a漢 20
hidden_text:secret`,
		},
		{
			"rows that stand for several",
			someText(`<table:table><table:table-row table:number-rows-repeated="2"><table:table-cell>` +
				`<text:p>a</text:p></table:table-cell></table:table-row></table:table>`),
			`
§other |
table head=0 caption=
[1x1 p a
]
[1x1 p a
]
`,
			"",
		},
		{
			"pictures as they are shown",
			someText(framed(`draw:style-name="G1"`) + framed(`draw:transform="rotate (-1.5707963267949) translate (1.3in -0.3in)"`) +
				framed(`draw:transform="rotate (0.2) translate (1in 1in)"`) + framed(`draw:transform="translate (1in 1in)"`)),
			`
§other |
fig 0 60mm alt= caption=
fig 1 30mm alt= caption=
fig 2 60mm alt= caption=
fig 2 60mm alt= caption=
`,
			"direct_formatting: (a picture at an angle of 349°)",
		},
		{
			"what is told",
			someText(`<text:p>a<text:span text:style-name="T4">secret</text:span>` +
				`<text:span text:style-name="T5">b</text:span><office:annotation><dc:creator>Ben</dc:creator>` +
				`<text:p>Really?</text:p></office:annotation><text:span text:style-name="T7">c</text:span></text:p>` +
				`<text:table-of-content><text:index-body>` +
				`<text:p>One 1</text:p></text:index-body></text:table-of-content><text:p><draw:frame><draw:text-box>` +
				`<text:p>boxed</text:p></draw:text-box></draw:frame></text:p><text:p><draw:frame>` +
				`<draw:object/></draw:frame>d</text:p><text:section text:style-name="S1">` +
				`<text:p>e</text:p></text:section>`),
			`
§other |
p abc
p boxed
p d
p e
`,
			`
hidden_text:secret
highlight:b
comment:ab (Ben: Really?)
direct_formatting:c (font Comic 20pt)
toc_field:One 1 (table-of-content)
text_box:boxed
unsupported_object: (an embedded object)
columns: (columns)`,
		},
		{
			"tracked changes",
			someText(`<text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>` +
				`<dc:creator>Anna</dc:creator></office:change-info></text:insertion></text:changed-region>` +
				`<text:changed-region text:id="c2"><text:deletion><office:change-info>` +
				`<dc:creator>Ben</dc:creator></office:change-info>` +
				`<text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>a ` +
				`<text:change-start text:change-id="c1"/>b<text:change-end text:change-id="c1"/>` +
				`<text:change text:change-id="c2"/> c</text:p>`),
			`
§other |
p a b c
`,
			`
tracked_change:a (inserted by Anna)
tracked_change:gone (deleted by Ben)`,
		},
		{
			"links and index entries",
			someText(`<text:p><text:a xlink:href="https://x.at">a</text:a> <text:a xlink:href="#m">b</text:a>` +
				`<text:alphabetical-index-mark text:string-value="Wien" text:key1="Stadt"/></text:p><text:p>` +
				`<text:bookmark text:name="m"/><text:bookmark text:name="n"/>` +
				`<text:alphabetical-index-mark-start text:id="i"/>Graz` +
				`<text:alphabetical-index-mark-end text:id="i"/></text:p>`),
			`
§other |
p [a→https://x.at] [b→#m][xe Stadt|Wien|||]
p [#m][xe Graz||||]Graz
`,
			"",
		},
		{
			"sizes of type",
			someText(`<text:p>Ein langer Absatz in der Grundschrift</text:p><text:p>` +
				`<text:span text:style-name="T7">a</text:span></text:p><text:p text:style-name="P7">b</text:p>` +
				`<text:p text:style-name="P7">c <text:span text:style-name="T8">d</text:span></text:p>`),
			`
§other |
p Ein langer Absatz in der Grundschrift
p×1.7 a
p×1.5 b
p×0.75 c d
`,
			`
direct_formatting:a (font Comic 20pt)
direct_formatting:b (font 150%)
direct_formatting:d (font 50%)
direct_formatting:c d (font 150%)`,
		},
		{
			"pages and languages",
			someText(`<text:p>Ein langer deutscher Satz</text:p><text:p text:style-name="P2">a ` +
				`<text:span text:style-name="T3">bon</text:span></text:p>`),
			`
§other |
p Ein langer deutscher Satz
pagebreak
pa2 a <{fr-FR}bon>
`,
			"",
		},
	})
}

func TestRefused(t *testing.T) {
	Refuses(t, Read, map[string]Refusal{
		"password": {Zip(Part{Name: "META-INF/manifest.xml",
			Body: `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>`}), source.Encrypted},
		"macros":  {OpenText(`<text:p>a</text:p>`, "", Part{Name: "Basic/Standard/Module1.xml", Body: "<a/>"}), source.Macros},
		"no text": {Zip(Part{Name: "content.xml", Body: "<a/>"}), source.Broken},
		"cut off": {Zip(Part{Name: "content.xml", Body: "<a>"}), source.Broken},
		"doctype": {Zip(Part{Name: "content.xml", Body: "<!DOCTYPE a><a/>"}), source.DocType},
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`<text:h text:outline-level="1">a</text:h><text:p text:style-name="P1">b<text:note><text:note-body><text:p>c</text:p></text:note-body></text:note></text:p>`, someStyles)
	f.Add(`<text:list text:style-name="L1"><text:list-item><text:list><text:list-item/></text:list></text:list-item></text:list><table:table><table:table-row><table:table-cell/></table:table-row></table:table>`, someStyles)
	f.Fuzz(func(t *testing.T, body, styles string) { Withstands(t, Read, OpenText(body, styles)) })
}
