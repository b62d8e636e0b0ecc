package xmlpart

import (
	"errors"
	"strings"

	"mappe/shared/book/reader/source"
)

// Tree holds the elements of a piece of a part.
type Tree struct {
	nodes []node
	attrs []Attr
	limit int
	open  []int32 // while it is read
}

type node struct {
	text        string // name of an element, or the text
	first, next int32  // 0 without one: the root of a tree is nobody's child
	attr, attrs int32
	ns          NS
	element     bool
}

// El is an element or a text of a tree; the zero El is no element. It is valid until the tree is read again.
type El struct {
	t *Tree
	i int32
}

// ErrNodes is the error of a tree that is too large.
var errNodes = source.Refuse(source.TooComplex,
	"A single table or paragraph of the file holds millions of elements. Divide it and save the file anew.")

// NewTree makes a tree with room for the nodes of the limits.
func NewTree(l source.Limits) *Tree { return &Tree{limit: l.Nodes} }

// Read reads the element whose start Next has just given, up to its end, in place of what the tree held.
func (t *Tree) Read(x *Scanner) (El, error) {
	t.nodes, t.attrs, t.open = t.nodes[:0], t.attrs[:0], t.open[:0]
	last := []int32{} // the last child of each open element
	add := func(n node) (int32, error) {
		if len(t.nodes) >= t.limit || len(t.attrs) > t.limit {
			return 0, errNodes
		}
		i := int32(len(t.nodes))
		t.nodes = append(t.nodes, n)
		if d := len(t.open); d > 0 {
			if last[d-1] == 0 {
				t.nodes[t.open[d-1]].first = i
			} else {
				t.nodes[last[d-1]].next = i
			}
			last[d-1] = i
		}
		return i, nil
	}
	kind := Start
	for {
		switch kind {
		case Start:
			i, err := add(node{text: x.Name, ns: x.NS, element: true, attr: int32(len(t.attrs)), attrs: int32(len(x.Attrs))})
			if err != nil {
				return El{}, err
			}
			t.attrs = append(t.attrs, x.Attrs...)
			t.open = append(t.open, i)
			last = append(last, 0)
		case Text:
			if _, err := add(node{text: x.Text}); err != nil {
				return El{}, err
			}
		case End:
			t.open, last = t.open[:len(t.open)-1], last[:len(last)-1]
			if len(t.open) == 0 {
				return El{t, 0}, nil
			}
		}
		var err error
		if kind, err = x.Next(); err != nil {
			return El{}, err
		}
		if kind == EOF {
			return El{}, errors.New("xml: the part ends inside of an element")
		}
	}
}

// Parse reads a whole part into a tree and gives its root. The rest of the part after the root is read too.
func Parse(s string, names Names, l source.Limits) (El, error) {
	return parse(NewScanner(s, names, l), l)
}

// ParseWeb is Parse for what the web has: a document type without declarations, entities of HTML.
func ParseWeb(s string, names Names, l source.Limits) (El, error) {
	x := NewScanner(s, names, l)
	x.Web = true
	return parse(x, l)
}

func parse(x *Scanner, l source.Limits) (El, error) {
	if _, err := x.Next(); err != nil {
		return El{}, err
	}
	root, err := NewTree(l).Read(x)
	if err != nil {
		return El{}, err
	}
	_, err = x.Next()
	return root, err
}

// Ok says whether there is one.
func (e El) Ok() bool { return e.t != nil }

// NS is the namespace of an element.
func (e El) NS() NS { return e.t.nodes[e.i].ns }

// Name is the name of an element, "" of a text.
func (e El) Name() string {
	if n := &e.t.nodes[e.i]; n.element {
		return n.text
	}
	return ""
}

// Is says whether it is the element of this name.
func (e El) Is(ns NS, name string) bool {
	if e.t == nil {
		return false
	}
	n := &e.t.nodes[e.i]
	return n.element && n.ns == ns && n.text == name
}

// Text is the text where it is one; IsText says so.
func (e El) Text() string {
	if n := &e.t.nodes[e.i]; !n.element {
		return n.text
	}
	return ""
}

// IsText says whether it is a text.
func (e El) IsText() bool { return !e.t.nodes[e.i].element }

// First is the first child.
func (e El) First() El {
	if e.t == nil {
		return El{}
	}
	return e.at(e.t.nodes[e.i].first)
}

// Next is the next sibling.
func (e El) Next() El { return e.at(e.t.nodes[e.i].next) }

func (e El) at(i int32) El {
	if i == 0 {
		return El{}
	}
	return El{e.t, i}
}

// Child is the first child of this name; the zero El without one.
func (e El) Child(ns NS, name string) El {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.Is(ns, name) {
			return c
		}
	}
	return El{}
}

// Path follows children of one namespace by name.
func (e El) Path(ns NS, names ...string) El {
	for _, n := range names {
		e = e.Child(ns, n)
	}
	return e
}

// Attr is the value of an attribute, "" where it is missing.
func (e El) Attr(ns NS, name string) string {
	v, _ := e.Lookup(ns, name)
	return v
}

// Lookup is the value of an attribute and whether it is there.
func (e El) Lookup(ns NS, name string) (string, bool) {
	if e.t == nil {
		return "", false
	}
	n := &e.t.nodes[e.i]
	for i := n.attr; i < n.attr+n.attrs; i++ {
		if a := &e.t.attrs[i]; a.Name == name && a.NS == ns {
			return a.Value, true
		}
	}
	return "", false
}

// AllText is the text of an element and what it holds.
func (e El) AllText() string {
	var b strings.Builder
	e.addText(&b)
	return b.String()
}

func (e El) addText(b *strings.Builder) {
	if e.t == nil {
		return
	}
	b.WriteString(e.Text())
	for c := e.First(); c.Ok(); c = c.Next() {
		c.addText(b)
	}
}

// Brief is the beginning of AllText, for excerpts: it ends after n bytes, or where many elements hold no text.
func (e El) Brief(n int) string {
	var b strings.Builder
	visits := 100 * n
	e.addBrief(&b, n, &visits)
	return b.String()
}

func (e El) addBrief(b *strings.Builder, n int, visits *int) {
	if e.t == nil {
		return
	}
	t := e.Text()
	b.WriteString(t[:min(len(t), n)])
	for c := e.First(); c.Ok() && b.Len() < n && *visits > 0; c = c.Next() {
		*visits--
		c.addBrief(b, n, visits)
	}
}

// Find is the first element of this name inside, in the order of the text; the zero El without one.
func (e El) Find(ns NS, name string) El {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.Is(ns, name) {
			return c
		}
		if f := c.Find(ns, name); f.Ok() {
			return f
		}
	}
	return El{}
}
