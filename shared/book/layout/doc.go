// Package layout turns a repaired manuscript and a specification into pages: type styles and margins,
// galleys of lines on a baseline grid, pages cut by package paginate, then heads, folios, notes, contents
// and index. It measures with package line and draws into a page.Book; it writes no file.
//
//	sections ──galley──▶ blocks of lines ──paginate──▶ pages ──ship──▶ page.Book
//
// Front matter has roman folios, the body begins with 1 on a right-hand page. The inner margin depends on
// the number of pages, and that on the margin: the book is set again where the class has changed.
package layout

import (
	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/paginate"
)

// Options are what a build adds to the specification.
type Options struct {
	Proof    string            // the line every page of a proof bears; "" for finals
	Index    []bookindex.Entry // set at the back where any is kept
	Progress func(step string, done, total int)
}

// Report says how the book came out.
type Report struct {
	Pages    int
	Rows     int // of the text on a page
	Sections []SectionPage
	Starts   []PageStart       // of the pages that show a section of the manuscript, in order
	Anchors  map[string]int    // page index by anchor and target
	Referred map[string]string // numbers of pages that references show, by the target
	Faults   []Fault
	Textures Textures
	Missing  []rune
}

// SectionPage is where a section begins.
type SectionPage struct {
	Section int // index in Book.Sections; -1 for pages the press has made (title, contents)
	Title   string
	Page    int // index in page.Book.Pages
	Folio   string
}

// PageStart is where in the manuscript a page begins, for the page list of an e-book.
type PageStart struct {
	Folio   string
	Section int // index in Book.Sections
	Block   int // index in the section's blocks; -1 above the first
	Letters int // letters of the block (unicode.IsLetter) that stand on the pages before
}

// Fault is a page that is not as it should be, and why.
type Fault struct {
	Page    int
	Reasons []paginate.Reason
}

func (o Options) progress(step string, done, total int) {
	if o.Progress != nil {
		o.Progress(step, done, total)
	}
}
