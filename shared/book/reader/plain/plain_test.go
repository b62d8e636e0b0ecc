package plain

import (
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

func TestRead(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a blank line ends a paragraph",
			[]byte("One line\r\nand its end.\r\n\r\nTwo."),
			`
§other |
p One line and its end.
p Two.
`,
			"",
		},
		{
			"a line is a paragraph",
			[]byte(strings.Repeat("A long line of prose that is a whole paragraph by itself, as writing programs make them, 120 letters and more. ", 1) + "\nShort.\n"),
			`
§other |
p A long line of prose that is a whole paragraph by itself, as writing programs make them, 120 letters and more.
p Short.
`,
			"",
		},
		{
			"emphasis",
			[]byte("a _b c_ d_e_f *g* **h** 2 * 3 * 4 _open\n\nand *** here"),
			`
§other |
p a </b c> d_e_f </g> <*h> 2 * 3 * 4 _open
p and *** here
`,
			"",
		},
		{
			"headings",
			[]byte("CHAPTER 1.\nThe Beginning\n\nText.\n\nKapitel zwei\n\nText.\n\nEPILOGUE\n\nText about\nchapter 2 of it.\n\n\nIV\n\nText."),
			`
§other |CHAPTER 1. The Beginning
p Text.
§other |Kapitel zwei
p Text.
§other |EPILOGUE
p Text about chapter 2 of it.
§other |IV
p Text.
`,
			"",
		},
		{
			"the word chapter in prose",
			[]byte("chapter two was long\n\nPart of it was short"),
			`
§other |
p chapter two was long
p Part of it was short
`,
			"",
		},
		{
			"indented first lines",
			[]byte("   One goes on\nand on.\n   Two goes on\nand on."),
			`
§other |
p One goes on and on.
p Two goes on and on.
`,
			"",
		},
		{
			"verse",
			[]byte("He said:\n\n    Line one\n      line two\n    line three\n\nMore."),
			"§other |\n" +
				"p He said:\n" +
				"verse \n" +
				" 0 Line one\n" +
				" 1 line two\n" +
				" 0 line three\n" +
				" --\n" +
				"p More.\n",
			"",
		},
		{
			"form feeds",
			[]byte("a\n\fb"),
			`
§other |
p a
pagebreak
p b
`,
			"",
		},
		{
			"Gutenberg",
			[]byte("Title: The Book\nAuthor: A. Uthor\nLanguage: German\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nText.\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nLicence"),
			`
§other |
p Text.
`,
			`
left_out:Title: The Book Author: A. Uthor Language: German *** START OF THE PROJECT GUTENBERG EBOOK X *** (Project Gutenberg)
left_out:*** END OF THE PROJECT GUTENBERG EBOOK X *** Licence (Project Gutenberg)`,
		},
	})
}

func TestMeta(t *testing.T) {
	b, _, err := Read([]byte("Title: The Book\nAuthor: A. Uthor\nLanguage: German\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nText.\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nLicence"), source.Default())
	if want := (manuscript.Meta{Title: "The Book", Author: "A. Uthor", Language: "de"}); err != nil || b.Meta != want {
		t.Errorf("meta %+v, want %+v (%v)", b.Meta, want, err)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		b, want string
		ok      bool
	}{
		{"Gr\xc3\xbc\xc3\x9fe", "Grüße", true},
		{"Gr\xfc\xdfe \x96 so", "Grüße – so", true},
		{"\xef\xbb\xbfa", "a", true},
		{"\xff\xfea\x00\xfc\x00", "aü", true},
		{"\xfe\xff\x00a\x00\xfc", "aü", true},
		{"äöüäöüäöü ein \xff Fehler", "äöüäöüäöü ein \ufffd Fehler", true},
		{"a\x00b", "", false},
		{"\x01\x02\x03abc", "", false},
	} {
		got, ok := Decode([]byte(c.b))
		if got != c.want || ok != c.ok {
			t.Errorf("%q: %q %v, want %q %v", c.b, got, ok, c.want, c.ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("Chapter 1\n\nText _with_ *marks*.\n\n    verse\n     more\n\n\f"))
	f.Add([]byte("*** START OF THE PROJECT GUTENBERG EBOOK X ***\nx\n*** END OF"))
	f.Fuzz(func(t *testing.T, b []byte) { Withstands(t, Read, b) })
}
