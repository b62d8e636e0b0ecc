package docx

import (
	"fmt"
	"strings"
	"testing"

	. "mappe/infra/readertest"
	repair "mappe/shared/book/clean"
)

// TestNumberFormats: the number of a paragraph in each format (ECMA-376 part 1, 17.18.59).
func TestNumberFormats(t *testing.T) {
	english, german := &numbering{}, &numbering{german: true}
	for _, c := range []struct {
		format string
		n      []int
		want   string
		german string // where it differs
	}{
		{"decimal", []int{0, 1, 12}, "0 1 12", ""},
		{"decimalZero", []int{1, 9, 10, 100}, "01 09 10 100", ""},
		{"upperRoman", []int{1, 4, 9, 14, 40, 90, 400, 900, 1990, 3999, 4000, 0}, "I IV IX XIV XL XC CD CM MCMXC MMMCMXCIX 4000 0", ""},
		{"lowerRoman", []int{3, 8}, "iii viii", ""},
		{"upperLetter", []int{1, 26, 27, 28, 53}, "A Z AA BB AAA", ""}, // as Word counts on, not as a spreadsheet does
		{"lowerLetter", []int{2, 27, 0}, "b aa 0", ""},
		{"ordinal", []int{1, 2, 3, 4, 11, 12, 13, 21, 22, 111}, "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 111th",
			"1. 2. 3. 4. 11. 12. 13. 21. 22. 111."},
		{"cardinalText", []int{1, 11, 20, 21, 26, 67, 100}, "One Eleven Twenty Twenty-one Twenty-six Sixty-seven 100",
			"Eins Elf Zwanzig Einundzwanzig Sechsundzwanzig Siebenundsechzig 100"},
		{"ordinalText", []int{1, 2, 3, 7, 8, 12, 16, 20, 31, 43},
			"First Second Third Seventh Eighth Twelfth Sixteenth Twentieth Thirty-first Forty-third",
			"Erste Zweite Dritte Siebte Achte Zwölfte Sechzehnte Zwanzigste Einunddreißigste Dreiundvierzigste"},
		{"chineseCounting", []int{7}, "7", ""},
	} {
		var e, g []string
		for _, n := range c.n {
			e, g = append(e, english.format(n, c.format, false)), append(g, german.format(n, c.format, false))
		}
		if got := strings.Join(e, " "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.format, got, c.want)
		}
		if c.german == "" {
			c.german = c.want
		}
		if got := strings.Join(g, " "); got != c.german {
			t.Errorf("%s in German\n got %s\nwant %s", c.format, got, c.german)
		}
	}
	// What numbers chapters in words is understood where chapters are counted.
	for n := 1; n <= 99; n++ {
		for _, format := range []string{"cardinalText", "ordinalText"} {
			for _, in := range []*numbering{english, german} {
				if s := in.format(n, format, false); repair.Value(s) != n {
					t.Errorf("%d is %s, which counts %d", n, s, repair.Value(s))
				}
			}
		}
	}
}

// levelled is a Word file whose headings are numbered by the levels of one list.
func levelled(lang string, levels []string, headings ...string) []byte {
	list := `<w:abstractNum w:abstractNumId="1">`
	for i, l := range levels {
		list += fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/>%s</w:lvl>`, i, l)
	}
	list += `</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
	body := ""
	for _, h := range headings {
		deep, text, _ := strings.Cut(h, " ")
		body += props(fmt.Sprintf(`<w:pStyle w:val="berschrift%d"/><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr>`, len(deep),
			len(deep)-1), R(text, ""))
	}
	return Word{Body: body, Numbering: list, Styles: strings.Replace(someStyles, "en-US", lang, 1)}.Bytes()
}

// TestNumberedHeadings: a heading has the number that Word prints, in its words (17.9).
func TestNumberedHeadings(t *testing.T) {
	const level = `<w:numFmt w:val="%s"/><w:lvlText w:val="%s"/>`
	Cases(t, Read, []Case{
		{
			"in English words",
			levelled("en-US", []string{fmt.Sprintf(level, "cardinalText", "Chapter %1")}, "# Storm", "# Home"),
			`
§other One|Storm
§other Two|Home
`,
			"",
		},
		{
			"in German words",
			levelled("de-AT", []string{fmt.Sprintf(level, "ordinalText", "%1s Kapitel")}, "# Sturm", "# Heim"),
			`
§other Erste|Sturm
§other Zweite|Heim
`,
			"",
		},
		{
			"a section below an article, in legal numbers",
			levelled("en-US", []string{fmt.Sprintf(level, "upperRoman", "Article %1."),
				`<w:isLgl/>` + fmt.Sprintf(level, "decimalZero", "Section %1.%2")}, "# Storm", "## Wind", "## Rain", "# Home", "## Fire"),
			`
§other I|Storm
h1 Section 1.01 Wind
h1 Section 1.02 Rain
§other II|Home
h1 Section 2.01 Fire
`,
			"",
		},
		{
			"the same without legal numbers",
			levelled("en-US", []string{fmt.Sprintf(level, "upperRoman", "Article %1."),
				`<w:isLgl w:val="0"/>` + fmt.Sprintf(level, "decimal", "Section %1.%2")}, "# Storm", "## Wind"),
			`
§other I|Storm
h1 Section I.1 Wind
`,
			"",
		},
		{
			"bullets and no numbers at all",
			levelled("en-US", []string{fmt.Sprintf(level, "bullet", "•"), fmt.Sprintf(level, "none", "%2")}, "# Storm", "## Wind"),
			`
§other |Storm
h1 Wind
`,
			"",
		},
		{
			"a label without its number",
			levelled("en-US", []string{fmt.Sprintf(level, "decimal", "Chapter")}, "# Storm"),
			`
§other |Storm
`,
			"",
		},
	})
}

// TestSymbols: the field SYMBOL and runs of symbol fonts show the characters that they mean (17.16.5.63, 17.3.3.30).
func TestSymbols(t *testing.T) {
	sym := func(font, char string) string {
		return element(`<w:sym w:font="` + font + `" w:char="` + char + `"/>`)
	}
	for name, c := range map[string]struct{ run, want string }{
		"a number of Symbol":                        {code(` SYMBOL 97 \f Symbol `), "α"},
		"a number of Symbol, in quotes, with size":  {code(` SYMBOL 0x70 \f "Symbol" \s 12 `), "π"},
		"a number of Wingdings":                     {code(` SYMBOL 252 \f Wingdings `), "✓"},
		"a letter of Windows-1252":                  {code(` SYMBOL 228 `), "ä"},
		"a dash of Windows-1252":                    {code(` SYMBOL 150 \f Arial `), "–"},
		"a number of Unicode":                       {code(` SYMBOL 8364 \u `), "€"},
		"no number":                                 {code(` SYMBOL x `), ""},
		"a control character":                       {code(` SYMBOL 7 `), ""},
		"half a pair":                               {code(` SYMBOL 0xD800 `), ""},
		"in a field that is left out":               {Field(` XE "a" `, code(` SYMBOL 97 \f Symbol `)), "[xe a||||]"},
		"a symbol in the private area":              {sym("Symbol", "F061"), "α"},
		"a symbol below it":                         {sym("Symbol", "62"), "β"},
		"a symbol of a face of letters":             {sym("Arial", "F041"), "A"},
		"a symbol that has no character of its own": {sym("Webdings", "F041"), "\uf041"},
		"no symbol":                                 {sym("Symbol", "zz"), ""},
		"half a pair as a symbol":                   {sym("Arial", "D800"), ""},
		"a control character as a symbol":           {sym("Arial", "F007"), ""},
		"text in a symbol font":                     {R("ab c", `<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>`), "αβ χ"},
	} {
		b, _ := read(t, Word{Body: P("", R("x", ""), c.run, R("y", "")), Styles: someStyles})
		if got, want := Outline(b), "§other |\np x"+c.want+"y\n"; got != want {
			t.Errorf("%s\n got %q\nwant %q", name, got, want)
		}
	}
}

// TestCodesOfFields: how the code of a field is cut into words, with straight and curly quotes and what a backslash
// keeps (17.16.1).
func TestCodesOfFields(t *testing.T) {
	for in, want := range map[string]string{
		` HYPERLINK "a b" \o "c" `: `HYPERLINK|a b|\o|c`,
		`XE "a\"b\\c"`:             `XE|a"b\c`,
		`XE “a b” \t „c“`:          `XE|a b|\t|c`,
		"REF\u00a0m\t\\h":          `REF|m|\h`,
		`XE "no end`:               `XE|no end`,
		`DATE\@"d"`:                `DATE\@|d`,
		``:                         ``,
	} {
		if got := strings.Join(fieldWords(in), "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"see Rain": "Rain/", "see also Rain": "/Rain", "siehe Regen": "Regen/", "Siehe auch Regen": "/Regen", "s. Regen": "Regen/",
		"s. auch Regen": "/Regen", "voir aussi pluie": "/pluie",
		"Rain": "Rain/", "seesaw": "seesaw/", "see": "see/",
	} {
		if see, also := crossReference(in); see+"/"+also != want {
			t.Errorf("%q: %s/%s, want %s", in, see, also, want)
		}
	}
}

// TestLinksOfFields: where the field HYPERLINK leads, by its address, its place and both.
func TestLinksOfFields(t *testing.T) {
	mark := `<w:bookmarkStart w:id="1" w:name="m"/>`
	for code, want := range map[string]string{
		`HYPERLINK "https://example.org/a"`:               "[here→https://example.org/a]",
		`HYPERLINK "https://example.org/a" \l "b"`:        "[here→https://example.org/a#b]",
		`HYPERLINK \l "m"`:                                "[here→#m]",
		`HYPERLINK \o "a tip" "https://example.org/a" \n`: "[here→https://example.org/a]",
		`HYPERLINK \t "_blank" "mailto:anna@example.org"`: "[here→mailto:anna@example.org]",
		`HYPERLINK`:                       "here",
		`HYPERLINK \o`:                    "here",
		`HYPERLINK "javascript:alert(1)"`: "here",
		`REF m \h`:                        "[here→#m]",
		`NOTEREF m \h`:                    "[here→#m]",
		`REF \h`:                          "here",
	} {
		b, _ := read(t, Word{Body: P("", R("go ", ""), Field(" "+code+" ", R("here", ""))) + P("", mark, R("x", "")), Styles: someStyles})
		target := ""
		if strings.Contains(want, "#m]") {
			target = "[#m]"
		}
		if got, want := Outline(b), "§other |\np go "+want+"\np "+target+"x\n"; got != want {
			t.Errorf("%s\n got %q\nwant %q", code, got, want)
		}
	}
}
