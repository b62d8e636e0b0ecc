package epub

import (
	"fmt"
	"strconv"

	"mappe/shared/book/manuscript"
)

// maxSpan bounds a cell; HTML ends columns there.
const maxSpan = 1000

// table writes a table; head rows stand in a head of their own.
func (p *page) table(x *manuscript.Table, depth int) {
	p.start("div", "class", "table")
	p.start("table", "id", p.anchor(x.Anchor))
	p.text("\n")
	if visible(x.Caption) {
		p.start("caption")
		p.inlines(x.Caption)
		p.line()
	}
	if len(x.Widths) > 1 {
		p.start("colgroup")
		for _, w := range x.Widths {
			style := ""
			if w > 0 && w < 1 {
				style = fmt.Sprintf("width:%d%%", int(w*100+0.5))
			}
			p.empty("col", "style", style)
		}
		p.line()
	}
	head := min(max(x.HeadRows, 0), len(x.Rows))
	if head == len(x.Rows) {
		head = 0 // a table of heads has none
	}
	p.rows("thead", "th", x.Rows[:head], depth)
	p.rows("tbody", "td", x.Rows[head:], depth)
	p.line()
	p.line()
}

// rows writes a group of rows. No cell reaches below its group.
func (p *page) rows(group, cell string, rows []manuscript.Row, depth int) {
	any := false
	for _, r := range rows {
		any = any || len(r.Cells) > 0
	}
	if !any {
		return
	}
	p.start(group)
	p.text("\n")
	for i, r := range rows {
		p.start("tr")
		for _, c := range r.Cells {
			scope := ""
			if cell == "th" {
				scope = "col"
			}
			class := map[manuscript.Align]string{manuscript.AlignCenter: "center", manuscript.AlignRight: "right",
				manuscript.AlignLeft: "left"}[c.Align]
			p.start(cell, "scope", scope, "class", class, "colspan", span(c.ColSpan, maxSpan), "rowspan", span(c.RowSpan, len(rows)-i))
			p.cell(c.Blocks, depth)
			p.end()
		}
		p.line()
	}
	p.line()
}

// span is a cell's span, "" for one that covers only itself.
func span(n, most int) string {
	if n = min(n, most); n > 1 {
		return strconv.Itoa(n)
	}
	return ""
}
