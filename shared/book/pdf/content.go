package pdf

import (
	"strconv"

	"mappe/shared/book/layout/page"
)

// page writes page i and its content.
func (f *file) page(i int, tree ref, pages []ref) error {
	p := &f.book.Pages[i]
	b := f.book
	c := content{b: f.content[:0], f: f}
	c.height = int64(b.Height) + int64(b.Bleed)
	left, right := f.bleeds(i)
	c.left = left
	used := map[int]bool{}
	pics := map[int]bool{}
	for _, m := range p.Marks {
		switch m := m.(type) {
		case page.Glyphs:
			used[m.Font] = used[m.Font] || len(m.Glyphs) > 0 && m.Size > 0
			c.glyphs(m)
		case page.Rule:
			c.rule(m)
		case page.Picture:
			pics[m.Image] = true
			c.picture(m)
		case page.Drawing:
			c.drawing(m)
		}
	}
	c.endText()
	body := f.reserve()
	f.stream(body, "", c.b)
	f.content = c.b
	f.begin(pages[i])
	w, h := left+int64(b.Width)+right, int64(b.Height)+2*int64(b.Bleed)
	f.out.printf("<</Type/Page/Parent %s/MediaBox[0 0 %s %s]/BleedBox[0 0 %[2]s %[3]s]/TrimBox[%[4]s %[5]s %[6]s %[7]s]", tree,
		number(w), number(h), number(left), number(int64(b.Bleed)), number(w-right), number(h-int64(b.Bleed)))
	f.out.printf("/Contents %s", body)
	f.resources(used, pics)
	if !f.printer() && len(p.Links) > 0 {
		f.out.printf("/Annots[")
		for _, l := range p.Links {
			f.link(l, pages, left)
		}
		f.out.printf("]")
	}
	f.out.printf(">>")
	f.end()
	return f.out.err
}

// resources writes the fonts and the pictures that a page uses.
func (f *file) resources(used, pics map[int]bool) {
	f.out.printf("/Resources<</ProcSet[/PDF/Text/ImageB/ImageC]")
	if len(used) > 0 {
		f.out.printf("/Font<<")
		for n, u := range f.fonts {
			if used[n] {
				f.out.printf("/F%d %s", n, u.obj)
			}
		}
		f.out.printf(">>")
	}
	if len(pics) > 0 {
		f.out.printf("/XObject<<")
		for n, r := range f.images {
			if pics[n] {
				f.out.printf("/I%d %s", n, r)
			}
		}
		f.out.printf(">>")
	}
	f.out.printf(">>")
}

// bleeds gives the bleed of page i at the left and the right: printers want none at the spine, which is at the
// left of a recto.
func (f *file) bleeds(i int) (left, right int64) {
	if i%2 == 0 {
		return 0, int64(f.book.Bleed)
	}
	return int64(f.book.Bleed), 0
}

// y turns a height from the page's top into PDF's from the bottom of the medium, in 1/1000 point.
func (f *file) y(v page.Unit) int64 {
	return int64(f.book.Height) + int64(f.book.Bleed) - int64(v)
}

func (f *file) link(l page.Link, pages []ref, left int64) {
	x0, y0 := int64(l.X)+left, f.y(l.Y+l.Height)
	f.out.printf("<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[%s %s %s %s]", number(x0), number(y0), number(x0+int64(l.Width)),
		number(y0+int64(l.Height)))
	if l.URI != "" {
		f.out.printf("/A<</S/URI/URI %s>>", text(l.URI))
	} else if l.Page >= 0 && l.Page < len(pages) {
		f.out.printf("/Dest[%s/XYZ null %s null]", pages[l.Page], number(f.y(l.AtY)))
	}
	f.out.printf(">>")
}

// content is the drawing of one page.
type content struct {
	b            []byte
	f            *file
	left, height int64
	inText       bool
	font         int
	size         page.Unit
	gray         int

	shows    bool  // a run is open
	open     bool  // a string of it is
	runX     int64 // where it began
	runY     page.Unit
	rise     page.Unit
	want, at int64 // where the next glyph has to be, in 1/1000 point from runX, and where the viewer has come to, in 1/1000000 em
}

// op writes an operator behind lengths in 1/1000.
func (c *content) op(name string, args ...int64) {
	for _, n := range args {
		c.b = append(appendNumber(c.b, n), ' ')
	}
	c.b = append(append(c.b, name...), '\n')
}

// beginText opens a text object; font and size are said again.
func (c *content) beginText() {
	if !c.inText {
		c.op("BT")
		c.inText, c.font, c.size = true, -1, 0
	}
}

func (c *content) endText() {
	c.endRun()
	if c.inText {
		c.op("ET")
		c.inText = false
	}
}

func (c *content) setGray(g uint8) {
	if c.gray != int(g)+1 {
		c.op("g", int64(g)*1000/255)
		c.gray = int(g) + 1
	}
}

// glyphs shows a run. Widths in the font are 1/1000 em; what an advance differs from them is moved, and
// the moves are rounded so that they do not add up. A run that goes on where the one before has ended, as the
// next word of a line does, is shown with it, behind a space that is there to be copied.
func (c *content) glyphs(g page.Glyphs) {
	if len(g.Glyphs) == 0 || g.Size <= 0 {
		return
	}
	u := c.f.fonts[g.Font]
	size := int64(g.Size)
	gap := c.left + int64(g.X) - c.runX - c.want
	if c.shows && c.font == g.Font && c.size == g.Size && c.runY == g.Y && c.gray == int(g.Gray)+1 && c.rise == 0 && gap > -size &&
		gap < 2*size {
		if u.space != 0 && gap > size/8 {
			c.show(u, u.space)
		}
		c.want += gap
	} else {
		c.endRun()
		c.beginText()
		c.setGray(g.Gray)
		if c.font != g.Font || c.size != g.Size {
			c.b = append(strconv.AppendInt(append(c.b, "/F"...), int64(g.Font), 10), ' ')
			c.op("Tf", size)
			c.font, c.size = g.Font, g.Size
		}
		c.runX, c.runY = c.left+int64(g.X), g.Y
		c.op("Tm", 1000, 0, 0, 1000, c.runX, c.height-int64(g.Y))
		c.b = append(c.b, '[')
		c.shows, c.want, c.at = true, 0, 0
	}
	for i := range g.Glyphs {
		gl := &g.Glyphs[i]
		if gl.DY != c.rise {
			c.closeString()
			c.op("] TJ")
			c.op("Ts", -int64(gl.DY))
			c.b = append(c.b, '[')
			c.rise = gl.DY
		}
		target := (c.want + int64(gl.DX)) * 1_000_000 / size
		if d := c.at - target; d >= 500 || d <= -500 {
			move := (abs(d) + 500) / 1000
			if d < 0 {
				move = -move
			}
			c.closeString()
			c.b = strconv.AppendInt(c.b, move, 10)
			c.at -= move * 1000
		}
		c.show(u, gl.ID)
		c.want += int64(gl.Advance)
	}
}

// show adds a glyph to the string.
func (c *content) show(u *usedFont, glyph uint16) {
	if !c.open {
		c.b, c.open = append(c.b, '('), true
	}
	s := u.shown[glyph]
	c.byte(byte(s.code >> 8))
	c.byte(byte(s.code))
	c.at += s.width
}

// byte adds one to the open string: as it is, which is packed in half the time that digits are, but for those
// that mean something in a string. A return that stands there as it is would be read as a line feed.
func (c *content) byte(b byte) {
	switch b {
	case '(', ')', '\\':
		c.b = append(c.b, '\\', b)
	case '\r':
		c.b = append(c.b, '\\', 'r')
	default:
		c.b = append(c.b, b)
	}
}

// endRun ends what is being shown.
func (c *content) endRun() {
	if !c.shows {
		return
	}
	c.closeString()
	c.op("] TJ")
	if c.rise != 0 {
		c.op("Ts", 0)
	}
	c.shows, c.rise = false, 0
}

func (c *content) closeString() {
	if c.open {
		c.b, c.open = append(c.b, ')'), false
	}
}

func abs(x int64) int64 { return max(x, -x) }

func (c *content) rule(r page.Rule) {
	if r.Width <= 0 || r.Height <= 0 {
		return
	}
	c.endText()
	c.setGray(r.Gray)
	c.op("re f", c.left+int64(r.X), c.height-int64(r.Y)-int64(r.Height), int64(r.Width), int64(r.Height))
}

func (c *content) picture(p page.Picture) {
	c.endText()
	c.b = append(c.b, "q "...)
	c.op("cm", int64(p.Width), 0, 0, int64(p.Height), c.left+int64(p.X), c.height-int64(p.Y)-int64(p.Height))
	c.b = strconv.AppendInt(append(c.b, "/I"...), int64(p.Image), 10)
	c.op(" Do Q")
}
