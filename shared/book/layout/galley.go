package layout

import (
	"math"
	"strings"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
)

// block is a thing of the galley: what the paginator cuts, and what its lines show.
type block struct {
	paginate.Block
	float  bool      // a figure: paragraphs that follow may come first
	flows  bool      // such a paragraph
	shown  [][]shown // of each variant, its lines
	again  []below   // lines of the head that is repeated above it where it begins a page
	source int       // index in the section's blocks, -1 for what stands above them
}

// shown is what stands in one line of a block. Its first baseline is design.first below the line's top,
// moved up by rise.
type shown struct {
	runs    []line.Run
	above   []line.Run // of the line before, where the two cannot be parted (a drop cap)
	more    []below
	rise    Unit
	marks   []page.Mark // from the line's top left corner
	own     []int       // marks of the setter: notes and targets
	space   int32       // widest word space of running text in 1/1000 of the norm
	prose   bool        // a line of running text
	measure Measure     // of running text
	hyphen  bool
}

// below is a line inside a line: of a row of a table, on a closer grid than the text's.
type below struct {
	dy Unit
	shown
}

// galley is a section before it is cut.
type galley struct {
	s      *setter
	blocks []block
	notes  []setNote    // in the order of their references
	after  bool         // the next paragraph follows a heading or a break: it is not indented
	top    bool         // the next block begins a page
	gap    int          // rows the block before wants free below it
	inner  bool         // of a cell or a note: whoever takes it over sets the notes it refers to
	lead   []line.Piece // what the next paragraph begins with: a note's number
	source int          // of the blocks that are added
}

// setNote is a footnote in lines.
type setNote struct{ lines []shown }

// column is where blocks are set: the whole measure, or a part of it.
type column struct {
	left, width Unit
	size        Unit
	before      int  // rows above its first block
	ragged      bool // not justified
	lining      bool // styleKey.lining
	depth       int
	quoted      bool // of a quotation: its paragraphs are indented as those of running text are
}

func (c column) measure(int) Unit { return c.width }
func (c column) offset(int) Unit  { return c.left }

// whole is the whole measure.
func (s *setter) whole() column { return column{width: s.d.measure, size: s.d.size} }

// in is a column inside another, smaller by left and right.
func (c column) in(left, right Unit) column {
	if c.width-left-right < 10*c.size { // too narrow for another step
		left, right = 0, 0
	}
	c.left, c.width, c.before, c.depth = c.left+left, c.width-left-right, 0, c.depth+1
	return c
}

func (g *galley) add(b block) {
	if g.top {
		b.Top, g.top = true, false
	}
	b.Before, g.gap = max(b.Before, g.gap), 0
	b.source = g.source
	g.blocks = append(g.blocks, b)
}

// lines makes a block of a paragraph: in its best length and, within slack, in those beside it.
func (g *galley) lines(p *line.Paragraph, slack int) (block, error) {
	var b block
	if g.inner {
		slack = 0
	}
	prose := slack > 0 || g.s.inNote
	ways := p.Break(slack)
	for i, w := range ways {
		v := paginate.Variant{}
		if i > 0 {
			v.Cost = variantCost(w.Cost - ways[0].Cost)
		}
		var sh []shown
		for _, l := range p.Lines(w) {
			v.Lines = append(v.Lines, paginate.Line{Rows: 1, Hyphen: l.Hyphen, Runt: runt(l.Runs)})
			one := shown{runs: l.Runs, own: l.Marks, space: l.Space, prose: prose, hyphen: l.Hyphen}
			if g.s.inNote {
				one.measure = Foot
			}
			if err := g.s.boxes(&one, &l); err != nil {
				return b, err
			}
			sh = append(sh, one)
		}
		b.Variants, b.shown = append(b.Variants, v), append(b.shown, sh)
	}
	return b, g.refer(&b)
}

// runt says whether a line has a single word.
func runt(runs []line.Run) bool {
	words := 0
	for i := range runs {
		words += len(strings.Fields(runs[i].Text))
	}
	return words == 1
}

// refer sets the notes a block refers to and tells the paginator in which lines they are.
func (g *galley) refer(b *block) error {
	if g.inner {
		return nil
	}
	first := len(g.notes)
	for v := range b.shown {
		at := first
		for i, sh := range b.shown[v] {
			for _, n := range sh.own {
				m := g.s.marks[n-1]
				if m.note == 0 {
					continue
				}
				note := &g.s.book.Notes[m.note-1]
				if !g.s.footnotes(note) {
					if v == 0 {
						g.s.later = append(g.s.later, m)
					}
					continue
				}
				if v == 0 {
					set, err := g.s.note(note, m.number)
					if err != nil {
						return err
					}
					g.notes = append(g.notes, set)
				}
				b.Variants[v].Lines[i].Notes = append(b.Variants[v].Lines[i].Notes, at)
				at++
			}
		}
	}
	return nil
}

// variantCost weighs a worse setting against the faults of a page: it is taken before any of them, but not
// for nothing.
func variantCost(d int64) int64 { return 3000 + min(max(d, 0)/4, 60_000) }

// block adds one block of the manuscript.
func (g *galley) block(x manuscript.Block, c column) error {
	switch x := x.(type) {
	case *manuscript.Paragraph:
		return g.paragraph(x, c)
	case *manuscript.Heading:
		return g.heading(x, c)
	case *manuscript.SceneBreak:
		return g.scene(c)
	case *manuscript.PageBreak:
		g.top, g.after = len(g.blocks) > 0, true
	case *manuscript.Quote:
		return g.quote(x, c)
	case *manuscript.Verse:
		return g.verse(x, c)
	case *manuscript.List:
		return g.list(x, c)
	case *manuscript.Figure:
		return g.figure(x, c)
	case *manuscript.Table:
		return g.table(x, c)
	case *manuscript.Code:
		return g.code(x, c)
	}
	return nil
}

// maxDepth bounds quotations in lists in quotations.
const maxDepth = 6

func (g *galley) all(blocks []manuscript.Block, c column) error {
	for _, b := range blocks {
		if err := g.block(b, c); err != nil {
			return err
		}
		c.before = 0
	}
	return nil
}

// paragraph adds running text.
func (g *galley) paragraph(p *manuscript.Paragraph, c column) error {
	inlines, figures := g.s.outOfLine(p.Inlines)
	before := len(g.blocks)
	if err := g.text(p, inlines, c); err != nil {
		return err
	}
	for i, f := range figures {
		if i == 0 && len(g.blocks) == before {
			f.Anchor = p.Anchor
		}
		if err := g.figure(f, c); err != nil {
			return err
		}
	}
	return nil
}

// text adds what a paragraph says.
func (g *galley) text(p *manuscript.Paragraph, inlines []manuscript.Inline, c column) error {
	if err := g.s.stopped(); err != nil {
		return err
	}
	pieces, err := g.s.pieces(inlines, styleKey{size: c.size, lang: g.s.lang, lining: c.lining})
	if err != nil || !visible(pieces) {
		return err
	}
	pieces = g.s.anchored(pieces, p.Anchor)
	lead := g.lead
	pieces, g.lead = append(lead[:len(lead):len(lead)], pieces...), nil
	sh := line.Shape{Measure: c.measure, Offset: c.offset, NoHang: c.lining}
	slack := 1
	switch {
	case p.Align == manuscript.AlignCenter || p.Role == manuscript.RoleCentered:
		sh.Align, slack = line.Center, 0
	case p.Align == manuscript.AlignRight || p.Role == manuscript.RoleFlushRight || p.Role == manuscript.RoleAttribution:
		sh.Align, slack = line.Right, 0
	case c.ragged:
		sh.Align, slack = line.Left, 0
	}
	if sh.Align == line.Justify && !g.after && p.Role != manuscript.RoleFirst && (c.depth == 0 || c.quoted) {
		sh.Indent = c.size * 12 / 10
	}
	for _, part := range portions(pieces) {
		b, err := g.lines(g.s.shaper.Paragraph(part, sh), slack)
		if err != nil {
			return err
		}
		if c.depth > 0 && !g.s.inNote {
			b.movedIn()
		}
		b.Before = c.before
		b.flows = c.depth == 0 && sh.Align == line.Justify
		g.after = false
		g.add(b)
		c.before, sh.Indent = 0, 0
	}
	return nil
}

// movedIn says of lines that they stand in a narrower column.
func (b *block) movedIn() {
	for _, lines := range b.shown {
		for i := range lines {
			lines[i].measure = MovedIn
		}
	}
}

func visible(pieces []line.Piece) bool {
	for _, p := range pieces {
		if p.Text != "" || p.Width > 0 {
			return true
		}
	}
	return false
}

// heading adds a heading inside a section.
func (g *galley) heading(h *manuscript.Heading, c column) error {
	k := styleKey{size: g.s.d.size * 115 / 100, style: manuscript.Bold, display: true, lang: g.s.lang}
	switch {
	case h.Level == 2:
		k.size, k.style = g.s.d.size*105/100, manuscript.Italic
	case h.Level > 2:
		k.size, k.style = g.s.d.size, manuscript.SmallCaps
	}
	pieces, err := g.s.pieces(h.Inlines, k)
	if err != nil || !visible(pieces) {
		return err
	}
	pieces = g.s.anchored(pieces, h.Anchor)
	b, err := g.lines(g.s.shaper.Paragraph(pieces, line.Shape{Measure: c.measure, Offset: c.offset, Align: line.Left}), 0)
	if err != nil {
		return err
	}
	b.Before, b.KeepNext, b.Whole = 1, true, true
	if h.Level <= 1 { // more above than below
		last := len(b.shown[0]) - 1
		b.Variants[0].Lines[last].Rows = 2
		for i := range b.shown[0] {
			b.shown[0][i].rise = -g.s.d.leading * 6 / 10
		}
	}
	if len(b.shown[0]) > g.s.d.rows/3 { // no heading, whatever its style says
		b.KeepNext, b.Whole = false, false
	}
	g.after = true
	g.add(b)
	return nil
}

// scene adds a scene break: three rows with a mark, so that none is lost at the edge of a page.
func (g *galley) scene(c column) error {
	st, err := g.s.d.style(styleKey{size: g.s.d.size, display: true})
	if err != nil {
		return err
	}
	mark := g.s.d.spec.SceneMark
	if mark == "" {
		mark = "*"
	}
	b, err := g.lines(g.s.shaper.Paragraph([]line.Piece{{Text: hard(mark), Style: st}},
		line.Shape{Measure: c.measure, Offset: c.offset, Align: line.Center}), 0)
	if err != nil {
		return err
	}
	b.Variants[0].Lines[0].Rows = 3
	b.shown[0][0].rise = -g.s.d.leading - sceneDrop(st, b.shown[0][0].runs)
	b.Whole = true
	g.after = true
	g.add(b)
	return nil
}

// sceneDrop is by how much a scene mark stands below the baseline of the middle row, so that it has as much white
// above it as below: the row above ends at its baseline, the one below begins with the height of small letters. An
// asterisk hangs at the height of capitals.
func sceneDrop(st *line.Style, runs []line.Run) Unit {
	ink := span{low: math.MaxFloat32, high: -math.MaxFloat32}
	for _, r := range runs {
		for _, x := range r.Glyphs {
			r.Style.Font.Outline(x.ID, &ink)
		}
	}
	if ink.low > ink.high {
		return 0
	}
	em := float64(st.Font.UnitsPerEm())
	return Unit((float64(ink.high) + float64(ink.low) - float64(st.Font.Metrics().XHeight)) / 2 / em * float64(st.Size))
}

// span is from where to where outlines reach in height.
type span struct{ low, high float32 }

func (s *span) at(y float32)                      { s.low, s.high = min(s.low, y), max(s.high, y) }
func (s *span) MoveTo(_, y float32)               { s.at(y) }
func (s *span) LineTo(_, y float32)               { s.at(y) }
func (s *span) QuadTo(_, y1, _, y float32)        { s.at(y1); s.at(y) }
func (s *span) CubeTo(_, y1, _, y2, _, y float32) { s.at(y1); s.at(y2); s.at(y) }

// hard makes the spaces of a text unbreakable.
func hard(s string) string {
	out := []rune(s)
	for i, c := range out {
		if c == ' ' {
			out[i] = '\u00a0'
		}
	}
	return string(out)
}

// quote adds a quotation: moved in from both sides, with a row above and below.
func (g *galley) quote(q *manuscript.Quote, c column) error {
	if c.depth >= maxDepth {
		return g.all(q.Blocks, c)
	}
	in := c.in(g.s.d.indent*3/2, g.s.d.indent*3/2)
	in.before, in.quoted = 1, true
	g.after = true
	if err := g.all(q.Blocks, in); err != nil {
		return err
	}
	if len(q.Attribution) > 0 {
		in.before = 0
		g.keep()
		if err := g.paragraph(&manuscript.Paragraph{Inlines: q.Attribution, Role: manuscript.RoleAttribution}, in); err != nil {
			return err
		}
	}
	g.space(1)
	g.after = true
	return nil
}

// keep holds the last block together with the next one.
func (g *galley) keep() {
	if n := len(g.blocks); n > 0 {
		g.blocks[n-1].KeepNext = true
	}
}

// space leaves rows free above the next block, unless it begins a page.
func (g *galley) space(rows int) { g.gap = rows }
