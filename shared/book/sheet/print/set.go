package print

import (
	"strings"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/sheet"
)

// set sets the sheet in a size of type; false where it is higher than the page.
func (p *printer) set(size page.Unit) bool {
	p.size, p.marks, p.links = size, nil, nil
	at := box{sheet.Units(sheet.MarginX), sheet.Units(sheet.MarginY), sheet.Units(sheet.TextWidth)}
	at.y += p.heading(at)
	at.y += p.figure(&p.sheet.Plan, at)
	for _, note := range p.sheet.Notes {
		at.y += p.text(note, p.soft(), at)
	}
	at.y += size / 2
	at.y += p.columns(at) + size/2
	at.y += p.section(&p.sheet.Foot, at)
	return at.y <= sheet.Units(sheet.Height-sheet.MarginY)
}

// heading sets the title, and what stands at the right of it.
func (p *printer) heading(at box) page.Unit {
	title := look{font: bold, size: 16_000}
	height := p.text(p.sheet.Title, title, box{at.x, at.y, at.width / 2})
	aside := p.plain()
	aside.size, aside.right = 9_500, true
	half := box{at.x + at.width/2, at.y + (title.size-aside.size)*86/100, at.width / 2}
	height = max(height, p.text(p.sheet.Aside, aside, half)+half.y-at.y)
	p.rule(at.below(height+1_000), 1_100, 0x20)
	return height + 6_000
}

// columns sets the sections in two columns, divided where the higher one is the lowest, and gives the height of that.
func (p *printer) columns(at box) page.Unit {
	left := box{at.x, at.y, sheet.Units(sheet.ColumnWidth)}
	right := box{at.x + at.width - left.width, at.y, left.width}
	heights := make([]page.Unit, len(p.sheet.Sections))
	total, marks, links := page.Unit(0), len(p.marks), len(p.links)
	for i := range heights {
		heights[i] = p.section(&p.sheet.Sections[i], left)
		total += heights[i]
	}
	p.marks, p.links = p.marks[:marks], p.links[:links] // they were set to be measured
	best, divided, sum := total, len(heights), page.Unit(0)
	for i, h := range heights {
		if sum += h; max(sum, total-sum) < best {
			best, divided = max(sum, total-sum), i+1
		}
	}
	for i := range heights {
		if i < divided {
			left = left.below(p.section(&p.sheet.Sections[i], left))
		} else {
			right = right.below(p.section(&p.sheet.Sections[i], right))
		}
	}
	return best
}

// section sets a section and gives its height with the room below it.
func (p *printer) section(s *sheet.Section, at box) page.Unit {
	top := at.y
	if s.Title != "" {
		at.y += p.text(s.Title, p.head(), at) + p.size/10
	}
	if s.Head != nil && len(s.Rows) > 0 {
		at.y += p.row(s, s.Head, p.name(), at)
	}
	for _, row := range s.Rows {
		at.y += p.row(s, row, p.plain(), at)
	}
	for _, text := range s.Lines {
		at.y += p.text(text, p.plain(), at)
	}
	if s.Figure != nil {
		at.y += p.figure(s.Figure, at)
	}
	for _, text := range s.Soft {
		at.y += p.text(text, p.soft(), at.below(p.size/6)) + p.size/6
	}
	return at.y - top + p.size*55/100
}

// row sets a row of a table with a rule below it and gives its height.
func (p *printer) row(s *sheet.Section, row []string, l look, at box) page.Unit {
	height, from := page.Unit(0), page.Unit(0)
	for i, cell := range row {
		width := at.width * page.Unit(s.Shares[i]) / 100
		of := l
		switch {
		case i == 0 && s.Head == nil:
			of = p.name()
		case i >= 2: // figures
			of.right = true
		}
		in := box{at.x + from, at.y, width}
		if !of.right {
			in.width -= sheet.Units(1.5)
		}
		h := p.text(cell, of, in)
		if strings.HasPrefix(cell, "http://") || strings.HasPrefix(cell, "https://") {
			p.links = append(p.links, page.Link{X: in.x, Y: in.y, Width: in.width, Height: h, URI: cell})
		}
		height, from = max(height, h), from+width
	}
	height += p.size * 14 / 100
	p.rule(at.below(height), 300, 0xd6)
	return height + p.size*8/100
}

// figure draws a drawing with its caption and gives their height.
func (p *printer) figure(f *sheet.Figure, at box) page.Unit {
	p.drawing(&f.Drawing, at)
	height := sheet.Units(f.Drawing.Height) + p.size/6
	return height + p.text(f.Caption, p.soft(), at.below(height)) + p.size/4
}
