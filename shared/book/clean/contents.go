package clean

import (
	"strconv"
	"strings"
	"unicode"

	"mappe/shared/book/manuscript"
)

// A table of contents is left out because the book makes its own. That it is one has to be shown: each of its
// lines is a heading of the book, in the book's order, and the numbers behind them rise as pages do. A timeline, a
// recipe, a price list has the same form and stays.

// pagesOf bounds the numbers that can be pages: fewer than a thousand, or as many as the book may fill.
const (
	leastPages   = 1000
	wordsToAPage = 100
)

// entry is a line of a table of contents.
type entry struct {
	text  string
	page  int // 0 where it has none
	roman bool
}

// entryOf cuts a page number, and the dots or the tab before it, from a line.
func entryOf(line string) entry {
	t := strings.TrimFunc(line, blank)
	at := strings.LastIndexFunc(t, func(c rune) bool { return !unicode.IsDigit(c) && !strings.ContainsRune("ivxlcIVXLC", c) })
	tail := t[at+1:]
	if at < 0 || tail == "" || len(tail) > 6 {
		return entry{text: t}
	}
	lead := strings.TrimRightFunc(t[:at+1], func(c rune) bool { return blank(c) || strings.ContainsRune(".…·_-–", c) })
	gap := t[len(lead) : at+1]
	page, err := strconv.Atoi(tail)
	if err != nil {
		if page = roman(tail); page == 0 || !strings.ContainsAny(gap, "\t.…·_") {
			return entry{text: t}
		}
	}
	if gap == "" || lead == "" {
		return entry{text: t}
	}
	return entry{text: lead, page: page, roman: err != nil}
}

// headed is a heading of the book as an entry may name it.
type headed struct {
	words map[string]bool
	value int // of its number
}

// headings are those of all sections but the one that may be the contents, in their order.
func (r *repair) headings(but int) []headed {
	var all []headed
	add := func(text string) {
		if strings.TrimSpace(text) != "" {
			h := headed{words: map[string]bool{}, value: numberOf(text)}
			for _, w := range tokens(text) {
				h.words[w] = true
			}
			all = append(all, h)
		}
	}
	for i := range r.book.Sections {
		s := &r.book.Sections[i]
		if i == but {
			continue
		}
		add(s.Label + " " + manuscript.Line(s.Title) + " " + manuscript.Line(s.Subtitle))
		for _, b := range s.Blocks {
			if h, ok := b.(*manuscript.Heading); ok {
				add(manuscript.Line(h.Inlines))
			}
		}
	}
	return all
}

// numberOf is the number of the chapter that a line names, 0 where it names none.
func numberOf(s string) int {
	if line, ok := parseChapterLine(strings.TrimSpace(s)); ok {
		return value(line.number)
	}
	return 0
}

// tokens are the words of a text without signs and letter case.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// names says whether an entry names a heading: it has no word that the heading has not, but for how the chapter is
// numbered, and where both have a number it is the same.
func (h headed) names(e entry) bool {
	n := numberOf(e.text)
	if n > 0 && h.value > 0 && n != h.value {
		return false
	}
	titled := false
	for _, w := range tokens(e.text) {
		_, counts := chapterWords[w]
		switch {
		case h.words[w]:
			titled = titled || !counts && value(w) == 0
		case !counts && value(strings.ToUpper(w)) == 0:
			return false
		}
	}
	return titled || n > 0 && n == h.value
}

// isContents says whether lines are the contents of this book. Lines without numbers are so only below a heading
// that says it.
func (r *repair) isContents(lines []string, but int, named bool) bool {
	if r.keep {
		return false
	}
	headings := r.headings(but)
	at, numbered, entries := 0, 0, 0
	last := map[bool]int{} // page, by whether it is roman
	most := max(leastPages, r.words()/wordsToAPage)
	for n, l := range lines {
		if k, ok := kindOf(l); ok && k == manuscript.KindContents && n == 0 {
			continue
		}
		e := entryOf(l)
		if len(tokens(e.text)) == 0 {
			continue
		}
		next := -1
		for k := at; k < len(headings) && next < 0; k++ {
			if headings[k].names(e) {
				next = k
			}
		}
		if next < 0 {
			return false
		}
		at = next // an entry may be divided over two lines
		entries++
		if e.page == 0 {
			continue
		}
		numbered++
		if e.page < last[e.roman] || e.page >= most {
			return false
		}
		at, last[e.roman] = next+1, e.page
	}
	return entries >= 2 && (numbered*2 > entries || named && numbered == 0)
}

// words counts the words of the whole book, about.
func (r *repair) words() (n int) {
	for i := range r.book.Sections {
		n += words(r.book.Sections[i].Blocks)
	}
	return n
}

// linesOf are the lines of blocks, one for each paragraph, heading, cell and line of a list.
func linesOf(blocks []manuscript.Block) (lines []string) {
	for in := range manuscript.Passages(blocks) {
		for _, l := range strings.Split(manuscript.Flow(in), "\n") {
			if l = strings.TrimFunc(l, blank); l != "" {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// says is the title and the text of a section, line by line.
func says(s *manuscript.Section) string {
	lines := linesOf(s.Blocks)
	if t := manuscript.Line(s.Title); t != "" {
		lines = append([]string{t}, lines...)
	}
	return strings.Join(lines, "\n")
}

// repeatsTitle says whether a section is a half title: it says the book's title, which is set on it anew, and no
// word that is not in it or on the title page.
func (r *repair) repeatsTitle(s *manuscript.Section, titlePage ...string) bool {
	if r.keep {
		return false
	}
	known := map[string]bool{}
	for _, w := range tokens(r.book.Meta.Title + " " + r.book.Meta.Subtitle + " " + r.book.Meta.Author + " " + strings.Join(titlePage,
		" ")) {
		known[w] = true
	}
	all := tokens(says(s))
	for _, w := range all {
		if !known[w] {
			return false
		}
	}
	return len(all) > 0
}
