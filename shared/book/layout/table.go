package layout

import (
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
)

// cellGap is the room between columns, in 1/1000 of the type size; where columns are so narrow that a
// quarter of their share is less, that quarter.
const cellGap = 900

// maxColumns bounds a table; further columns are left out (preflight says so).
const maxColumns = 24

// table adds a table: rules above, below and under its head, rows on the baseline grid. A page ends only
// between rows; a row higher than a page is cut where its page ends.
func (g *galley) table(t *manuscript.Table, c column) error {
	columns := 0
	for _, r := range t.Rows {
		n := 0
		for _, cell := range r.Cells {
			n += max(cell.ColSpan, 1)
		}
		columns = max(columns, n)
	}
	if columns = min(columns, maxColumns); columns == 0 {
		return nil
	}
	if caption, err := g.small(t.Caption, c); err != nil {
		return err
	} else if len(caption.Variants) > 0 {
		caption.Before, caption.KeepNext, caption.Whole = 1, true, true
		g.add(caption)
	}
	size := g.s.d.noteSize
	if columns > 5 {
		size = size * 85 / 100
	}
	gap := min(size*cellGap/1000, c.width/Unit(4*columns))
	size = min(size, (c.width-gap*Unit(columns-1))/Unit(columns)) // the widest letter is about an em wide
	left, width := g.columns(t, c, columns, gap, size)
	var head []below // of the rows that are repeated
	headRows := 0
	for i, r := range t.Rows {
		b, err := g.row(r, columns, left, width, size)
		if err != nil {
			return err
		}
		if len(b.shown[0]) == 0 {
			continue
		}
		rows := paginateRows(b.Variants[0].Lines)
		b.Whole = rows < g.s.d.rows/2
		b.KeepNext = i < t.HeadRows && i+1 < len(t.Rows)
		if i >= t.HeadRows && headRows > 0 && headRows <= g.s.d.rows/4 && paginateRows(b.Variants[0].Lines) <= g.s.d.rows/2 {
			b.again, b.Again = head, headRows
		}
		first, last := &b.shown[0][0], &b.shown[0][len(b.shown[0])-1]
		if i == 0 {
			if len(t.Caption) == 0 {
				b.Before = 1
			}
			first.marks = append(first.marks, page.Rule{X: c.left, Y: g.s.d.leading / 8, Width: c.width, Height: 800})
		}
		bottom := Unit(b.Variants[0].Lines[len(b.shown[0])-1].Rows)*g.s.d.leading + g.s.d.leading/8
		switch {
		case i+1 == len(t.Rows):
			last.marks = append(last.marks, page.Rule{X: c.left, Y: bottom, Width: c.width, Height: 800})
		case i+1 == t.HeadRows:
			last.marks = append(last.marks, page.Rule{X: c.left, Y: bottom, Width: c.width, Height: 400})
		}
		if i < t.HeadRows {
			for k, sh := range b.shown[0] {
				sh.own = nil // notes and targets belong to the first
				head = append(head, below{Unit(headRows) * g.s.d.leading, sh})
				headRows += b.Variants[0].Lines[k].Rows
			}
		}
		g.add(b)
	}
	g.space(1)
	g.after = true
	return nil
}

// columns shares the measure out: as the author did, or by what the cells hold, none below a third of its
// fair share or below least, which all columns together leave room for.
func (g *galley) columns(t *manuscript.Table, c column, n int, gap, least Unit) (left, width []Unit) {
	weight := make([]int64, n)
	for i := range weight {
		weight[i] = 1
	}
	for _, r := range t.Rows {
		k := 0
		for _, cell := range r.Cells {
			span := max(cell.ColSpan, 1)
			if span == 1 && k < n {
				letters := int64(0)
				for _, b := range cell.Blocks {
					if p, ok := b.(*manuscript.Paragraph); ok {
						letters += int64(len(manuscript.Plain(p.Inlines)))
					}
				}
				weight[k] = max(weight[k], min(letters, 60))
			}
			k += span
		}
	}
	if len(t.Widths) >= n {
		for i := range weight {
			weight[i] = int64(t.Widths[i] * 1000)
		}
	}
	var sum int64
	for _, w := range weight {
		sum += max(w, 1)
	}
	for i := range weight { // no column below a part of its fair share
		weight[i] = max(weight[i], sum/int64(3*n), 1)
	}
	sum = 0
	for _, w := range weight {
		sum += w
	}
	room := int64(c.width) - int64(gap)*int64(n-1)
	for again := true; again; { // what the narrowest get more, the others get less
		again = false
		for i, w := range weight {
			if w > 0 && room*w/sum < int64(least) {
				weight[i], sum, room, again = 0, sum-w, room-int64(least), true
			}
		}
	}
	x := c.left
	for _, w := range weight {
		wide := least
		if w > 0 {
			wide = Unit(room * w / sum)
		}
		left, width = append(left, x), append(width, wide)
		x += wide + gap
	}
	return left, width
}

// row sets the cells of a row beside each other.
func (g *galley) row(r manuscript.Row, n int, left, width []Unit, size Unit) (block, error) {
	b := block{shown: make([][]shown, 1)}
	b.Variants = make([]paginate.Variant, 1)
	k := 0
	var cells [][]block
	for _, cell := range r.Cells {
		if k >= n {
			break
		}
		last := min(k+max(cell.ColSpan, 1), n) - 1
		c := column{left: left[k], width: left[last] + width[last] - left[k], size: size, ragged: true, depth: maxDepth}
		inner := galley{s: g.s, after: true, inner: true}
		for _, x := range cell.Blocks {
			if p, ok := x.(*manuscript.Paragraph); ok && p.Align == manuscript.AlignNone && cell.Align != manuscript.AlignNone {
				q := *p
				q.Align = cell.Align
				x = &q
			}
			if _, nested := x.(*manuscript.Table); nested {
				continue // preflight has said so
			}
			if err := inner.block(x, c); err != nil {
				return b, err
			}
		}
		cells = append(cells, inner.blocks)
		k = last + 1
	}
	if close, ok := g.closeRow(cells, size); ok {
		b = close
	} else {
		g.openRow(&b, cells)
	}
	return b, g.refer(&b)
}

// closeRow sets a row as one line as high as it has to be, its lines closer to each other than the text's;
// false where it is higher than half of a page.
func (g *galley) closeRow(cells [][]block, size Unit) (block, bool) {
	lead := size * 122 / 100
	var row shown
	high := Unit(0)
	for _, cell := range cells {
		y := Unit(0)
		for k := range cell {
			if k > 0 {
				y += Unit(cell[k].Before) * lead
			}
			for i, sh := range cell[k].shown[0] {
				row.own = append(row.own, sh.own...)
				sh.own = nil
				row.more = append(row.more, below{y, sh})
				if n := cell[k].Variants[0].Lines[i].Rows; n == 1 {
					y += lead
				} else {
					y += Unit(n) * g.s.d.leading
				}
			}
		}
		high = max(high, y)
	}
	rows := g.s.d.rowsOf(high)
	if rows == 0 || rows > g.s.d.rows/2 {
		return block{shown: make([][]shown, 1), Block: paginate.Block{Variants: make([]paginate.Variant, 1)}}, rows == 0
	}
	b := block{shown: [][]shown{{row}}}
	b.Variants = []paginate.Variant{{Lines: []paginate.Line{{Rows: rows}}}}
	return b, true
}

// openRow sets a row that may be cut between any two of its lines.
func (g *galley) openRow(b *block, cells [][]block) {
	for _, cell := range cells {
		at := 0
		for k, ib := range cell {
			if k > 0 {
				at += ib.Before
			}
			for i, sh := range ib.shown[0] {
				for at+ib.Variants[0].Lines[i].Rows > len(b.shown[0]) {
					b.shown[0] = append(b.shown[0], shown{})
					b.Variants[0].Lines = append(b.Variants[0].Lines, paginate.Line{Rows: 1})
				}
				to := &b.shown[0][at]
				to.runs, to.marks, to.own = append(to.runs, sh.runs...), append(to.marks, sh.marks...), append(to.own, sh.own...)
				to.more = append(to.more, sh.more...)
				at += ib.Variants[0].Lines[i].Rows
			}
		}
	}
}
