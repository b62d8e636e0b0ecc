package clean

import (
	"fmt"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// nested takes tables out of the cells of tables, because no page holds a table in a column of another. A
// table of a single cell was a frame: its inside stands in its place. Elsewhere the cells of the inner table
// follow each other in the cell around it, row by row. Blocks are replaced, never written to.
func (r *repair) nested(blocks []manuscript.Block) []manuscript.Block {
	var out []manuscript.Block
	for i, b := range blocks {
		with := r.unnested(b)
		if len(with) == 1 && with[0] == b {
			if out != nil {
				out = append(out, b)
			}
			continue
		}
		if out == nil {
			out = append(make([]manuscript.Block, 0, len(blocks)), blocks[:i]...)
		}
		out = append(out, with...)
	}
	if out == nil {
		return blocks
	}
	return out
}

// unnested is what stands in the place of a block, the block itself where nothing in it changes.
func (r *repair) unnested(b manuscript.Block) []manuscript.Block {
	switch t := b.(type) {
	case *manuscript.Table:
		if !holdsTable(t) {
			break
		}
		rows, columns := size(t)
		r.log.detail(finding.NestedTable, t.Place, oneLine(manuscript.Plain(t.Caption)), fmt.Sprintf("%d rows, %d columns", rows, columns))
		if len(t.Rows) == 1 && len(t.Rows[0].Cells) == 1 {
			return r.nested(withCaption(t, t.Rows[0].Cells[0].Blocks))
		}
		one := *t
		one.Rows = make([]manuscript.Row, len(t.Rows))
		for i, row := range t.Rows {
			for _, c := range row.Cells {
				c.Blocks = flat(c.Blocks, nil)
				one.Rows[i].Cells = append(one.Rows[i].Cells, c)
			}
		}
		return []manuscript.Block{&one}
	case *manuscript.Quote:
		if inner := r.nested(t.Blocks); changed(t.Blocks, inner) {
			one := *t
			one.Blocks = inner
			return []manuscript.Block{&one}
		}
	case *manuscript.List:
		items := make([][]manuscript.Block, len(t.Items))
		any := false
		for i, item := range t.Items {
			items[i] = r.nested(item)
			any = any || changed(item, items[i])
		}
		if any {
			one := *t
			one.Items = items
			return []manuscript.Block{&one}
		}
	}
	return []manuscript.Block{b}
}

// changed says whether nested gave another slice.
func changed(a, b []manuscript.Block) bool {
	return len(a) != len(b) || len(a) > 0 && &a[0] != &b[0]
}

// holdsTable says whether a cell of a table holds one.
func holdsTable(t *manuscript.Table) bool {
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if anyTable(c.Blocks) {
				return true
			}
		}
	}
	return false
}

func anyTable(blocks []manuscript.Block) bool {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Table:
			return true
		case *manuscript.Quote:
			if anyTable(b.Blocks) {
				return true
			}
		case *manuscript.List:
			for _, item := range b.Items {
				if anyTable(item) {
					return true
				}
			}
		}
	}
	return false
}

// size is that of the first table inside the cells of one.
func size(t *manuscript.Table) (rows, columns int) {
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			for _, b := range c.Blocks {
				if t, ok := b.(*manuscript.Table); ok {
					for _, r := range t.Rows {
						columns = max(columns, len(r.Cells))
					}
					return len(t.Rows), columns
				}
			}
		}
	}
	return 0, 0
}

// withCaption puts a table's caption in front of blocks.
func withCaption(t *manuscript.Table, blocks []manuscript.Block) []manuscript.Block {
	if len(t.Caption) == 0 {
		return blocks
	}
	return append([]manuscript.Block{&manuscript.Paragraph{Inlines: t.Caption, Anchor: t.Anchor, Place: t.Place}}, blocks...)
}

// flat adds blocks to out with the inside of tables, however deep, in their place.
func flat(blocks, out []manuscript.Block) []manuscript.Block {
	for _, b := range blocks {
		switch t := b.(type) {
		case *manuscript.Table:
			out = append(out, withCaption(t, nil)...)
			for _, row := range t.Rows {
				for _, c := range row.Cells {
					out = flat(c.Blocks, out)
				}
			}
		case *manuscript.Quote:
			one := *t
			one.Blocks = flat(t.Blocks, nil)
			out = append(out, &one)
		case *manuscript.List:
			one := *t
			one.Items = make([][]manuscript.Block, len(t.Items))
			for i, item := range t.Items {
				one.Items[i] = flat(item, nil)
			}
			out = append(out, &one)
		default:
			out = append(out, b)
		}
	}
	return out
}
