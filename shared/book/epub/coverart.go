package epub

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"strings"

	"mappe/shared/book/font"
)

// The cover's measures in pixels. Shops ask for 1600 by 2560 (1 : 1.6).
const (
	coverWidth, coverHeight = 1600, 2560
	coverMargin             = 170
	frameInset, frameWidth  = 70, 6
	mostTitleSize           = 230
	leastTitleSize          = 72
)

// grounds are the colours of covers; a book's title chooses one.
var grounds = []color.RGBA{{0x1f, 0x3a, 0x4d, 255}, {0x5a, 0x1f, 0x2b, 255}, {0x24, 0x45, 0x36, 255}, {0x3b, 0x2f, 0x52, 255},
	{0x6b, 0x43, 0x20, 255}, {0x2b, 0x2b, 0x2e, 255}}

var ink = color.RGBA{0xf6, 0xee, 0xdd, 255}

// drawCover gives a PNG of title, subtitle and author in the default face.
func drawCover(title, subtitle, author string) ([]byte, error) {
	r := newRaster(coverWidth, coverHeight)
	for _, f := range [][4]int{
		{frameInset, frameInset, coverWidth - 2*frameInset, frameWidth},
		{frameInset, coverHeight - frameInset - frameWidth, coverWidth - 2*frameInset, frameWidth},
		{frameInset, frameInset + frameWidth, frameWidth, coverHeight - 2*frameInset - 2*frameWidth},
		{coverWidth - frameInset - frameWidth, frameInset + frameWidth, frameWidth, coverHeight - 2*frameInset - 2*frameWidth},
	} {
		r.rectangle(f[0], f[1], f[2], f[3])
	}
	y, err := r.textBlock(title, 560, coverStyle{most: mostTitleSize, least: leastTitleSize, lines: 6, style: font.Regular})
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(title) != "" {
		r.rectangle(coverWidth/2-130, y+110, 260, frameWidth)
	}
	if _, err := r.textBlock(subtitle, y+190, coverStyle{most: 84, least: 48, lines: 4, style: font.Italic}); err != nil {
		return nil, err
	}
	if _, err := r.textBlock(author, 2180, coverStyle{most: 100, least: 56, lines: 2, style: font.Regular,
		features: font.Features{SmallCaps: true}}); err != nil {
		return nil, err
	}

	h := fnv.New32a()
	h.Write([]byte(title))
	ground := grounds[h.Sum32()%uint32(len(grounds))]
	const most = 15 // sixteen shades: four bits a pixel
	palette := make(color.Palette, most+1)
	for i := range palette {
		mix := func(a, b uint8) uint8 { return uint8((int(a)*(most-i) + int(b)*i) / most) }
		palette[i] = color.RGBA{mix(ground.R, ink.R), mix(ground.G, ink.G), mix(ground.B, ink.B), 255}
	}
	m := image.NewPaletted(image.Rect(0, 0, coverWidth, coverHeight), palette)
	r.shades(most, func(y int, shades []uint8) { copy(m.Pix[y*m.Stride:], shades) })
	var out bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&out, m); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// coverStyle is how a text of the cover is set: sizes in pixels, and no more than so many lines.
type coverStyle struct {
	most, least int
	lines       int
	style       font.Style
	features    font.Features
}

// textBlock sets a text centred below y, in the largest size in which it takes no more lines than it may, and
// gives where it ends. What does not fit in the smallest is cut.
func (r *raster) textBlock(text string, y int, as coverStyle) (int, error) {
	words := strings.Fields(text)
	if len(words) > 60 {
		words = append(words[:60:60], "…")
	}
	if len(words) == 0 {
		return y, nil
	}
	f, err := font.Open(font.Libertine, as.style)
	if err != nil {
		return 0, err
	}
	other, err := font.Open(font.STIXTwo, as.style)
	if err != nil {
		return 0, err
	}
	t := coverText{f, other, as.features}
	size := as.most
	var set []string
	for {
		var fits bool
		if set, fits = t.wrap(words, int64(coverWidth-2*coverMargin), int64(size)); fits && len(set) <= as.lines || size <= as.least {
			break
		}
		size = max(size*9/10, as.least)
	}
	for _, l := range set[:min(len(set), as.lines)] {
		y += size * 12 / 10
		r.textLine(t, l, y, int64(size))
	}
	return y, nil
}

// coverText shapes text in one font, and in another what the first does not have.
type coverText struct {
	font, other *font.Font
	features    font.Features
}

type coverGlyph struct {
	font    *font.Font
	glyph   font.Glyph
	advance int64 // 1/64 pixel
}

func (t coverText) shape(s string, size int64) (out []coverGlyph, width int64) {
	f := t.font
	if len(f.Missing(s)) > 0 && len(t.other.Missing(s)) < len(f.Missing(s)) {
		f = t.other
	}
	for _, g := range f.Shape(nil, s, t.features) {
		if g.ID == 0 { // a box is worse than nothing
			continue
		}
		a := int64(g.Advance) * size * sub / int64(f.UnitsPerEm())
		out, width = append(out, coverGlyph{f, g, a}), width+a
	}
	return out, width
}

// wrap puts words on lines; false where a word is wider than the line.
func (t coverText) wrap(words []string, width, size int64) (lines []string, fits bool) {
	fits = true
	at := ""
	for _, w := range words {
		next := strings.TrimPrefix(at+" "+w, " ")
		if _, n := t.shape(next, size); n <= width*sub {
			at = next
			continue
		}
		if at != "" {
			lines = append(lines, at)
		}
		at = w
		_, n := t.shape(w, size)
		fits = fits && n <= width*sub
	}
	return append(lines, at), fits
}

func (r *raster) textLine(t coverText, s string, y int, size int64) {
	glyphs, width := t.shape(s, size)
	x := (coverWidth*sub - width) / 2
	for _, g := range glyphs {
		em := int64(g.font.UnitsPerEm())
		r.x, r.y = x+int64(g.glyph.DX)*size*sub/em, int64(y)*sub+int64(g.glyph.DY)*size*sub/em
		r.size, r.em = size, em
		g.font.Outline(g.glyph.ID, r)
		r.closed()
		x += g.advance
	}
}
