package docx

import (
	"cmp"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// look is how the letters of a run look, after styles and direct formatting.
type look struct {
	style     manuscript.Style
	language  string
	font      string
	size      float64 // points
	hidden    bool
	highlight bool
}

// inlines reads what stands in a paragraph.
func (f *flow) inlines(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.IsText() {
			continue
		}
		switch c.NS() {
		case w:
			f.inline(c)
		case mc:
			if c.Name() == "AlternateContent" {
				f.inlines(choice(c))
			}
		case m:
			f.equation(c)
		}
	}
}

// equation tells of an equation, which is left out.
func (f *flow) equation(e xmlpart.El) {
	f.find(finding.UnsupportedObject, e.Brief(excerptBytes), "an equation")
	f.p.removed = true
}

// ruby reads the letters under a reading, which is told and left out.
func (f *flow) ruby(e xmlpart.El, l *look) {
	f.inlines(e.Child(w, "rubyBase"))
	if said := e.Child(w, "rt").AllText(); said != "" && !f.story.silent() && !l.hidden {
		f.find(finding.UnsupportedObject, clip(clean(said)), "a reading above the line")
	}
}

func (f *flow) inline(c xmlpart.El) {
	switch c.Name() {
	case "r":
		f.run(c)
	case "hyperlink":
		outer := f.href
		if to := f.linkTarget(c); to != "" {
			f.href = to
		}
		f.inlines(c)
		f.href = outer
	case "ins":
		f.revise("inserted", c.Attr(w, "author"), c)
		f.inlines(c)
		f.revised()
	case "moveTo":
		f.revise("moved here", c.Attr(w, "author"), c)
		f.inlines(c)
		f.revised()
	case "del":
		f.delete(c, "deleted")
	case "moveFrom":
		f.delete(c, "moved away")
	case "smartTag", "customXml", "bdo", "dir":
		f.inlines(c)
	case "sdt":
		f.inlines(c.Child(w, "sdtContent"))
	case "fldSimple":
		f.begin()
		f.code(c.Attr(w, "instr"))
		f.separate()
		f.inlines(c)
		f.endField()
	case "bookmarkStart", "bookmarkEnd":
		f.bookmark(c)
	case "commentRangeStart":
		f.story.capture(c.Attr(w, "id"))
	case "subDoc":
		f.find(finding.UnsupportedObject, "", "an embedded document")
	}
}

// linkTarget is where a hyperlink leads: an address, or a bookmark with a # in front.
func (f *flow) linkTarget(e xmlpart.El) string {
	anchor := e.Attr(w, "anchor")
	if id := e.Attr(rel, "id"); id != "" {
		if r, ok := f.story.part.rels[id]; ok && r.external {
			if anchor != "" && !strings.Contains(r.target, "#") {
				return address(r.target + "#" + anchor)
			}
			return address(r.target)
		}
	}
	if anchor != "" {
		f.r.wanted[anchor] = true
		return "#" + anchor
	}
	return ""
}

// address is a link that a book may carry, "" for others (files, scripts).
func address(s string) string {
	s = strings.TrimSpace(s)
	low := strings.ToLower(s)
	for _, p := range []string{"http://", "https://", "mailto:", "#"} {
		if strings.HasPrefix(low, p) && len(s) <= 2048 {
			return s
		}
	}
	return ""
}

func (f *flow) run(e xmlpart.El) {
	var props charProps
	first := e.First()
	for first.Ok() && first.IsText() {
		first = first.Next()
	}
	if first.Is(w, "rPr") {
		props = readCharProps(first)
	}
	l := f.look(&props)
	if props.changed {
		f.revise("formatting", props.changedBy, e)
	}
	f.content(e, &l, &props)
}

// look works out how a run looks. Where the style of the paragraph says what it is for, its own italics
// and bold are the design's business, and letters that differ from it are the emphasis.
func (f *flow) look(p *charProps) look {
	st := f.p.style
	on := st.char.on
	cs := f.r.styles.character(p.style)
	base := st.char
	if cs != nil {
		on ^= cs.char.on
		base = base.over(cs.char)
	}
	on = on&^p.set | p.on
	l := look{language: base.lang, hidden: on&tHidden != 0}
	if p.lang != "" {
		l.language = p.lang
	}
	switch st.use.Use {
	case stylename.Body, stylename.First, stylename.ListContinued:
		if f.level() > 0 {
			on = structural(on, st.char.on) &^ (tBold | tCaps)
		}
	case stylename.Heading, stylename.Title, stylename.Subtitle, stylename.SectionSubtitle:
		on = structural(on, st.char.on) &^ (tBold | tCaps)
	default:
		on = structural(on, st.char.on)
	}
	l.style = letterStyle(on)
	vert, under := p.vert, p.underline
	if cs != nil {
		vert, under = cmp.Or(vert, cs.char.vert), cmp.Or(under, cs.char.underline)
		if mono[cs.name] {
			l.style |= manuscript.Monospace
		}
	}
	switch vert {
	case "superscript":
		l.style |= manuscript.Superscript
	case "subscript":
		l.style |= manuscript.Subscript
	}
	if under != "" && under != "none" && f.target() == "" && f.level() == 0 {
		l.style |= manuscript.Underline
	}
	high := p.highlight
	if high == "" {
		high = base.highlight
	}
	l.highlight = high != "" && high != "none"
	l.font = f.r.styles.font(*p)
	if f.level() == 0 && source.Typewriter(cmp.Or(l.font, f.r.styles.font(base))) {
		l.style |= manuscript.Monospace
	}
	l.size = letterSize(p, &base)
	f.direct(p, &base, l.font)
	return l
}

// letterSize is the size of letters in points: set by hand, of their style, or Word's own where no style says any.
func letterSize(p, base *charProps) float64 {
	switch {
	case p.size != 0:
		return float64(p.size) / 2
	case base.size != 0:
		return float64(base.size) / 2
	}
	return 10
}

// letterStyle is what toggled properties are in the model.
func letterStyle(on toggle) (s manuscript.Style) {
	for _, t := range [...]struct {
		t toggle
		s manuscript.Style
	}{{tBold, manuscript.Bold}, {tItalic, manuscript.Italic}, {tCaps, manuscript.AllCaps}, {tSmallCaps, manuscript.SmallCaps}, {tStrike,
		manuscript.Strike}} {
		if on&t.t != 0 {
			s |= t.s
		}
	}
	return s
}

// structural is what is emphasis in a paragraph whose style says what it is for: letters that differ from the
// style's italics, and bold, capitals and small capitals that the style has not.
func structural(on, style toggle) toggle {
	on ^= style & tItalic
	return on &^ (style & (tBold | tCaps | tSmallCaps))
}

// mono are the names of styles of characters for program text.
var mono = map[string]bool{"Verbatim Char": true, "HTML Code": true, "HTML Typewriter": true, "Source Text": true, "Code": true,
	"Code Char": true, "Quelltext": true}

// direct notes what is set by hand and differs from the style.
func (f *flow) direct(p, base *charProps, font string) {
	if f.p.direct != "" {
		return
	}
	switch {
	case font != "" && font != f.r.styles.font(*base) && !symbolFont(font) && !source.Typewriter(font):
		f.p.direct = "font " + font
	case p.size != 0 && p.size != base.size && (base.size != 0 || p.size != 20):
		f.p.direct = points(p.size)
	case p.colour != "" && p.colour != "AUTO" && p.colour != "000000" && p.colour != base.colour && f.target() == "":
		f.p.direct = "colour " + p.colour
	}
}

// content reads what stands in a run.
func (f *flow) content(e xmlpart.El, l *look, p *charProps) {
	custom := false // the mark of a note is a text of the author's, not a number
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.IsText() {
			continue
		}
		switch {
		case c.NS() == mc && c.Name() == "AlternateContent":
			f.content(choice(c), l, p)
		case c.NS() == m:
			f.equation(c)
		}
		if c.NS() != w {
			continue
		}
		switch c.Name() {
		case "t":
			if !custom {
				f.letters(runText(c), l)
			}
		case "tab", "ptab":
			f.letters("\t", l)
		case "noBreakHyphen":
			f.letters("\u2011", l)
		case "softHyphen":
			f.letters("\u00ad", l)
		case "br":
			f.breakLine(c.Attr(w, "type"), l)
		case "cr":
			f.breakLine("", l)
		case "sym":
			if s := symbol(c.Attr(w, "font"), c.Attr(w, "char")); s != "" && !custom {
				plain := *l
				plain.font = ""
				f.letters(s, &plain)
			}
		case "footnoteReference", "endnoteReference":
			custom = onOffAttr(c, "customMarkFollows")
			mark := ""
			if custom {
				mark = customMark(c)
			}
			f.noteRef(c.Name() == "endnoteReference", c.Attr(w, "id"), mark, l)
		case "commentReference":
			f.comment(c.Attr(w, "id"))
		case "fldChar":
			f.fieldChar(c)
		case "instrText":
			f.code(c.AllText())
		case "drawing", "pict", "object":
			f.drawing(c, l)
		case "ruby":
			f.ruby(c, l)
		case "contentPart", "control":
			f.find(finding.UnsupportedObject, "", "ink or a control")
		}
	}
}

// customMark is what stands for the number of a note: the text right behind its reference, as long as a mark is.
func customMark(ref xmlpart.El) string {
	s := ""
	for c := ref.Next(); c.Ok() && len(s) < 32; c = c.Next() {
		switch {
		case c.IsText():
		case c.Is(w, "t"):
			s += runText(c)
		case c.Is(w, "sym"):
			s += symbol(c.Attr(w, "font"), c.Attr(w, "char"))
		default:
			return strings.TrimSpace(s)
		}
	}
	return strings.TrimSpace(s)
}

// runText is the text of a w:t: spaces at its edges count only where it says so.
func runText(e xmlpart.El) string {
	s := e.First()
	if !s.Ok() {
		return ""
	}
	t := s.Text()
	if s.Next().Ok() {
		t = e.AllText()
	}
	if v, _ := e.Lookup(xmlpart.Foreign, "space"); v != "preserve" {
		t = strings.Trim(t, " \t\r\n")
	}
	return t
}

// letters adds text.
func (f *flow) letters(s string, l *look) {
	if s == "" {
		return
	}
	if f.story.silent() {
		f.story.overhear(s)
		return
	}
	if symbolFont(l.font) {
		s = symbols(l.font, s)
	}
	if l.hidden {
		f.streak(streakHidden, s)
		f.p.removed = true
		return
	}
	f.endStreak(streakHidden)
	if l.highlight {
		f.streak(streakHighlight, s)
	} else {
		f.endStreak(streakHighlight)
	}
	f.story.revised = f.story.revised && f.story.revising > 0
	f.story.hear(s)
	f.link()
	f.in.Text(s, l.style, l.language)
	f.text += len(s)
	if strings.TrimSpace(s) != "" {
		f.size.Meet(l.size)
	}
}

// add adds what is no text, unless the reader is in a part of a field that is not shown.
func (f *flow) add(i manuscript.Inline) bool {
	if f.story.silent() {
		return false
	}
	f.link()
	f.in.Add(i)
	return true
}

func (f *flow) breakLine(kind string, l *look) {
	switch {
	case f.story.silent() || l.hidden:
	case kind == "page":
		f.breakPage()
	default:
		f.add(manuscript.LineBreak{})
	}
}

// breakPage cuts the paragraph in two.
func (f *flow) breakPage() {
	// A heading is not cut: the break goes before it.
	if f.level() == 0 {
		if in := f.in.Take(); hasInk(in) {
			f.p.size = f.size.Take()
			f.push(f.item(in, f.drop))
			f.drop, f.text = false, 0
		} else {
			f.keepMarks(in)
		}
	}
	f.push(item{block: &manuscript.PageBreak{Place: f.p.place}})
	f.p.pieces++
}

// bookmark keeps a bookmark as a target.
func (f *flow) bookmark(e xmlpart.El) {
	if e.Name() == "bookmarkEnd" {
		if name := f.r.bookmarks[e.Attr(w, "id")]; name != "" {
			f.r.known[name+"/end"] = true
			f.add(manuscript.Target{Name: name + "/end"})
		}
		return
	}
	name := e.Attr(w, "name")
	if name == "" || name == "_GoBack" || len(f.r.bookmarks) > 100_000 {
		return
	}
	f.r.bookmarks[e.Attr(w, "id")] = name
	f.add(manuscript.Target{Name: name})
}
