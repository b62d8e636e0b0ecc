package webpage

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/tokens"
)

// kinds are the parts of a book by the words of epub:type and role.
var kinds = map[string]manuscript.SectionKind{
	"halftitlepage": manuscript.KindHalfTitle, "titlepage": manuscript.KindTitlePage, "copyright-page": manuscript.KindCopyright,
	"dedication": manuscript.KindDedication, "foreword": manuscript.KindForeword, "preface": manuscript.KindPreface,
	"introduction": manuscript.KindIntroduction, "prologue": manuscript.KindPrologue, "part": manuscript.KindPart,
	"volume":  manuscript.KindPart,
	"chapter": manuscript.KindChapter, "epilogue": manuscript.KindEpilogue, "afterword": manuscript.KindAfterword,
	"acknowledgments": manuscript.KindAcknowledgements, "acknowledgements": manuscript.KindAcknowledgements,
	"appendix": manuscript.KindAppendix,
	"glossary": manuscript.KindGlossary, "bibliography": manuscript.KindBibliography, "index": manuscript.KindIndex,
}

// poem says whether an element is marked as verse.
func poem(n *html.Node) bool {
	return means(n, "z3998:verse", "z3998:poem", "z3998:song", "z3998:hymn", "z3998:lyrics") ||
		hasClass(n, "verse", "poem", "poetry", "lyrics", "lg")
}

func kindOf(n *html.Node) (manuscript.SectionKind, bool) {
	for _, key := range []string{"epub:type", "role"} {
		for _, w := range strings.Fields(attr(n, key)) {
			if k, ok := kinds[strings.TrimPrefix(w, "doc-")]; ok {
				return k, true
			}
		}
	}
	return 0, false
}

// apart says whether an element does not stand in the text: a table of contents, which the book makes itself, and
// notes, which are read where they are referred to. What nothing refers to is told.
func (f *flow) apart(n *html.Node) bool {
	switch {
	case n.Data == "nav" && (means(n, "toc", "page-list", "landmarks") || hasClass(n, "toc")), means(n, "toc"):
		f.b.Log.Drop(finding.TOCField, f.place(), allText(n), "")
		return true
	case f.inNote:
		return false
	}
	if means(n, "footnotes", "endnotes", "rearnotes") {
		f.unread(n)
		if !f.prose(n) {
			return true
		}
	}
	if means(n, "footnote", "endnote", "rearnote") {
		f.b.Log.Drop(finding.NoteWithoutReference, f.place(), allText(n), "")
		return true
	}
	return false
}

// element reads an element that is a block of its own.
func (f *flow) element(n *html.Node, st state) {
	if !st.pre {
		f.end()
	}
	if f.apart(n) {
		return
	}
	if k, ok := kindOf(n); ok && n.Data != "nav" && !f.inner {
		if f.b.first[n] == nil {
			f.begin(source.Head{Kind: k, Place: f.place()})
			defer func() { f.end(); f.over = true }()
		} else {
			f.b.sections.Add(f.take()...)
			f.fresh = false
		}
	}
	if !st.verse && n.Data != "body" && poem(n) {
		st.verse = true
		f.verse = &manuscript.Verse{Place: f.place()}
		f.children(n, st)
		f.stanzaLine()
		f.endVerse()
		return
	}
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		f.heading(n, st)
	case "hgroup":
		f.headings(n, st)
	case "hr":
		f.add(&manuscript.SceneBreak{Mark: "* * *", Place: f.place()})
	case "blockquote":
		f.quote(n, st)
	case "ul", "ol":
		f.list(n, st)
	case "table":
		if t := f.table(n, st); len(t.Rows) > 0 {
			f.add(t)
		}
	case "figure":
		f.figure(n, st)
	case "pre":
		st.pre = true
		f.children(n, st)
		f.add(&manuscript.Code{Lines: inked(source.CodeLines(f.line())), Place: f.place()})
	default:
		if st.verse {
			f.verseElement(n, st)
			return
		}
		if f.fresh && f.section(n) && n.Data != "body" && n.Data != "html" {
			f.begin(source.Head{Place: f.place()})
		}
		f.children(n, st)
		f.end()
	}
}

// section says whether an element holds text that must begin a section of its own, because the page is new
// and has no heading before it.
func (f *flow) section(n *html.Node) bool {
	return f.b.Chapters && !f.inner && !f.inNote && f.top == 7 && n.Data == "p" && f.b.sections.Title() == "" && textOf(n) != ""
}

func (f *flow) begin(h source.Head) {
	f.b.sections.Add(f.take()...)
	if len(h.Title) > 0 { // where there is no title, the first paragraph has the marks
		h.Title = withMarks(f.pending, h.Title)
		f.pending = nil
	}
	f.b.sections.Begin(h)
	f.fresh, f.over = false, false
}

func withMarks(marks, in []manuscript.Inline) []manuscript.Inline {
	if len(marks) == 0 || len(in) == 0 {
		return in
	}
	return append(append([]manuscript.Inline(nil), marks...), in...)
}

// unread tells of the notes of a list of notes that nothing refers to.
func (f *flow) unread(n *html.Node) {
	visit(n, func(c *html.Node) {
		if means(c, "footnote", "endnote", "rearnote") && !f.b.isNote[c] {
			f.b.Log.Drop(finding.NoteWithoutReference, f.place(), allText(c), "")
			f.b.isNote[c], f.b.told[c] = true, true
		}
	})
}

// prose says whether a list of notes holds text besides its headings and notes: what an author says of them.
func (f *flow) prose(n *html.Node) bool {
	switch {
	case n.Type == html.TextNode:
		return tokens.Count(n.Data) > 0
	case f.b.isNote[n], headingLevel(n) > 0, n.Data == "script", n.Data == "style":
		return false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f.prose(c) {
			return true
		}
	}
	return false
}

func (f *flow) heading(n *html.Node, st state) {
	level := headingLevel(n)
	align := st.align
	st.align = manuscript.AlignNone
	st.style &^= manuscript.Bold | manuscript.AllCaps
	f.children(n, st)
	in := f.line()
	if manuscript.Line(in) == "" {
		if p := onlyPictures(in); len(p) > 0 {
			f.add(&manuscript.Figure{Image: p[0].Image, Alt: p[0].Alt, Place: f.place()})
		} else {
			f.b.Log.Add(finding.EmptyHeading, f.place(), "", "")
		}
		return
	}
	f.b.paras++
	top := !f.inner && !f.inNote && (level == f.top || f.opens(n))
	switch {
	case top:
		h := source.Head{Title: in, Language: "", Place: f.place()}
		h.Kind = f.kindFor(n)
		f.begin(h)
	case f.inner || f.inNote:
		f.add(&manuscript.Paragraph{Inlines: in, Align: align, Place: f.place()})
	default:
		f.add(&manuscript.Heading{Level: max(level-f.top, 1), Inlines: in, Place: f.place()})
	}
}

// opens says whether a heading is the first of a part of a book.
func (f *flow) opens(n *html.Node) bool {
	for e := n.Parent; e != nil && e.Type == html.ElementNode; e = e.Parent {
		if _, ok := kindOf(e); ok {
			return f.b.first[e] == n
		}
	}
	return false
}

func (f *flow) kindFor(n *html.Node) manuscript.SectionKind {
	for e := n; e != nil && e.Type == html.ElementNode; e = e.Parent {
		if k, ok := kindOf(e); ok {
			if e == n || f.b.first[e] == n {
				return k
			}
			return manuscript.KindOther
		}
	}
	return manuscript.KindOther
}

// headings reads a group of headings: the first is the title, the others are below it.
func (f *flow) headings(n *html.Node, st state) {
	first := true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if first && headingLevel(c) > 0 {
			f.node(c, st)
			first = false
			continue
		}
		f.children(c, st)
		if in := f.line(); len(in) > 0 && !f.b.sections.Subtitle(in) {
			f.add(&manuscript.Paragraph{Inlines: in, Role: manuscript.RoleSubtitle, Place: f.place()})
		}
	}
}

func (f *flow) quote(n *html.Node, st state) {
	place := f.place()
	q := &manuscript.Quote{Epigraph: means(n, "epigraph") || hasClass(n, "epigraph", "motto"), Place: place}
	q.Blocks = f.sub(n, st)
	if k := len(q.Blocks); k > 1 {
		if p, ok := q.Blocks[k-1].(*manuscript.Paragraph); ok && lastCite(n) {
			q.Attribution, q.Blocks = p.Inlines, q.Blocks[:k-1]
		}
	}
	if len(q.Blocks) > 0 {
		f.add(q)
	}
}

// lastCite says whether the last thing in a quotation is its source.
func lastCite(n *html.Node) bool {
	c := n.LastChild
	for c != nil && c.Type != html.ElementNode {
		c = c.PrevSibling
	}
	if c == nil {
		return false
	}
	if c.Data == "cite" || c.Data == "footer" || hasClass(c, "attribution", "source", "cite") {
		return true
	}
	inner := c.FirstChild
	return c.Data == "p" && inner != nil && inner.Data == "cite" && inner.NextSibling == nil
}

var listTypes = map[string]string{"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}

func (f *flow) list(n *html.Node, st state) {
	l := &manuscript.List{Ordered: n.Data == "ol", Place: f.place()}
	if l.Ordered {
		l.Start, l.Format = number(attr(n, "start"), 1), listTypes[attr(n, "type")]
		if l.Format == "" {
			l.Format = "decimal"
		}
	}
	down := slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "reversed" })
	next := l.Start
	if down {
		next = number(attr(n, "start"), items(n))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || f.b.isNote[c] {
			continue
		}
		item := f.sub(c, st)
		if len(item) == 0 {
			continue
		}
		next = number(attr(c, "value"), next)
		if l.Ordered && next != l.Start+len(l.Items) {
			// Its number is not the next one: it begins a list.
			if len(l.Items) > 0 {
				f.add(l)
				l = &manuscript.List{Ordered: true, Format: l.Format, Place: f.place()}
			}
			l.Start = next
		}
		l.Items = append(l.Items, item)
		if next++; down {
			next = max(next-2, 0)
		}
	}
	if len(l.Items) > 0 {
		f.add(l)
	}
}

// items is how many items stand in a list.
func items(n *html.Node) int {
	count := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data == "li" {
			count++
		}
	}
	return count
}

func (f *flow) figure(n *html.Node, st state) {
	var caption []manuscript.Inline
	blocks := &flow{b: f.b, page: f.page, top: f.top, label: f.label, inNote: f.inNote, inner: true, pending: f.pending}
	f.pending = nil
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data == "figcaption" {
			blocks.end()
			inner := &flow{b: f.b, page: f.page, top: f.top, label: f.label, inNote: f.inNote, inner: true}
			inner.children(c, st)
			inner.end()
			for _, b := range inner.take() {
				if p, ok := b.(*manuscript.Paragraph); ok {
					if len(caption) > 0 {
						caption = append(caption, manuscript.Text{S: " "})
					}
					caption = append(caption, p.Inlines...)
				}
			}
			continue
		}
		blocks.node(c, st)
	}
	blocks.end()
	for _, b := range blocks.take() {
		switch b := b.(type) {
		case *manuscript.Figure:
			if len(b.Caption) == 0 {
				b.Caption, caption = caption, nil
			}
		case *manuscript.Table:
			if len(b.Caption) == 0 {
				b.Caption, caption = caption, nil
			}
		}
		f.add(b)
	}
	if len(caption) > 0 {
		f.add(&manuscript.Paragraph{Inlines: caption, Place: f.place()})
	}
}

const maxSpan = 200

func (f *flow) table(n *html.Node, st state) *manuscript.Table {
	t := &manuscript.Table{Place: f.place()}
	head, reach := true, 0 // the rows that cells above reach into
	var rows func(*html.Node, bool)
	rows = func(n *html.Node, inHead bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.Data {
			case "caption":
				inner := &flow{b: f.b, page: f.page, top: 7, label: f.label, inNote: f.inNote, inner: true}
				inner.children(c, st)
				t.Caption = inner.line()
			case "thead", "tbody", "tfoot":
				rows(c, c.Data == "thead")
			case "tr":
				row, allHead := f.row(c, st)
				if len(row.Cells) == 0 && len(t.Rows) >= reach {
					continue
				}
				for _, x := range row.Cells {
					reach = max(reach, len(t.Rows)+x.RowSpan)
				}
				t.Rows = append(t.Rows, row)
				if head = head && (inHead || allHead && len(row.Cells) > 0); head {
					t.HeadRows++
				}
			}
		}
	}
	rows(n, false)
	if t.HeadRows == len(t.Rows) {
		t.HeadRows = 0
	}
	return t
}

func (f *flow) row(n *html.Node, st state) (row manuscript.Row, allHead bool) {
	allHead = true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || c.Data != "td" && c.Data != "th" {
			continue
		}
		allHead = allHead && c.Data == "th"
		if !f.b.tally.Add() {
			return row, false
		}
		look := f.b.Sheet.of(c)
		row.Cells = append(row.Cells, manuscript.Cell{
			Blocks: f.sub(c, st), Align: look.align,
			ColSpan: min(max(number(attr(c, "colspan"), 1), 1), maxSpan), RowSpan: min(max(number(attr(c, "rowspan"), 1), 1), 65_000),
		})
	}
	return row, allHead
}

// inked takes the empty lines from both ends, which belong to the markup.
func inked(lines []string) []string {
	for len(lines) > 1 && lines[0] == "" {
		lines = lines[1:]
	}
	for n := len(lines); n > 1 && lines[n-1] == ""; n-- {
		lines = lines[:n-1]
	}
	return lines
}
