package layout

import (
	"strconv"
	"strings"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// verse adds lines that are not run together; a line too long goes on moved in.
func (g *galley) verse(v *manuscript.Verse, c column) error {
	in := c.in(g.s.d.indent*2, 0)
	before := 1
	for _, stanza := range v.Stanzas {
		var b block
		b.Before = before
		b.Variants, b.shown = make([]paginate.Variant, 1), make([][]shown, 1)
		for _, l := range stanza {
			one, err := g.verseLine(l, in)
			if err != nil {
				return err
			}
			b.Variants[0].Lines = append(b.Variants[0].Lines, one.Variants[0].Lines...)
			b.shown[0] = append(b.shown[0], one.shown[0]...)
		}
		if len(b.shown[0]) > 0 {
			b.Whole = len(b.shown[0]) <= 6
			g.add(b)
		}
	}
	if len(v.Attribution) > 0 {
		g.keep()
		if err := g.paragraph(&manuscript.Paragraph{Inlines: v.Attribution, Role: manuscript.RoleAttribution}, in); err != nil {
			return err
		}
	}
	g.space(1)
	g.after = true
	return nil
}

func (g *galley) verseLine(l manuscript.VerseLine, c column) (block, error) {
	pieces, err := g.s.pieces(l.Inlines, styleKey{size: c.size, lang: g.s.lang, display: true})
	if err != nil {
		return block{}, err
	}
	if visible(pieces) {
		pieces = g.s.anchored(pieces, l.Anchor)
	}
	turn := min(g.s.d.indent*2, c.width/4)
	indent := min(Unit(max(l.Indent, 0))*g.s.d.indent, c.width/2)
	sh := line.Shape{
		Align: line.Left,
		Measure: func(n int) Unit {
			if n > 0 {
				return c.width - indent - turn
			}
			return c.width - indent
		},
		Offset: func(n int) Unit {
			if n > 0 {
				return c.left + indent + turn
			}
			return c.left + indent
		},
	}
	return g.lines(g.s.shaper.Paragraph(pieces, sh), 0)
}

// list adds a list: its marks hang in the margin of its items.
func (g *galley) list(l *manuscript.List, c column) error {
	if c.depth >= maxDepth {
		for _, item := range l.Items {
			if err := g.all(item, c); err != nil {
				return err
			}
		}
		return nil
	}
	k := styleKey{size: c.size, lang: g.s.lang}
	st, err := g.s.d.style(k)
	if err != nil {
		return err
	}
	width := g.s.d.indent * 3 / 2
	start := l.Start
	if start < 0 || start > maxOrdinal { // nobody counts so far
		start = 1
	}
	if l.Ordered {
		widest := len(ordinal(start+len(l.Items)-1, l.Format))
		width = max(width, Unit(widest)*c.size*55/100+c.size)
	}
	in := c.in(width, 0)
	width = in.left - c.left
	in.before = 1
	if c.depth > 0 {
		in.before = 0
	}
	for i, item := range l.Items {
		text := "•"
		if c.depth%2 == 1 {
			text = "–"
		}
		if l.Ordered {
			text = ordinal(start+i, l.Format) + "."
		}
		at := len(g.blocks)
		g.after = true
		if err := g.all(item, in); err != nil {
			return err
		}
		in.before = 0
		if at == len(g.blocks) {
			continue
		}
		p := g.s.shaper.Paragraph([]line.Piece{{Text: text, Style: st}},
			line.Shape{Measure: func(int) Unit { return max(width-c.size/2, 0) }, Offset: c.offset, Align: line.Right, NoHang: true})
		mark := p.Lines(p.Break(0)[0])[0].Runs
		for v := range g.blocks[at].shown {
			sh := &g.blocks[at].shown[v][0]
			sh.runs = append(append([]line.Run(nil), mark...), sh.runs...)
		}
	}
	if c.depth == 0 {
		g.space(1)
	}
	g.after = true
	return nil
}

// maxOrdinal is the highest number a list may begin with.
const maxOrdinal = 99_999

// ordinal is the number of an item.
func ordinal(n int, format string) string {
	if n < 1 && format != "" && format != "decimal" {
		return strconv.Itoa(n)
	}
	switch format {
	case "lower-alpha", "upper-alpha":
		s := ""
		for ; n > 0; n = (n - 1) / 26 {
			s = string(rune('a'+(n-1)%26)) + s
		}
		if format == "upper-alpha" {
			s = strings.ToUpper(s)
		}
		return s
	case "lower-roman":
		return roman(n)
	case "upper-roman":
		return strings.ToUpper(roman(n))
	}
	return strconv.Itoa(n)
}

// roman is a number from 1 to 3999 in small roman digits.
func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		value int
		s     string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4,
		"iv"}, {1, "i"}} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.s)
		}
	}
	return b.String()
}

// rows is how many rows a height takes.
func (d *design) rowsOf(h Unit) int { return int((h + d.leading - 1) / d.leading) }

// figure adds a picture with its caption, never divided.
func (g *galley) figure(f *manuscript.Figure, c column) error {
	d := g.s.d
	var b block
	b.Whole, b.Before = true, 1
	v := paginate.Variant{}
	var sh []shown
	caption, err := g.small(f.Caption, f.Anchor, c)
	if err != nil {
		return err
	}
	g.tight(&caption, d.noteLeading, false)
	lead, most := d.leading, d.rows-2
	if g.s.inNote {
		lead, most = d.noteLeading, 8 // a foot may end anywhere
	}
	if len(caption.shown0()) > d.rows/2 { // a page could not hold both
		caption.Before = 0
		g.add(caption)
		caption = block{}
	}
	room := Unit(most) * lead
	if len(caption.Variants) > 0 {
		room -= Unit(paginateRows(caption.Variants[0].Lines)) * lead
	}
	if f.Image >= 0 && f.Image < len(g.s.book.Images) && room > 2*lead {
		img := &g.s.book.Images[f.Image]
		w, h := g.s.fit(img, f.WidthMM, c.width, room)
		rows := int((h + lead - 1) / lead)
		// Free rows are shared above and below, the baseline of the text before stays clear of the edge.
		y := (Unit(rows)*lead - h) / 2
		s := shown{marks: []page.Mark{page.Picture{Image: f.Image, X: c.left + (c.width-w)/2, Y: y, Width: w, Height: h, Alt: f.Alt}}}
		if f.Anchor != "" {
			s.own = []int{g.s.mark(mark{target: f.Anchor})}
		}
		v.Lines, sh = append(v.Lines, paginate.Line{Rows: rows}), append(sh, s)
	}
	if len(caption.Variants) > 0 {
		v.Lines, sh = append(v.Lines, caption.Variants[0].Lines...), append(sh, caption.shown[0]...)
	}
	if len(v.Lines) == 0 {
		return nil
	}
	b.Variants, b.shown = []paginate.Variant{v}, [][]shown{sh}
	b.float = c.depth == 0 && !noted(v.Lines)
	g.add(b)
	g.space(1)
	return nil
}

func (b block) shown0() []shown {
	if len(b.shown) == 0 {
		return nil
	}
	return b.shown[0]
}

// fit gives the size a picture is set in: what the author gave it or spec.PixelsPerInch, no wider than
// the column and no higher than room.
func (s *setter) fit(img *manuscript.Image, widthMM float64, width, room Unit) (w, h Unit) {
	w = fromMM(widthMM)
	if w <= 0 {
		w = Unit(min(int64(img.Width)*72_000/spec.PixelsPerInch, int64(width)))
	}
	w = min(w, width)
	h = Unit(int64(w) * int64(max(img.Height, 1)) / int64(max(img.Width, 1)))
	if h > room {
		h, w = room, Unit(int64(room)*int64(max(img.Width, 1))/int64(max(img.Height, 1)))
	}
	return max(w, leastPicture), max(h, leastPicture)
}

// small sets the caption of what has an anchor.
func (g *galley) small(in []manuscript.Inline, anchor string, c column) (block, error) {
	pieces, err := g.s.pieces(in, styleKey{size: g.s.d.noteSize, lang: g.s.lang})
	if err != nil || !visible(pieces) {
		return block{}, err
	}
	pieces = g.s.anchored(pieces, anchor)
	return g.lines(g.s.evened(pieces, c), 0)
}

// code adds text whose lines and spaces are kept.
func (g *galley) code(x *manuscript.Code, c column) error {
	st, err := g.s.d.style(styleKey{size: g.s.d.noteSize, display: true})
	if err != nil {
		return err
	}
	in := c.in(g.s.d.indent, 0)
	var b block
	b.Before = 1
	b.Variants, b.shown = make([]paginate.Variant, 1), make([][]shown, 1)
	for _, l := range x.Lines {
		if strings.TrimSpace(l) == "" {
			l = "\u00a0"
		}
		one, err := g.lines(g.s.shaper.Paragraph([]line.Piece{{Text: strings.ReplaceAll(strings.ReplaceAll(l, "\t", "    "), " ", "\u00a0"),
			Style: st}}, line.Shape{Measure: in.measure, Offset: in.offset, Align: line.Left}), 0)
		if err != nil {
			return err
		}
		b.Variants[0].Lines = append(b.Variants[0].Lines, one.Variants[0].Lines...)
		b.shown[0] = append(b.shown[0], one.shown[0]...)
	}
	if len(b.shown[0]) == 0 {
		return nil
	}
	g.add(b)
	g.space(1)
	g.after = true
	return nil
}
