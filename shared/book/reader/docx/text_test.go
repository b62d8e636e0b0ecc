package docx

import (
	"strings"
	"testing"

	. "mappe/infra/readertest"
)

// Letters, signs and the looks of a text.
func TestTextAsWordHasIt(t *testing.T) {
	readAll(t, []reading{
		{
			"letters",
			Word{
				Body: P("", R("a ", ""), R("b", `<w:i/>`), R("c", `<w:b/><w:i w:val="0"/>`), R("d", `<w:smallCaps/>`),
					R("e", `<w:vertAlign w:val="superscript"/>`),
					R("f", `<w:vertAlign w:val="subscript"/>`), R("g", `<w:u w:val="single"/>`), R("h", `<w:dstrike/>`),
					R("i", `<w:caps/>`), R("j", `<w:rStyle w:val="Em"/>`), R("k", `<w:rStyle w:val="Mono"/>`),
					R("l", `<w:u w:val="none"/>`)),
			},
			"§other |\n" +
				"p a </b><*c><^d><'e><,f><_g><-h><!i></j><`k>l\n",
			"",
		},
		{
			"a word in many runs is one text",
			Word{
				Body: P("", R("Ma", ""), `<w:proofErr w:type="x"/>`, R("nu", `<w:lang w:val="en-GB"/>`), R("script", "")),
			},
			`
§other |
p Manuscript
`,
			"",
		},
		{
			"breaks and signs",
			Word{
				Body: P("", `<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:softHyphen/><w:cr/>`+
					`<w:t xml:space="preserve"> d </w:t><w:t> e </w:t></w:r>`),
			},
			"§other |\n" +
				"p a⏎b\tc‑\u00ad⏎ d e\n",
			"",
		},
		{
			"symbols",
			Word{
				Body: P("", `<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>`,
					R("\uf062", `<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>`)),
			},
			`
§other |
p α→β
`,
			"",
		},
		{
			"hidden and highlighted text",
			Word{
				Body: P("", R("a ", ""), R("se", `<w:vanish/>`), R("cret ", `<w:vanish/>`), R("b ", `<w:highlight w:val="yellow"/>`),
					R("c", `<w:highlight w:val="none"/>`)) +
					P("", R("all", `<w:vanish/>`)),
			},
			`
§other |
p a b c
`,
			`
hidden_text:secret
highlight:b
hidden_text:all`,
		},
		{
			"formatting by hand",
			Word{
				Body: P("", R("a", `<w:rFonts w:ascii="Comic Sans MS"/>`)) +
					P("", R("b", `<w:sz w:val="24"/>`)) +
					P("", R("c", `<w:sz w:val="33"/>`)) +
					P("", R("d", `<w:color w:val="ff0000"/>`)) +
					P("", R("e", `<w:color w:val="auto"/>`)),
			},
			`
§other |
p a
p b
p×1.4 c
p d
p e
`,
			`
direct_formatting:a (font Comic Sans MS)
direct_formatting:c (16.5 pt)
direct_formatting:d (colour FF0000)`,
		},
		{
			"fonts of symbols without characters",
			Word{
				Body: P("", element(`<w:sym w:font="Webdings" w:char="F04E"/>`), R("P", `<w:rFonts w:ascii="Wingdings 2"/>`),
					R("P", `<w:rFonts w:ascii="Wingdings"/>`), element(`<w:sym w:font="Arial" w:char="2192"/>`)),
			},
			"§other |\n" +
				"p \uf04e\uf050\uf050→\n",
			"",
		},
		{
			"drop caps",
			Word{
				Body: props(`<w:framePr w:dropCap="drop" w:lines="3"/>`, R("O", `<w:sz w:val="90"/>`)) +
					P("", R("nce upon a time", "")),
			},
			`
§other |
pD Once upon a time
`,
			"direct_formatting:Once upon a time (45 pt)",
		},
		{
			"sizes of type",
			Word{
				Body: P("", R(strings.Repeat("a", 50), "")) +
					P("", R("b ", `<w:sz w:val="36"/>`), R("c", `<w:sz w:val="30"/>`)) +
					P("", R("d", `<w:sz w:val="36"/>`), R("e", "")) +
					P("", R("f", `<w:sz w:val="25"/>`)) +
					P("", R("g", `<w:sz w:val="18"/><w:vertAlign w:val="superscript"/>`)),
			},
			"§other |\np " + strings.Repeat("a", 50) + "\np×1.2 b c\np de\np f\np×0.75 <'g>\n",
			`
direct_formatting:b c (18 pt)
direct_formatting:de (18 pt)
direct_formatting:f (12.5 pt)
direct_formatting:g (9 pt)`,
		},
		{
			"languages",
			Word{
				Body: P("", R("Ein langer deutscher Satz. ", `<w:lang w:val="de-AT"/>`), R("Bonjour", `<w:lang w:val="fr-FR"/>`),
					R(" 12 ", `<w:lang w:val="fr-FR"/>`), R("Grüezi", `<w:lang w:val="de-CH"/>`)),
			},
			`
§other |
p Ein langer deutscher Satz. <{fr-FR}Bonjour 12 >Grüezi
`,
			"",
		},
		{
			"alignment",
			Word{
				Body: props(`<w:jc w:val="center"/>`, R("a", "")) +
					props(`<w:jc w:val="end"/>`, R("b", "")) +
					props(`<w:jc w:val="both"/>`, R("c", "")),
			},
			`
§other |
pa2 a
pa3 b
p c
`,
			"",
		},
		{
			"accents are composed, controls are dropped",
			Word{Body: P("", R("U\u0308ber&#x9;a&#x1;b", ""))},
			"§other |\n" +
				"p Über\tab\n",
			"",
		},
		{
			"strict, another main part, transparent elements",
			Word{
				NS:   StrictNS,
				Main: "doc/main2.xml",
				Body: P("", `<w:smartTag>`+
					R("a", "")+
					`</w:smartTag><w:sdt><w:sdtContent>`+
					R("b", "")+
					`</w:sdtContent></w:sdt><w:customXml>`+
					R("c", "")+
					`</w:customXml>`),
			},
			`
§other |
p abc
`,
			"",
		},
	})
}
