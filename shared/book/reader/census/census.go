// Package census counts words. It says what stands in a file by a way of its own, which knows where a format
// keeps its text and nothing of how a reader understands it, and which of those words a Book does not hold:
// what a reader or a repair has lost. Package press asks it about every manuscript; it owns no finding.
package census

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/tokens"
)

// Passage is a paragraph, a line or a cell of a file, with nothing but its text.
type Passage = string

// Account says what became of the words of a file: In = Set + Left where nothing is lost.
type Account struct {
	In      int    // words of the file
	Set     int    // of them, those that the Book holds
	Left    int    // those that are left out and told
	Passage string // of what is lost: the passage that lacks most words, or the first of them
}

// Lost is how many words are neither set nor told.
func (a Account) Lost() int { return a.In - a.Set - a.Left }

// Take compares the passages of a file with what the Book sets and with the texts that are told to be left out, as bags
// of words: order and place do not count, nor do numbers, signs and letter case. Words that stand in the Book alone
// make up for missing ones letter by letter, because repairs join what a file divides (a drop cap and the rest of its
// word).
func Take(file []Passage, b *manuscript.Book, left []string) Account {
	set, told := multiset{}, multiset{}
	letters := 0 // of the Book's words that the file does not have
	said(b, func(s string) { letters += set.add(s) })
	for _, s := range left {
		told.add(s)
	}
	var a Account
	var missing []gap
	for i, p := range file {
		tokens.Each(p, func(w tokens.Word) {
			a.In++
			switch {
			case set.take(w):
				a.Set++
				letters -= w.Letters
			case told.take(w):
				a.Left++
			default:
				missing = append(missing, gap{i, w.Letters})
			}
		})
	}
	most, here := 0, map[int]int{}
	for _, m := range missing {
		if m.letters <= letters {
			letters -= m.letters
			a.Set++
			continue
		}
		if here[m.passage]++; here[m.passage] > most {
			most, a.Passage = here[m.passage], file[m.passage]
		}
	}
	return a
}

// gap is a word that is missing.
type gap struct{ passage, letters int }

// multiset holds words by their hash, each as often as it was added.
type multiset map[uint64]int32

// add adds the words of a text and counts their letters.
func (b multiset) add(s string) (letters int) {
	tokens.Each(s, func(w tokens.Word) {
		b[w.Hash]++
		letters += w.Letters
	})
	return letters
}

func (b multiset) take(w tokens.Word) bool {
	if b[w.Hash] == 0 {
		return false
	}
	b[w.Hash]--
	return true
}

// said gives every text that a Book sets. A table of contents is made anew: its lines are not set, its heading is.
func said(b *manuscript.Book, put func(string)) {
	for i := range b.Sections {
		s := &b.Sections[i]
		put(s.Label)
		put(manuscript.Flow(s.Title))
		put(manuscript.Flow(s.Subtitle))
		if s.Kind == manuscript.KindContents {
			continue
		}
		for in := range manuscript.Passages(s.Blocks) {
			put(manuscript.Flow(in))
		}
	}
	for i := range b.Notes {
		for in := range manuscript.Passages(b.Notes[i].Blocks) {
			put(manuscript.Flow(in))
		}
	}
}
