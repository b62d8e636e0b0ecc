package bookindex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// TestMarksOfTheAuthor: what a mark of the author makes of the index: entries, references and ranges, in words that
// Validate takes.
func TestMarksOfTheAuthor(t *testing.T) {
	mark := func(m manuscript.IndexMark) manuscript.Inline { return m }
	for _, c := range []struct {
		name  string
		marks [][]manuscript.Inline // by paragraph
		want  string
	}{
		{"an entry in two places", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road"})},
			{mark(manuscript.IndexMark{Term: "road"})}}, "road 2"},
		{"twice in one paragraph", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road"}),
			mark(manuscript.IndexMark{Term: "road"})}}, "road 1"},
		{"a subject", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road", Sub: "closed"})}}, "road: closed 1"},
		{"in a link", [][]manuscript.Inline{{manuscript.Link{Href: "#x",
			Inlines: []manuscript.Inline{mark(manuscript.IndexMark{Term: "road"})}}}}, "road 1"},
		{"spaces and hidden characters", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: " old \u202e\t road\n"})}}, "old road 1"},
		{"no term at all", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: " \u200b "})}}, ""},
		{"a term longer than is allowed", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: strings.Repeat("x", MaxText+9)})}},
			strings.Repeat("x", MaxText) + " 1"},
		{"a reference instead of places", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "path", See: "road"})},
			{mark(manuscript.IndexMark{Term: "road"})}}, "path 0 see road|road 1"},
		{"a reference beside places is one to look there too",
			[][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "path"}), mark(manuscript.IndexMark{Term: "path", See: "road"})},
				{mark(manuscript.IndexMark{Term: "road"})}}, "path 1 also road|road 1"},
		{"see also", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "path", SeeAlso: "road"})},
			{mark(manuscript.IndexMark{Term: "road"})}}, "path 0 also road|road 1"},
		{"a reference that stands twice",
			[][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "path", See: "road"}),
				mark(manuscript.IndexMark{Term: "path", See: "road"}), mark(manuscript.IndexMark{Term: "road"})}},
			"path 0 see road|road 1"},
		{"a reference to itself", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road"}),
			mark(manuscript.IndexMark{Term: "road", See: "road"})}}, "road 1"},
		{"a reference to nothing", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "path", See: "lane"})}}, "path 0"},
		{"a range", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road", EndOf: "b"})}, {manuscript.Target{Name: "b"}}},
			"road 1 range"},
		{"a range that ends where it begins",
			[][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road", EndOf: "b"}), manuscript.Target{Name: "b"}}}, "road 1"},
		{"a range that ends before it begins", [][]manuscript.Inline{{manuscript.Target{Name: "b"}},
			{mark(manuscript.IndexMark{Term: "road", EndOf: "b"})}}, "road 1"},
		{"a range without an end", [][]manuscript.Inline{{mark(manuscript.IndexMark{Term: "road", EndOf: "b"})}}, "road 1"},
	} {
		b := book("en")
		for i, in := range c.marks {
			b.Sections[0].Blocks = append(b.Sections[0].Blocks,
				&manuscript.Paragraph{Inlines: append([]manuscript.Inline{manuscript.Text{S: fmt.Sprint("it was so, ", i)}}, in...)})
		}
		d := Draft(b)
		if err := Validate(d, b); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for _, e := range d {
			s := fmt.Sprintf("%s %d", e.name(), len(e.Locators))
			if len(e.See) > 0 {
				s += " see " + strings.Join(e.See, ", ")
			}
			if len(e.SeeAlso) > 0 {
				s += " also " + strings.Join(e.SeeAlso, ", ")
			}
			if slices.ContainsFunc(e.Locators, func(l Locator) bool { return l.EndAnchor != "" }) {
				s += " range"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// TestGenitives: a name in the genitive is the name.
func TestGenitives(t *testing.T) {
	for in, want := range map[string]string{"Huber's": "Huber", "Huber’s": "Huber", "Hans'": "Hans", "Hans’": "Hans", "Huber": "Huber",
		"Hans": "Hans", "’s": "", "'": ""} {
		if got := stem(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestTermsOnEveryOtherPage: a name that stands nearly everywhere is proposed and not kept.
func TestTermsOnEveryOtherPage(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("Then came Anna Huber, for the %d. time, and nobody saw her.", i))
		if i%10 == 0 {
			texts = append(texts, "They spoke of Karl Maier for a while.")
		}
	}
	kept := map[string]bool{}
	for _, e := range Draft(book("en", texts...)) {
		kept[e.Term] = e.Keep
	}
	if keep, ok := kept["Huber, Anna"]; !ok || keep {
		t.Errorf("forty of 44 paragraphs: %v", kept)
	}
	if !kept["Maier, Karl"] {
		t.Errorf("four of 44 paragraphs: %v", kept)
	}
}
