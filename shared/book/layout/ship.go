package layout

import (
	"strconv"
	"strings"
	"unicode"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
	"mappe/shared/book/weblink"
)

// part is a section on its pages, or pages the press has made.
type part struct {
	section int // index in Book.Sections, -1
	title   string
	kind    manuscript.SectionKind
	pages   []page.Page
	opener  bool // its first page has a title: no head, a folio at the foot
	bare    bool // no head and no folio at all
	level   int  // in the contents; 0 is not in them
	faults  []Fault
	anchors map[string]int // page in the part
	links   []pending
	starts  []PageStart // of its pages, without section and folio

	textures Textures
}

// pending is a link whose target's page is not known yet.
type pending struct {
	page, link int
	target     string
}

// ship draws the pages of a galley.
func (s *setter) ship(g *galley, cut []paginate.Page, recto bool) part {
	p := part{section: -1, anchors: map[string]int{}}
	for i, c := range cut {
		pg := page.Page{}
		left := s.d.inner
		if (i%2 == 0) != recto {
			left = s.d.outer
		}
		last := i == len(cut)-1
		d := drawer{s: s, p: &p, page: &pg, index: i, left: left}
		d.body(g, c)
		d.foot(g, c, last)
		if r := c.Reasons.All(); len(r) > 0 {
			p.faults = append(p.faults, Fault{Page: i, Reasons: r})
		}
		p.pages = append(p.pages, pg)
		p.starts = append(p.starts, g.start(c))
	}
	return p
}

// start says where in the manuscript a page begins.
func (g *galley) start(c paginate.Page) PageStart {
	at := PageStart{Block: -1}
	if c.From.Block >= len(g.blocks) {
		return at
	}
	at.Block = g.blocks[c.From.Block].source
	for k := c.From.Block - 1; k >= 0 && g.blocks[k].source == at.Block; k-- { // every variant has the same letters
		at.Letters += g.blocks[k].letters(0, len(g.blocks[k].shown0()))
	}
	if len(c.Variants) > 0 {
		at.Letters += g.blocks[c.From.Block].letters(c.Variants[0], c.From.Line)
	}
	return at
}

// letters counts those of the first lines of a variant.
func (b *block) letters(variant, lines int) (n int) {
	if variant >= len(b.shown) {
		return 0
	}
	for _, l := range b.shown[variant][:min(lines, len(b.shown[variant]))] {
		n += l.letters()
	}
	return n
}

func (sh *shown) letters() (n int) {
	for _, runs := range [][]line.Run{sh.above, sh.runs} {
		for _, r := range runs {
			for _, c := range r.Text {
				if unicode.IsLetter(c) {
					n++
				}
			}
		}
	}
	for i := range sh.more {
		n += sh.more[i].letters()
	}
	return n
}

// drawer draws one page.
type drawer struct {
	s     *setter
	p     *part
	page  *page.Page
	index int
	left  Unit
}

func (d *drawer) body(g *galley, c paginate.Page) {
	y := d.s.d.top
	// the head of a table that goes on
	if b := &g.blocks[min(c.From.Block, len(g.blocks)-1)]; len(c.Variants) > 0 && c.From != c.To && b.Again > 0 {
		for i := range b.again {
			d.shown(&b.again[i].shown, y+b.again[i].dy, d.s.d.first)
		}
		y += Unit(b.Again) * d.s.d.leading
	}
	for k, v := range c.Variants {
		b := &g.blocks[c.From.Block+k]
		start, end := 0, len(b.Variants[v].Lines)
		if k == 0 {
			start = c.From.Line
		}
		if c.From.Block+k == c.To.Block {
			end = c.To.Line
		}
		if k > 0 || start == 0 && b.Sink {
			y += Unit(b.Before) * d.s.d.leading
		}
		for i := start; i < end; i++ {
			d.shown(&b.shown[v][i], y, d.s.d.first)
			d.count(&b.shown[v][i])
			y += Unit(b.Variants[v].Lines[i].Rows) * d.s.d.leading
		}
	}
}

// count adds a line to what the report says of running text. A row of hyphens ends where other text begins.
func (d *drawer) count(l *shown) {
	for m := range d.p.textures {
		if !l.prose || Measure(m) != l.measure {
			d.p.textures[m].row = 0
		}
	}
	if l.prose {
		d.p.textures[l.measure].line(l.space, l.hyphen)
	}
}

// foot draws the notes: the last baseline is that of the text.
func (d *drawer) foot(g *galley, c paginate.Page, last bool) {
	var lines []*shown
	for _, n := range c.Notes {
		for i := n.From; i < n.To; i++ {
			lines = append(lines, &g.notes[n.Note].lines[i])
		}
	}
	if len(lines) == 0 {
		return
	}
	rows := d.s.d.rows
	if !last {
		rows -= c.Short
	}
	base := d.s.d.top + Unit(rows-1)*d.s.d.leading + d.s.d.first - Unit(len(lines)-1)*d.s.d.noteLeading
	d.page.Marks = append(d.page.Marks, page.Rule{X: d.left, Y: base - d.s.d.noteSize - d.s.d.leading*3/10, Width: d.s.d.measure / 5,
		Height: 400})
	for i, l := range lines {
		d.shown(l, base+Unit(i)*d.s.d.noteLeading-d.s.d.first, d.s.d.first)
		d.count(l)
	}
}

// shown draws a line whose top is at y and whose baseline is first below it.
func (d *drawer) shown(sh *shown, y, first Unit) {
	base := y + first - sh.rise
	d.runs(sh.above, y+first)
	d.runs(sh.runs, base)
	for _, m := range sh.marks {
		switch m := m.(type) {
		case page.Rule:
			m.X, m.Y = m.X+d.left, m.Y+y
			d.page.Marks = append(d.page.Marks, m)
		case page.Picture:
			m.X, m.Y = m.X+d.left, m.Y+y
			d.page.Marks = append(d.page.Marks, m)
		}
	}
	for i := range sh.more {
		d.shown(&sh.more[i].shown, y+sh.more[i].dy, first)
	}
	for _, n := range sh.own {
		if t := d.s.marks[n-1].target; t != "" {
			if _, ok := d.p.anchors[t]; !ok {
				d.p.anchors[t] = d.index
			}
		}
	}
}

func (d *drawer) runs(runs []line.Run, base Unit) {
	for _, r := range runs {
		d.page.Marks = append(d.page.Marks, page.Glyphs{
			Font: r.Style.Ref, Size: r.Style.Size, X: d.left + r.X, Y: base - r.Style.Rise, Gray: r.Style.Gray, Glyphs: r.Glyphs,
			Text: r.Text,
		})
		if r.Style.Link > 0 {
			d.link(d.s.links[r.Style.Link-1], page.Link{X: d.left + r.X, Y: base - r.Style.Size*8/10, Width: r.Width, Height: r.Style.Size,
				Page: -1})
		}
	}
}

// link notes a link; one to a place in the book waits until the place's page is known.
func (d *drawer) link(href string, l page.Link) {
	if target, inside := strings.CutPrefix(href, "#"); inside {
		d.p.links = append(d.p.links, pending{page: d.index, link: len(d.page.Links), target: target})
	} else if l.URI = weblink.Address(href); l.URI == "" {
		return // no address: its text stays
	}
	d.page.Links = append(d.page.Links, l)
}

// one sets a text in a single line.
func (s *setter) one(t string, k styleKey, width Unit, align line.Align) ([]line.Run, error) {
	k.display = true
	pieces, err := s.pieces([]manuscript.Inline{manuscript.Text{S: t}}, k)
	if err != nil || !visible(pieces) {
		return nil, err
	}
	p := s.shaper.Paragraph(pieces, line.Shape{Measure: func(int) Unit { return width }, Align: align, NoHang: true})
	lines := p.Lines(p.Break(0)[0])
	if len(lines) > 1 { // too long for a head: as much as fits, at a word's end
		last := strings.LastIndexByte(t, ' ')
		if last <= 0 {
			return lines[0].Runs, nil
		}
		return s.one(strings.TrimRight(t[:last], " ,;:–—…")+"…", k, width, align)
	}
	return lines[0].Runs, nil
}

// dress adds heads, folios and the proof line to the pages of a part.
func (s *setter) dress(p *part, firstIndex int, folio func(i int) string, proof string) error {
	for i := range p.pages {
		pg := &p.pages[i]
		index := firstIndex + i
		recto := index%2 == 0
		left := s.d.inner
		if !recto {
			left = s.d.outer
		}
		d := drawer{s: s, p: p, page: pg, index: i, left: left}
		pg.Folio = folio(i)
		if proof != "" {
			runs, err := s.one(proof, styleKey{size: 7500, gray: 90}, s.d.measure, line.Center)
			if err != nil {
				return err
			}
			d.runs(runs, s.d.height-14_000)
		}
		if p.bare || pg.Blank {
			continue
		}
		if p.opener && i == 0 {
			runs, err := s.one(pg.Folio, styleKey{size: s.d.size}, s.d.measure, line.Center)
			if err != nil {
				return err
			}
			d.runs(runs, s.d.folioBase)
			continue
		}
		if err := s.head(&d, p, recto); err != nil {
			return err
		}
	}
	return nil
}

// head draws the running head: the folio at the outer edge, the text in the middle.
func (s *setter) head(d *drawer, p *part, recto bool) error {
	what, align := s.d.spec.HeadVerso, line.Left
	if recto {
		what, align = s.d.spec.HeadRecto, line.Right
	}
	runs, err := s.one(d.page.Folio, styleKey{size: s.d.size * 95 / 100}, s.d.measure, align)
	if err != nil {
		return err
	}
	d.runs(runs, s.d.headBase)
	text := ""
	switch what {
	case spec.HeadAuthor:
		text = s.author()
	case spec.HeadTitle:
		text = s.title()
	case spec.HeadChapter:
		text = p.title
	}
	if text == "" {
		return nil
	}
	k := styleKey{size: s.d.size * 90 / 100, style: manuscript.Italic}
	if what == spec.HeadAuthor {
		k = styleKey{size: s.d.size * 95 / 100, style: manuscript.SmallCaps}
	}
	runs, err = s.one(text, k, s.d.measure-5*s.d.size, line.Center)
	if err != nil {
		return err
	}
	for i := range runs {
		runs[i].X += 5 * s.d.size / 2
	}
	d.runs(runs, s.d.headBase)
	return nil
}

func (s *setter) title() string {
	if s.d.spec.Title != "" {
		return s.d.spec.Title
	}
	return s.book.Meta.Title
}

func (s *setter) author() string {
	if s.d.spec.Author != "" {
		return s.d.spec.Author
	}
	return s.book.Meta.Author
}

func arabic(first int) func(int) string { return func(i int) string { return strconv.Itoa(first + i) } }

func romans(first int) func(int) string { return func(i int) string { return roman(first + i) } }
