package layout

import (
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
)

// rows sets rows that belong together: a single one, or those that cells reach over. Rows that show
// nothing are left out.
func (t *tableSet) rows(grid [][]manuscript.Placed) ([]block, error) {
	d := t.g.s.d
	cells := make([][][]block, len(grid))
	for i, row := range grid {
		for _, cell := range row {
			blocks, err := t.cell(cell)
			if err != nil {
				return nil, err
			}
			cells[i] = append(cells[i], blocks)
		}
	}
	blocks, ok := t.close(grid, cells)
	if !ok {
		blocks = blocks[:0]
		for i := range grid { // too high to hold together: each cell stands in its first row
			one, ok := t.close([][]manuscript.Placed{alone(grid[i])}, cells[i:i+1])
			if !ok {
				one[0] = t.open(cells[i])
			}
			blocks = append(blocks, one[0])
		}
	}
	var out []block
	high := 0
	for i := range blocks {
		b := &blocks[i]
		if len(b.shown[0]) == 0 {
			continue
		}
		rows := paginateRows(b.Variants[0].Lines)
		high += rows
		b.Whole = rows < d.rows/2
		if err := t.g.refer(b); err != nil {
			return nil, err
		}
		out = append(out, *b)
	}
	if high <= d.rows*2/3 {
		for i := range len(out) - 1 {
			out[i].KeepNext = true
		}
	}
	return out, nil
}

// alone is a row without what its cells cover below it.
func alone(row []manuscript.Placed) []manuscript.Placed {
	out := make([]manuscript.Placed, len(row))
	for i, cell := range row {
		out[i] = cell
		out[i].Rows = 1
	}
	return out
}

// cell sets the blocks of a cell in its columns. A table in a cell is set as its text, cell after cell.
func (t *tableSet) cell(cell manuscript.Placed) ([]block, error) {
	last := cell.Column + cell.Columns - 1
	left := t.left[cell.Column]
	c := column{left: left, width: t.left[last] + t.width[last] - left, size: t.size, ragged: true, lining: true, depth: maxDepth}
	align := cell.Align
	in, right, err := t.placed(cell)
	if err != nil {
		return nil, err
	}
	if right && align == manuscript.AlignNone {
		align = manuscript.AlignRight
	}
	c.width -= min(in, c.width/2)
	inner := galley{s: t.g.s, after: true, inner: true}
	var set func(blocks []manuscript.Block) error
	set = func(blocks []manuscript.Block) error {
		for _, x := range blocks {
			if nested, ok := x.(*manuscript.Table); ok {
				for _, row := range nested.Rows {
					for _, cell := range row.Cells {
						if err := set(cell.Blocks); err != nil {
							return err
						}
					}
				}
				continue
			}
			if p, ok := x.(*manuscript.Paragraph); ok && p.Align == manuscript.AlignNone && align != manuscript.AlignNone {
				q := *p
				q.Align = align
				x = &q
			}
			if err := inner.block(x, c); err != nil {
				return err
			}
		}
		return nil
	}
	err = set(cell.Blocks)
	return inner.blocks, err
}

// stacked is a line of a cell: its height, and the room above it unless it is the first of its row.
type stacked struct {
	shown
	gap, high Unit
}

// stack puts the lines of a cell under each other, closer than those of the text.
func (t *tableSet) stack(cell []block) []stacked {
	lead := t.size * 122 / 100
	var out []stacked
	for k, b := range cell {
		for i, sh := range b.shown[0] {
			l := stacked{shown: sh, high: lead}
			if n := b.Variants[0].Lines[i].Rows; n != 1 {
				l.high = Unit(n) * t.g.s.d.leading
			}
			if i == 0 && k > 0 {
				l.gap = Unit(b.Before) * lead
			}
			out = append(out, l)
		}
	}
	return out
}

// close sets every row as one line as high as it has to be; false where one is higher than half of a page.
// A cell that reaches over rows is shared out among them; what does not fit makes the last one higher.
func (t *tableSet) close(grid [][]manuscript.Placed, cells [][][]block) ([]block, bool) {
	d := t.g.s.d
	lines := make([]shown, len(grid))
	high := make([]Unit, len(grid))
	for i, row := range grid {
		for k, cell := range row {
			stack := t.stack(cells[i][k])
			for n := range stack { // notes and targets stand in the first row, in the order of the cells
				lines[i].own = append(lines[i].own, stack[n].own...)
				stack[n].own = nil
			}
			if cell.Rows > 1 {
				continue
			}
			y := Unit(0)
			for n, l := range stack {
				if n > 0 {
					y += l.gap
				}
				lines[i].more = append(lines[i].more, below{y, l.shown})
				y += l.high
			}
			high[i] = max(high[i], y)
		}
	}
	for end := 1; end <= len(grid); end++ { // cells that end sooner first: they may make a row higher
		for i, row := range grid[:end] {
			for k, cell := range row {
				if cell.Rows > 1 && i+cell.Rows == end {
					t.share(t.stack(cells[i][k]), lines[i:end], high[i:end])
				}
			}
		}
	}
	out := make([]block, len(grid))
	for i := range out {
		if high[i] == 0 && i+1 < len(out) { // its cells stand in the rows below
			lines[i+1].own = append(lines[i].own, lines[i+1].own...)
		}
		out[i].Variants, out[i].shown = make([]paginate.Variant, 1), make([][]shown, 1)
		rows := d.rowsOf(high[i])
		if rows > d.rows/2 {
			return out, false
		}
		if rows > 0 {
			out[i].shown[0] = []shown{lines[i]}
			out[i].Variants[0].Lines = []paginate.Line{{Rows: rows}}
		}
	}
	return out, true
}

// share puts the lines of a cell into the rows it reaches over.
func (t *tableSet) share(stack []stacked, lines []shown, high []Unit) {
	d := t.g.s.d
	i, y := 0, Unit(0)
	for _, l := range stack {
		l.own = nil
		if y > 0 {
			y += l.gap
		}
		for i+1 < len(lines) && y+l.high > Unit(d.rowsOf(high[i]))*d.leading {
			i, y = i+1, 0
		}
		lines[i].more = append(lines[i].more, below{y, l.shown})
		y += l.high
	}
	high[i] = max(high[i], y)
}

// open sets a row that may be cut between any two of its lines.
func (t *tableSet) open(cells [][]block) block {
	b := block{shown: make([][]shown, 1)}
	b.Variants = make([]paginate.Variant, 1)
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
	return b
}
