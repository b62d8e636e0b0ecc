package press

import (
	"fmt"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/census"
)

// fewLost is how many words may differ without a finding: a word that a picture or a mark parts is two for the
// file and one for the book.
const fewLost = 2

// lost counts the words of the file and those of the book. What is missing and is told by no finding is a fault
// of the press, and the author has to know of it.
func (p Parts) lost(name string, b []byte, m *Manuscript) []finding.Finding {
	if p.Census == nil {
		return nil
	}
	file, err := p.Census(name, b)
	if err != nil { // Read has read it: the count cannot be had, and nothing follows from that
		return nil
	}
	loss := census.Missing(file, &m.Book)
	told := 0
	for _, f := range m.Found {
		told += f.Words
	}
	if loss.Words-told <= fewLost {
		return nil
	}
	f := finding.New(finding.WordsLost, manuscript.Place{}, manuscript.Line([]manuscript.Inline{manuscript.Text{S: loss.Passage}}))
	f.Detail = fmt.Sprintf("%d words", loss.Words-told)
	return []finding.Finding{f}
}
