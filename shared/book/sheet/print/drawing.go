package print

import (
	"mappe/shared/book/font"
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

// label sets a text of a drawing. Text has the grey of its colour.
func (p *printer) label(s *sheet.Shape, at page.Point) {
	f := regular
	if s.Ink.Bold {
		f = bold
	}
	size := sheet.Units(s.Ink.Size)
	g := page.Glyphs{Font: f, Size: size, X: at.X, Y: at.Y, Gray: s.Ink.Fill.Gray(), Text: s.Text}
	em, width := int64(p.fonts[f].UnitsPerEm()), page.Unit(0)
	shaped := p.fonts[f].Shape(nil, s.Text, font.Features{Language: p.sheet.Info.Language})
	units := func(v int32) page.Unit { return page.Unit(int64(v) * int64(size) / em) }
	for i, one := range shaped {
		end := len(s.Text)
		if i+1 < len(shaped) {
			end = max(one.Cluster, shaped[i+1].Cluster)
		}
		g.Glyphs = append(g.Glyphs, page.Glyph{ID: one.ID, Advance: units(one.Advance), DX: units(one.DX), DY: -units(one.DY),
			Text: s.Text[one.Cluster:end]})
		width += units(one.Advance)
	}
	g.X -= width
	if s.Ink.Align == sheet.Middle {
		g.X += width / 2
	}
	p.marks = append(p.marks, g)
}
