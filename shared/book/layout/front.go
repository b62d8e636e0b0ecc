package layout

import (
	"slices"
	"strings"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// madePage is a page that the manuscript need not have: it is made from the specification.
type madePage struct {
	wanted bool
	make   func() (*galley, error)
	recto  bool
}

func (s *setter) halfTitlePage() (*galley, error) {
	g := &galley{s: s}
	return g, g.centered(s.title(), styleKey{size: s.d.size * 140 / 100}, s.d.rows/5)
}

// front sets the pages before the body: title, copyright, dedication, contents, preface. earlier is the
// result of the round before, whose folios the contents show.
func (w *work) front(before, after []int, body, earlier []part) ([]part, error) {
	s := w.s
	var to sequence
	has := map[manuscript.SectionKind]bool{}
	for _, i := range slices.Concat(before, after) {
		has[s.book.Sections[i].Kind] = true
	}
	imprint := !has[manuscript.KindCopyright] && (s.d.spec.Rights != "" || s.d.spec.Publisher != "" || s.d.spec.ISBN != "")
	for _, m := range []madePage{
		{wanted: w.halfTitle && s.title() != "", make: s.halfTitlePage, recto: true},
		{wanted: !has[manuscript.KindTitlePage] && s.title() != "", make: s.titlePage, recto: true},
		{wanted: imprint && !has[manuscript.KindTitlePage], make: s.copyrightPage},
	} {
		if err := w.made(&to, m); err != nil {
			return nil, err
		}
	}
	for _, i := range before {
		if err := w.append(&to, i); err != nil {
			return nil, err
		}
		if s.book.Sections[i].Kind == manuscript.KindTitlePage { // on its back
			if err := w.made(&to, madePage{wanted: imprint, make: s.copyrightPage}); err != nil {
				return nil, err
			}
			imprint = false
		}
	}
	if err := w.contents(&to, body, earlier); err != nil {
		return nil, err
	}
	for _, i := range after {
		if err := w.append(&to, i); err != nil {
			return nil, err
		}
	}
	if to.pages%2 == 1 { // the body begins on a recto
		to.add(blank())
	}
	return to.parts, w.dressed(to.parts, 0, romans)
}

// made adds a page that is made from the specification, where it is wanted.
func (w *work) made(to *sequence, m madePage) error {
	if !m.wanted {
		return nil
	}
	g, err := m.make()
	if err != nil {
		return err
	}
	p, err := w.place(g, to, m.recto)
	if err != nil {
		return err
	}
	p.bare = true
	to.add(p)
	return nil
}

// centered adds a line of display type with free rows above it.
func (g *galley) centered(t string, k styleKey, before int) error {
	if t == "" {
		return nil
	}
	k.display = true
	pieces, err := g.s.pieces([]manuscript.Inline{manuscript.Text{S: t}}, k)
	if err != nil || !visible(pieces) {
		return err
	}
	b, err := g.lines(g.s.evened(pieces, g.s.whole()), 0)
	if err != nil {
		return err
	}
	g.title(&b, k.size, g.s.d.rowsOf(k.size*12/10))
	b.Sink, b.Before = len(g.blocks) == 0, before
	g.add(b)
	return nil
}

func (s *setter) titlePage() (*galley, error) {
	g := &galley{s: s}
	d := s.d
	subtitle := d.spec.Subtitle
	if subtitle == "" {
		subtitle = s.book.Meta.Subtitle
	}
	for _, x := range []struct {
		text   string
		key    styleKey
		before int
	}{
		{s.title(), styleKey{size: d.size * 240 / 100}, d.rows / 5},
		{subtitle, styleKey{size: d.size * 130 / 100, style: manuscript.Italic}, 1},
		{s.author(), styleKey{size: d.size * 130 / 100, style: manuscript.SmallCaps}, 3},
		{d.spec.Publisher, styleKey{size: d.size}, d.rows / 4},
	} {
		if err := g.centered(x.text, x.key, x.before); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (s *setter) copyrightPage() (*galley, error) {
	g := &galley{s: s, after: true}
	var lines []string
	for _, l := range []string{s.d.spec.Rights, s.d.spec.Publisher} {
		if l != "" {
			lines = append(lines, l)
		}
	}
	if s.d.spec.ISBN != "" {
		lines = append(lines, "ISBN "+s.d.spec.ISBN)
	}
	c := s.whole()
	c.size, c.ragged, c.depth = s.d.noteSize, true, 1
	for i, l := range lines {
		at := len(g.blocks)
		if err := g.paragraph(&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: l}}}, c); err != nil {
			return nil, err
		}
		if i == 0 && len(g.blocks) > at {
			g.blocks[at].Sink, g.blocks[at].Before = true, max(s.d.rows-2*len(lines)-4, 0)
		}
	}
	return g, nil
}

// contents sets the table of contents.
func (w *work) contents(to *sequence, body, earlier []part) error {
	s := w.s
	var list []contentsEntry
	var widest Unit // of the numbers
	var err error
	seen := false // entries of the front stand behind the contents
	for _, p := range earlier {
		if p.kind == manuscript.KindContents {
			seen = true
		} else if seen && p.level > 0 {
			list = append(list, contentsEntry{title: p.title, folio: p.pages[0].Folio, section: p.section})
		}
	}
	for _, p := range body {
		if p.level > 0 {
			e := contentsEntry{title: p.title, folio: p.pages[0].Folio, section: p.section, part: p.kind == manuscript.KindPart}
			if p.section >= 0 {
				e.title = s.book.Sections[p.section].Entry(s.d.spec.ChapterLabel)
			}
			if number, _, ok := strings.Cut(e.title, "\u2002"); ok && !e.part {
				if e.number, err = s.width(number); err != nil {
					return err
				}
				widest = max(widest, e.number)
			}
			list = append(list, e)
		}
	}
	if s.d.spec.Contents == spec.ContentsNo || s.d.spec.Contents == spec.ContentsAuto && len(list) < 3 || len(list) == 0 {
		return nil
	}
	heading := "Contents"
	if strings.HasPrefix(s.d.spec.Language, "de") {
		heading = "Inhalt"
	}
	g := &galley{s: s, after: true}
	if err := g.opener(&manuscript.Section{Title: []manuscript.Inline{manuscript.Text{S: heading}}}); err != nil {
		return err
	}
	for _, e := range list {
		b, err := s.entry(e, widest)
		if err != nil {
			return err
		}
		if e.part {
			b.Before, b.KeepNext = 1, true
		}
		g.add(b)
	}
	g.drawIn()
	p, err := w.place(g, to, true)
	if err != nil {
		return err
	}
	p.kind, p.title, p.opener = manuscript.KindContents, heading, true
	to.add(p)
	return nil
}

// maxSpill is how many rows the contents do not take a further page for.
const maxSpill = 4

// drawIn takes rows from above the heading of the contents, and from between its parts where that is not enough,
// when no more than a few rows would spill onto a further page.
func (g *galley) drawIn() {
	rows, parts := 0, 0
	for i := range g.blocks {
		rows += g.blocks[i].Before + paginateRows(g.blocks[i].Variants[0].Lines)
		if i > 0 {
			parts += g.blocks[i].Before
		}
	}
	over := rows % g.s.d.rows
	if rows < g.s.d.rows || over == 0 || over > maxSpill || len(g.blocks) == 0 {
		return
	}
	sink := max(min(over, g.blocks[0].Before-2), 0)
	if over-sink > parts {
		return
	}
	g.blocks[0].Before -= sink
	for i := 1; i < len(g.blocks) && sink < over; i++ {
		less := min(g.blocks[i].Before, over-sink)
		g.blocks[i].Before -= less
		sink += less
	}
}

// contentsEntry is a line of the contents.
type contentsEntry struct {
	title, folio string
	section      int
	part         bool
	number       Unit // width of the number the title begins with; 0 without a number
}

// width is how wide a text of the contents is.
func (s *setter) width(t string) (w Unit, err error) {
	runs, err := s.one(t, styleKey{size: s.d.size}, s.d.measure, line.Left)
	for _, r := range runs {
		w += r.Width
	}
	return w, err
}

// entry sets a line of the contents: the title, dots, the folio at the right edge. Numbers end under each
// other, at most so wide as the widest, and a title goes on under its own beginning.
func (s *setter) entry(e contentsEntry, widest Unit) (block, error) {
	d := s.d
	s.links = append(s.links, "#"+sectionAnchor(e.section))
	k := styleKey{size: d.size, display: true, link: len(s.links)}
	if e.part {
		k.style = manuscript.SmallCaps
	}
	pieces, err := s.pieces([]manuscript.Inline{manuscript.Text{S: e.title}}, k)
	if err != nil {
		return block{}, err
	}
	room := d.size * 3
	in := func(n int) Unit {
		switch {
		case e.number == 0 || widest > d.measure/4:
			return 0
		case n == 0:
			return widest - e.number
		}
		return widest + d.size/2
	}
	p := s.shaper.Paragraph(pieces, line.Shape{Measure: func(n int) Unit { return d.measure - room - in(n) }, Offset: in, Align: line.Left,
		NoHang: true})
	lines := p.Lines(p.Break(0)[0])
	number, err := s.one(e.folio, styleKey{size: d.size}, d.measure, line.Right)
	if err != nil {
		return block{}, err
	}
	var b block
	b.Whole = true
	b.Variants, b.shown = make([]paginate.Variant, 1), make([][]shown, 1)
	for i, l := range lines {
		sh := shown{runs: l.Runs, own: l.Marks}
		if i == len(lines)-1 {
			end := l.Left + l.Width + d.size/2
			start := d.measure
			if len(number) > 0 {
				start = number[0].X
			}
			dots, err := s.leaders(end, min(start-d.size/2, d.measure-2*d.size))
			if err != nil {
				return block{}, err
			}
			sh.runs = append(append(sh.runs, dots...), number...)
		}
		b.Variants[0].Lines = append(b.Variants[0].Lines, paginate.Line{Rows: 1})
		b.shown[0] = append(b.shown[0], sh)
	}
	return b, nil
}

// leaders are dots on a grid from the right edge, so that those of all lines stand under each other.
func (s *setter) leaders(from, to Unit) ([]line.Run, error) {
	step := s.d.size * 6 / 10
	dot, err := s.one(".", styleKey{size: s.d.size}, s.d.measure, line.Left)
	if err != nil || len(dot) == 0 {
		return nil, err
	}
	var out []line.Run
	first := (from + step - 1) / step * step
	for x := first; x+step <= to; x += step {
		r := dot[0]
		r.X = x
		out = append(out, r)
	}
	return out, nil
}

// endnotes sets the notes that stand at the end of the book.
func (w *work) endnotes(body *sequence) error {
	s := w.s
	if len(s.later) == 0 {
		return nil
	}
	later := s.later
	s.later = nil
	heading := "Notes"
	if strings.HasPrefix(s.d.spec.Language, "de") {
		heading = "Anmerkungen"
	}
	s.lang = s.d.spec.Language
	g := &galley{s: s, after: true, source: -1}
	if err := g.opener(&manuscript.Section{Title: []manuscript.Inline{manuscript.Text{S: heading}}}); err != nil {
		return err
	}
	last := -1
	for _, m := range later {
		if m.section != last { // numbers begin anew in every section
			last = m.section
			sec := &s.book.Sections[last]
			if title := sec.Entry(s.d.spec.ChapterLabel); title != "" {
				if err := g.heading(&manuscript.Heading{Level: 2, Inlines: []manuscript.Inline{manuscript.Text{S: title}}},
					s.whole()); err != nil {
					return err
				}
			}
		}
		set, err := s.note(&s.book.Notes[m.note-1], m.number)
		if err != nil {
			return err
		}
		b := block{shown: [][]shown{set.lines}}
		b.Variants = []paginate.Variant{{Lines: make([]paginate.Line, len(set.lines))}}
		for i := range b.Variants[0].Lines {
			b.Variants[0].Lines[i].Rows = 1
		}
		g.add(b)
	}
	p, err := w.place(g, body, true)
	if err != nil {
		return err
	}
	p.kind, p.title, p.opener, p.level = manuscript.KindNotes, heading, true, 1
	body.add(p)
	return nil
}
