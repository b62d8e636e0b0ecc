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
	const head = "settings.xml"
	for _, c := range []struct {
		name   string
		border string // before or behind the line
		want   int    // times the line stands in the book
		told   int
	}{
		{"no border", "", 4, 4},
		{"border before", "before", 0, 4},
		{"border behind", "behind", 0, 4},
	} {
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
		out, found := Repair(manuscript.Book{Sections: []manuscript.Section{{Title: []manuscript.Inline{manuscript.Text{S: "Rain"}}, Blocks: blocks}}}, Options{})
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
