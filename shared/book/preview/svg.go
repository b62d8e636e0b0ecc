package preview

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"mappe/shared/book/font"
	"mappe/shared/book/layout/page"
)

// Drawer draws pages of one book. It keeps the outlines it has drawn; one goroutine uses it at a time.
type Drawer struct {
	book    *page.Book
	faces   []face
	images  []string // data: addresses by image; "" not yet made
	decoded int      // pixels of the pictures made smaller
	sheet   sheet    // its buffers serve page after page
}

// face is a font of the book with the outlines asked for so far.
type face struct {
	font  *font.Font
	paths map[uint16]string // "" where a glyph has no outline
}

// NewDrawer opens the fonts of a book.
func NewDrawer(b *page.Book) (*Drawer, error) {
	d := &Drawer{book: b, faces: make([]face, len(b.Fonts)), images: make([]string, len(b.Images))}
	for i, f := range b.Fonts {
		style, ok := styleOf(f.Style)
		if !ok {
			return nil, fmt.Errorf("preview: font %d has the style %q", i, f.Style)
		}
		opened, err := font.Open(f.Face, style)
		if err != nil {
			return nil, fmt.Errorf("preview: font %d: %w", i, err)
		}
		d.faces[i] = face{opened, map[uint16]string{}}
	}
	return d, nil
}

func styleOf(name string) (font.Style, bool) {
	for s := font.Regular; s <= font.BoldItalic; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Draw appends page i (from 0) as an SVG document. Lengths are points, glyph outlines their font's units.
func (d *Drawer) Draw(dst []byte, i int) ([]byte, error) {
	if i < 0 || i >= len(d.book.Pages) {
		return dst, fmt.Errorf("preview: page %d of %d", i, len(d.book.Pages))
	}
	s := &d.sheet
	s.d, s.body, s.defs, s.count = d, s.body[:0], s.defs[:0], 0
	if s.names == nil {
		s.names = map[glyph]int{}
	}
	clear(s.names)
	p := &d.book.Pages[i]
	for _, m := range p.Marks {
		var err error
		switch m := m.(type) {
		case page.Glyphs:
			err = s.glyphs(m)
		case page.Rule:
			s.rule(m)
		case page.Picture:
			err = s.picture(m)
		}
		if err != nil {
			return dst, fmt.Errorf("preview: page %d: %w", i+1, err)
		}
	}
	return s.wrap(dst, i), nil
}

// glyph is an outline on a page.
type glyph struct {
	font int
	id   uint16
}

// sheet is a page being drawn.
type sheet struct {
	d     *Drawer
	body  []byte
	defs  []byte
	names map[glyph]int // number of the symbol; -1 where there is nothing to draw
	count int           // of symbols
}

func (s *sheet) wrap(dst []byte, i int) []byte {
	b, p := s.d.book, &s.d.book.Pages[i]
	dst = append(dst, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `...)
	dst = append(points(dst, int64(b.Width)), ' ')
	dst = append(points(dst, int64(b.Height)), `" role="img"><title>`...)
	dst = escape(dst, p.Folio)
	dst = append(dst, `</title><desc>`...)
	dst = spoken(dst, p)
	dst = append(dst, `</desc><defs>`...)
	dst = append(dst, s.defs...)
	dst = append(dst, `</defs><path fill="#fff" d="M0 0H`...)
	dst = append(points(dst, int64(b.Width)), 'V')
	dst = append(points(dst, int64(b.Height)), `H0z"/>`...)
	dst = append(dst, s.body...)
	return append(dst, `</svg>`...)
}

// glyphs draws a run: a group in font units whose origin is the run's, y upwards, with the outlines by
// their distance from it. Distances are rounded to whole units, at most 1/1000 em; errors do not add up.
func (s *sheet) glyphs(m page.Glyphs) error {
	if m.Font < 0 || m.Font >= len(s.d.faces) {
		return fmt.Errorf("a run in font %d of %d", m.Font, len(s.d.faces))
	}
	if m.Size <= 0 {
		return fmt.Errorf("a run of size %d", m.Size)
	}
	em, size := int64(s.d.faces[m.Font].font.UnitsPerEm()), int64(m.Size)
	begun := false
	var x int64
	for _, g := range m.Glyphs {
		if n := s.name(glyph{m.Font, g.ID}); n >= 0 {
			if !begun {
				s.begin(m, size, em)
				begun = true
			}
			s.body = strconv.AppendInt(append(s.body, `<use href="#g`...), int64(n), 36)
			if u := rounded((x+int64(g.DX))*em, size); u != 0 {
				s.body = strconv.AppendInt(append(s.body, `" x="`...), u, 10)
			}
			if v := rounded(-int64(g.DY)*em, size); v != 0 {
				s.body = strconv.AppendInt(append(s.body, `" y="`...), v, 10)
			}
			s.body = append(s.body, `"/>`...)
		}
		x += int64(g.Advance)
	}
	if begun {
		s.body = append(s.body, `</g>`...)
	}
	return nil
}

func (s *sheet) begin(m page.Glyphs, size, em int64) {
	s.body = append(s.body, `<g transform="translate(`...)
	s.body = append(points(s.body, int64(m.X)), ' ')
	s.body = append(points(s.body, int64(m.Y)), `)scale(`...)
	scale := strconv.AppendFloat(nil, float64(size)/1000/float64(em), 'g', 6, 64)
	s.body = append(append(s.body, scale...), " -"...)
	s.body = append(append(s.body, scale...), ')')
	s.body = append(grey(append(s.body, '"'), m.Gray), '>')
}

// name gives the number of a glyph's symbol on this page, and defines it where it is the first.
func (s *sheet) name(g glyph) int {
	if n, ok := s.names[g]; ok {
		return n
	}
	f := &s.d.faces[g.font]
	path, ok := f.paths[g.id]
	if !ok {
		var o outline
		f.font.Outline(g.id, &o)
		path = o.close()
		f.paths[g.id] = path
	}
	n := -1
	if path != "" {
		n = s.count
		s.count++
		s.defs = strconv.AppendInt(append(s.defs, `<path id="g`...), int64(n), 36)
		s.defs = append(append(append(s.defs, `" d="`...), path...), `"/>`...)
	}
	s.names[g] = n
	return n
}

func (s *sheet) rule(m page.Rule) {
	s.body = append(s.body, `<path`...)
	s.body = append(grey(s.body, m.Gray), ` d="M`...)
	s.body = append(points(s.body, int64(m.X)), ' ')
	s.body = append(points(s.body, int64(m.Y)), 'h')
	s.body = append(points(s.body, int64(m.Width)), 'v')
	s.body = append(points(s.body, int64(m.Height)), 'h')
	s.body = append(points(s.body, -int64(m.Width)), `z"/>`...)
}

// grey appends a fill; black is the default.
func grey(dst []byte, g uint8) []byte {
	if g == 0 {
		return dst
	}
	return fmt.Appendf(dst, ` fill="#%02x%02x%02x"`, g, g, g)
}

// points appends a length of 1/1000 point in points.
func points(dst []byte, v int64) []byte {
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	dst = strconv.AppendInt(dst, v/1000, 10)
	if v %= 1000; v != 0 {
		dst = append(dst, '.')
		for scale := int64(100); v != 0; scale /= 10 {
			dst = append(dst, byte('0'+v/scale))
			v %= scale
		}
	}
	return dst
}

// rounded is a/b to the nearest whole number, halves away from zero; b is positive.
func rounded(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// spoken is the text of a page, a run a line.
func spoken(dst []byte, p *page.Page) []byte {
	y := page.Unit(-1)
	for _, m := range p.Marks {
		switch m := m.(type) {
		case page.Glyphs:
			if y >= 0 && m.Y != y {
				dst = append(dst, '\n')
			}
			y = m.Y
			dst = escape(dst, m.Text)
		case page.Picture:
			dst = append(escape(append(dst, '['), m.Alt), ']')
		}
	}
	return dst
}

// escape appends text for an XML document: markup escaped, characters that XML has not left out.
func escape(dst []byte, s string) []byte {
	for _, c := range s {
		switch {
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '<':
			dst = append(dst, "&lt;"...)
		case c == '>':
			dst = append(dst, "&gt;"...)
		case c == '"':
			dst = append(dst, "&quot;"...)
		case c < 0x20 && c != '\t' && c != '\n' || c == 0xfffe || c == 0xffff:
		default:
			dst = utf8.AppendRune(dst, c)
		}
	}
	return dst
}
