package layout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// section makes the galley of a section.
func (s *setter) section(sec *manuscript.Section) (*galley, error) {
	s.lang = s.d.spec.Language
	if sec.Language != "" {
		s.lang = sec.Language
	}
	s.count = 0
	g := &galley{s: s, after: true, source: -1}
	if sec.Kind != manuscript.KindTitlePage {
		if err := g.opener(sec); err != nil {
			return nil, err
		}
	}
	g.source = 0
	switch sec.Kind {
	case manuscript.KindDedication, manuscript.KindEpigraph:
		return g, g.display(sec)
	case manuscript.KindTitlePage:
		return g, g.titled(sec)
	case manuscript.KindCopyright:
		return g, g.imprint(sec)
	}
	for i, x := range sec.Blocks {
		g.source = i
		if first, ok := firstParagraph(sec.Blocks); ok && i == 0 && bodyKind(sec.Kind) {
			if err := g.first(first, s.whole()); err != nil {
				return nil, err
			}
		} else if err := g.block(x, s.whole()); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func bodyKind(k manuscript.Kind) bool {
	return k == manuscript.KindChapter || k == manuscript.KindPrologue || k == manuscript.KindEpilogue || k == manuscript.KindIntroduction
}

func firstParagraph(blocks []manuscript.Block) (*manuscript.Paragraph, bool) {
	if len(blocks) == 0 {
		return nil, false
	}
	p, ok := blocks[0].(*manuscript.Paragraph)
	return p, ok && p.Align == manuscript.AlignNone && p.Role <= manuscript.RoleFirst
}

// opener adds what stands above the first line of a section: free rows, label, title, subtitle, free rows.
func (g *galley) opener(sec *manuscript.Section) error {
	d := g.s.d
	if len(sec.Title) == 0 && sec.Number == "" || sec.Kind == manuscript.KindDedication || sec.Kind == manuscript.KindEpigraph {
		return nil
	}
	title := sec.Title
	label := ""
	if sec.Number != "" && d.spec.ChapterLabel {
		label = sec.Label(g.s.lang)
	}
	if len(title) == 0 {
		title, label = []manuscript.Inline{manuscript.Text{S: sec.Label(g.s.lang)}}, ""
	}
	sink := max(d.rows/6, 2)
	if sec.Kind == manuscript.KindPart {
		sink = d.rows / 3
	}
	var b block
	b.Sink, b.KeepNext, b.Whole, b.Before = true, true, true, sink
	b.Variants, b.shown = make([]paginate.Variant, 1), make([][]shown, 1)
	add := func(in []manuscript.Inline, k styleKey, rows int) error {
		k.lang, k.display = g.s.lang, true
		pieces, err := g.s.pieces(in, k)
		if err != nil || !visible(pieces) {
			return err
		}
		c := g.s.whole().in(0, 0)
		one, err := g.lines(g.s.shaper.Paragraph(pieces, line.Shape{Measure: c.measure, Align: line.Center}), 0)
		if err != nil {
			return err
		}
		for i := range one.Variants[0].Lines {
			one.Variants[0].Lines[i].Rows = rows
		}
		b.Variants[0].Lines = append(b.Variants[0].Lines, one.Variants[0].Lines...)
		b.shown[0] = append(b.shown[0], one.shown[0]...)
		return nil
	}
	if label != "" {
		if err := add([]manuscript.Inline{manuscript.Text{S: label}}, styleKey{size: d.size, style: manuscript.SmallCaps}, 2); err != nil {
			return err
		}
	}
	if err := add(title, styleKey{size: d.size * 165 / 100}, 2); err != nil {
		return err
	}
	if err := add(sec.Subtitle, styleKey{size: d.size * 115 / 100, style: manuscript.Italic}, 2); err != nil {
		return err
	}
	if len(b.shown[0]) == 0 {
		return nil
	}
	last := len(b.Variants[0].Lines) - 1
	b.Variants[0].Lines[last].Rows += 2
	if total := paginateRows(b.Variants[0].Lines); b.Before+total > d.rows-3 { // a title that fills the page
		b.Before = 0
		b.Whole = total <= d.rows-3
		b.KeepNext = b.Whole
	}
	g.add(b)
	g.after = true
	return nil
}

func paginateRows(lines []paginate.Line) (n int) {
	for _, l := range lines {
		n += l.Rows
	}
	return n
}

// display sets a dedication or an epigraph: alone, in the upper third of its page.
func (g *galley) display(sec *manuscript.Section) error {
	for i, b := range sec.Blocks {
		g.source = i
		if p, ok := b.(*manuscript.Paragraph); ok {
			q := *p
			q.Align = manuscript.AlignCenter
			b = &q
		}
		at := len(g.blocks)
		if err := g.block(b, g.s.whole()); err != nil {
			return err
		}
		if i == 0 && at < len(g.blocks) {
			g.blocks[at].Sink, g.blocks[at].Before = true, g.s.d.rows/4
		}
	}
	return nil
}

// first sets the first paragraph of a chapter as the specification asks.
func (g *galley) first(p *manuscript.Paragraph, c column) error {
	switch g.s.d.spec.FirstLine {
	case spec.FirstSmallCaps:
		q := *p
		q.Inlines, q.Role = smallCapsLead(p.Inlines, 14), manuscript.RoleFirst
		return g.paragraph(&q, c)
	case spec.FirstDropCap:
		if ok, err := g.dropCap(p, c); ok || err != nil {
			return err
		}
	}
	return g.paragraph(p, c)
}

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

// dropCap sets the first letter two lines high; false where the paragraph is too short or does not begin
// with a letter.
func (g *galley) dropCap(p *manuscript.Paragraph, c column) (bool, error) {
	if len(p.Inlines) == 0 {
		return false, nil
	}
	t, ok := p.Inlines[0].(manuscript.Text)
	if !ok {
		return false, nil
	}
	r, n := utf8.DecodeRuneInString(t.S)
	lead := ""
	if strings.ContainsRune("“„»‚‘\"", r) { // the quote stands small in front
		lead = t.S[:n]
		var w int
		r, w = utf8.DecodeRuneInString(t.S[n:])
		n += w
	}
	if !unicode.IsLetter(r) || utf8.RuneCountInString(manuscript.Plain(p.Inlines)) < 160 {
		return false, nil
	}
	d := g.s.d
	st, err := d.style(styleKey{size: d.size, lang: g.s.lang, display: true})
	if err != nil {
		return false, err
	}
	m := st.Font.Metrics()
	if m.CapHeight <= 0 {
		return false, nil
	}
	// From the second baseline to the height of the first line's small letters, a little more.
	height := d.leading + Unit(int64(m.CapHeight)*int64(d.size)/int64(st.Font.UnitsPerEm()))
	size := Unit(int64(height) * int64(st.Font.UnitsPerEm()) / int64(m.CapHeight))
	big, err := d.style(styleKey{size: size, lang: g.s.lang, display: true})
	if err != nil {
		return false, err
	}
	before := g.save()
	runs, width, err := g.letter(strings.ToUpper(string(r)), big)
	if err != nil {
		return false, err
	}
	var quote []line.Run
	if lead != "" { // it hangs in the margin
		k := styleKey{size: d.size, lang: g.s.lang}
		if quote, err = g.s.one(lead, k, c.width, line.Left); err != nil {
			return false, err
		}
		for i := range quote {
			quote[i].X = c.left - quote[i].Width
		}
	}
	rest := append([]manuscript.Inline(nil), p.Inlines...)
	t.S = t.S[n:]
	rest[0] = t
	pieces, err := g.s.pieces(smallCapsLead(rest, 8), styleKey{size: c.size, lang: g.s.lang})
	if err != nil {
		return false, err
	}
	pieces = g.s.anchored(pieces, p.Anchor)
	inset := func(n int) Unit {
		switch n {
		case 0:
			return width - tuck(r, width)
		case 1:
			return width
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
		if len(b.shown[v]) < 2 {
			continue
		}
		second := &b.shown[v][1]
		second.runs = append(append([]line.Run(nil), runs...), second.runs...)
		b.shown[v][0].runs = append(append([]line.Run(nil), quote...), b.shown[v][0].runs...)
		// The letter stands across both lines: they may not be parted.
		b.Variants[v].Lines[1].Rows = 2
		b.Variants[v].Lines[0].Rows = 0
	}
	g.fixDropped(&b)
	g.after = false
	g.add(b)
	return true, nil
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
	p := g.s.shaper.Paragraph([]line.Piece{{Text: t, Style: st}}, line.Shape{Measure: func(int) Unit { return g.s.d.measure }, Align: line.Left, NoHang: true})
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
	g.s.count, g.s.marks, g.s.links, g.s.later, g.notes = x.count, g.s.marks[:x.marks], g.s.links[:x.links], g.s.later[:x.later], g.notes[:x.notes]
}

// fixDropped lets the first two lines be one for the paginator: the first takes no rows of its own and the
// second is drawn a row lower.
func (g *galley) fixDropped(b *block) {
	for v := range b.shown {
		if len(b.shown[v]) < 2 {
			continue
		}
		first, second := b.shown[v][0], b.shown[v][1]
		joined := shown{runs: second.runs, marks: append(first.marks, second.marks...), space: max(first.space, second.space), hyphen: second.hyphen, prose: true, own: append(append([]int(nil), first.own...), second.own...), rise: -g.s.d.leading, above: first.runs}
		b.shown[v] = append([]shown{joined}, b.shown[v][2:]...)
		l := b.Variants[v].Lines
		l[1].Notes = append(append([]int(nil), l[0].Notes...), l[1].Notes...)
		b.Variants[v].Lines = l[1:]
	}
}
