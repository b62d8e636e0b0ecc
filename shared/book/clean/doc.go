// Package clean repairs a manuscript: it takes the Book a reader has made and gives the Book that is set.
// Letters are mended (quotes of the language, dashes, spaces, invisible characters), then empty paragraphs, breaks and lists,
// then the structure: chapters with their numbers, front and back matter, scene breaks, verse, quotations,
// captions. Every change is a finding.
//
// Repair is pure: the Book it is given is never written to, what did not change is shared with it, and the
// same Book gives the same result. It owns no check that leaves the Book as it is; those are package preflight's.
package clean

import (
	"slices"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// Options are what the manuscript itself does not say.
type Options struct {
	Language string // BCP 47, wins over what the file says; "" leaves it to the file and the text
	// Places bounds how many findings of one type are kept one by one; the rest are counted with the last.
	// 0 means DefaultPlaces.
	Places int
	Keep   bool // leave out nothing that stands in the text: contents, running heads, half titles
}

// DefaultPlaces is the bound of Options.Places.
const DefaultPlaces = 500

// Repair gives the repaired Book and what was changed.
func Repair(b manuscript.Book, o Options) (manuscript.Book, []finding.Finding) {
	if o.Places <= 0 {
		o.Places = DefaultPlaces
	}
	r := &repair{book: b, log: log{limit: o.Places}, keep: o.Keep}
	r.book.Sections = slices.Clone(b.Sections)
	for i := range r.book.Sections {
		r.book.Sections[i].Blocks = slices.Clone(r.book.Sections[i].Blocks)
	}
	r.book.Notes = slices.Clone(b.Notes)
	for i := range r.book.Sections {
		r.book.Sections[i].Blocks = r.nested(r.book.Sections[i].Blocks)
	}
	for i := range r.book.Notes {
		r.book.Notes[i].Blocks = r.nested(r.book.Notes[i].Blocks)
	}
	r.language(o.Language)
	r.runningHeads()
	r.chapters()
	r.front()
	for i := range r.book.Sections {
		r.gaps(&r.book.Sections[i])
		r.shapes(&r.book.Sections[i])
		r.levels(&r.book.Sections[i])
	}
	r.kinds()
	r.letters()
	r.places()
	return r.book, r.log.found
}

// repair is the work on one Book. Blocks are replaced, never written to, unless this repair has made them.
type repair struct {
	book  manuscript.Book
	lang  lang
	habit habit
	log   log
	keep  bool // Options.Keep
}
