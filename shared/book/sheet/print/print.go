// Package print sets a sheet as a PDF with the fonts and the line breaking of the press: one page, text as text, drawings as paths at
// their own scale. Type is as large as the page allows. The same sheet gives the same bytes. It links the fonts of books; functions that
// serve sheets get it from their programs.
package print

import (
	"bytes"
	"fmt"

	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/pdf"
	"mappe/shared/book/sheet"
)

// sizes of type that are tried, the largest first.
var sizes = []page.Unit{9_200, 8_800, 8_400, 8_000, 7_600, 7_200, 6_800, 6_400, 6_000, 5_600}

// gray is how bright names and remarks are.
const gray = 0x58

// PDF is the sheet as a file. A sheet that does not fit on a page in the smallest type is an error.
func PDF(s *sheet.Sheet) ([]byte, error) {
	p, err := newPrinter(s)
	if err != nil {
		return nil, err
	}
	for _, size := range sizes {
		if !p.set(size) {
			continue
		}
		b := &page.Book{Width: sheet.Units(sheet.Width), Height: sheet.Units(sheet.Height), Info: s.Info,
			Fonts: []page.Font{{Face: font.Libertine, Style: font.Regular.String()}, {Face: font.Libertine, Style: font.Bold.String()}},
			Pages: []page.Page{{Folio: "1", Marks: p.marks, Links: p.links}}}
		var out bytes.Buffer
		if err := pdf.Write(&out, b, pdf.Options{Preset: pdf.Sheet, Created: s.Created, Producer: "Mappe"}); err != nil {
			return nil, err
		}
		return out.Bytes(), nil
	}
	return nil, fmt.Errorf("sheet %q does not fit on a page", s.Title)
}

// The numbers of the fonts.
const (
	regular = iota
	bold
)

// printer sets a sheet, again and again until it fits.
type printer struct {
	sheet   *sheet.Sheet
	fonts   [2]*font.Font
	hyphens *hyphen.Language
	shaper  *line.Shaper
	marks   []page.Mark
	links   []page.Link

	size page.Unit // of the type
}

func newPrinter(s *sheet.Sheet) (*printer, error) {
	p := &printer{sheet: s, shaper: line.NewShaper()}
	for i, style := range []font.Style{regular: font.Regular, bold: font.Bold} {
		f, err := font.Open(font.Libertine, style)
		if err != nil {
			return nil, err
		}
		p.fonts[i] = f
	}
	p.hyphens, _ = hyphen.For(s.Info.Language) // a language without patterns is not divided
	return p, nil
}

// look is how a text is set.
type look struct {
	font  int
	size  page.Unit
	gray  uint8
	right bool // against the right edge
}

// box is where something is set: its upper left corner and its width.
type box struct{ x, y, width page.Unit }

// below is the box that begins a height further down.
func (b box) below(height page.Unit) box { b.y += height; return b }

// Looks by the size of the type.
func (p *printer) plain() look { return look{size: p.size} }
func (p *printer) name() look  { return look{size: p.size, gray: gray} }
func (p *printer) soft() look  { return look{size: p.size * 86 / 100, gray: gray} }
func (p *printer) head() look  { return look{font: bold, size: p.size * 112 / 100} }

// leading is the height of a line.
func (l look) leading() page.Unit { return l.size * 118 / 100 }

// lines breaks a text into lines of at most a width.
func (p *printer) lines(text string, l look, width page.Unit) []line.Line {
	style := &line.Style{Font: p.fonts[l.font], Ref: l.font, Size: l.size, Gray: l.gray, Hyphens: p.hyphens,
		Features: font.Features{Language: p.sheet.Info.Language}}
	para := p.shaper.Paragraph([]line.Piece{{Text: text, Style: style}},
		line.Shape{Measure: func(int) line.Unit { return width }, Align: line.Left, NoHang: true})
	ways := para.Break(0)
	if len(ways) == 0 {
		return nil
	}
	return para.Lines(ways[0])
}

// text sets a text in lines and gives their height.
func (p *printer) text(text string, l look, at box) page.Unit {
	if text == "" {
		return 0
	}
	lines := p.lines(text, l, at.width)
	for i, one := range lines {
		shift := page.Unit(0)
		if l.right {
			shift = at.width - one.Left - one.Width
		}
		for _, r := range one.Runs {
			p.marks = append(p.marks, page.Glyphs{Font: l.font, Size: l.size, X: at.x + shift + r.X,
				Y: at.y + l.size*86/100 + page.Unit(i)*l.leading(), Gray: l.gray, Glyphs: r.Glyphs, Text: r.Text})
		}
	}
	return page.Unit(len(lines)) * l.leading()
}

// rule draws a line below something.
func (p *printer) rule(at box, thick page.Unit, g uint8) {
	p.marks = append(p.marks, page.Rule{X: at.x, Y: at.y, Width: at.width, Height: thick, Gray: g})
}
