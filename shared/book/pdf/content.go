package pdf

import (
	"bytes"
	"fmt"

	"mappe/shared/book/layout/page"
)

// page writes page i and its content.
func (f *file) page(i int, tree ref, pages []ref) error {
	p := &f.book.Pages[i]
	b := f.book
	var c content
	c.f = f
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
		}
	}
	c.endText()
	body := f.reserve()
	f.stream(body, "", c.Bytes())
	f.begin(pages[i])
	w, h := left+int64(b.Width)+right, int64(b.Height)+2*int64(b.Bleed)
	f.out.printf("<</Type/Page/Parent %s/MediaBox[0 0 %s %s]/BleedBox[0 0 %s %s]/TrimBox[%s %s %s %s]", tree, number(w), number(h), number(w), number(h),
		number(left), number(int64(b.Bleed)), number(w-right), number(h-int64(b.Bleed)))
	f.out.printf("/Contents %s/Resources<</ProcSet[/PDF/Text/ImageB/ImageC]", body)
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
	if f.opt.Kind == Proof && len(p.Links) > 0 {
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
	f.out.printf("<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[%s %s %s %s]", number(x0), number(y0), number(x0+int64(l.Width)), number(y0+int64(l.Height)))
	if l.URI != "" {
		f.out.printf("/A<</S/URI/URI %s>>", text(l.URI))
	} else if l.Page >= 0 && l.Page < len(pages) {
		f.out.printf("/Dest[%s/XYZ null %s null]", pages[l.Page], number(f.y(l.AtY)))
	}
	f.out.printf(">>")
}

// content is the drawing of one page.
type content struct {
	bytes.Buffer
	f            *file
	left, height int64
	inText       bool
	font         int
	size         page.Unit
	gray         int
}

// begin opens a text object; font, size and grey are said again.
func (c *content) beginText() {
	if !c.inText {
		c.WriteString("BT\n")
		c.inText, c.font, c.size = true, -1, 0
	}
}

func (c *content) endText() {
	if c.inText {
		c.WriteString("ET\n")
		c.inText = false
	}
}

func (c *content) setGray(g uint8) {
	if c.gray != int(g)+1 {
		fmt.Fprintf(c, "%s g\n", number(int64(g)*1000/255))
		c.gray = int(g) + 1
	}
}

const hexDigits = "0123456789ABCDEF"

// glyphs shows a run. Widths in the font are 1/1000 em; what an advance differs from them is moved, and
// the moves are rounded so that they do not add up.
func (c *content) glyphs(g page.Glyphs) {
	if len(g.Glyphs) == 0 || g.Size <= 0 {
		return
	}
	u := c.f.fonts[g.Font]
	c.setGrayInText(g.Gray)
	if c.font != g.Font || c.size != g.Size {
		fmt.Fprintf(c, "/F%d %s Tf\n", g.Font, number(int64(g.Size)))
		c.font, c.size = g.Font, g.Size
	}
	fmt.Fprintf(c, "1 0 0 1 %s %s Tm\n[<", number(c.left+int64(g.X)), number(c.height-int64(g.Y)))
	// Positions in 1/1000000 em: where the glyph has to be, and where the viewer has come to.
	var want, at int64
	rise := page.Unit(0)
	size := int64(g.Size)
	for i := range g.Glyphs {
		gl := &g.Glyphs[i]
		if gl.DY != rise {
			fmt.Fprintf(c, ">] TJ %s Ts [<", number(-int64(gl.DY)))
			rise = gl.DY
		}
		target := (want + int64(gl.DX)) * 1_000_000 / size
		if d := at - target; d >= 500 || d <= -500 {
			move := (abs(d) + 500) / 1000
			if d < 0 {
				move = -move
			}
			fmt.Fprintf(c, "> %d <", move)
			at -= move * 1000
		}
		code := u.code[gl.ID]
		c.Write([]byte{hexDigits[code>>12], hexDigits[code>>8&15], hexDigits[code>>4&15], hexDigits[code&15]})
		at += u.width(gl.ID)
		want += int64(gl.Advance)
	}
	c.WriteString(">] TJ\n")
	if rise != 0 {
		c.WriteString("0 Ts\n")
	}
}

func abs(x int64) int64 { return max(x, -x) }

func (c *content) setGrayInText(g uint8) {
	c.beginText()
	c.setGray(g)
}

func (c *content) rule(r page.Rule) {
	c.endText()
	c.setGray(r.Gray)
	fmt.Fprintf(c, "%s %s %s %s re f\n", number(c.left+int64(r.X)), number(c.height-int64(r.Y)-int64(r.Height)), number(int64(r.Width)), number(int64(r.Height)))
}

func (c *content) picture(p page.Picture) {
	c.endText()
	fmt.Fprintf(c, "q %s 0 0 %s %s %s cm /I%d Do Q\n", number(int64(p.Width)), number(int64(p.Height)),
		number(c.left+int64(p.X)), number(c.height-int64(p.Y)-int64(p.Height)), p.Image)
}
