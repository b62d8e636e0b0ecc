// Package font is the faces a book can be set in: Linux Libertine (embedded here, SIL Open Font License)
// and STIX Two Text (from its Go module, the same licence). It turns text into glyphs, says how wide and
// high they are, gives their outlines and cuts a font down to the glyphs a book uses. It is the one
// address of the shaping library. It knows nothing of lines, pages or files of books.
//
// Widths are in units of the font's em (Font.UnitsPerEm of them make one em).
package font

import (
	"embed"
	"fmt"
	"sync"

	"github.com/boxesandglue/textshape/ot"
	"github.com/go-fonts/stix/stix2textbold"
	"github.com/go-fonts/stix/stix2textbolditalic"
	"github.com/go-fonts/stix/stix2textitalic"
	"github.com/go-fonts/stix/stix2textregular"
)

//go:embed libertine/*.otf
var libertine embed.FS

// The faces by their names in a book's specification.
const (
	Libertine = "libertine"
	STIXTwo   = "stix-two"
)

// Faces are the names of all faces; the first is the default.
func Faces() []string { return []string{Libertine, STIXTwo} }

// Style is one of the four styles every face has.
type Style uint8

// The styles.
const (
	Regular Style = iota
	Italic
	Bold
	BoldItalic
)

var styleNames = [...]string{"regular", "italic", "bold", "bold-italic"}

// String is the name of the style.
func (s Style) String() string {
	if int(s) < len(styleNames) {
		return styleNames[s]
	}
	return "unknown"
}

// Font is one style of a face, parsed. It is safe for concurrent use.
type Font struct {
	Face  string
	Style Style

	raw     *ot.Font
	face    *ot.Face
	cmap    *ot.Cmap
	em      int32
	shapers sync.Pool // of *shaper: one shapes one text at a time
}

type id struct {
	face  string
	style Style
}

var (
	mu     sync.Mutex
	opened = map[id]*Font{}
)

// Open gives a style of a face; it is parsed once in a process. An unknown face is an error that names
// the faces there are.
func Open(face string, style Style) (*Font, error) {
	mu.Lock()
	defer mu.Unlock()
	if f := opened[id{face, style}]; f != nil {
		return f, nil
	}
	b, err := File(face, style)
	if err != nil {
		return nil, err
	}
	f, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("font %s %s: %w", face, style, err)
	}
	f.Face, f.Style = face, style
	opened[id{face, style}] = f
	return f, nil
}

// File gives the font file of a style as its makers published it, for programs that set the same text with
// other means.
func File(face string, style Style) ([]byte, error) {
	if style > BoldItalic {
		return nil, fmt.Errorf("font style %d: there are %d", style, len(styleNames))
	}
	switch face {
	case Libertine:
		return libertine.ReadFile("libertine/LinLibertine_" + [...]string{"R", "RI", "RB", "RBI"}[style] + ".otf")
	case STIXTwo:
		return [...][]byte{stix2textregular.TTF, stix2textitalic.TTF, stix2textbold.TTF, stix2textbolditalic.TTF}[style], nil
	}
	return nil, fmt.Errorf("font face %q: allowed are %v", face, Faces())
}

func parse(b []byte) (*Font, error) {
	raw, err := ot.ParseFont(b, 0)
	if err != nil {
		return nil, err
	}
	face, err := ot.NewFace(raw)
	if err != nil {
		return nil, err
	}
	if _, err := newShaper(face); err != nil {
		return nil, err
	}
	f := &Font{raw: raw, face: face, cmap: face.Cmap(), em: int32(face.Upem())}
	f.shapers.New = func() any {
		s, err := newShaper(face)
		if err != nil {
			panic(err) // the same call has succeeded above
		}
		return s
	}
	return f, nil
}

// UnitsPerEm is how many units make one em.
func (f *Font) UnitsPerEm() int32 { return f.em }

// Name is the PostScript name, as a PDF calls the font.
func (f *Font) Name() string { return f.face.PostscriptName() }

// Has says whether the font has a glyph for a character.
func (f *Font) Has(c rune) bool {
	g, ok := f.cmap.Lookup(ot.Codepoint(c))
	return ok && g != 0
}

// Metrics are the measures of a font in its units, heights above the baseline.
type Metrics struct {
	Ascent, Descent    int32 // Descent is negative
	CapHeight, XHeight int32
	BBox               [4]int32 // of all glyphs: left, bottom, right, top
	ItalicAngle        float64  // degrees, negative where the letters lean to the right
}

// Metrics gives the font's measures.
func (f *Font) Metrics() Metrics {
	x0, y0, x1, y1 := f.face.BBox()
	return Metrics{
		Ascent: int32(f.face.Ascender()), Descent: int32(f.face.Descender()),
		CapHeight: int32(f.face.CapHeight()), XHeight: int32(f.face.XHeight()),
		BBox:        [4]int32{int32(x0), int32(y0), int32(x1), int32(y1)},
		ItalicAngle: float64(f.face.ItalicAngle()) / 65536,
	}
}

// Advance is the width of a glyph without kerning.
func (f *Font) Advance(glyph uint16) int32 {
	return int32(f.face.HorizontalAdvance(ot.GlyphID(glyph)))
}
