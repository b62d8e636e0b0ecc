package clean

import (
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// enlarge gives the paragraphs that are one of texts the type of a heading.
func enlarge(b manuscript.Book, scale float64, texts ...string) manuscript.Book {
	for i := range b.Sections {
		for _, x := range b.Sections[i].Blocks {
			for _, t := range texts {
				if p, ok := x.(*manuscript.Paragraph); ok && manuscript.Plain(p.Inlines) == t {
					p.Scale = scale
				}
			}
		}
	}
	return b
}

// TestLargeLines: large type alone makes a heading look like one, except on the pages before the text.
func TestLargeLines(t *testing.T) {
	page := []string{"@", "@", "@", "@", "@", "@"} // 150 words
	lines := func(parts ...any) (out []string) {
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				out = append(out, p)
			case []string:
				out = append(out, p...)
			}
		}
		return out
	}
	for _, c := range []struct {
		name     string
		lines    []string
		scale    float64
		told     string
		sections int
	}{
		{"inside a chapter", lines("# Chapter 1", page, "The Mill", page), 1.25, "The Mill", 1},
		{"a little larger is not a heading", lines("# Chapter 1", page, "The Mill", page), 1.1, "", 1},
		{"a large sentence is not a heading", lines("# Chapter 1", page, "The Mill is closed.", page), 1.5, "", 1},
		{"a title page", lines("The Mill", "Anna Author", "=", "For my sister, who knows.", "=", "# Chapter 1", page), 2, "", 2},
		{"chapters after a title page", lines("Anna Author", "=", "For you.", "=", "The Mill", page, page, "=", "The Storm", page, page), 2,
			"The Mill, The Storm", 3},
	} {
		b := enlarge(bookOf(c.lines...), c.scale, "The Mill", "The Storm", "Anna Author", "The Mill is closed.",
			"For my sister, who knows.", "For you.")
		got, found := Repair(b, Options{})
		var told []string
		for _, f := range found {
			if f.Type == finding.FakeHeading {
				told = append(told, f.Excerpt)
			}
		}
		if s := strings.Join(told, ", "); s != c.told || len(got.Sections) < c.sections {
			t.Errorf("%s: told %q and %d sections, want %q and %d", c.name, s, len(got.Sections), c.told, c.sections)
		}
	}
}
