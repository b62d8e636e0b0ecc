package layout

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// estimate is about how many pages a book will have: the nearer it comes, the less often a long one is set
// twice for the sake of its inner margin. A letter takes 0.41 of an em; a section has a third of a page
// above its text and half of one below, and half a blank one before it where it begins on the right.
func estimate(b *manuscript.Book, sp spec.Spec) (pages int, err error) {
	d, err := newDesign(sp, 1)
	if err != nil {
		return 0, err
	}
	e := estimator{letters: max(int(d.measure*100/(d.size*41)), 1), rows: d.rows}
	opener := d.rows * 5 / 6
	if sp.Openers == spec.Recto {
		opener += d.rows / 2
	}
	for i := range b.Sections {
		e.total += opener
		e.blocks(b.Sections[i].Blocks)
	}
	for i := range b.Notes {
		before := e.total
		e.blocks(b.Notes[i].Blocks)
		e.total = before + (e.total-before)*2/3 // smaller type
	}
	return e.total/d.rows + 4, nil
}

// estimator counts rows.
type estimator struct {
	letters, rows int // of a row, of a page
	total         int
}

func (e *estimator) text(in []manuscript.Inline) {
	if n := len(manuscript.Plain(in)); n > 0 {
		e.total += n/e.letters + 1
	}
}

func (e *estimator) blocks(blocks []manuscript.Block) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			e.text(b.Inlines)
		case *manuscript.Heading:
			e.total += 2
			e.text(b.Inlines)
		case *manuscript.SceneBreak:
			e.total += 3
		case *manuscript.PageBreak:
			e.total += e.rows / 2
		case *manuscript.Quote:
			e.total += 2
			e.blocks(b.Blocks)
		case *manuscript.Verse:
			for _, stanza := range b.Stanzas {
				e.total += len(stanza) + 1
			}
		case *manuscript.List:
			e.total += 2
			for _, item := range b.Items {
				e.blocks(item)
			}
		case *manuscript.Figure:
			e.total += e.rows/3 + 2
			e.text(b.Caption)
		case *manuscript.Table:
			e.total += len(b.Rows) + 2
			e.text(b.Caption)
		case *manuscript.Code:
			e.total += len(b.Lines) + 2
		}
	}
}
