package pdf

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"mappe/shared/book/font"
)

// usedFont is a font and what the book uses of it.
type usedFont struct {
	font  *font.Font
	text  []*said // by glyph; nil where it is not shown
	space uint16  // the glyph of a space; 0 if the font has no such glyph
	// shown, by glyph, is its number in the subset, which is its code in strings, and its width in 1/1000000 em.
	shown []struct {
		code  uint16
		width int64
	}
	obj ref
}

// said is what a glyph stands for: mostly one text, but a space may be one that does not break, and a small
// capital a letter of either case. The most frequent is what a reader copies.
type said struct {
	text   string
	count  int
	others map[string]int
}

func (u *usedFont) says(glyph uint16, text string) {
	for len(u.text) <= int(glyph) {
		u.text = append(u.text, make([]*said, 512)...)
	}
	s := u.text[glyph]
	switch {
	case s == nil:
		u.text[glyph] = &said{text: text, count: 1}
	case s.text == text:
		s.count++
	default:
		if s.others == nil {
			s.others = map[string]int{}
		}
		s.others[text]++
	}
}

// most is the most frequent text that is not empty; of equals the first in order of bytes.
func (s *said) most() string {
	best, count := s.text, s.count
	for t, n := range s.others {
		if t != "" && (best == "" || n > count || n == count && t < best) {
			best, count = t, n
		}
	}
	return best
}

// font writes a font that is used: the subset, its widths and what its glyphs mean.
func (f *file) font(n int, u *usedFont) error {
	var glyphs []uint16
	for g, s := range u.text {
		if s != nil {
			glyphs = append(glyphs, uint16(g))
		}
	}
	if len(glyphs) == 0 {
		return nil
	}
	sub, err := u.font.Subset(glyphs)
	if err != nil {
		return err
	}
	u.shown = append(u.shown, make([]struct {
		code  uint16
		width int64
	}, len(u.text))...)
	for code, g := range sub.Old {
		if int(g) < len(u.shown) {
			u.shown[g].code, u.shown[g].width = uint16(code), u.width(g)
		}
	}
	name := tag(n) + "+" + u.font.Name()
	m := u.font.Metrics()
	em := u.font.UnitsPerEm()
	k := func(v int32) int32 { return v * 1000 / em }
	program := f.reserve()
	f.stream(program, "/Subtype/CIDFontType0C", sub.CFF)
	flags := 4 // symbolic: its own code
	if m.ItalicAngle != 0 {
		flags |= 64
	}
	descriptor := f.object("<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[%d %d %d %d]/ItalicAngle %s/Ascent %d/Descent %d/CapHeight %d/StemV 80/FontFile3 %s>>",
		name, flags, k(m.BBox[0]), k(m.BBox[1]), k(m.BBox[2]), k(m.BBox[3]), number(int64(m.ItalicAngle*1000)), k(m.Ascent), k(m.Descent),
		k(m.CapHeight), program)
	var widths strings.Builder
	widths.WriteString("[0[")
	for _, g := range sub.Old {
		fmt.Fprintf(&widths, "%s ", number(u.width(g)))
	}
	widths.WriteString("]]")
	cid := f.object("<</Type/Font/Subtype/CIDFontType0/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %s/DW 0/W %s>>",
		name, descriptor, widths.String())
	unicode := f.reserve()
	f.stream(unicode, "", u.cmap(sub.Old))
	u.obj = f.object("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%s]/ToUnicode %s>>", name, cid, unicode)
	return nil
}

// width is a glyph's width in 1/1000000 em, as W gives it to three digits.
func (u *usedFont) width(glyph uint16) int64 {
	return int64(u.font.Advance(glyph)) * 1_000_000 / int64(u.font.UnitsPerEm())
}

// number writes n/1000 without needless digits.
func number(n int64) string { return string(appendNumber(nil, n)) }

func appendNumber(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/1000, 10)
	if n %= 1000; n == 0 {
		return b
	}
	b = append(b, '.', byte('0'+n/100))
	if n %= 100; n > 0 {
		b = append(b, byte('0'+n/10))
		if n %= 10; n > 0 {
			b = append(b, byte('0'+n))
		}
	}
	return b
}

// tag is the six letters in front of a subset's name.
func tag(n int) string {
	b := []byte("MAPPEA")
	b[5] += byte(n % 26)
	b[4] += byte(n / 26 % 20)
	return string(b)
}

// cmap says which characters the codes stand for, so that text can be copied and searched.
func (u *usedFont) cmap(old []uint16) []byte {
	type pair struct {
		code uint16
		s    string
	}
	var pairs []pair
	for code, g := range old {
		if int(g) >= len(u.text) || u.text[g] == nil {
			continue
		}
		if s := u.text[g]; s.most() != "" {
			pairs = append(pairs, pair{uint16(code), s.most()})
		}
	}
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for part := range slices.Chunk(pairs, 100) {
		fmt.Fprintf(&b, "%d beginbfchar\n", len(part))
		for _, p := range part {
			fmt.Fprintf(&b, "<%04X> <", p.code)
			for _, c := range utf16.Encode([]rune(p.s)) {
				fmt.Fprintf(&b, "%04X", c)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
