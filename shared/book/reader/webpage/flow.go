package webpage

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/tokens"
)

// state is what an element inherits.
type state struct {
	style    manuscript.Style
	language string
	align    manuscript.Align
	href     string
	points   float64 // of letters
	pre      bool
	verse    bool
}

// flow gathers the blocks of a page, a note, a cell.
type flow struct {
	b       *Book
	page    int
	top     int
	label   string
	inNote  bool
	inner   bool // a cell, an item, a quotation: headings begin no sections
	fresh   bool // the page has begun no section yet
	over    bool // a part without a heading is over: what follows is no longer in it
	in      source.Inlines
	size    source.Smallest
	points  float64 // of the paragraph that line took
	some    bool    // in holds letters
	gap     bool    // a space is due before the next letter, as it looks where it was read
	gapLook state
	align   manuscript.Align
	out     []manuscript.Block
	pending []manuscript.Inline // targets for the next paragraph
	verse   *manuscript.Verse
	stanza  []manuscript.VerseLine
}

var blockElement = map[string]bool{
	"html": true, "body": true, "p": true, "div": true, "section": true, "article": true, "main": true, "header": true, "footer": true,
	"aside": true,
	"h1":    true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "hgroup": true, "blockquote": true, "ul": true, "ol": true,
	"li": true,
	"dl": true, "dt": true, "dd": true, "table": true, "figure": true, "figcaption": true, "hr": true, "pre": true, "nav": true,
	"address": true,
	"center":  true, "form": true, "fieldset": true, "details": true, "summary": true,
	"tbody": true, "thead": true, "tfoot": true, "tr": true, "td": true, "th": true, "caption": true, "col": true, "colgroup": true,
}

var inlineStyle = map[string]manuscript.Style{
	"em": manuscript.Italic, "i": manuscript.Italic, "cite": manuscript.Italic, "dfn": manuscript.Italic, "var": manuscript.Italic,
	"strong": manuscript.Bold, "b": manuscript.Bold, "sup": manuscript.Superscript, "sub": manuscript.Subscript,
	"u": manuscript.Underline, "ins": manuscript.Underline, "s": manuscript.Strike, "strike": manuscript.Strike, "del": manuscript.Strike,
	"code": manuscript.Monospace, "kbd": manuscript.Monospace, "samp": manuscript.Monospace, "tt": manuscript.Monospace,
}

func (f *flow) place() manuscript.Place {
	label := f.label
	if label == "" {
		label = "body"
	}
	return manuscript.Place{Section: f.b.sections.Title(), Part: label, Paragraph: f.b.paras}
}

func (f *flow) children(n *html.Node, st state) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.node(c, st)
	}
}

// node reads an element or a text.
func (f *flow) node(n *html.Node, st state) {
	switch n.Type {
	case html.DocumentNode:
		f.children(n, st)
		return
	case html.TextNode:
		f.letters(n.Data, st)
		return
	case html.ElementNode:
	default:
		return
	}
	if f.b.tally.Full() != nil || f.b.isNote[n] && !f.inNote {
		return
	}
	switch n.Data {
	case "head", "script", "style", "template", "noscript", "title", "meta", "link", "rp", "option", "map":
		return
	}
	l := f.b.Sheet.of(n)
	if l.hidden {
		if t := textOf(n); t != "" {
			f.b.Log.Drop(finding.HiddenText, f.place(), allText(n), "")
		}
		return
	}
	switch n.Data {
	case "rt", "rtc":
		f.unsupported("a reading above the line", n)
		return
	case "select", "textarea", "button", "input":
		if attr(n, "type") != "hidden" {
			f.unsupported("a field of a form", n)
		}
		return
	}
	st.style = st.style&^l.set | l.style
	if l.aligned {
		st.align = l.align
	}
	st.points = l.letters(n.Data, st.points)
	for _, key := range []string{"xml:lang", "lang"} {
		if t := source.Tag(attr(n, key)); t != "" {
			st.language = t
		}
	}
	if id := idOf(n); id != "" {
		if key := f.b.key(f.page, id); f.b.wanted[key] {
			f.target(key)
		}
	}
	if blockElement[n.Data] {
		f.element(n, st)
		return
	}
	f.span(n, st)
}

func (f *flow) target(name string) {
	if f.some {
		f.in.Add(manuscript.Target{Name: name})
		return
	}
	f.pending = append(f.pending, manuscript.Target{Name: name})
}

// span reads an element inside of a line.
func (f *flow) span(n *html.Node, st state) {
	st.style |= inlineStyle[n.Data]
	switch n.Data {
	case "br":
		f.gap = false
		if st.pre {
			f.letters("\n", st)
		} else if f.some {
			f.in.Add(manuscript.LineBreak{})
		}
		return
	case "a":
		f.anchor(n, st)
		return
	case "img", "image":
		src := attr(n, "src")
		for _, key := range []string{"href", "xlink:href"} {
			if src == "" {
				src = attr(n, key)
			}
		}
		f.image(n, src, st)
		return
	case "svg":
		if img := find(n, "image"); img != nil {
			f.children(n, st)
			return
		}
		f.unsupported("a drawing", n)
		return
	case "math":
		f.unsupported("an equation", n)
		return
	case "object", "embed", "iframe", "video", "audio", "canvas", "applet":
		f.unsupported("an embedded "+n.Data, n)
		f.children(n, st) // what stands there for those who cannot show it
		return
	case "q":
		f.letters("“", st)
		f.children(n, st)
		f.letters("”", st)
		return
	case "wbr":
		return
	}
	f.children(n, st)
}

func find(n *html.Node, name string) *html.Node {
	var found *html.Node
	visit(n, func(c *html.Node) {
		if found == nil && c.Data == name {
			found = c
		}
	})
	return found
}

func (f *flow) unsupported(what string, n *html.Node) {
	f.b.Log.Add(finding.UnsupportedObject, f.place(), textOf(n), what)
}

func (f *flow) anchor(n *html.Node, st state) {
	if note, ok := f.b.refs[n]; ok {
		at := -1
		if note != nil {
			at = f.b.note(f.page, note)
		}
		if at < 0 {
			if !f.inNote {
				f.b.Log.Add(finding.NoteWithoutText, f.place(), f.in.Tail(finding.MaxExcerpt-1), "")
			}
			return
		}
		if tokens.Count(textOf(n)) > 0 { // words, and no mark
			f.children(n, st)
		}
		f.space()
		f.in.Link(st.href)
		f.in.Add(manuscript.NoteRef{Note: at})
		f.some = true
		return
	}
	href := attr(n, "href")
	to, inside := f.b.inside(f.page, href)
	switch {
	case f.inNote && (means(n, "backlink", "referrer") || hasClass(n, "footnote-back", "footnote-backref", "backlink") ||
		inside && f.b.refIDs[to] && tokens.Count(textOf(n)) == 0):
		return
	case inside && (f.b.ids[to] != nil || len(f.b.Pages) > 1 && !strings.Contains(to, "-")):
		st.href = "#" + to
	case !inside:
		low := strings.ToLower(strings.TrimSpace(href))
		if (strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://") || strings.HasPrefix(low, "mailto:")) &&
			len(low) <= 2048 {
			st.href = source.Clean(strings.TrimSpace(href))
		}
	}
	f.children(n, st)
}

// letters adds text; spaces and line ends in a row are one space.
func (f *flow) letters(s string, st state) {
	if st.pre {
		f.code(s, st)
		return
	}
	if st.href != "" {
		st.style &^= manuscript.Underline
	}
	for s != "" {
		n := strings.IndexAny(s, " \t\r\n\f")
		if n != 0 {
			word := s
			if n > 0 {
				word = s[:n]
			}
			f.ink()
			f.space()
			f.in.Link(st.href)
			if !f.some {
				f.align = st.align
			}
			f.some = true
			f.size.Meet(st.points)
			f.in.Text(word, st.style, st.language)
			if n < 0 {
				return
			}
			s = s[n:]
		}
		s = strings.TrimLeft(s, " \t\r\n\f")
		if f.some && !f.gap {
			f.gap, f.gapLook = true, st
		}
	}
}

// space puts the space that is due.
func (f *flow) space() {
	if f.gap {
		f.gap = false
		f.in.Link(f.gapLook.href)
		f.in.Text(" ", f.gapLook.style, f.gapLook.language)
	}
}

// ink puts the targets that wait for a paragraph to hold them.
func (f *flow) ink() {
	if len(f.pending) == 0 {
		return
	}
	for _, t := range f.pending {
		f.in.Add(t)
	}
	f.pending = f.pending[:0]
}

func (f *flow) code(s string, st state) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			f.in.Add(manuscript.LineBreak{})
		}
		if line != "" {
			f.in.Text(line, st.style, st.language)
		}
	}
	f.some = true
}

func (f *flow) add(b manuscript.Block) {
	f.b.paras++
	f.b.tally.Add()
	if f.endVerse(); f.over {
		f.begin(source.Head{Place: f.place()})
	}
	f.out = append(f.out, b)
}

// line takes the inlines of the paragraph that is open.
func (f *flow) line() []manuscript.Inline {
	f.in.Link("")
	in := source.Trim(f.in.Take())
	for n := len(in); n > 0; n-- {
		if _, ok := in[n-1].(manuscript.LineBreak); !ok {
			break
		}
		in = in[:n-1]
	}
	f.some, f.gap = false, false
	f.points = f.size.Take()
	return in
}

// end ends a paragraph.
func (f *flow) end() {
	in := f.line()
	if len(in) == 0 {
		return
	}
	if pictures := onlyPictures(in); len(pictures) > 0 {
		for _, p := range pictures {
			f.add(&manuscript.Figure{Image: p.Image, Alt: p.Alt, Place: f.place()})
		}
		return
	}
	f.add(&manuscript.Paragraph{Inlines: in, Align: f.align, Scale: f.points, Place: f.place()})
	f.align = manuscript.AlignNone
}

// take gives the blocks gathered so far.
func (f *flow) take() []manuscript.Block {
	f.endVerse()
	out := f.out
	f.out = nil
	return out
}

// sub reads the inside of an element as blocks of their own.
func (f *flow) sub(n *html.Node, st state) []manuscript.Block {
	inner := &flow{b: f.b, page: f.page, top: f.top, label: f.label, inNote: f.inNote, inner: true, pending: f.pending}
	f.pending = nil
	inner.children(n, st)
	inner.end()
	f.pending = inner.pending
	return inner.take()
}

func number(s string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1_000_000 {
		return otherwise
	}
	return n
}
