package docx

import (
	"fmt"
	"testing"

	. "mappe/infra/readertest"
)

// Pictures, drawings and the boxes that stand beside the text.
func TestPicturesAndBoxes(t *testing.T) {
	readAll(t, []reading{
		{
			"pictures",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>` +
					`<Relationship Id="p2" Type="x/image" Target="https://example.org/b.png" TargetMode="External"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(30, 20)}},

				Body: P("", Drawing("p1", "A hill", 80)) +
					P("Cap", R("Figure 1", "")) +
					P("", R("a ", ""), Drawing("p1", "small", 5), R(" b", "")) +
					P("", Drawing("p2", "", 10)) +
					P("", `<w:r><w:pict><v:shape style="width:72pt;height:1pt" alt="old">`+
						`<v:imagedata r:id="p1"/></v:shape></w:pict></w:r>`),
			},
			`
§other |
fig 0 80mm alt=A hill caption=Figure 1
p a [img 0 small] b
fig -1 10mm alt= caption=
fig 0 25mm alt=old caption=
`,
			"missing_image: (the picture is linked, not embedded: https://example.org/b.png)",
		},
		{
			"pictures as Word shows them",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/><Relationship Id="p2" Type="x/image" Target="media/b.jpg"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(40, 20)}, {Name: "word/media/b.jpg", Body: LyingJPEG(40, 24)}},

				Body: shown("p1", `rot="5400000"`, "") +
					shown("p1", `rot="10800000" flipH="1"`, "") +
					shown("p1", "", `<a:srcRect l="25000" b="50%"/>`) +
					shown("p1", `rot="16180000"`, "") +
					shown("p1", `rot="720000"`, "") +
					shown("p2", `rot="5400000"`, "") +
					shown("p2", "", "") +
					P("", `<w:r><w:pict><v:shape style="width:72pt;height:36pt;rotation:-5898240fd;flip:y" alt="old">`+
						`<v:imagedata r:id="p1" cropright="16384f" croptop="0.1"/></v:shape></w:pict></w:r>`),
			},
			`
§other |
fig 0 30mm alt= caption=
fig 1 60mm alt= caption=
fig 2 60mm alt= caption=
fig 3 30mm alt= caption=
fig 4 60mm alt= caption=
fig 5 30mm alt= caption=
fig 6 60mm alt= caption=
fig 7 13mm alt=old caption=
`,
			"direct_formatting: (a picture at an angle of 12°)",
		},
		{
			"text boxes",
			Word{
				Body: P("", R("a", ""), `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData>`+
					`<wps:wsp><wps:txbx><w:txbxContent>`+
					P("", R("boxed", ""))+
					`</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>`+
					`<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>`+
					P("", R("boxed", ""))+
					`</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`, R("b", "")),
			},
			`
§other |
p ab
p boxed
`,
			"text_box:boxed",
		},
		{
			"what cannot be set",
			Word{
				Body: P("", R("a", ""), `<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>`) +
					P("", `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>`+
						`<c:chart r:id="x"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`) +
					P("", `<w:r><w:object><o:OLEObject ProgID="Excel.Sheet"/></w:object></w:r>`) +
					`<w:altChunk r:id="x"/>`,
			},
			`
§other |
p a
`,
			`
unsupported_object:x=1 (an equation)
unsupported_object: (a chart)
unsupported_object: (an embedded object (Excel.Sheet))
unsupported_object: (an embedded document)`,
		},
		{
			"drawings",
			Word{
				Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>`,
				More: []Part{{Name: "word/media/a.png", Body: PNG(3, 2)}},

				Body: P("", R("a", ""), element(`<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>`+
					P("")+
					`</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`)) +
					P("", R("b", ""), element(`<w:pict><v:line/></w:pict>`)) +
					P("", R("c", ""), `<w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:line/></w:pict></w:r>`) +
					P("", R("d", ""), element(`<mc:AlternateContent><mc:Choice Requires="cx1"><w:drawing><wp:inline/></w:drawing></mc:Choice>`+
						`<mc:Fallback><w:pict><v:shape alt="chart">`+
						`<v:imagedata r:id="p1"/></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`)),
			},
			`
§other |
p a
p b
p c
p d[img 0 chart]
`,
			`
unsupported_object:a (a drawing)
unsupported_object:b (a drawing)
hidden_text:c (a picture or a drawing)`,
		},
		{
			"boxes in boxes",
			Word{Body: P("", R("a", ""), boxes(3, "in three")) + P("", R("b", ""), boxes(5, "in five"))},
			`
§other |
p a
p in three
p b
`,
			`
text_box:in three
text_box:in three
text_box:in three
unsupported_object:in five (a text box in others)
unsupported_object: (a drawing)
unsupported_object: (a drawing)
unsupported_object: (a drawing)
unsupported_object:b (a drawing)`,
		},
		{
			"paragraphs in a frame",
			Word{
				Body: props(`<w:framePr w:w="100"/>`, R("a", "")) +
					props(`<w:framePr w:w="100"/>`, R("b", "")) +
					P("", R("c", "")) +
					props(`<w:framePr w:w="100"/>`, R("d", "")),
			},
			`
§other |
p a
p b
p c
p d
`,
			`
text_box:a
text_box:d`,
		},
	})
}

// TestPicturesAreCutAndTurned: what is set has the pixels that Word shows.
func TestPicturesAreCutAndTurned(t *testing.T) {
	for _, c := range []struct{ xfrm, crop, want string }{
		{"", "", "40 20"},
		{`rot="0" flipH="0"`, `<a:srcRect/>`, "40 20"},
		{`rot="16200000"`, "", "20 40"},
		{`rot="-5400000"`, `<a:srcRect l="25000" r="25000"/>`, "20 20"},
		{`rot="10800000"`, `<a:srcRect t="75000"/>`, "40 5"},
		{"", `<a:srcRect l="-50000" r="-50000"/>`, "40 20"}, // a wider frame
		{"", `<a:srcRect l="60000" r="60000"/>`, "40 20"},
		{`rot="what"`, `<a:srcRect l="NaN"/>`, "40 20"},
	} {
		b, _ := read(t, Word{Rels: `<Relationship Id="p1" Type="x/image" Target="media/a.png"/>`,
			More: []Part{{Name: "word/media/a.png", Body: PNG(40, 20)}}, Body: shown("p1", c.xfrm, c.crop)})
		if got := fmt.Sprint(b.Images[0].Width, b.Images[0].Height); got != c.want || !b.Images[0].Gray {
			t.Errorf("%s %s: %s, grey %v; want %s", c.xfrm, c.crop, got, b.Images[0].Gray, c.want)
		}
	}
}
