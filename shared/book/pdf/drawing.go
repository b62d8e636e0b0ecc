package pdf

import "mappe/shared/book/layout/page"

// drawing draws lines and areas within their rectangle.
func (c *content) drawing(d page.Drawing) {
	c.endText()
	c.op("q")
	c.op("re W n", c.left+int64(d.X), c.height-int64(d.Y)-int64(d.Height), int64(d.Width), int64(d.Height))
	c.op("j", 1000) // round corners
	for i := range d.Paths {
		c.path(&d.Paths[i])
	}
	c.op("Q")
}

// path draws a path. Each says its colours, its width and its dashes.
func (c *content) path(p *page.Path) {
	if len(p.Lines) == 0 {
		return
	}
	paint := "n"
	switch {
	case p.Fill.Set && p.Stroke.Set:
		paint = "B*"
	case p.Fill.Set:
		paint = "f*"
	case p.Stroke.Set:
		paint = "S"
	}
	if p.Fill.Set {
		c.colour(p.Fill, "rg", "g")
	}
	if p.Stroke.Set {
		c.colour(p.Stroke, "RG", "G")
		c.op("w", int64(p.Thick))
		c.b = append(c.b, '[')
		for _, n := range p.Dash {
			c.b = append(appendNumber(c.b, int64(n)), ' ')
		}
		c.b = append(c.b, "] 0 d\n"...)
	}
	for _, line := range p.Lines {
		for i, at := range line {
			name := "l"
			if i == 0 {
				name = "m"
			}
			c.op(name, c.left+int64(at.X), c.height-int64(at.Y))
		}
		if p.Closed {
			c.op("h")
		}
	}
	c.op(paint)
}

// colour sets a colour by the operators of colours and of greys: files for printers hold black alone.
func (c *content) colour(v page.Colour, rgb, gray string) {
	if c.f.printer() {
		c.op(gray, int64(v.Gray())*1000/255)
		return
	}
	c.op(rgb, int64(v.R)*1000/255, int64(v.G)*1000/255, int64(v.B)*1000/255)
}
