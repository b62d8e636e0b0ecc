package layout

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
)

// smallCapsLead puts the first words, at least so many letters of the first text, in small capitals.
func smallCapsLead(in []manuscript.Inline, letters int) []manuscript.Inline {
	out := append([]manuscript.Inline(nil), in...)
	for i, x := range out {
		t, ok := x.(manuscript.Text)
		if !ok || strings.TrimSpace(t.S) == "" {
			continue
		}
		end := len(t.S)
		for at, n := 0, 0; at < len(t.S); n++ {
			_, w := utf8.DecodeRuneInString(t.S[at:])
			if t.S[at] == ' ' && n >= letters {
				end = at
				break
			}
			at += w
		}
		lead, rest := t, t
		lead.S, rest.S = t.S[:end], t.S[end:]
		lead.Style |= manuscript.SmallCaps
		out = append(out[:i:i], append([]manuscript.Inline{lead, rest}, out[i+1:]...)...)
		break
	}
	return out
}

// initial takes the first letter of a paragraph off, and a quotation mark in front of it; false where the
// paragraph is too short or does not begin with a letter.
func initial(in []manuscript.Inline) (quote string, letter rune, rest []manuscript.Inline, ok bool) {
	if len(in) == 0 {
		return "", 0, nil, false
	}
	t, ok := in[0].(manuscript.Text)
	if !ok {
		return "", 0, nil, false
	}
	letter, n := utf8.DecodeRuneInString(t.S)
	if strings.ContainsRune("“„»‚‘\"", letter) {
		quote = t.S[:n]
		var w int
		letter, w = utf8.DecodeRuneInString(t.S[n:])
		n += w
	}
	if !unicode.IsLetter(letter) || utf8.RuneCountInString(manuscript.Plain(in)) < 160 {
		return "", 0, nil, false
	}
	t.S = t.S[n:]
	return quote, letter, append([]manuscript.Inline{t}, in[1:]...), true
}

// dropCap sets the first letter two lines high; false where the paragraph is too short or does not begin
// with a letter.
func (g *galley) dropCap(p *manuscript.Paragraph, c column) (bool, error) {
	mark, first, rest, ok := initial(p.Inlines)
	if !ok || len(manuscript.Plain(p.Inlines)) > portion {
		return false, nil
	}
	before := g.save()
	big, width, err := g.capital(first)
	if big == nil || err != nil {
		return false, err
	}
	var quote []line.Run
	if mark != "" { // it stands small in front and hangs in the margin
		if quote, err = g.s.one(mark, styleKey{size: g.s.d.size, lang: g.s.lang}, c.width, line.Left); err != nil {
			return false, err
		}
		for i := range quote {
			quote[i].X = c.left - quote[i].Width
		}
	}
	pieces, err := g.s.pieces(smallCapsLead(rest, 8), styleKey{size: c.size, lang: g.s.lang})
	if err != nil {
		return false, err
	}
	pieces = g.s.anchored(pieces, p.Anchor)
	inset := func(n int) Unit {
		switch n {
		case 0:
			return width - tuck(first, width)
		case 1: // it does not belong to the letter, the first line does
			return width + g.s.d.size*6/100
		}
		return 0
	}
	para := g.s.shaper.Paragraph(pieces, line.Shape{
		Measure: func(n int) Unit { return c.width - inset(n) },
		Offset:  func(n int) Unit { return c.left + inset(n) },
	})
	b, err := g.lines(para, 1)
	if err != nil {
		return false, err
	}
	for _, sh := range b.shown {
		if len(sh) < 3 {
			g.restore(before)
			return false, nil
		}
	}
	for v := range b.shown {
		above, below := &b.shown[v][0], &b.shown[v][1]
		above.runs = append(slices.Clone(quote), above.runs...)
		below.runs = append(slices.Clone(big), below.runs...)
	}
	g.joinDropped(&b)
	g.after = false
	g.add(b)
	return true, nil
}

// capital sets a letter that reaches from the second baseline to the height of the first line's capitals;
// nil where the face does not say how high those are.
func (g *galley) capital(letter rune) ([]line.Run, Unit, error) {
	d := g.s.d
	st, err := d.style(styleKey{size: d.size, lang: g.s.lang, display: true})
	if err != nil {
		return nil, 0, err
	}
	m := st.Font.Metrics()
	if m.CapHeight <= 0 {
		return nil, 0, nil
	}
	height := d.leading + Unit(int64(m.CapHeight)*int64(d.size)/int64(st.Font.UnitsPerEm()))
	size := Unit(int64(height) * int64(st.Font.UnitsPerEm()) / int64(m.CapHeight))
	big, err := d.style(styleKey{size: size, lang: g.s.lang, display: true})
	if err != nil {
		return nil, 0, err
	}
	return g.letter(strings.ToUpper(string(letter)), big)
}

// tuck is how far the first line moves into the room above the slope of an A or the arm of an L.
func tuck(letter rune, width Unit) Unit {
	switch unicode.ToUpper(letter) {
	case 'A', 'Ä':
		return width * 20 / 100
	case 'L':
		return width * 30 / 100
	}
	return 0
}

// letter sets a drop cap so that its ink begins at the edge, and says how far the text beside it keeps off.
func (g *galley) letter(t string, st *line.Style) ([]line.Run, Unit, error) {
	p := g.s.shaper.Paragraph([]line.Piece{{Text: t, Style: st}}, line.Shape{Measure: func(int) Unit { return g.s.d.measure },
		Align: line.Left, NoHang: true})
	runs := p.Lines(p.Break(0)[0])[0].Runs
	if len(runs) == 0 || len(runs[0].Glyphs) == 0 {
		return nil, 0, fmt.Errorf("drop cap %q has no glyph", t)
	}
	var ink inkBox
	width := runs[0].Width
	if st.Font.Outline(runs[0].Glyphs[0].ID, &ink) && ink.some {
		scale := func(v float32) Unit { return Unit(int64(v) * int64(st.Size) / int64(st.Font.UnitsPerEm())) }
		for i := range runs {
			runs[i].X -= scale(ink.left)
		}
		width = scale(ink.right - ink.left)
	}
	return runs, width + g.s.d.size*14/100, nil
}

// inkBox measures how far an outline reaches to both sides.
type inkBox struct {
	left, right float32
	some        bool
}

func (b *inkBox) at(x float32) {
	if !b.some {
		b.left, b.right, b.some = x, x, true
	}
	b.left, b.right = min(b.left, x), max(b.right, x)
}

// MoveTo and the others take the points of an outline; those that only bend a curve are on its outside.
func (b *inkBox) MoveTo(x, y float32) { b.at(x) }

// LineTo is a straight line.
func (b *inkBox) LineTo(x, y float32) { b.at(x) }

// QuadTo is a curve with one point that bends it.
func (b *inkBox) QuadTo(x1, y1, x, y float32) { b.at(x) }

// CubeTo is a curve with two.
func (b *inkBox) CubeTo(x1, y1, x2, y2, x, y float32) { b.at(x) }

// saved is what is undone when a way to set a paragraph is given up.
type saved struct{ count, marks, links, later, notes int }

func (g *galley) save() saved {
	return saved{g.s.count, len(g.s.marks), len(g.s.links), len(g.s.later), len(g.notes)}
}

func (g *galley) restore(x saved) {
	g.s.count, g.s.marks, g.s.links, g.s.later, g.notes = x.count, g.s.marks[:x.marks], g.s.links[:x.links], g.s.later[:x.later],
		g.notes[:x.notes]
}

// joinDropped makes the first two lines one for the paginator, for they may not be parted: two rows high, and
// drawn a row lower, so that the letter stands on its baseline.
func (g *galley) joinDropped(b *block) {
	for v := range b.shown {
		first, second := b.shown[v][0], b.shown[v][1]
		joined := shown{runs: second.runs, marks: append(first.marks, second.marks...), space: max(first.space, second.space),
			hyphen: second.hyphen, prose: true, own: slices.Concat(first.own, second.own), rise: -g.s.d.leading, above: first.runs}
		b.shown[v] = append([]shown{joined}, b.shown[v][2:]...)
		l := b.Variants[v].Lines
		l[1].Rows, l[1].Notes = 2, slices.Concat(l[0].Notes, l[1].Notes)
		b.Variants[v].Lines = l[1:]
	}
}
