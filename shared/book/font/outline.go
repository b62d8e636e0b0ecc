package font

import (
	"fmt"
	"slices"

	"github.com/boxesandglue/textshape/ot"
	"github.com/boxesandglue/textshape/subset"
)

// Path is what draws outlines: y grows upwards, units of the font's em.
type Path interface {
	MoveTo(x, y float32)
	LineTo(x, y float32)
	QuadTo(x1, y1, x, y float32)
	CubeTo(x1, y1, x2, y2, x, y float32)
}

// Outline draws a glyph; false where it has no outline (a space).
func (f *Font) Outline(glyph uint16, p Path) bool {
	o, ok := f.face.GlyphOutline(ot.GlyphID(glyph))
	for _, s := range o.Segments {
		a := s.Args
		switch s.Op {
		case ot.SegmentMoveTo:
			p.MoveTo(a[0].X, a[0].Y)
		case ot.SegmentLineTo:
			p.LineTo(a[0].X, a[0].Y)
		case ot.SegmentQuadTo:
			p.QuadTo(a[0].X, a[0].Y, a[1].X, a[1].Y)
		case ot.SegmentCubeTo:
			p.CubeTo(a[0].X, a[0].Y, a[1].X, a[1].Y, a[2].X, a[2].Y)
		}
	}
	return ok
}

// Subset is a font cut down to some glyphs: a bare CFF program with the glyphs numbered from 0.
type Subset struct {
	CFF []byte
	Old []uint16 // Old[new] is the glyph's number in the whole font; Old[0] is 0, the glyph of nothing
}

// Subset cuts the font down to the given glyphs. The same glyphs give the same bytes.
func (f *Font) Subset(glyphs []uint16) (Subset, error) {
	in := subset.NewInput()
	in.Flags = subset.FlagDropLayoutTables | subset.FlagNoLayoutClosure | subset.FlagNoHinting | subset.FlagNotdefOutline
	in.AddGlyph(0)
	for _, g := range slices.Sorted(slices.Values(glyphs)) {
		in.AddGlyph(ot.GlyphID(g))
	}
	plan, err := subset.CreatePlan(f.raw, in)
	if err != nil {
		return Subset{}, fmt.Errorf("subset of %s: %w", f.Name(), err)
	}
	b, err := plan.Execute()
	if err != nil {
		return Subset{}, fmt.Errorf("subset of %s: %w", f.Name(), err)
	}
	cut, err := ot.ParseFont(b, 0)
	if err != nil {
		return Subset{}, fmt.Errorf("subset of %s: %w", f.Name(), err)
	}
	cff, err := cut.TableData(ot.TagCFF)
	if err != nil {
		return Subset{}, fmt.Errorf("subset of %s: no CFF outlines: %w", f.Name(), err)
	}
	if cff, err = mended(cff); err != nil {
		return Subset{}, fmt.Errorf("subset of %s: %w", f.Name(), err)
	}
	out := Subset{CFF: cff, Old: make([]uint16, plan.NumOutputGlyphs())}
	for i := range out.Old {
		old, ok := plan.OldGlyph(ot.GlyphID(i))
		if !ok {
			return Subset{}, fmt.Errorf("subset of %s: glyph %d has no origin", f.Name(), i)
		}
		out.Old[i] = uint16(old)
	}
	return out, nil
}
