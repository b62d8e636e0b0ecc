package docx

import (
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
)

// group makes blocks of items: paragraphs that follow each other in a list, a quotation, verse or code
// become one block, captions go to their figure or table.
func group(items []item) []manuscript.Block {
	var out []manuscript.Block
	for i := 0; i < len(items); {
		it := &items[i]
		n := 1
		switch {
		case it.block != nil:
			out = append(out, it.block)
		case it.list.on:
			n = listRun(items[i:])
			out = append(out, lists(items[i:i+n])...)
		case it.use.Use == stylename.Quote || it.use.Use == stylename.Epigraph || it.quoted && it.use.Use == stylename.Body:
			var b manuscript.Block
			b, n = quote(items[i:])
			out = append(out, b)
		case it.use.Use == stylename.Verse:
			var b manuscript.Block
			b, n = verse(items[i:])
			out = append(out, b)
		case it.use.Use == stylename.Code:
			c := &manuscript.Code{Place: it.place}
			for n = 0; i+n < len(items) && items[i+n].block == nil && items[i+n].use.Use == stylename.Code; n++ {
				c.Lines = append(c.Lines, source.CodeLines(items[i+n].inlines)...)
			}
			out = append(out, c)
		case it.use.Use == stylename.SceneBreak:
			out = append(out, &manuscript.SceneBreak{Mark: manuscript.Line(it.inlines), Place: it.place})
		case it.use.Use == stylename.Caption && caption(out, items[i:]):
		default:
			out = append(out, it.paragraph())
		}
		i += n
	}
	return out
}

func (it *item) paragraph() *manuscript.Paragraph {
	return &manuscript.Paragraph{Inlines: it.inlines, Role: it.role, Align: it.align, DropCap: it.dropCap, Scale: it.size, Place: it.place}
}

// caption puts items[0] to the figure or table before it or to the table after it.
func caption(before []manuscript.Block, items []item) bool {
	in := items[0].inlines
	if source.Blank(in) {
		return false
	}
	if len(items) > 1 {
		if t, ok := items[1].block.(*manuscript.Table); ok && len(t.Caption) == 0 {
			t.Caption = in
			return true
		}
	}
	if len(before) == 0 {
		return false
	}
	switch b := before[len(before)-1].(type) {
	case *manuscript.Figure:
		if len(b.Caption) == 0 {
			b.Caption = in
			return true
		}
	case *manuscript.Table:
		if len(b.Caption) == 0 {
			b.Caption = in
			return true
		}
	}
	return false
}

// quote makes a quotation of the paragraphs in its style, with a source below.
func quote(items []item) (manuscript.Block, int) {
	first := items[0]
	q := &manuscript.Quote{Epigraph: first.use.Use == stylename.Epigraph, Place: first.place}
	n := 0
	for ; n < len(items) && items[n].block == nil && !items[n].list.on; n++ {
		it := &items[n]
		if it.use.Use != first.use.Use || first.use.Use == stylename.Body && !it.quoted {
			break
		}
		p := it.paragraph()
		if p.Align == manuscript.AlignNone {
			p.Role = manuscript.RoleBody
		}
		q.Blocks = append(q.Blocks, p)
	}
	if n < len(items) && items[n].block == nil && items[n].use.Use == stylename.Attribution {
		q.Attribution = source.Trim(items[n].inlines)
		n++
	}
	return q, n
}

// verse makes verse: a paragraph is a line, or a stanza where it holds line breaks; a blank one parts stanzas.
func verse(items []item) (manuscript.Block, int) {
	v := &manuscript.Verse{Place: items[0].place}
	var stanza []manuscript.VerseLine
	end := func() {
		if len(stanza) > 0 {
			v.Stanzas = append(v.Stanzas, stanza)
			stanza = nil
		}
	}
	least := 8
	n := 0
	for ; n < len(items) && items[n].block == nil && items[n].use.Use == stylename.Verse; n++ {
		if !source.Blank(items[n].inlines) {
			least = min(least, items[n].steps)
		}
	}
	for i := range items[:n] {
		it := &items[i]
		if source.Blank(it.inlines) {
			end()
			continue
		}
		lines := splitLines(it.inlines)
		if len(lines) > 1 {
			end()
		}
		for _, l := range lines {
			in, tabs := unindent(l)
			stanza = append(stanza, manuscript.VerseLine{Inlines: in, Indent: tabs + it.steps - least})
		}
		if len(lines) > 1 {
			end()
		}
	}
	end()
	if n < len(items) && items[n].block == nil && items[n].use.Use == stylename.Attribution {
		v.Attribution = source.Trim(items[n].inlines)
		n++
	}
	return v, n
}

// deeper says whether an item belongs to a list below a level, or goes on with one.
func (i *listItem) deeper(level int) bool {
	if i.on || i.goes {
		return i.level > level
	}
	return true
}

// splitLines cuts inlines at their line breaks.
func splitLines(in []manuscript.Inline) [][]manuscript.Inline {
	var out [][]manuscript.Inline
	from := 0
	for i := range in {
		if _, ok := in[i].(manuscript.LineBreak); ok {
			out = append(out, in[from:i:i])
			from = i + 1
		}
	}
	return append(out, in[from:])
}

// unindent takes leading tabs and groups of two spaces for steps of indent.
func unindent(in []manuscript.Inline) ([]manuscript.Inline, int) {
	if len(in) == 0 {
		return in, 0
	}
	t, ok := in[0].(manuscript.Text)
	if !ok {
		return in, 0
	}
	rest := strings.TrimLeft(t.S, " \t\u00a0")
	lead := t.S[:len(t.S)-len(rest)]
	tabs := strings.Count(lead, "\t")
	spaces := len([]rune(lead)) - tabs
	t.S = rest
	out := append([]manuscript.Inline{t}, in[1:]...)
	return out, min(tabs+spaces/2, 8)
}

// listRun is how many items belong to lists that follow each other: numbered ones, and between them
// paragraphs that continue one.
func listRun(items []item) int {
	n := 1
	for i := 1; i < len(items); i++ {
		it := &items[i]
		switch {
		case it.block != nil:
			return n
		case it.list.on:
			n = i + 1
		case it.follow && !source.Blank(it.inlines):
			n = i + 1
		default:
			return n
		}
	}
	return n
}

// lists nests items by their levels. A new list begins where the numbering changes.
func lists(items []item) []manuscript.Block {
	var out []manuscript.Block
	var l *manuscript.List
	base := items[0].list
	for i := 0; i < len(items); {
		it := &items[i]
		switch {
		case !it.list.on:
			last := len(l.Items) - 1
			l.Items[last] = append(l.Items[last], it.paragraph())
			i++
		case l == nil || it.list.level <= base.level && it.list.id != base.id || it.list.level < base.level,
			it.list.level == base.level && l.Ordered && it.list.number != l.Start+len(l.Items):
			base = it.list
			l = &manuscript.List{Ordered: base.ordered, Format: base.format, Start: base.number, Place: it.place}
			if !base.ordered {
				l.Start = 0
			}
			out = append(out, l)
			l.Items = append(l.Items, []manuscript.Block{it.paragraph()})
			i++
		case it.list.level == base.level:
			l.Items = append(l.Items, []manuscript.Block{it.paragraph()})
			i++
		default:
			n := i
			for n < len(items) && items[n].list.deeper(base.level) {
				n++
			}
			last := len(l.Items) - 1
			l.Items[last] = append(l.Items[last], lists(items[i:n])...)
			i = n
		}
	}
	return out
}
