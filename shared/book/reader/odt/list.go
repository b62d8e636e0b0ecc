package odt

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// list reads a list: lists, where its items do not count on, with what stands before them.
func (f *flow) list(e xmlpart.El, name string, level int) []manuscript.Block {
	if n := e.Attr(text, "style-name"); n != "" {
		name = n
	}
	lv := f.r.styles.lists[name][level]
	var out []manuscript.Block
	l := &manuscript.List{Ordered: lv.ordered, Format: lv.format, Place: f.place()}
	if l.Ordered {
		l.Start = f.r.counts.start(e, name, level, lv.start)
	}
	for c := e.First(); c.Ok(); c = c.Next() {
		if !c.Is(text, "list-item") && !c.Is(text, "list-header") {
			continue
		}
		if start := number(c.Attr(text, "start-value"), -1); start >= 0 && l.Ordered {
			if len(l.Items) > 0 {
				out = append(out, l)
				l = &manuscript.List{Ordered: true, Format: lv.format, Place: f.place()}
			}
			l.Start = start
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
		switch n := len(l.Items); {
		case len(inner.out) == 0:
		case c.Is(text, "list-item") && !lv.unseen && !deeper(inner.out):
			l.Items = append(l.Items, inner.out)
		case n > 0: // it has no number
			l.Items[n-1] = append(l.Items[n-1], inner.out...)
		default:
			out = append(out, inner.out...)
		}
	}
	f.r.counts.end(e, name, level, l.Start+len(l.Items))
	if len(l.Items) > 0 {
		out = append(out, l)
	}
	return out
}

// deeper says whether an item holds a list of the next level and nothing else: only its items have marks.
func deeper(item []manuscript.Block) bool {
	_, list := item[0].(*manuscript.List)
	return list
}

func (f *flow) nested(inner *flow, x xmlpart.El, name string, level int) {
	inner.top = f.top
	nested := inner.list(x, name, level+1)
	inner.top = false
	for _, b := range nested {
		inner.add(b, stylename.Style{})
	}
}

// counts are the numbers that lists go on with: by their ids, and by style for the one before.
type counts struct {
	byID  map[string]int
	style string
	next  int
}

// start is the first number of a list.
func (k *counts) start(e xmlpart.El, name string, level, otherwise int) int {
	if level > 1 {
		return otherwise
	}
	if next, ok := k.byID[e.Attr(text, "continue-list")]; ok {
		return next
	}
	if e.Attr(text, "continue-numbering") == "true" && k.style == name && k.next > 0 {
		return k.next
	}
	return otherwise
}

// end notes what the next list may go on with.
func (k *counts) end(e xmlpart.El, name string, level, next int) {
	if level > 1 {
		return
	}
	k.style, k.next = name, next
	if id := e.Attr(xmlpart.Foreign, "id"); id != "" && len(k.byID) < 100_000 {
		k.byID[id] = next
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
				// A row that is written once for several stands in each of them.
				for n := min(max(number(c.Attr(table, "number-rows-repeated"), 1), 1), maxSpan); ; {
					for _, x := range row.Cells {
						reach = max(reach, len(t.Rows)+x.RowSpan)
					}
					t.Rows = append(t.Rows, row)
					if head {
						t.HeadRows++
					}
					if n--; n == 0 || f.r.tally.Full() != nil {
						break
					}
					row = f.row(c)
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
