package clean

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// TestRepeatedLinesStay: lines that come back are told, and taken out only where the file marks the border of a
// page beside them; a sentence that they cut is whole again then.
func TestRepeatedLinesStay(t *testing.T) {
	for _, c := range []struct {
		name   string
		head   string
		border string // before or behind the line
		more   int    // borders of pages elsewhere
		want   int    // times the line stands in the book
		told   int
	}{
		{"no border", "The Rain", "", 0, 4, 4},
		{"border before", "The Rain", "before", 0, 0, 4},
		{"border behind", "The Rain", "behind", 0, 0, 4},
		{"the fewest pages have it", "The Rain", "before", 5, 4, 4},
		{"it is no title", "settings.xml", "before", 0, 4, 4},
	} {
		head := c.head
		var blocks []manuscript.Block
		add := func(s string) {
			blocks = append(blocks, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}})
		}
		for range 4 {
			add("The rain had gone on for three days and the river, which nobody")
			if c.border == "before" {
				blocks = append(blocks, &manuscript.PageBreak{})
			}
			add(head)
			if c.border == "behind" {
				blocks = append(blocks, &manuscript.PageBreak{})
			}
			add("had ever seen so high, stood at the third step.")
		}
		for range c.more {
			add("The rain had stopped.")
			blocks = append(blocks, &manuscript.PageBreak{})
		}
		add("The rain had stopped.")
		out, found := Repair(manuscript.Book{Sections: []manuscript.Section{{Title: []manuscript.Inline{manuscript.Text{S: "The Rain"}},
			Blocks: blocks}}}, Options{})
		var text []string
		for in := range manuscript.Passages(out.Sections[0].Blocks) {
			text = append(text, manuscript.Plain(in))
		}
		all := strings.Join(text, "\n")
		if got := strings.Count(all, head); got != c.want {
			t.Errorf("%s: the line stands %d times, want %d", c.name, got, c.want)
		}
		if c.want == 0 && (strings.Count(all, "which nobody had ever seen") != 4 || slices.ContainsFunc(out.Sections[0].Blocks, isBreak)) {
			t.Errorf("%s: %s", c.name, all)
		}
		told := 0
		for _, f := range found {
			if f.Type == finding.RunningHeadInBody {
				told += f.Count
			}
		}
		if told != c.told {
			t.Errorf("%s: told %d times, want %d", c.name, told, c.told)
		}
	}
}

// TestWhatIsARunningHead: lines that come back are told where they cut sentences, carry rising page numbers or repeat
// the book's title; a refrain, chapters and headings of parts are kept.
func TestWhatIsARunningHead(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string // between cut sentences, or behind whole ones where they begin with "."
		title string
		want  int
	}{
		{"page numbers that rise and cut sentences", []string{"12", "13", "14"}, "", 3},
		{"page numbers in dashes", []string{"– 12 –", "– 13 –", "– 14 –"}, "", 3},
		{"a word and a page number", []string{"Page 12", "Page 13", "Page 14"}, "", 3},
		{"a word and a page number behind whole sentences", []string{".Page 12", ".Page 13", ".Page 14"}, "", 3},
		{"numbers that do not rise", []string{"12", "9", "10"}, "", 0},
		{"chapters", []string{"Chapter 12", "Chapter 13", "Chapter 14"}, "", 0},
		{"parts", []string{".Book 1", ".Book 2", ".Book 3"}, "", 0},
		{"numbers behind whole sentences may be chapters", []string{".1", ".2", ".3"}, "", 0},
		{"capitals that cut sentences", []string{"THE RIVER", "THE RIVER", "THE RIVER"}, "", 3},
		{"the book's title behind whole sentences", []string{".The River", ".The River", ".The River"}, "The River", 3},
		{"a refrain behind whole sentences", []string{".so it goes", ".so it goes", ".so it goes"}, "", 0},
		{"two times are not enough", []string{"THE RIVER", "THE RIVER"}, "", 0},
		{"a sentence that comes back", []string{"So it goes.", "So it goes.", "So it goes."}, "", 0},
		{"the name of a part of a book", []string{"Appendix", "Appendix", "Appendix"}, "", 0},
		{"a year in a line is no page", []string{"in 12 days so", "in 13 days so", "in 14 days so"}, "", 0},
		{"two numbers in a line", []string{"12 of 99", "13 of 99", "14 of 99"}, "", 0},
		{"numbers longer than a page has", []string{"100001", "100002", "100003"}, "", 0},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en", Title: c.title},
			Sections: []manuscript.Section{{Title: para("One Day").Inlines}}}
		blocks := &b.Sections[0].Blocks
		for _, l := range c.lines {
			line, whole := strings.CutPrefix(l, ".")
			if whole {
				*blocks = append(*blocks, para("The rain had gone on for three days."), para(line),
					para("The river stood at the third step."))
			} else {
				*blocks = append(*blocks, para("The rain had gone on for three days and the river, which"), para(line),
					para("nobody had seen so high, stood there."))
			}
		}
		_, found := Repair(b, Options{Language: "en"})
		told := 0
		for _, f := range found {
			if f.Type == finding.RunningHeadInBody {
				told += f.Count
			}
		}
		if told != c.want {
			t.Errorf("%s: %d told, want %d", c.name, told, c.want)
		}
	}
}
