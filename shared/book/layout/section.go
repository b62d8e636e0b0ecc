package layout

import (
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

func bodyKind(k manuscript.SectionKind) bool {
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
	if len(sec.Title) == 0 || sec.Kind == manuscript.KindDedication || sec.Kind == manuscript.KindEpigraph {
		return nil
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
		one, err := g.lines(g.s.evened(pieces, c), 0)
		if err != nil {
			return err
		}
		g.title(&one, k.size, rows)
		b.Variants[0].Lines = append(b.Variants[0].Lines, one.Variants[0].Lines...)
		b.shown[0] = append(b.shown[0], one.shown[0]...)
		return nil
	}
	if sec.Label != "" && d.spec.ChapterLabel {
		if err := add([]manuscript.Inline{manuscript.Text{S: sec.Label}}, styleKey{size: d.size, style: manuscript.SmallCaps},
			2); err != nil {
			return err
		}
	}
	if err := add(sec.Title, styleKey{size: d.size * 165 / 100}, 2); err != nil {
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
	blocks := sec.Blocks
	if len(sec.Title) > 0 { // a heading of the author's stands above it in the size of the text
		title := &manuscript.Paragraph{Inlines: sec.Title, Place: sec.Place}
		blocks = append([]manuscript.Block{title}, blocks...)
	}
	for i, b := range blocks {
		g.source = max(i-(len(blocks)-len(sec.Blocks)), 0)
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
			first := &g.blocks[at]
			first.Sink, first.Before = true, max(min(g.s.d.rows/4, g.s.d.rows-paginateRows(first.Variants[0].Lines)), 0)
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
