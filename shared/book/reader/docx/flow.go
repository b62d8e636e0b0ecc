package docx

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// story is a text with paragraphs of its own: the body, a note.
type story struct {
	part     *part
	label    string
	paras    int
	fields   []field
	revision string // the last tracked change, its kind and author
	revised  bool   // nothing else has come since
	revising int    // insertions that are open
	streaks  [streakCount]streak
	captured []capture // texts of comments that are open
}

// flow gathers the paragraphs of a story, a cell or a text box.
type flow struct {
	r      *reader
	story  *story
	top    bool // the body itself, where sections begin
	items  []item
	in     source.Inlines
	text   int // letters in in
	size   source.Smallest
	href   string
	p      para
	pages  int  // one more than the index of the page break by the end of a section, whose kind the next section tells
	carry  bool // the paragraph before goes on: its mark is deleted, or it was a drop cap
	drop   bool
	framed bool // the paragraph before stands in a frame
}

// para is the paragraph being read.
type para struct {
	props    paraProps
	style    *style
	place    manuscript.Place
	pieces   int     // parts that a page break has cut off
	size     float64 // of its smallest letters, in points
	removed  bool    // something was left out: a blank paragraph is no gap then
	direct   string
	figures  []manuscript.Figure
	boxes    []item
	rule     bool // a line is drawn across
	numbered bool // its number is counted: what a page break cuts off has none
}

// item is a paragraph or a finished block, before it is grouped into lists, quotations and verse.
type item struct {
	block   manuscript.Block // where it is no paragraph
	inlines []manuscript.Inline
	use     stylename.Style
	role    manuscript.Role
	align   manuscript.Align
	dropCap bool
	quoted  bool // indented on both sides
	list    listItem
	size    float64 // of the smallest letters, in points
	follow  bool    // a paragraph of a list style without a number
	steps   int     // of indent
	place   manuscript.Place
}

func (f *flow) place() manuscript.Place {
	return manuscript.Place{Section: f.r.sections.Title(), Part: f.story.label, Paragraph: f.story.paras}
}

func (f *flow) find(t finding.Type, excerpt, detail string) {
	f.r.log.Add(t, f.place(), excerpt, detail)
}

// push adds an item and counts it.
func (f *flow) push(it item) {
	if f.r.tally.Add() {
		f.items = append(f.items, it)
	}
}

// block reads an element between paragraphs.
func (f *flow) block(e xmlpart.El) {
	if e.IsText() {
		return
	}
	switch e.NS() {
	case w:
		switch e.Name() {
		case "p":
			f.paragraph(e)
		case "tbl":
			f.settle()
			f.table(e)
		case "sdt":
			if gallery := e.Path(w, "sdtPr", "docPartObj", "docPartGallery").Attr(w, "val"); gallery == "Table of Contents" {
				f.r.log.Drop(finding.TOCField, f.place(), passages(e.Child(w, "sdtContent")), "")
				f.story.paras += countParagraphs(e)
				return
			}
			f.children(e.Child(w, "sdtContent"))
		case "customXml", "smartTag", "ins", "moveTo":
			f.children(e)
		case "del", "moveFrom":
			f.revise("deleted", e.Attr(w, "author"), e)
			f.story.paras += countParagraphs(e)
		case "altChunk", "subDoc":
			f.find(finding.UnsupportedObject, "", "an embedded document")
		case "bookmarkStart", "bookmarkEnd":
			f.bookmark(e)
		case "sectPr":
			f.section(e, false)
		}
	case mc:
		if e.Name() == "AlternateContent" {
			f.children(choice(e))
		}
	case m:
		f.find(finding.UnsupportedObject, e.Brief(excerptBytes), "an equation")
	}
}

func (f *flow) children(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		f.block(c)
	}
}

// choice is the branch of alternate content that is read: the first choice that can be, else the fallback.
func choice(e xmlpart.El) xmlpart.El {
	fallback := e.Child(mc, "Fallback")
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.Is(mc, "Choice") && !(fallback.Ok() && foreign(c.Attr(none, "Requires"))) {
			return c
		}
	}
	return fallback
}

// foreign says whether a choice is of a kind that is never read, while the fallback is a picture of it: the newer
// charts, models in three dimensions, ink.
func foreign(requires string) bool {
	for _, prefix := range strings.Fields(requires) {
		if prefix == "am3d" || prefix == "aink" || prefix == "wpi" || strings.HasPrefix(prefix, "cx") {
			return true
		}
	}
	return false
}

func countParagraphs(e xmlpart.El) int {
	n := 0
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.Is(w, "p") {
			n++
		} else {
			n += countParagraphs(c)
		}
	}
	return n
}

// paragraph reads a paragraph and what hangs on it.
func (f *flow) paragraph(e xmlpart.El) {
	f.story.paras++
	props := readParaProps(e.Child(w, "pPr"))
	st := f.r.styles.paragraph(props.style)
	st.used++
	boxes, figures, direct, removed := f.p.boxes, f.p.figures, f.p.direct, f.p.removed
	f.p = para{props: props, style: st, place: f.place()}
	if f.carry {
		f.p.boxes, f.p.figures, f.p.direct, f.p.removed = boxes, figures, direct, removed
	}
	if f.level() > 0 && st.use.Use != stylename.Contents {
		f.abandonFields()
	}
	f.p.removed = f.p.removed || f.story.silent()
	f.inlines(e)
	f.story.closeCodes(f)
	f.story.overhear(" ")
	f.endStreaks()
	f.insertedMark()
	if props.mark.deletedMark {
		f.revise("deleted", props.mark.deletedBy, mark{})
		f.carry = true
		return
	}
	if props.mark.on&tHidden != 0 && f.level() == 0 {
		f.carry = true // its text stands in one line with the next
		return
	}
	if props.dropCap {
		f.carry, f.drop = true, f.text > 0
		return
	}
	f.close()
	if props.section.Ok() {
		f.section(props.section, true)
	}
}

// level is the outline level of the paragraph, 0 for running text.
func (f *flow) level() int {
	switch out := f.p.props.outline; {
	case out == 10:
		return 0
	case out > 0:
		return out
	}
	switch st := f.p.style; {
	case st.outline == 10:
		return 0
	case st.outline > 0:
		return st.outline
	case st.use.Use == stylename.Heading:
		return st.use.Level
	}
	return 0
}

// settle ends a paragraph that was to go on in the next one, where none follows.
func (f *flow) settle() {
	if f.carry {
		f.close()
	}
}

// close makes the items that were gathered into the paragraph's text.
func (f *flow) close() {
	in := f.in.Take()
	f.text = 0
	p := &f.p
	p.size = f.size.Take()
	if p.direct != "" {
		f.r.log.Add(finding.DirectFormatting, p.place, manuscript.Line(in), p.direct)
	}
	if p.props.frame && !f.framed {
		f.r.log.Add(finding.TextBox, p.place, manuscript.Line(in), "")
	}
	f.framed = p.props.frame
	if p.props.changed {
		f.revise("formatting", p.props.changedBy, words(in))
	}
	drop := f.drop
	f.carry, f.drop = false, false
	ink := hasInk(in)
	level := f.level()
	if p.props.pageBreak && ink && level == 0 {
		f.push(item{block: &manuscript.PageBreak{Place: p.place}})
	}
	figures := p.figures
	p.figures = nil
	switch {
	case len(figures) > 0 && picturesOnly(in):
		for i := range figures {
			fig := figures[i]
			f.push(item{block: &fig})
		}
		f.keepMarks(in)
	case p.rule && !ink && level == 0:
		f.push(item{block: &manuscript.SceneBreak{Place: p.place}})
		f.keepMarks(in)
	case !ink && (p.removed || p.pieces > 0 || len(p.boxes) > 0):
		f.keepMarks(in) // what was left out leaves no gap
	case level > 0 && ink && f.top:
		f.heading(level, in)
	case level > 0 && f.top: // it begins nothing, and is no gap between scenes
		f.r.log.Add(finding.EmptyHeading, p.place, "", "")
		f.keepMarks(in)
	default:
		f.push(f.item(in, drop))
	}
	for _, b := range p.boxes {
		f.push(b)
	}
	p.boxes = nil
}

// end ends the story.
func (f *flow) end() {
	f.settle()
	if !f.in.Empty() {
		if in := f.in.Take(); !source.Blank(in) {
			f.push(item{inlines: in, place: f.place()})
		}
	}
	f.endStreaks()
}

func picturesOnly(in []manuscript.Inline) bool {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.InlineImage, manuscript.Target, manuscript.IndexMark:
		case manuscript.Link:
			if !picturesOnly(i.Inlines) {
				return false
			}
		default:
			if !source.Blank([]manuscript.Inline{i}) {
				return false
			}
		}
	}
	return true
}

// keepMarks moves marks without width to the next paragraph.
func (f *flow) keepMarks(in []manuscript.Inline) {
	for _, i := range in {
		switch i.(type) {
		case manuscript.Target, manuscript.IndexMark:
			f.in.Add(i)
		}
	}
}

// hasInk says whether inlines print anything.
func hasInk(in []manuscript.Inline) bool {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if strings.TrimSpace(i.S) != "" {
				return true
			}
		case manuscript.NoteRef, manuscript.InlineImage:
			return true
		case manuscript.Link:
			if hasInk(i.Inlines) {
				return true
			}
		}
	}
	return false
}

// passages is the text of an element, with a space between its paragraphs.
func passages(e xmlpart.El) string {
	var b strings.Builder
	var add func(xmlpart.El)
	add = func(e xmlpart.El) {
		for c := e.First(); c.Ok(); c = c.Next() {
			switch {
			case c.IsText() || c.Is(w, "del") || c.Is(w, "moveFrom") || c.Is(mc, "Fallback"):
				continue
			case c.Is(w, "t"):
				b.WriteString(c.AllText())
				continue
			case c.Is(w, "p"), c.Is(w, "tab"), c.Is(w, "br"):
				b.WriteByte(' ')
			}
			add(c)
		}
	}
	add(e)
	return clean(b.String())
}
