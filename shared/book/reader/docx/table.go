package docx

import (
	"strconv"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/xmlpart"
)

// maxColumns bounds what a row may span; Word's own limit is 63.
const maxColumns = 200

// cell is a cell while its table is read.
type cell struct {
	manuscript.Cell
	column int
}

// table reads a table.
func (f *flow) table(e xmlpart.El) {
	t := &manuscript.Table{Place: f.place()}
	var rows [][]*cell
	var above [maxColumns]*cell // the cell that a merge down from the row above goes on
	head := true
	f.each(e, "tr", func(tr xmlpart.El) {
		props := tr.Child(w, "trPr")
		if d := props.Child(w, "del"); d.Ok() {
			f.revise("deleted", d.Attr(w, "author"), tr)
			f.r.dropNotes(tr)
			f.story.paras += countParagraphs(tr)
			return
		}
		if i := props.Child(w, "ins"); i.Ok() {
			f.revise("inserted", i.Attr(w, "author"), tr)
			defer f.revised()
		}
		row, merged := f.row(tr, &above)
		switch {
		case len(row) > 0:
			rows = append(rows, row)
			if head = head && props.Child(w, "tblHeader").Ok() && onOff(props.Child(w, "tblHeader")); head {
				t.HeadRows++
			}
		case merged:
			rows = append(rows, nil)
		}
	})
	if len(rows) == 0 || f.r.tally.Full() != nil {
		return
	}
	if t.HeadRows == len(rows) {
		t.HeadRows = 0
	}
	for _, row := range rows {
		var out manuscript.Row
		for _, c := range row {
			out.Cells = append(out.Cells, c.Cell)
		}
		t.Rows = append(t.Rows, out)
	}
	t.Widths = widths(e.Child(w, "tblGrid"))
	f.push(item{block: t})
}

// each visits the rows of a table (tr) or the cells of a row (tc), also those inside of content controls.
// Bookmarks that stand between them are kept.
func (f *flow) each(e xmlpart.El, name string, visit func(xmlpart.El)) {
	for c := e.First(); c.Ok(); c = c.Next() {
		switch {
		case c.Is(w, name):
			visit(c)
		case c.Is(w, "sdt"):
			f.each(c.Child(w, "sdtContent"), name, visit)
		case c.Is(w, "customXml"), c.Is(w, "ins"), c.Is(w, "moveTo"):
			f.each(c, name, visit)
		case c.Is(mc, "AlternateContent"):
			f.each(choice(c), name, visit)
		case c.Is(w, "bookmarkStart"):
			f.bookmark(c)
		}
	}
}

// row reads a row; merged says that cells of it go on from above.
func (f *flow) row(tr xmlpart.El, above *[maxColumns]*cell) (row []*cell, merged bool) {
	column := 0
	if before := tr.Path(w, "trPr", "gridBefore"); before.Ok() && before.Attr(w, "val") != "0" {
		column = span(before)
		row = append(row, &cell{Cell: manuscript.Cell{ColSpan: column, RowSpan: 1}})
	}
	var next [maxColumns]*cell
	var last *cell
	f.each(tr, "tc", func(tc xmlpart.El) {
		props := tc.Child(w, "tcPr")
		n := span(props.Child(w, "gridSpan"))
		if d := props.Child(w, "cellDel"); d.Ok() {
			f.revise("deleted", d.Attr(w, "author"), tc)
			f.r.dropNotes(tc)
			f.story.paras += countParagraphs(tc)
			return
		}
		if d := props.Child(w, "cellIns"); d.Ok() {
			f.revise("inserted", d.Attr(w, "author"), tc)
			defer f.revised()
		}
		if column+n > maxColumns {
			n = 1
		}
		at := min(column, maxColumns-1)
		if h := props.Child(w, "hMerge"); h.Ok() && h.Attr(w, "val") != "restart" && last != nil {
			last.ColSpan += n
			column += n
			return
		}
		down := props.Child(w, "vMerge")
		if up := above[at]; down.Ok() && down.Attr(w, "val") != "restart" && up != nil {
			if up.RowSpan < 65_000 {
				up.RowSpan++
			}
			next[at] = up
			merged = true
			column += n
			f.story.paras += countParagraphs(tc)
			return
		}
		if !f.r.tally.Add() {
			return
		}
		c := &cell{Cell: manuscript.Cell{ColSpan: n, RowSpan: 1}, column: column}
		inner := &flow{r: f.r, story: f.story}
		inner.children(tc)
		inner.end()
		c.Blocks = group(trimItems(inner.items))
		c.Align = cellAlign(c.Blocks)
		if down.Ok() {
			next[at] = c
		}
		row = append(row, c)
		last = c
		column += n
	})
	*above = next
	return row, merged
}

// trimItems drops the empty paragraph every cell ends with where there is something else.
func trimItems(items []item) []item {
	for n := len(items); n > 1; n-- {
		it := &items[n-1]
		if it.block != nil || len(it.inlines) > 0 {
			break
		}
		items = items[:n-1]
	}
	if len(items) == 1 && items[0].block == nil && len(items[0].inlines) == 0 {
		return nil
	}
	return items
}

// cellAlign is the alignment all paragraphs of a cell share.
func cellAlign(blocks []manuscript.Block) manuscript.Align {
	a := manuscript.AlignNone
	for i, b := range blocks {
		p, ok := b.(*manuscript.Paragraph)
		if !ok || i > 0 && p.Align != a {
			return manuscript.AlignNone
		}
		a = p.Align
	}
	return a
}

func span(e xmlpart.El) int {
	n, err := strconv.Atoi(e.Attr(w, "val"))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

// widths are the shares of the columns.
func widths(grid xmlpart.El) []float64 {
	var out []float64
	sum := 0.0
	for c := grid.First(); c.Ok(); c = c.Next() {
		if !c.Is(w, "gridCol") {
			continue
		}
		n, err := strconv.ParseFloat(c.Attr(w, "w"), 64)
		if err != nil || !(n > 0 && n < 1e6) || len(out) >= maxColumns {
			return nil
		}
		out = append(out, n)
		sum += n
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
