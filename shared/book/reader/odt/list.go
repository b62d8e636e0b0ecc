package odt

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

func (f *flow) list(e xmlpart.El, name string, level int) *manuscript.List {
	if n := e.Attr(text, "style-name"); n != "" {
		name = n
	}
	lv := f.r.styles.lists[name][level]
	l := &manuscript.List{Ordered: lv.ordered, Format: lv.format, Place: f.place()}
	if l.Ordered {
		l.Start = lv.start
	}
	for c := e.First(); c.Ok(); c = c.Next() {
		if !c.Is(text, "list-item") && !c.Is(text, "list-header") {
			continue
		}
		if len(l.Items) == 0 && l.Ordered {
			l.Start = number(c.Attr(text, "start-value"), l.Start)
		}
		inner := &flow{r: f.r, label: f.label, top: false}
		for x := c.First(); x.Ok(); x = x.Next() {
			switch {
			case x.IsText():
			case x.Is(text, "h") && f.top:
				// A numbered heading stands in a list; it is a heading all the same.
				f.paragraph(x)
			case x.Is(text, "list"):
				f.nested(inner, x, name, level)
			default:
				inner.block(x)
			}
		}
		if len(inner.out) > 0 {
			l.Items = append(l.Items, inner.out)
		}
	}
	return l
}

func (f *flow) nested(inner *flow, x xmlpart.El, name string, level int) {
	inner.top = f.top
	nested := inner.list(x, name, level+1)
	inner.top = false
	if len(nested.Items) > 0 {
		inner.add(nested, stylename.Style{})
	}
}

const maxSpan = 200

func (f *flow) table(e xmlpart.El) *manuscript.Table {
	t := &manuscript.Table{Place: f.place()}
	reach := 0 // the rows that cells above reach into
	var rows func(xmlpart.El, bool)
	rows = func(e xmlpart.El, head bool) {
		for c := e.First(); c.Ok(); c = c.Next() {
			switch {
			case c.Is(table, "table-header-rows"):
				rows(c, true)
			case c.Is(table, "table-rows"), c.Is(table, "table-row-group"):
				rows(c, head)
			case c.Is(table, "table-row"):
				row := f.row(c)
				if len(row.Cells) == 0 && len(t.Rows) >= reach {
					continue
				}
				for _, x := range row.Cells {
					reach = max(reach, len(t.Rows)+x.RowSpan)
				}
				t.Rows = append(t.Rows, row)
				if head {
					t.HeadRows++
				}
			}
		}
	}
	rows(e, false)
	if t.HeadRows == len(t.Rows) {
		t.HeadRows = 0
	}
	return t
}

// row reads a row; a cell that is written once for several columns stands in each of them.
func (f *flow) row(e xmlpart.El) manuscript.Row {
	var row manuscript.Row
	for x := e.First(); x.Ok(); x = x.Next() {
		if !x.Is(table, "table-cell") {
			continue
		}
		for range min(max(number(x.Attr(table, "number-columns-repeated"), 1), 1), maxSpan-min(len(row.Cells), maxSpan-1)) {
			if !f.r.tally.Add() {
				return row
			}
			row.Cells = append(row.Cells, manuscript.Cell{
				Blocks:  f.sub(x),
				ColSpan: min(max(number(x.Attr(table, "number-columns-spanned"), 1), 1), maxSpan),
				RowSpan: min(max(number(x.Attr(table, "number-rows-spanned"), 1), 1), 65_000),
			})
		}
	}
	return row
}
