package plain

import (
	"testing"

	. "mappe/infra/readertest"
)

// TestParagraphs: a paragraph ends at an empty line, or at each line where the file has no empty lines.
func TestParagraphs(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"lines of a paragraph are joined",
			[]byte("one\ntwo\n\nthree\n"),
			`
§other |
p one two
p three
`,
			"",
		},
		{
			"ends of lines of every system",
			[]byte("one\r\n\r\ntwo\r\rthree"),
			`
§other |
p one
p two
p three
`,
			"",
		},
		{
			"a line of spaces is empty",
			[]byte("one\n   \ntwo"),
			`
§other |
p one
p two
`,
			"",
		},
		{
			"several empty lines",
			[]byte("one\n\n\n\ntwo"),
			`
§other |
p one
p two
`,
			"",
		},
		{
			"one long line for each paragraph",
			[]byte("This is a long paragraph that stands in one line, as editors write it without any break in it at all, on and on.\nThis is another long paragraph that stands in one line, as editors write it without any break in it at all.\n"),
			`
§other |
p This is a long paragraph that stands in one line, as editors write it without any break in it at all, on and on.
p This is another long paragraph that stands in one line, as editors write it without any break in it at all.
`,
			"",
		},
		{
			"nothing at the end",
			[]byte("one\n\n\n"),
			`
§other |
p one
`,
			"",
		},
		{
			"an indent begins a paragraph",
			[]byte("    one two three\nfour five six\n    seven eight nine\nten\n"),
			`
§other |
p one two three four five six
p seven eight nine ten
`,
			"",
		},
	})
}

// TestEmphasis: underscores are italics, as Project Gutenberg writes them.
func TestEmphasis(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a word",
			[]byte("one _two_ three"),
			`
§other |
p one </two> three
`,
			"",
		},
		{
			"several words over a line's end",
			[]byte("one _two\nthree_ four"),
			`
§other |
p one </two three> four
`,
			"",
		},
		{
			"an underscore inside a word is itself",
			[]byte("snake_case_name stays"),
			`
§other |
p snake_case_name stays
`,
			"",
		},
		{
			"an underscore that is not closed is itself",
			[]byte("one _two three"),
			`
§other |
p one _two three
`,
			"",
		},
		{
			"a word between asterisks is in italics",
			[]byte("one *two* three"),
			`
§other |
p one </two> three
`,
			"",
		},
	})
}

// TestBreaks: marks between scenes, and form feeds.
func TestBreaks(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"a mark between scenes is a paragraph, which the repairs know",
			[]byte("one\n\n* * *\n\ntwo"),
			`
§other |
p one
p * * *
p two
`,
			"",
		},
		{
			"a form feed is a page break",
			[]byte("one\n\n\f\n\ntwo"),
			`
§other |
p one
pagebreak
p two
`,
			"",
		},
		{
			"so is a row of dashes",
			[]byte("one\n\n-----\n\ntwo"),
			`
§other |
p one
p -----
p two
`,
			"",
		},
	})
}

// TestChapters: a line alone that reads like the number of a chapter begins one; other lines are left to the repairs.
func TestChapters(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"Chapter and a number",
			[]byte("Chapter 1\n\nIt began.\n\nChapter 2\n\nIt ended."),
			`
§other |Chapter 1
p It began.
§other |Chapter 2
p It ended.
`,
			"",
		},
		{
			"capitals alone are a paragraph",
			[]byte("THE STORM\n\nIt began."),
			`
§other |
p THE STORM
p It began.
`,
			"",
		},
	})
}
