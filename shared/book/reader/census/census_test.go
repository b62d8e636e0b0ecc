package census_test

import (
	"slices"
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/manuscript"
	. "mappe/shared/book/reader/census"
	"mappe/shared/book/reader/source"
)

// book is a book of one section with a title, paragraphs and a note.
func book(title, note string, paragraphs ...string) *manuscript.Book {
	line := func(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }
	sec := manuscript.Section{Title: line(title)}
	for _, p := range paragraphs {
		sec.Blocks = append(sec.Blocks, &manuscript.Paragraph{Inlines: line(p)})
	}
	return &manuscript.Book{
		Sections: []manuscript.Section{sec},
		Notes:    []manuscript.Note{{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: line(note)}}}},
	}
}

func TestTake(t *testing.T) {
	for _, c := range []struct {
		name string
		file []Passage
		book *manuscript.Book
		left []string
		want Account
	}{
		{"nothing is missing", []Passage{"One Day", "The old house", "a note"}, book("One Day", "a note", "The old house"), nil,
			Account{In: 6, Set: 6}},
		{"order and place do not count", []Passage{"house old", "The", "Day note One"}, book("One Day", "a note", "The old house"), nil,
			Account{In: 6, Set: 6}},
		{"numbers, signs and letter case do not count", []Passage{"12. THE OLD, house!"}, book("", "", "the old house"), nil,
			Account{In: 3, Set: 3}},
		{"a word that is missing, with its passage", []Passage{"The old house", "stood by the river"},
			book("", "", "The old house stood by the"), nil, Account{In: 7, Set: 6, Passage: "stood by the river"}},
		{"the passage that lacks most words", []Passage{"one lost", "two words lost"}, book("", "", "one words"), nil,
			Account{In: 5, Set: 2, Passage: "two words lost"}},
		{"a word as often as it stands in the file", []Passage{"very very very"}, book("", "", "very very"), nil,
			Account{In: 3, Set: 2, Passage: "very very very"}},
		{"a word that was joined is not lost", []Passage{"nce upon", "time"}, book("", "", "once upon time"), nil, Account{In: 3, Set: 3}},
		{"a joined word makes up for its letters alone", []Passage{"nce upon", "a winter evening"}, book("", "", "once upon"), nil,
			Account{In: 4, Set: 2, Passage: "a winter evening"}},
		{"what is told is no loss", []Passage{"One Day", "One Day 5", "The house"}, book("One Day", "", "The house"), []string{"One Day 5"},
			Account{In: 6, Set: 4, Left: 2}},
		{"what is told and stands in the book is set", []Passage{"One Day"}, book("One Day", ""), []string{"One Day"},
			Account{In: 2, Set: 2}},
		{"what is told too seldom", []Passage{"Home", "Home", "Home"}, book("", "", "Home"), []string{"Home"},
			Account{In: 3, Set: 1, Left: 1, Passage: "Home"}},
	} {
		got := Take(c.file, c.book, c.left)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if (got.Passage == "") != (got.Lost() == 0) {
			t.Errorf("%s: %d lost, %q", c.name, got.Lost(), got.Passage)
		}
	}
}

// words are the passages without those that are blank.
func words(all []Passage) (kept []string) {
	for _, p := range all {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// TestFormats: the text of a file, found where its format keeps text, without what is deleted or said to a program.
func TestFormats(t *testing.T) {
	l := source.Default()
	for _, c := range []struct {
		name string
		read func() ([]Passage, error)
		want []string
	}{
		{"the paragraphs of a Word file, then its notes", func() ([]Passage, error) {
			return DOCX(Word{Body: P("", R("one ", ""), R("two", "")) + P("", R("three", "")),
				Footnotes: `<w:footnote w:id="1"><w:p>` + R("a note", "") + `</w:p></w:footnote>`}.Bytes(), l)
		}, []string{"one two", "three", "a note"}},
		{"deleted text and codes of fields are no text", func() ([]Passage, error) {
			return DOCX(Word{Body: P("", R("one", ""), `<w:del w:id="1"><w:r><w:delText>two</w:delText></w:r></w:del>`,
				Field(" DATE ", R("three", "")))}.Bytes(), l)
		}, []string{"onethree"}},
		{"the paragraphs of an OpenDocument text", func() ([]Passage, error) {
			return ODT(OpenText(`<text:h>one</text:h><text:p>two<text:s/>three</text:p>`, ""), l)
		}, []string{"one", "two three"}},
		{"the pages of an e-book", func() ([]Passage, error) {
			return EPUB(EBook("<h1>one</h1><p>two</p>", "<p>three</p>"), l)
		}, []string{"one", "two", "three"}},
		{"a page for the web, without its script", func() ([]Passage, error) {
			return HTML([]byte("<h1>one</h1><script>no</script><p>two <i>three</i></p>"), l)
		}, []string{"one", "two three"}},
		{"the lines of a text", func() ([]Passage, error) { return Plain("one\ntwo three\n"), nil }, []string{"one", "two three"}},
	} {
		got, err := c.read()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := words(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
