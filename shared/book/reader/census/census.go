// Package census counts words. It says what stands in a file by a way of its own, which knows where a format
// keeps its text and nothing of how a reader understands it, and which of those words a Book does not hold:
// what a reader or a repair has lost. Package press asks it about every manuscript; it owns no finding.
package census

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/wordbag"
)

// Passage is a paragraph, a line or a cell of a file, with nothing but its text.
type Passage = string

// Loss is what a Book lacks of a file.
type Loss struct {
	Words   int    // 0: nothing is missing
	Passage string // the one that lacks most words, or the first of them
}

// Missing compares the passages of a file with a Book, as a bag of words: order and place do not count, nor
// do numbers, signs and letter case. Words that stand in the Book alone make up for missing ones letter by
// letter, because repairs join what a file divides (a drop cap and the rest of its word).
func Missing(file []Passage, b *manuscript.Book) Loss {
	bag := map[uint64]int32{}
	extra := 0 // letters of the Book's words that the file does not have
	put := func(w wordbag.Word) {
		bag[w.Hash]++
		extra += w.Letters
	}
	for i := range b.Sections {
		s := &b.Sections[i]
		wordbag.Each(s.Label, put)
		wordbag.Each(manuscript.Flow(s.Title), put)
		wordbag.Each(manuscript.Flow(s.Subtitle), put)
		for in := range manuscript.Passages(s.Blocks) {
			wordbag.Each(manuscript.Flow(in), put)
		}
	}
	for i := range b.Notes {
		for in := range manuscript.Passages(b.Notes[i].Blocks) {
			wordbag.Each(manuscript.Flow(in), put)
		}
	}
	var loss Loss
	most, letters := 0, 0
	for _, p := range file {
		here := 0
		wordbag.Each(p, func(w wordbag.Word) {
			if bag[w.Hash] > 0 {
				bag[w.Hash]--
				extra -= w.Letters
				return
			}
			here++
			letters += w.Letters
		})
		loss.Words += here
		if here > most {
			most, loss.Passage = here, p
		}
	}
	if letters <= extra {
		return Loss{}
	}
	return loss
}
