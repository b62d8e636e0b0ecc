package odt

import (
	"strconv"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// walk is what letters inherit inside of a paragraph.
type walk struct {
	para        *look
	base, style manuscript.Style
	language    string
	points      float64 // of letters
}

func (f *flow) inlines(e xmlpart.El, p walk) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.IsText() {
			f.letters(c.Text(), p)
			continue
		}
		switch c.NS() {
		case text:
			f.inline(c, p)
		case draw:
			f.drawing(c)
		case office:
			if c.Name() == "annotation" {
				f.comment(c)
			}
		}
	}
}

// letters adds text. Spaces in a row are one; more are written as text:s.
func (f *flow) letters(s string, p walk) {
	for s != "" {
		n := strings.IndexAny(s, " \t\r\n")
		if n != 0 {
			word := s
			if n > 0 {
				word = s[:n]
			}
			f.raw(word, p)
			f.space = false
			if n < 0 {
				return
			}
			s = s[n:]
		}
		s = strings.TrimLeft(s, " \t\r\n")
		if !f.space {
			f.raw(" ", p)
			f.space = true
		}
	}
}

func (f *flow) raw(s string, p walk) {
	if f.page {
		f.in.PageLink(f.href)
	} else {
		f.in.Link(f.href)
	}
	style := p.style
	if f.href != "" {
		style &^= manuscript.Underline
	}
	f.in.Text(s, style, p.language)
	f.ink = true
	if strings.TrimSpace(s) != "" {
		f.size.Meet(p.points)
	}
}

// link reads what leads to an address or a place of the text. Other addresses (files, scripts) are left out.
func (f *flow) link(c xmlpart.El, p walk) {
	outer := f.href
	href := c.Attr(xlink, "href")
	low := strings.ToLower(href)
	switch {
	case strings.HasPrefix(href, "#"):
		f.href = href
	case strings.HasPrefix(low, "http://"), strings.HasPrefix(low, "https://"), strings.HasPrefix(low, "mailto:"):
		if len(href) <= 2048 {
			f.href = source.Clean(href)
		}
	}
	f.inlines(c, p)
	f.href = outer
}

// reference reads what a reference shows of its place: its text, or the number of its page. The numbers of notes
// and captions lead nowhere.
func (f *flow) reference(c xmlpart.El, p walk) {
	outer := f.href
	if c.Name() != "sequence-ref" && c.Name() != "note-ref" {
		f.href = "#" + c.Attr(text, "ref-name")
		f.page = c.Attr(text, "reference-format") == "page"
	}
	f.inlines(c, p)
	f.href, f.page = outer, false
}

func (f *flow) inline(c xmlpart.El, p walk) {
	switch c.Name() {
	case "span":
		f.span(c, p)
	case "s":
		f.raw(strings.Repeat(" ", min(number(c.Attr(text, "c"), 1), 1000)), p)
		f.space = false
	case "tab":
		f.raw("\t", p)
		f.space = false
	case "line-break":
		f.in.Link(f.href)
		f.in.Add(manuscript.LineBreak{})
		f.space = false
	case "a":
		f.link(c, p)
	case "note":
		f.note(c)
	case "bookmark", "bookmark-start", "reference-mark", "reference-mark-start":
		if name := c.Attr(text, "name"); f.r.wanted[name] {
			f.in.Link(f.href)
			f.in.Add(manuscript.Target{Name: name})
		}
	case "bookmark-ref", "reference-ref", "sequence-ref", "note-ref":
		f.reference(c, p)
	case "alphabetical-index-mark", "alphabetical-index-mark-start":
		f.mark(c)
	case "change", "change-start":
		f.change(c)
	case "hidden-text":
		if shown := c.AllText(); shown != "" && c.Attr(text, "is-hidden") == "false" {
			f.inlines(c, p)
		} else if f.hidden(c.Attr(text, "string-value")); c.Attr(text, "string-value") == "" {
			f.hidden(shown)
		}
	case "hidden-paragraph", "script": // nothing is shown where they stand
	case "page-number", "page-count":
		f.inlines(c, p)
		f.r.log.Add(finding.PageReference, f.place(), f.in.Tail(finding.MaxExcerpt-1), "")
	case "soft-page-break", "bookmark-end", "reference-mark-end", "change-end", "alphabetical-index-mark-end", "toc-mark",
		"user-index-mark":
	case "ruby":
		f.inlines(c.Child(text, "ruby-base"), p)
		f.unsupported(c.Child(text, "ruby-text").AllText(), "a reading above the line")
	default:
		f.inlines(c, p)
	}
}

func (f *flow) span(c xmlpart.El, p walk) {
	l := f.r.styles.character[c.Attr(text, "style-name")]
	if l == nil {
		f.inlines(c, p)
		return
	}
	if l.hidden {
		f.hidden(c.AllText())
		return
	}
	if l.highlight {
		f.r.log.Add(finding.Highlight, f.place(), source.Clean(c.AllText()), "")
	}
	if l.automatic && (l.font != "" || l.size != "") {
		f.r.log.Add(finding.DirectFormatting, f.place(), source.Clean(c.AllText()), strings.TrimSpace("font "+l.font+" "+l.size))
	}
	// Letters against the style of their paragraph are the emphasis where that style has a meaning of its own.
	full := (p.style ^ p.base&manuscript.Italic) | p.base&^manuscript.Italic
	full = full&^l.set | l.letters
	p.style = (full ^ p.base&manuscript.Italic) &^ (p.base &^ manuscript.Italic)
	if l.language != "" {
		p.language = l.language
	}
	switch {
	case l.size != "":
		p.points = scaled(l.size, p.points)
	case l.points > 0:
		p.points = l.points
	}
	f.inlines(c, p)
}

func (f *flow) note(c xmlpart.El) {
	if f.r.noted {
		return
	}
	f.r.noted = true
	defer func() { f.r.noted = false }()
	kind := "footnote "
	if c.Attr(text, "note-class") == "endnote" {
		kind = "endnote "
	}
	inner := &flow{r: f.r, label: kind + strconv.Itoa(len(f.r.notes)+1)}
	inner.children(c.Child(text, "note-body"))
	if allBlank(inner.out) {
		f.r.log.Add(finding.NoteWithoutText, f.place(), f.in.Tail(finding.MaxExcerpt-1), "")
		return
	}
	f.r.notes = append(f.r.notes, manuscript.Note{Endnote: kind == "endnote ", Blocks: inner.out,
		Place: manuscript.Place{Section: f.r.sections.Title(), Part: inner.label}})
	f.in.Link(f.href)
	f.in.Add(manuscript.NoteRef{Note: len(f.r.notes) - 1})
	f.ink, f.space = true, false
}

func allBlank(blocks []manuscript.Block) bool {
	for _, b := range blocks {
		if p, ok := b.(*manuscript.Paragraph); !ok || !source.Blank(p.Inlines) {
			return false
		}
	}
	return true
}

// mark reads an index entry: its keys are above its words.
func (f *flow) mark(c xmlpart.El) {
	word, k1, k2 := source.Clean(c.Attr(text, "string-value")), source.Clean(c.Attr(text, "key1")), source.Clean(c.Attr(text, "key2"))
	m := manuscript.IndexMark{Term: word}
	switch {
	case k1 != "" && k2 != "":
		m.Term, m.Sub = k1, k2+", "+word
	case k1 != "":
		m.Term, m.Sub = k1, word
	}
	if c.Name() == "alphabetical-index-mark-start" && word == "" {
		m = under(m, markedText(c))
	}
	if m.Term != "" {
		f.in.Link(f.href)
		f.in.Add(m)
	}
}

func under(m manuscript.IndexMark, word string) manuscript.IndexMark {
	if m.Term == "" {
		m.Term = word
	} else {
		m.Sub = strings.TrimPrefix(m.Sub+word, ", ")
	}
	return m
}

// markedText is the text between the two ends of an index entry.
func markedText(c xmlpart.El) string {
	var b strings.Builder
	for x := c.Next(); x.Ok() && !x.Is(text, "alphabetical-index-mark-end") && b.Len() < 512; x = x.Next() {
		b.WriteString(x.AllText())
	}
	return source.Line(source.Clean(b.String()))
}

func (f *flow) comment(c xmlpart.El) {
	who := source.Line(source.Clean(c.Child(dc, "creator").AllText()))
	var said []string
	for x := c.First(); x.Ok(); x = x.Next() {
		if x.Is(text, "p") || x.Is(text, "list") {
			said = append(said, source.Clean(x.AllText()))
		}
	}
	detail := source.Line(strings.Join(said, " "))
	if who != "" {
		detail = who + ": " + detail
	}
	f.r.log.Add(finding.Comment, f.place(), f.in.Tail(finding.MaxExcerpt-1), detail)
}

// readChanges reads the list of tracked changes at the head of a text.
func (f *flow) readChanges(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if !c.Is(text, "changed-region") {
			continue
		}
		for k := c.First(); k.Ok(); k = k.Next() {
			if k.IsText() || k.NS() != text {
				continue
			}
			id := c.Attr(text, "id")
			if id == "" {
				id = c.Attr(xmlpart.Foreign, "id")
			}
			info := k.Child(office, "change-info")
			said := ""
			for x := k.First(); x.Ok(); x = x.Next() {
				if x.Is(text, "p") || x.Is(text, "h") {
					said += x.AllText() + " "
				}
			}
			f.r.changes[id] = change{kind: k.Name(), author: source.Line(source.Clean(info.Child(dc, "creator").AllText())), text: said}
		}
	}
}

func (f *flow) change(c xmlpart.El) {
	ch, ok := f.r.changes[c.Attr(text, "change-id")]
	if !ok {
		return
	}
	what := map[string]string{"insertion": "inserted", "deletion": "deleted", "format-change": "formatting"}[ch.kind]
	if ch.author != "" {
		what += " by " + ch.author
	}
	said := ch.text
	if said == "" {
		said = f.in.Tail(finding.MaxExcerpt - 1)
	}
	f.r.log.Add(finding.TrackedChange, f.place(), source.Clean(said), what)
}

// drawing reads a frame: a picture, a text box, or what cannot be set.
func (f *flow) drawing(c xmlpart.El) {
	switch c.Name() {
	case "a":
		f.drawings(c)
		return
	case "frame":
	case "g":
		f.drawings(c)
		return
	case "custom-shape", "rect", "circle", "ellipse", "line", "connector", "measure", "path", "polygon", "polyline", "caption",
		"regular-polygon", "control":
		f.box(c)
		return
	default:
		return
	}
	alt := source.Line(source.Clean(c.Child(svg, "desc").AllText()))
	if alt == "" {
		alt = source.Line(source.Clean(c.Child(svg, "title").AllText()))
	}
	for x := c.First(); x.Ok(); x = x.Next() {
		if x.IsText() {
			continue
		}
		switch {
		case x.Is(draw, "image"):
			f.image(readable(x), alt, c)
			return
		case x.Is(draw, "text-box"):
			f.box(x)
			return
		case x.Is(draw, "object"), x.Is(draw, "object-ole"), x.Is(draw, "plugin"), x.Is(draw, "applet"):
			f.unsupported(f.in.Tail(finding.MaxExcerpt-1), "an embedded object")
			return
		}
	}
}

func (f *flow) drawings(c xmlpart.El) {
	for x := c.First(); x.Ok(); x = x.Next() {
		if !x.IsText() && x.NS() == draw {
			f.drawing(x)
		}
	}
}

// box reads a text box. One that holds a picture and its caption is a figure.
func (f *flow) box(x xmlpart.El) {
	if f.r.depth > 3 {
		f.left(passages(x), "a text box in others")
		return
	}
	f.r.depth++
	blocks := f.sub(x)
	f.r.depth--
	if len(blocks) == 0 || allBlank(blocks) {
		f.removed = true
		switch {
		case x.Is(draw, "text-box"):
		case x.Is(draw, "rect") && millimetres(x.Attr(svg, "height")) < 1 && millimetres(x.Attr(svg, "width")) > 20:
			f.rule = true // as LibreOffice keeps the lines across of Word
		default:
			f.unsupported(f.in.Tail(finding.MaxExcerpt-1), "a drawing")
		}
		return
	}
	var fig *manuscript.Figure
	for _, b := range blocks {
		if g, ok := b.(*manuscript.Figure); ok {
			fig = g
		}
	}
	if fig != nil && len(blocks) <= 3 {
		for _, b := range blocks { // a caption and the line that says whose picture it is
			if p, ok := b.(*manuscript.Paragraph); ok && !source.Blank(p.Inlines) {
				if len(fig.Caption) > 0 {
					fig.Caption = append(fig.Caption, manuscript.LineBreak{})
				}
				fig.Caption = append(fig.Caption, source.Trim(p.Inlines)...)
			} else if !ok {
				f.after = append(f.after, b)
			}
		}
		return
	}
	said := ""
	if p, ok := blocks[0].(*manuscript.Paragraph); ok {
		said = manuscript.Line(p.Inlines)
	}
	f.r.log.Add(finding.TextBox, f.place(), said, "")
	f.after = append(f.after, blocks...)
}

// readable is the first of the pictures a frame offers that is no drawing.
func readable(x xmlpart.El) xmlpart.El {
	for c := x; c.Ok(); c = c.Next() {
		if c.Is(draw, "image") && !strings.HasSuffix(strings.ToLower(c.Attr(xlink, "href")), ".svg") {
			return c
		}
	}
	return x
}

// left reports a text that cannot be set and is left out.
func (f *flow) left(text, what string) {
	f.removed = true
	f.r.log.Drop(finding.UnsupportedObject, f.place(), source.Clean(text), what)
}

func (f *flow) unsupported(near, what string) {
	f.removed = true
	f.r.log.Add(finding.UnsupportedObject, f.place(), source.Line(source.Clean(near)), what)
}

// image puts a picture as its frame shows it.
func (f *flow) image(x xmlpart.El, alt string, in xmlpart.El) {
	href := x.Attr(xlink, "href")
	at, fault := -1, ""
	width := millimetres(in.Attr(svg, "width"))
	switch {
	case href == "":
		fault = "the file does not hold the picture"
	case strings.Contains(href, "://") || strings.HasPrefix(href, "/") || strings.HasPrefix(href, ".."):
		fault = "the picture is linked, not embedded: " + href
	default:
		load := func() ([]byte, error) { return f.r.arch.Part(href) }
		pose, angle := f.r.styles.pictures[in.Attr(draw, "style-name")].pose(in.Attr(draw, "transform"), load)
		if angle != 0 {
			f.r.log.Add(finding.DirectFormatting, f.place(), alt, source.Angle(angle))
		}
		if pose.Quarters%2 == 1 {
			width = millimetres(in.Attr(svg, "height"))
		}
		at, fault = f.r.pictures.AddPosed(href, pose, load)
	}
	if fault != "" {
		f.r.log.Add(finding.MissingImage, f.place(), alt, fault)
	}
	fig := &manuscript.Figure{Image: at, Alt: alt, WidthMM: width, Place: f.place()}
	if at >= 0 && f.r.depth == 0 && in.Attr(text, "anchor-type") == "as-char" {
		f.in.Link(f.href)
		f.in.Add(manuscript.InlineImage{Image: at, Alt: alt})
		f.lined = append(f.lined, fig)
		f.space = false
		return
	}
	f.after = append(f.after, fig)
}

// alone takes the pictures of a line for figures where nothing else stands in it.
func (f *flow) alone(in []manuscript.Inline) []manuscript.Inline {
	lined := f.lined
	f.lined = nil
	if len(lined) == 0 {
		return in
	}
	rest := without(in)
	if !source.Blank(rest) {
		return in
	}
	for _, fig := range lined {
		f.after = append(f.after, fig)
	}
	return rest
}

// without is a line without its pictures.
func without(in []manuscript.Inline) (out []manuscript.Inline) {
	for _, i := range in {
		switch x := i.(type) {
		case manuscript.InlineImage:
			continue
		case manuscript.Link:
			if x.Inlines = without(x.Inlines); len(x.Inlines) == 0 {
				continue
			}
			i = x
		}
		out = append(out, i)
	}
	return out
}
