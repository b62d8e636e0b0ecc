package search

import (
	"slices"
	"sort"
	"strings"
)

// corpus is the searched text of many rows in one piece, so that a word is found in all of them at the speed
// of a text search: 29,000 places in 0.2 ms. A line is a row: its code, its name as words and joined, and what
// else its words may be in.
type corpus struct {
	text string
	ends []int32 // of each row's line
}

// corpusOf makes the text of n rows.
func corpusOf(n int, line func(i int) (code string, name folded, further []string)) corpus {
	var b strings.Builder
	ends := make([]int32, n)
	for i := range n {
		code, name, further := line(i)
		for _, part := range append([]string{code, name.words, name.joined}, further...) {
			b.WriteString(part)
			b.WriteByte('\t')
		}
		b.WriteByte('\n')
		ends[i] = int32(b.Len())
	}
	return corpus{b.String(), ends}
}

// rows are those in which a text stands, rising. No text stands across two of them.
func (c *corpus) rows(text string) []int {
	var found []int
	for from := 0; text != "" && from < len(c.text); {
		at := strings.Index(c.text[from:], text)
		if at < 0 {
			break
		}
		at += from
		row := sort.Search(len(c.ends), func(i int) bool { return int(c.ends[i]) > at })
		found = append(found, row)
		from = int(c.ends[row])
	}
	return found
}

// candidates are the rows that may answer a query, among them all that do: the longest word stands in each,
// the joined words do, or the code does.
func (c *corpus) candidates(q *query) []int {
	longest := ""
	for _, t := range q.tokens {
		if len(t) > len(longest) {
			longest = t
		}
	}
	found := c.rows(longest)
	if q.joined != longest {
		found = append(found, c.rows(q.joined)...)
		slices.Sort(found)
		found = slices.Compact(found)
	}
	return found
}
