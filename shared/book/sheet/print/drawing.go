package print

import (
	"mappe/shared/book/layout/page"
	"mappe/shared/book/sheet"
)

// drawing draws the shapes of a drawing, whose upper left corner is that of the box, in their order.
func (p *printer) drawing(d *sheet.Drawing, at box) {
	place := func(c sheet.XY) page.Point {
		return page.Point{X: at.x + sheet.Units(c.X), Y: at.y + sheet.Units(c.Y)}
	}
	part := page.Drawing{X: at.x, Y: at.y, Width: sheet.Units(d.Width), Height: sheet.Units(d.Height)}
	ship := func() {
		if len(part.Paths) > 0 {
			p.marks = append(p.marks, part)
			part.Paths = nil
		}
	}
	for i := range d.Shapes {
		s := &d.Shapes[i]
		if s.Text != "" {
			ship()
			p.label(s, place(s.At))
			continue
		}
		path := page.Path{Closed: s.Closed, Fill: s.Ink.Fill, Stroke: s.Ink.Stroke, Thick: sheet.Units(s.Ink.Width)}
		for _, v := range s.Ink.Dash {
			path.Dash = append(path.Dash, sheet.Units(v))
		}
		for _, line := range s.Lines {
			points := make([]page.Point, len(line))
			for k, c := range line {
				points[k] = place(c)
			}
			path.Lines = append(path.Lines, points)
		}
		part.Paths = append(part.Paths, path)
	}
	if d.Framed {
		w, h := d.Width, d.Height
		frame := []page.Point{place(sheet.XY{}), place(sheet.XY{X: w}), place(sheet.XY{X: w, Y: h}), place(sheet.XY{Y: h})}
		part.Paths = append(part.Paths, page.Path{Lines: [][]page.Point{frame}, Closed: true, Stroke: page.RGB(0x56635f),
			Thick: sheet.Units(0.4)}) // half of it is cut off
	}
	ship()
}

// label sets a text of a drawing in one line. Text has the grey of its colour.
func (p *printer) label(s *sheet.Shape, at page.Point) {
	l := look{size: sheet.Units(s.Ink.Size), gray: s.Ink.Fill.Gray()}
	if s.Ink.Bold {
		l.font = bold
	}
	for _, one := range p.lines(s.Text, l, sheet.Units(sheet.Width)) {
		x := at.X - one.Left - one.Width
		if s.Ink.Align == sheet.Middle {
			x += one.Width / 2
		}
		for _, r := range one.Runs {
			p.marks = append(p.marks, page.Glyphs{Font: l.font, Size: l.size, X: x + r.X, Y: at.Y, Gray: l.gray, Glyphs: r.Glyphs,
				Text: r.Text})
		}
	}
}
