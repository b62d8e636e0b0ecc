// Package markdown reads Markdown: CommonMark with tables, strikethrough, footnotes and a block of metadata
// at the top. Headings of level 1 are sections; where the text has no heading of level 1, those of the highest level that it has.
package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/plain"
	"mappe/shared/book/reader/source"
)

type reader struct {
	src      []byte
	limits   source.Limits
	log      *source.Log
	sections source.Sections
	notes    []manuscript.Note
	index    map[int]int // goldmark's number of a note → in notes
	noteText map[int]*east.Footnote
	top      int // level of headings that begin sections
	paras    int
	tally    source.Tally
	depth    int
	code     map[string]bool // lines of code
}

// Read reads a Markdown text.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	s, ok := plain.Decode(b)
	if !ok {
		return manuscript.Book{}, nil, source.Refuse(source.Unknown, "The file is no text. Upload the manuscript as .docx or .md.")
	}
	var book manuscript.Book
	s = frontMatter(strings.ReplaceAll(s, "\r\n", "\n"), &book.Meta)
	if err := bounded(s, l); err != nil {
		return manuscript.Book{}, nil, err
	}
	r := &reader{src: []byte(s), limits: l, log: source.NewLog(l), tally: source.NewTally(l), index: map[int]int{},
		noteText: map[int]*east.Footnote{}, top: 7, code: map[string]bool{}}
	root := goldmark.New(goldmark.WithExtensions(extension.Footnote, extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithHeadingAttribute())).Parser().Parse(text.NewReader(r.src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.top = min(r.top, n.Level)
		case *east.FootnoteList:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if f, ok := c.(*east.Footnote); ok {
					r.noteText[f.Index] = f
				}
			}
		}
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == r.top {
			r.paras++
			r.sections.Begin(source.Head{Title: r.heading(h), Place: r.place()})
			continue
		}
		r.sections.Add(r.block(n)...)
		if err := r.tally.Full(); err != nil {
			return manuscript.Book{}, nil, err
		}
	}
	r.unused()
	book.Sections, book.Notes = r.sections.List(), r.notes
	return book, r.log.Found, nil
}

func (r *reader) place() manuscript.Place {
	return manuscript.Place{Section: r.sections.Title(), Part: "body", Paragraph: r.paras}
}

func (r *reader) children(n ast.Node) []manuscript.Block {
	if r.depth++; r.depth > r.limits.Nesting {
		r.depth--
		return nil
	}
	defer func() { r.depth-- }()
	var out []manuscript.Block
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, r.block(c)...)
	}
	return out
}

func (r *reader) block(n ast.Node) []manuscript.Block {
	r.paras++
	r.tally.Add()
	place := r.place()
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return r.paragraph(n, place)
	case *ast.Heading:
		return []manuscript.Block{&manuscript.Heading{Level: max(n.Level-r.top, 1), Inlines: r.heading(n), Place: place}}
	case *ast.ThematicBreak:
		return []manuscript.Block{&manuscript.SceneBreak{Mark: "* * *", Place: place}}
	case *ast.Blockquote:
		return []manuscript.Block{&manuscript.Quote{Blocks: r.children(n), Place: place}}
	case *ast.List:
		l := &manuscript.List{Ordered: n.IsOrdered(), Place: place}
		if l.Ordered {
			l.Start, l.Format = n.Start, "decimal"
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			l.Items = append(l.Items, r.children(c))
		}
		return []manuscript.Block{l}
	case *ast.FencedCodeBlock:
		return []manuscript.Block{r.listing(n, place)}
	case *ast.CodeBlock:
		return []manuscript.Block{r.listing(n, place)}
	case *east.Table:
		return []manuscript.Block{r.table(n, place)}
	case *ast.HTMLBlock:
		raw := strings.Join(r.lines(n), " ")
		if n.HasClosure() {
			raw += " " + source.Clean(string(n.ClosureLine.Value(r.src)))
		}
		r.told(raw)
		if s := strings.TrimSpace(tags.ReplaceAllString(raw, " ")); s != "" {
			return []manuscript.Block{&manuscript.Paragraph{Inlines: textOf(s), Place: place}}
		}
	}
	return nil
}

func textOf(s string) []manuscript.Inline {
	if s = source.Clean(s); s == "" {
		return nil
	}
	return []manuscript.Inline{manuscript.Text{S: s}}
}

func (r *reader) paragraph(n ast.Node, place manuscript.Place) []manuscript.Block {
	// A paragraph that is one picture is a figure; pictures are never fetched, so its place stays empty.
	if img, ok := n.FirstChild().(*ast.Image); ok && n.ChildCount() == 1 {
		alt := manuscript.Line(r.inlines(img))
		r.missing(img, alt, place)
		return []manuscript.Block{&manuscript.Figure{Image: -1, Alt: alt, Caption: textOf(string(img.Title)), Place: place}}
	}
	in := r.inlines(n)
	if len(in) == 0 { // it held the addresses of links, or a remark
		return nil
	}
	return []manuscript.Block{&manuscript.Paragraph{Inlines: in, Place: place}}
}

// heading is a heading with the name that links lead to, where any does.
func (r *reader) heading(h *ast.Heading) []manuscript.Inline {
	in := r.inlines(h)
	if id, ok := h.AttributeString("id"); ok {
		if name, ok := id.([]byte); ok && bytes.Contains(r.src, []byte("](#"+string(name)+")")) {
			in = append([]manuscript.Inline{manuscript.Target{Name: string(name)}}, in...)
		}
	}
	return in
}

func (r *reader) missing(img *ast.Image, alt string, place manuscript.Place) {
	r.log.Add(finding.MissingImage, place, alt, "the picture is linked, not embedded: "+string(img.Destination))
}

func (r *reader) listing(n ast.Node, place manuscript.Place) *manuscript.Code {
	lines := r.lines(n)
	for _, l := range lines {
		r.code[strings.TrimSpace(l)] = true
	}
	return &manuscript.Code{Lines: lines, Place: place}
}

func (r *reader) lines(n ast.Node) []string {
	var out []string
	for i := 0; i < n.Lines().Len(); i++ {
		seg := n.Lines().At(i)
		out = append(out, source.Clean(strings.TrimRight(string(seg.Value(r.src)), "\n")))
	}
	return out
}

func (r *reader) table(n *east.Table, place manuscript.Place) *manuscript.Table {
	t := &manuscript.Table{Place: place}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var out manuscript.Row
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cell := manuscript.Cell{ColSpan: 1, RowSpan: 1,
				Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: r.inlines(c), Place: place}}}
			if tc, ok := c.(*east.TableCell); ok {
				switch tc.Alignment {
				case east.AlignCenter:
					cell.Align = manuscript.AlignCenter
				case east.AlignRight:
					cell.Align = manuscript.AlignRight
				}
			}
			out.Cells = append(out.Cells, cell)
		}
		if _, ok := row.(*east.TableHeader); ok {
			t.HeadRows = 1
		}
		t.Rows = append(t.Rows, out)
	}
	return t
}

func (r *reader) inlines(n ast.Node) []manuscript.Inline {
	var b source.Inlines
	r.inline(&b, n, 0, 0)
	return b.Take()
}

func (r *reader) inline(b *source.Inlines, n ast.Node, style manuscript.Style, depth int) {
	if depth > r.limits.Nesting {
		return
	}
	around := style
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Text(unescape(string(c.Segment.Value(r.src)), c.IsRaw()), style, "")
			switch {
			case c.HardLineBreak():
				b.Add(manuscript.LineBreak{})
			case c.SoftLineBreak():
				b.Text(" ", style, "")
			}
		case *ast.String:
			b.Text(string(c.Value), style, "")
		case *ast.CodeSpan:
			r.inline(b, c, style|manuscript.Monospace, depth+1)
		case *ast.Emphasis:
			s := manuscript.Italic
			if c.Level == 2 {
				s = manuscript.Bold
			}
			r.inline(b, c, style^s, depth+1)
		case *east.Strikethrough:
			r.inline(b, c, style|manuscript.Strike, depth+1)
		case *ast.Link:
			b.Link(address(string(c.Destination)))
			r.inline(b, c, style, depth+1)
			b.Link("")
		case *ast.AutoLink:
			b.Link(address(string(c.URL(r.src))))
			b.Text(string(c.Label(r.src)), style, "")
			b.Link("")
		case *ast.Image:
			r.missing(c, manuscript.Line(r.inlines(c)), r.place())
		case *ast.RawHTML:
			var raw strings.Builder
			for i := 0; i < c.Segments.Len(); i++ {
				seg := c.Segments.At(i)
				raw.Write(seg.Value(r.src))
			}
			style = r.tag(b, raw.String(), style, around)
		case *east.FootnoteLink:
			r.note(b, c)
		case *east.FootnoteBacklink:
		default:
			r.inline(b, c, style, depth+1)
		}
	}
}

func (r *reader) note(b *source.Inlines, link *east.FootnoteLink) {
	at, known := r.index[link.Index]
	if !known {
		f := r.noteText[link.Index]
		if f == nil {
			r.log.Add(finding.NoteWithoutText, r.place(), b.Tail(finding.MaxExcerpt-1), "")
			return
		}
		at = len(r.notes)
		r.index[link.Index] = at
		place := manuscript.Place{Section: r.sections.Title(), Part: "footnote " + string(f.Ref)}
		r.notes = append(r.notes, manuscript.Note{Place: place})
		r.notes[at].Blocks = r.children(f)
	}
	b.Add(manuscript.NoteRef{Note: at})
}

func address(s string) string {
	s = strings.TrimSpace(source.Clean(s))
	low := strings.ToLower(s)
	for _, p := range []string{"http://", "https://", "mailto:", "#"} {
		if strings.HasPrefix(low, p) && len(s) <= 2048 {
			return s
		}
	}
	return ""
}
