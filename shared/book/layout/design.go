package layout

import (
	"fmt"
	"math"

	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Unit is a length of 1/1000 point.
type Unit = page.Unit

const mm = 72000 / 25.4

func fromMM(v float64) Unit { return Unit(math.Round(v * mm)) }

// design is a specification worked out for a page count: lengths and type styles.
type design struct {
	spec          spec.Spec
	width, height Unit
	inner, outer  Unit
	top           Unit // of the text
	measure       Unit
	leading       Unit
	size          Unit
	rows          int // of the text on a page
	indent        Unit
	noteSize      Unit
	noteLeading   Unit
	headBase      Unit // baseline of the running head
	folioBase     Unit // baseline of a folio at the foot
	first         Unit // from the top of the text to its first baseline

	styles map[styleKey]*line.Style
	fonts  []page.Font
}

// styleKey is what tells type styles apart.
type styleKey struct {
	style   manuscript.Style
	size    Unit
	lang    string
	display bool // headings: not divided, lining figures
	solid   bool // lines end at spaces only
	lining  bool // figures as high as capitals, each as wide as the others: of tables
	link    int
	gray    uint8
	face    string // where it is not the book's
}

// NoRoom is the error of a book so thick that its margin at the spine leaves the text too little width.
type NoRoom struct {
	Pages int
	Field error // what to change, a spec.FieldError
}

// Error says it.
func (e *NoRoom) Error() string { return fmt.Sprintf("a book of about %d pages: %v", e.Pages, e.Field) }

// newDesign works out a specification for a book of about that many pages.
func newDesign(s spec.Spec, pages int) (*design, error) {
	p := s.Page(pages)
	if err := s.TooNarrow(p); err != nil {
		return nil, &NoRoom{Pages: pages, Field: err}
	}
	d := &design{spec: s, styles: map[styleKey]*line.Style{}, width: p.Width, height: p.Height, inner: p.Inner, outer: p.Outer, top: p.Top}
	d.size, d.leading = Unit(math.Round(s.SizePt*1000)), Unit(math.Round(s.LeadingPt*1000))
	d.measure, d.rows = p.Measure(), p.Rows(s.LeadingPt)
	d.indent = d.size * 12 / 10
	d.noteSize = d.size * 82 / 100
	d.noteLeading = d.noteSize * 122 / 100
	d.first = d.leading * 3 / 4
	d.headBase = d.top - d.leading*5/4 + d.first - d.leading/2
	d.folioBase = d.top + Unit(d.rows)*d.leading + d.leading*5/4
	return d, nil
}

// noteRows is how many rows the foot takes for lines of notes with the space above them.
func (d *design) noteRows(lines int) int {
	if lines == 0 {
		return 0
	}
	h := Unit(lines)*d.noteLeading + d.leading*6/10
	return int((h + d.leading - 1) / d.leading)
}

// style gives the type style for a character style.
func (d *design) style(k styleKey) (*line.Style, error) {
	if k.lang == "" {
		k.lang = d.spec.Language
	}
	if s := d.styles[k]; s != nil {
		return s, nil
	}
	fs := font.Regular
	switch {
	case k.style.Has(manuscript.Bold | manuscript.Italic):
		fs = font.BoldItalic
	case k.style.Has(manuscript.Bold):
		fs = font.Bold
	case k.style.Has(manuscript.Italic), k.style.Has(manuscript.Underline):
		fs = font.Italic
	}
	face := d.spec.Face
	if k.face != "" {
		face = k.face
	}
	f, err := font.Open(face, fs)
	if err != nil {
		return nil, err
	}
	st := &line.Style{Font: f, Size: k.size, Ref: d.fontRef(f), Link: k.link, Gray: k.gray}
	st.Features = font.Features{OldStyle: !k.display && !k.lining, SmallCaps: k.style.Has(manuscript.SmallCaps), Language: k.lang}
	st.Solid = k.solid
	if h, ok := hyphen.For(k.lang); ok && d.spec.Hyphenate && !k.display {
		st.Hyphens = h
	}
	switch {
	case k.style.Has(manuscript.Superscript):
		st.Size, st.Rise = k.size*68/100, k.size*33/100
		st.Features.OldStyle, st.Hyphens = false, nil
	case k.style.Has(manuscript.Subscript):
		st.Size, st.Rise = k.size*68/100, -k.size*14/100
		st.Features.OldStyle, st.Hyphens = false, nil
	}
	d.styles[k] = st
	return st, nil
}

// otherFace is where characters are looked for that the book's face does not have.
func (d *design) otherFace() string {
	if d.spec.Face == font.STIXTwo {
		return font.Libertine
	}
	return font.STIXTwo
}

func (d *design) fontRef(f *font.Font) int {
	pf := page.Font{Face: f.Face, Style: f.Style.String()}
	for i, x := range d.fonts {
		if x == pf {
			return i
		}
	}
	d.fonts = append(d.fonts, pf)
	return len(d.fonts) - 1
}
