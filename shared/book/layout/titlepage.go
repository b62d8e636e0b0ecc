package layout

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// titled sets the author's own title page: title, subtitle and author by their roles, all else centred.
func (g *galley) titled(sec *manuscript.Section) error {
	d := g.s.d
	blocks := sec.Blocks
	head := func(in []manuscript.Inline, role manuscript.Role) manuscript.Block {
		return &manuscript.Paragraph{Inlines: in, Role: role}
	}
	var front []manuscript.Block
	if len(sec.Title) > 0 {
		front = append(front, head(sec.Title, manuscript.RoleTitle))
	}
	if len(sec.Subtitle) > 0 {
		front = append(front, head(sec.Subtitle, manuscript.RoleSubtitle))
	}
	for i, b := range append(front, blocks...) {
		g.source = i - len(front)
		p, ok := b.(*manuscript.Paragraph)
		if !ok {
			if err := g.block(b, g.s.whole()); err != nil {
				return err
			}
			continue
		}
		k, before, rows := styleKey{size: d.size, display: true, lang: g.s.lang}, 1, 1
		role := p.Role
		if role == manuscript.RoleBody && strings.EqualFold(strings.TrimSpace(manuscript.Plain(p.Inlines)),
			strings.TrimSpace(g.s.title())) {
			role = manuscript.RoleTitle
		}
		switch role {
		case manuscript.RoleTitle:
			k.size, rows = d.size*240/100, d.rowsOf(d.size*288/100)
		case manuscript.RoleSubtitle:
			k.size, k.style, rows = d.size*130/100, manuscript.Italic, 2
		case manuscript.RoleAuthor:
			k.size, k.style, before, rows = d.size*130/100, manuscript.SmallCaps, 3, 2
		}
		if len(g.blocks) == 0 {
			before = d.rows / 5
		}
		pieces, err := g.s.pieces(p.Inlines, k)
		if err != nil {
			return err
		}
		if !visible(pieces) {
			continue
		}
		pieces = g.s.anchored(pieces, p.Anchor)
		one, err := g.lines(g.s.evened(pieces, g.s.whole()), 0)
		if err != nil {
			return err
		}
		g.title(&one, k.size, rows)
		one.Sink, one.Before = len(g.blocks) == 0, before
		g.add(one)
	}
	return nil
}

// imprint sets a copyright page: small, ragged, at the foot of its page where it fits on one.
func (g *galley) imprint(sec *manuscript.Section) error {
	c := g.s.whole()
	c.size, c.ragged, c.depth = g.s.d.noteSize, true, 1
	for i, b := range sec.Blocks {
		g.source = i
		at := len(g.blocks)
		if err := g.block(b, c); err != nil {
			return err
		}
		if i > 0 && at < len(g.blocks) { // its paragraphs are no running text
			g.blocks[at].Before = max(g.blocks[at].Before, 1)
		}
	}
	rows := 0
	for i := range g.blocks {
		rows += g.blocks[i].Before + paginateRows(g.blocks[i].Variants[0].Lines)
	}
	if len(g.blocks) > 0 && rows < g.s.d.rows && len(sec.Title) == 0 {
		g.blocks[0].Sink, g.blocks[0].Before = true, g.s.d.rows-rows
	}
	return nil
}
