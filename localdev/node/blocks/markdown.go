package blocks

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// ParseMarkdown reads CommonMark with ~~strike~~. A first heading of level 1 is the document's name. What follows a heading lies in it;
// the items of a list lie in it. A paragraph that is one picture, or one hm:// address, or stands between $$, is a block of that kind.
func ParseMarkdown(raw []byte) (*Draft, error) {
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("the file is not UTF-8")
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Strikethrough))
	root := md.Parser().Parse(text.NewReader(raw))
	m := &markdown{source: raw}
	d := &Draft{Metadata: map[string]any{}}
	first := root.FirstChild()
	if h, ok := first.(*ast.Heading); ok && h.Level == 1 {
		d.Metadata["name"] = m.inline(h).Text
		first = first.NextSibling()
	}
	d.Content = m.sections(first)
	if m.count > maxBlocks {
		return nil, fmt.Errorf("more than %d blocks", maxBlocks)
	}
	Name(d.Content)
	return d, nil
}

type markdown struct {
	source []byte
	count  int
}

// sections puts what follows a heading into it, up to the next heading of its level or above.
func (m *markdown) sections(n ast.Node) []*documents.BlockNode {
	top := &documents.BlockNode{}
	open := []*documents.BlockNode{top}
	levels := []int{0}
	for ; n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			for levels[len(levels)-1] >= h.Level {
				open, levels = open[:len(open)-1], levels[:len(levels)-1]
			}
			b := &documents.BlockNode{Block: m.typed("Heading", m.inline(h))}
			parent := open[len(open)-1]
			parent.Children = append(parent.Children, b)
			open, levels = append(open, b), append(levels, h.Level)
			continue
		}
		parent := open[len(open)-1]
		parent.Children = append(parent.Children, m.block(n)...)
	}
	return top.Children
}

func (m *markdown) typed(kind string, b *documents.Block) *documents.Block {
	m.count++
	b.Type = kind
	return b
}

// within reads the blocks in a node.
func (m *markdown) within(n ast.Node) []*documents.BlockNode {
	var out []*documents.BlockNode
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, m.block(c)...)
	}
	return out
}

func (m *markdown) block(n ast.Node) []*documents.BlockNode {
	one := func(b *documents.Block, children []*documents.BlockNode) []*documents.BlockNode {
		return []*documents.BlockNode{{Block: b, Children: children}}
	}
	switch n := n.(type) {
	case *ast.Heading:
		return one(m.typed("Heading", m.inline(n)), nil)
	case *ast.FencedCodeBlock:
		b := m.typed("Code", &documents.Block{Text: m.lines(n)})
		if language := string(n.Language(m.source)); language == "math" {
			b.Type = "Math"
		} else if language != "" {
			withAttribute(b, "language", language)
		}
		return one(b, nil)
	case *ast.CodeBlock:
		return one(m.typed("Code", &documents.Block{Text: m.lines(n)}), nil)
	case *ast.List:
		return one(m.list(n), m.items(n))
	case *ast.Blockquote:
		return one(withAttribute(m.typed("Group", &documents.Block{}), "childrenType", "Blockquote"), m.within(n))
	case *ast.ThematicBreak:
		return nil
	case *ast.HTMLBlock:
		return one(m.typed("Code", withAttribute(&documents.Block{Text: m.lines(n)}, "language", "html")), nil)
	}
	if b := m.paragraph(n); b != nil {
		return one(b, nil)
	}
	return nil
}

func (m *markdown) list(n *ast.List) *documents.Block {
	if n.IsOrdered() {
		return withAttribute(m.typed("OrderedList", &documents.Block{}), "childrenType", "Ordered")
	}
	return withAttribute(m.typed("UnorderedList", &documents.Block{}), "childrenType", "Unordered")
}

// items are the items of a list: the first paragraph of each, with what follows in it.
func (m *markdown) items(n *ast.List) []*documents.BlockNode {
	var out []*documents.BlockNode
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := m.within(c)
		if len(inner) == 0 {
			continue
		}
		inner[0].Children = append(inner[0].Children, inner[1:]...)
		out = append(out, inner[0])
	}
	return out
}

func (m *markdown) lines(n ast.Node) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(m.source))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var films = []string{".mp4", ".webm", ".mov", ".ogv"}

// paragraph reads a paragraph, or what stands alone in one.
func (m *markdown) paragraph(n ast.Node) *documents.Block {
	if only, ok := n.FirstChild().(*ast.Image); ok && only.NextSibling() == nil {
		b := m.typed("Image", &documents.Block{Text: m.inline(only).Text, Link: string(only.Destination)})
		if slices.Contains(films, strings.ToLower(path.Ext(b.Link))) {
			b.Type = "Video"
		}
		return b
	}
	raw := strings.TrimSpace(m.lines(n))
	if inner, ok := strings.CutPrefix(raw, "$$"); ok && strings.HasSuffix(inner, "$$") {
		return m.typed("Math", &documents.Block{Text: strings.TrimSpace(strings.TrimSuffix(inner, "$$"))})
	}
	if address := strings.TrimSuffix(strings.TrimPrefix(raw, "<"), ">"); strings.HasPrefix(address,
		"hm://") && !strings.ContainsAny(address, " \n") {
		return m.typed("Embed", &documents.Block{Link: address})
	}
	b := m.inline(n)
	if b.Text == "" {
		return nil
	}
	return m.typed("Paragraph", b)
}

// inline reads running text: its marks become annotations.
func (m *markdown) inline(n ast.Node) *documents.Block {
	b := &documents.Block{}
	w := &writer{block: b, source: m.source}
	w.children(n)
	b.Text = w.text.String()
	return b
}

type writer struct {
	block  *documents.Block
	source []byte
	text   strings.Builder
	at     int32 // characters so far
	code   bool  // in a code span, where \ and & stand for themselves
}

func (w *writer) write(s string) {
	w.text.WriteString(s)
	w.at += int32(utf8.RuneCountInString(s))
}

func (w *writer) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

// mark writes what lies in a node and marks it.
func (w *writer) mark(n ast.Node, kind, link string) {
	from, i := w.at, len(w.block.Annotations)
	w.children(n)
	if w.at > from {
		a := &documents.Annotation{Type: kind, Link: link, Starts: []int32{from}, Ends: []int32{w.at}}
		w.block.Annotations = slices.Insert(w.block.Annotations, i, a)
	}
}

func (w *writer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Segment.Value(w.source)
		if !w.code {
			value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
		}
		w.write(string(value))
		if n.HardLineBreak() {
			w.write("\n")
		} else if n.SoftLineBreak() {
			w.write(" ")
		}
	case *ast.String:
		w.write(string(n.Value))
	case *ast.CodeSpan:
		w.code = true
		w.mark(n, "Code", "")
		w.code = false
	case *ast.Emphasis:
		if n.Level == 2 {
			w.mark(n, "Bold", "")
		} else {
			w.mark(n, "Italic", "")
		}
	case *xast.Strikethrough:
		w.mark(n, "Strike", "")
	case *ast.Link:
		w.mark(n, "Link", string(n.Destination))
	case *ast.AutoLink:
		from := w.at
		w.write(string(n.Label(w.source)))
		w.block.Annotations = append(w.block.Annotations, &documents.Annotation{Type: "Link", Link: string(n.URL(w.source)),
			Starts: []int32{from}, Ends: []int32{w.at}})
	case *ast.Image:
		w.mark(n, "Link", string(n.Destination))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			w.write(string(s.Value(w.source)))
		}
	default:
		w.children(n)
	}
}
