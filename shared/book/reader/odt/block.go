package odt

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// change is a tracked change.
type change struct {
	kind, author, text string
}

// flow gathers the blocks of the body, a note, a cell, an item.
type flow struct {
	r       *reader
	label   string
	top     bool
	out     []manuscript.Block
	after   []manuscript.Block   // what is anchored in the paragraph being read
	lined   []*manuscript.Figure // the pictures in its lines
	uses    []stylename.Style    // of out, where it is a paragraph
	in      source.Inlines
	size    source.Smallest
	ink     bool
	rule    bool // a line is drawn across
	removed bool // something of the paragraph was left out
	space   bool // the last letter was a space: spaces in a row are one
	href    string
	page    bool // the text is the number of the page it leads to
}

func (f *flow) place() manuscript.Place {
	return manuscript.Place{Section: f.r.sections.Title(), Part: f.label, Paragraph: f.r.paras}
}

func (f *flow) add(b manuscript.Block, use stylename.Style) {
	if f.r.tally.Add() {
		f.out = append(f.out, b)
		f.uses = append(f.uses, use)
	}
}

func (f *flow) children(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if !c.IsText() {
			f.block(c)
		}
	}
}

func (f *flow) block(e xmlpart.El) {
	switch e.NS() {
	case text:
		switch e.Name() {
		case "p", "h":
			f.paragraph(e)
		case "list":
			for _, b := range f.list(e, "", 1) {
				f.add(b, stylename.Style{})
			}
		case "section":
			if s := f.r.styles.sections[e.Attr(text, "style-name")]; s != nil && s.columns {
				f.r.log.Add(finding.Columns, f.place(), "", "columns")
			}
			if e.Attr(text, "display") == "none" {
				f.hidden(passages(e))
				return
			}
			f.children(e)
		case "table-of-content", "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index":
			f.r.log.Drop(finding.TOCField, f.place(), passages(e.Child(text, "index-body")), e.Name())
		case "bibliography":
			f.children(e.Child(text, "index-body"))
		case "index-title", "numbered-paragraph", "index-body":
			f.children(e)
		case "tracked-changes":
			f.readChanges(e)
		case "change", "change-start":
			f.change(e)
		}
	case table:
		if e.Name() == "table" {
			if t := f.table(e); len(t.Rows) > 0 {
				f.caption(t)
				f.add(t, stylename.Style{})
			}
		}
	case draw:
		f.drawing(e)
		f.flushAfter()
	case office:
		if e.Name() == "annotation" {
			f.comment(e)
		}
	}
}

// caption takes the caption that stands above a table; one below an earlier table or figure went there.
func (f *flow) caption(t *manuscript.Table) {
	n := len(f.out) - 1
	if n < 0 || f.uses[n].Use != stylename.Caption || len(t.Caption) > 0 {
		return
	}
	if p, ok := f.out[n].(*manuscript.Paragraph); ok && !source.Blank(p.Inlines) {
		t.Caption = p.Inlines
		f.out, f.uses = f.out[:n], f.uses[:n]
	}
}

// passages is the text of an element, with a space between its paragraphs.
func passages(e xmlpart.El) string {
	var b strings.Builder
	var add func(xmlpart.El)
	add = func(e xmlpart.El) {
		for c := e.First(); c.Ok(); c = c.Next() {
			if c.IsText() {
				b.WriteString(c.Text())
				continue
			}
			if c.NS() == text && strings.Contains(" p h s tab line-break ", " "+c.Name()+" ") {
				b.WriteByte(' ')
			}
			add(c)
		}
	}
	add(e)
	return source.Line(source.Clean(b.String()))
}

func (f *flow) hidden(s string) {
	if s = source.Line(source.Clean(s)); s != "" {
		f.r.log.Drop(finding.HiddenText, f.place(), s, "")
	}
}

func (f *flow) flushAfter() {
	after := f.after
	f.after = nil
	for _, b := range after {
		f.add(b, stylename.Style{})
	}
}

// paragraphLook is the style of a paragraph. One that the file does not define says by its name what it is.
func (r *reader) paragraphLook(name string) *look {
	if st := r.styles.paragraph[name]; st != nil {
		return st
	}
	st := &look{}
	if d := r.styles.paragraph[""]; d != nil {
		*st = *d
	}
	st.use, st.known = stylename.Lookup(unescapeName(name))
	return st
}

// levelOf is the level of a heading, from 1; 0 for other blocks.
func levelOf(e xmlpart.El, st *look) int {
	switch {
	case e.Name() == "h":
		return max(number(e.Attr(text, "outline-level"), 1), 1)
	case st.outline > 0:
		return st.outline
	case st.use.Use == stylename.Heading:
		return st.use.Level
	}
	return 0
}

func (f *flow) paragraph(e xmlpart.El) {
	f.r.paras++
	st := f.r.paragraphLook(e.Attr(text, "style-name"))
	st.used++
	place := f.place()
	f.ink, f.space, f.removed, f.rule = false, true, false, false
	p := walk{para: st, style: st.letters, language: st.language, points: st.points}
	if p.points == 0 {
		p.points = defaultPoints
	}
	if st.known && structural(st.use.Use) || e.Name() == "h" {
		p.base = st.letters
		p.style = 0
	}
	if st.hidden {
		f.hidden(passages(e))
		return
	}
	f.inlines(e, p)
	f.in.Link("")
	in, points := f.alone(f.in.Take()), f.size.Take()
	if st.automatic && (st.font != "" || st.size != "") && manuscript.Line(in) != "" {
		f.r.log.Add(finding.DirectFormatting, place, manuscript.Line(in), strings.TrimSpace("font "+st.font+" "+st.size))
	}
	level := levelOf(e, st)
	switch {
	case level > 0 && f.top && manuscript.Line(in) != "":
		in = source.Trim(in)
		if level == 1 {
			f.flush()
			h := source.Head{Title: in, Place: place}
			if st.use.Use == stylename.Heading {
				h.Kind = st.use.Kind
			}
			f.r.sections.Begin(h)
			break
		}
		f.add(&manuscript.Heading{Level: level - 1, Inlines: in, Place: place}, stylename.Style{})
	case level > 0 && f.top && source.Blank(in) && len(f.after) == 0 && !f.removed && !f.rule:
		f.r.log.Add(finding.EmptyHeading, place, "", "")
	case f.rule && source.Blank(in):
		f.add(&manuscript.SceneBreak{Place: place}, stylename.Style{Use: stylename.SceneBreak})
	case (len(f.after) > 0 || f.removed) && source.Blank(in): // what was left out leaves no gap
	default:
		if st.pageBreak && f.top {
			f.add(&manuscript.PageBreak{Place: place}, stylename.Style{})
		}
		f.text(in, st, points, place)
	}
	f.flushAfter()
}

func structural(u stylename.Use) bool { return u != stylename.Body && u != stylename.First }

// text adds a paragraph of running text; neighbours of one use become one block.
func (f *flow) text(in []manuscript.Inline, st *look, points float64, place manuscript.Place) {
	p := &manuscript.Paragraph{Inlines: in, Scale: points, Place: place}
	switch st.align {
	case "center":
		p.Align = manuscript.AlignCenter
	case "end", "right":
		p.Align = manuscript.AlignRight
	}
	use := st.use
	if !st.known {
		use = stylename.Style{}
	}
	if use.Use == stylename.Body && st.left && st.right && p.Align == manuscript.AlignNone {
		use.Use = stylename.Quote
	}
	n := len(f.out)
	same := n > 0 && f.uses[n-1].Use == use.Use
	p.Role = use.Use.Role()
	switch use.Use {
	case stylename.Title:
		if t := manuscript.Line(in); t != "" && f.top {
			f.r.titles = append(f.r.titles, t)
		}
	case stylename.Quote, stylename.Epigraph:
		if q, ok := last(f.out).(*manuscript.Quote); ok && same {
			q.Blocks = append(q.Blocks, p)
			return
		}
		f.add(&manuscript.Quote{Epigraph: use.Use == stylename.Epigraph, Blocks: []manuscript.Block{p}, Place: place}, use)
		return
	case stylename.Attribution:
		if q, ok := last(f.out).(*manuscript.Quote); ok && len(q.Attribution) == 0 {
			q.Attribution = source.Trim(in)
			return
		}
	case stylename.Verse:
		f.verse(in, same, place)
		return
	case stylename.Code:
		lines := source.CodeLines(in)
		if c, ok := last(f.out).(*manuscript.Code); ok && same {
			c.Lines = append(c.Lines, lines...)
			return
		}
		f.add(&manuscript.Code{Lines: lines, Place: place}, use)
		return
	case stylename.SceneBreak:
		f.add(&manuscript.SceneBreak{Mark: manuscript.Line(in), Place: place}, use)
		return
	case stylename.Caption:
		if c := captionOf(last(f.out)); c != nil && len(*c) == 0 {
			*c = in
			return
		}
	}
	f.add(p, use)
}

// captionOf is where a block keeps its caption; nil for what has none.
func captionOf(b manuscript.Block) *[]manuscript.Inline {
	switch b := b.(type) {
	case *manuscript.Figure:
		return &b.Caption
	case *manuscript.Table:
		return &b.Caption
	}
	return nil
}

func last(b []manuscript.Block) manuscript.Block {
	if len(b) == 0 {
		return nil
	}
	return b[len(b)-1]
}

// verse adds lines: a paragraph with line breaks is a stanza, one without a line.
func (f *flow) verse(in []manuscript.Inline, same bool, place manuscript.Place) {
	v, ok := last(f.out).(*manuscript.Verse)
	if !ok || !same {
		v = &manuscript.Verse{Place: place}
		f.add(v, stylename.Style{Use: stylename.Verse})
	}
	if source.Blank(in) {
		v.Stanzas = append(v.Stanzas, nil)
		return
	}
	var lines []manuscript.VerseLine
	from := 0
	for i := 0; i <= len(in); i++ {
		if i < len(in) {
			if _, ok := in[i].(manuscript.LineBreak); !ok {
				continue
			}
		}
		lines = append(lines, manuscript.VerseLine{Inlines: source.Trim(in[from:i:i])})
		from = i + 1
	}
	if n := len(v.Stanzas); len(lines) == 1 && n > 0 {
		v.Stanzas[n-1] = append(v.Stanzas[n-1], lines...)
		return
	}
	v.Stanzas = append(v.Stanzas, lines)
}

// flush puts the blocks so far into the section that is open.
func (f *flow) flush() {
	if !f.top {
		return
	}
	for i, b := range f.out {
		use := f.uses[i]
		p, isPara := b.(*manuscript.Paragraph)
		open, untitled := f.r.sections.Kind()
		switch {
		case use.Use == stylename.SectionText && !(untitled && open == use.Kind):
			f.r.sections.Begin(source.Head{Kind: use.Kind, Place: p.Place})
		case use.Use != stylename.SectionText && untitled && open != manuscript.KindOther:
			f.r.sections.Begin(source.Head{})
		case isPara && use.Use == stylename.SectionSubtitle && f.r.sections.Subtitle(p.Inlines):
			continue
		}
		if v, ok := b.(*manuscript.Verse); ok {
			v.Stanzas = filled(v.Stanzas)
		}
		f.r.sections.Add(b)
	}
	f.out, f.uses = nil, nil
}

func filled(s [][]manuscript.VerseLine) [][]manuscript.VerseLine {
	out := s[:0]
	for _, x := range s {
		if len(x) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// sub reads the inside of an element as blocks of their own.
func (f *flow) sub(e xmlpart.El) []manuscript.Block {
	inner := &flow{r: f.r, label: f.label}
	inner.children(e)
	return inner.out
}
