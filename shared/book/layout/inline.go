package layout

import (
	"fmt"
	"strings"
	"unicode"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// picture adds a picture that stands in a line, no higher than its letters. Higher ones are figures, which
// outOfLine has taken out before.
func (s *setter) picture(out *[]line.Piece, x manuscript.InlineImage) {
	if x.Image < 0 || x.Image >= len(s.book.Images) {
		return
	}
	w, h := s.inlineSize(x)
	if most := s.d.leading * 8 / 10; h > most {
		w, h = Unit(int64(w)*int64(most)/int64(h)), most
	}
	w, h = max(w, leastPicture), max(h, leastPicture)
	*out = append(*out, line.Piece{Width: w, Mark: s.mark(mark{image: x.Image + 1, height: h, alt: x.Alt})})
}

// leastPicture is the least width and height of a picture on a page: one of a single pixel is set as a dot that a
// printer can show.
const leastPicture Unit = 1000

// inlineSize is the size of a picture in a line, at spec.PixelsPerInch.
func (s *setter) inlineSize(x manuscript.InlineImage) (w, h Unit) {
	img := &s.book.Images[x.Image]
	size := func(px int) Unit { return Unit(min(int64(max(px, 1))*72_000/spec.PixelsPerInch, 2_000_000)) }
	return size(img.Width), size(img.Height)
}

// outOfLine finds the pictures of a paragraph that are too high or wide for a line; they are set below it.
func (s *setter) outOfLine(in []manuscript.Inline) (rest []manuscript.Inline, figures []*manuscript.Figure) {
	letters := strings.TrimSpace(manuscript.Plain(in)) != ""
	for i, x := range in {
		img, ok := x.(manuscript.InlineImage)
		if ok && img.Image >= 0 && img.Image < len(s.book.Images) {
			w, h := s.inlineSize(img)
			if !letters || h > s.d.leading*2 || w > s.d.measure/2 {
				if figures == nil {
					rest = append(rest, in[:i]...)
				}
				figures = append(figures, &manuscript.Figure{Image: img.Image, Alt: img.Alt})
				continue
			}
		}
		if figures != nil {
			rest = append(rest, x)
		}
	}
	if figures == nil {
		return in, nil
	}
	return rest, figures
}

// visual puts Hebrew, which is read from right to left, into the order it is drawn in. Words that follow each
// other are turned round together; other scripts of that kind have no glyphs in our faces.
func visual(s string) string {
	if !strings.ContainsFunc(s, hebrew) {
		return s
	}
	var out []rune
	in := []rune(s)
	for i := 0; i < len(in); {
		if !hebrew(in[i]) {
			out = append(out, in[i])
			i++
			continue
		}
		end := i + 1 // behind the last letter of the run
		for k := end; k < len(in) && (hebrew(in[k]) || in[k] == ' '); k++ {
			if hebrew(in[k]) {
				end = k + 1
			}
		}
		for k := end; k > i; {
			from := k - 1
			for from > i && unicode.Is(unicode.Mn, in[from]) { // points stay behind their letter
				from--
			}
			out = append(out, in[from:k]...)
			k = from
		}
		i = end
	}
	return string(out)
}

func hebrew(c rune) bool { return c >= 0x590 && c <= 0x5ff || c >= 0xfb1d && c <= 0xfb4f }

// unknown adds what a proof shows for a character that no face has: its number in a frame. A final keeps
// the glyph of nothing, which no print file takes.
func (s *setter) unknown(out *[]line.Piece, c rune, k styleKey) error {
	runs, err := s.digits(c, k)
	if err != nil || len(runs) == 0 {
		return err
	}
	*out = append(*out, line.Piece{Width: runs[0].Width + k.size*2/10, Mark: s.mark(mark{unknown: c, size: k.size})})
	return nil
}

func (s *setter) digits(c rune, k styleKey) ([]line.Run, error) {
	st, err := s.d.style(styleKey{size: k.size * 45 / 100, display: true})
	if err != nil {
		return nil, err
	}
	p := s.shaper.Paragraph([]line.Piece{{Text: fmt.Sprintf("%04X", c), Style: st}},
		line.Shape{Measure: func(int) Unit { return 20 * k.size }, Align: line.Left, NoHang: true})
	return p.Lines(p.Break(0)[0])[0].Runs, nil
}

// boxes draws what stands in the boxes of a line.
func (s *setter) boxes(sh *shown, l *line.Line) error {
	for _, b := range l.Boxes {
		m := s.marks[b.Mark-1]
		switch {
		case m.image > 0:
			sh.marks = append(sh.marks, page.Picture{Image: m.image - 1, X: b.X, Y: s.d.first - m.height, Width: b.Width, Height: m.height,
				Alt: m.alt})
		case m.unknown > 0:
			runs, err := s.digits(m.unknown, styleKey{size: m.size})
			if err != nil {
				return err
			}
			const thick = 300
			gap := m.size / 20
			x, w, h := b.X+gap, b.Width-2*gap, m.size*55/100
			y := s.d.first - h + m.size*10/100
			for _, r := range []page.Rule{
				{X: x, Y: y, Width: w, Height: thick}, {X: x, Y: y + h - thick, Width: w, Height: thick},
				{X: x, Y: y, Width: thick, Height: h}, {X: x + w - thick, Y: y, Width: thick, Height: h},
			} {
				sh.marks = append(sh.marks, r)
			}
			sh.runs = append(sh.runs, moved(runs, x+gap)...)
		}
	}
	return nil
}
