package layout

import (
	"slices"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/paginate"
)

// maxTitle is how many lines a centred text may have to be evened; a longer one is prose.
const maxTitle = 5

// evened is a centred paragraph whose lines are of nearly one length: it is broken on the narrowest measure
// that needs no more lines and no more divided words than the whole one.
func (s *setter) evened(pieces []line.Piece, c column) *line.Paragraph {
	set := func(width Unit) (*line.Paragraph, line.Broken) {
		in := (c.width - width) / 2
		p := s.shaper.Paragraph(pieces, line.Shape{
			Measure: func(int) Unit { return width }, Offset: func(int) Unit { return c.left + in }, Align: line.Center,
		})
		return p, p.Break(0)[0]
	}
	best, whole := set(c.width)
	if whole.Lines() < 2 || whole.Lines() > maxTitle {
		return best
	}
	parts := func(p *line.Paragraph, b line.Broken) (n int) { // a divided word has one more
		for _, l := range p.Lines(b) {
			n += len(l.Runs)
		}
		return n
	}
	most := parts(best, whole)
	low, high := c.width/Unit(whole.Lines()+1), c.width
	for high-low > c.size/2 {
		middle := (low + high) / 2
		if p, b := set(middle); b.Lines() <= whole.Lines() && parts(p, b) <= most {
			best, high = p, middle
		} else {
			low = middle
		}
	}
	return best
}

// tight sets the lines of a block closer than the grid is, where there are several. They stand on it with the
// first, or with the last where they stand above what they belong to.
func (g *galley) tight(b *block, lead Unit, above bool) {
	d := g.s.d
	if g.s.inNote || len(b.shown) == 0 || len(b.shown[0]) < 2 {
		return
	}
	lines := b.shown[0]
	rows := d.rowsOf(Unit(len(lines)) * lead)
	if rows > d.rows/2 { // it may have to be divided
		return
	}
	top := Unit(0)
	if above {
		top = Unit(rows-1)*d.leading - Unit(len(lines)-1)*lead
	}
	one, l := shown{}, paginate.Line{Rows: rows}
	for i, sh := range lines {
		one.more = append(one.more, below{top + Unit(i)*lead, sh})
		l.Notes = slices.Concat(l.Notes, b.Variants[0].Lines[i].Notes)
	}
	b.shown[0], b.Variants[0].Lines = []shown{one}, []paginate.Line{l}
}

// title gives the lines of a title their room: so many rows for one, and as close as type of that size asks for
// where there are several.
func (g *galley) title(b *block, size Unit, rows int) {
	g.tight(b, size*12/10, false)
	for i := range b.Variants[0].Lines {
		l := &b.Variants[0].Lines[i]
		l.Rows = max(l.Rows, rows)
	}
}
