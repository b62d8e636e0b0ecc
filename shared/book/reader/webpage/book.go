package webpage

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// Page is one page of a book.
type Page struct {
	Name string // its path; links between pages are resolved against it
	Root *html.Node
}

// Book reads pages in their order into one manuscript.
type Book struct {
	Pages    []Page
	Sheet    Sheet
	Limits   source.Limits
	Log      *source.Log
	Pictures *source.Pictures
	Load     func(name string) ([]byte, error) // a picture by its path; nil where nothing is at hand
	Chapters bool                              // every page begins a section: the pages are those of an e-book

	sections source.Sections
	notes    []manuscript.Note
	index    map[*html.Node]int // the element of a note → in notes
	ids      map[string]*html.Node
	numbers  map[string]int // of pages by path
	wanted   map[string]bool
	isNote   map[*html.Node]bool
	told     map[*html.Node]bool       // notes of which a finding says that they are left out
	refs     map[*html.Node]*html.Node // a reference → its note
	refIDs   map[string]bool           // places of references, where notes lead back to
	paras    int
	tally    source.Tally
	first    map[*html.Node]*html.Node // the first heading inside of an element
	back     map[*html.Node]bool       // whether a note holds a link
	depth    int
}

// Read reads the pages.
func (b *Book) Read() ([]manuscript.Section, []manuscript.Note, error) {
	b.index, b.ids, b.numbers = map[*html.Node]int{}, map[string]*html.Node{}, map[string]int{}
	b.wanted, b.isNote, b.told, b.refs, b.refIDs = map[string]bool{}, map[*html.Node]bool{}, map[*html.Node]bool{},
		map[*html.Node]*html.Node{}, map[string]bool{}
	b.tally = source.NewTally(b.Limits)
	b.first, b.back = map[*html.Node]*html.Node{}, map[*html.Node]bool{}
	for i, p := range b.Pages {
		b.numbers[strings.ToLower(p.Name)] = i
		visit(p.Root, func(n *html.Node) {
			if id := idOf(n); id != "" {
				if key := b.key(i, id); b.ids[key] == nil {
					b.ids[key] = n
				}
			}
			if headingLevel(n) > 0 {
				for e := n; e != nil && b.first[e] == nil; e = e.Parent {
					b.first[e] = n
				}
			}
			if n.Data == "style" && n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
				b.Sheet.Add(n.FirstChild.Data)
			}
		})
	}
	for i, p := range b.Pages {
		visit(p.Root, func(n *html.Node) {
			if n.Data == "a" {
				b.link(i, n)
			}
		})
	}
	for i, p := range b.Pages {
		f := &flow{b: b, page: i, top: topLevel(p.Root)}
		if b.wanted[b.key(i, "")] {
			f.pending = append(f.pending, manuscript.Target{Name: b.key(i, "")})
		}
		if b.Chapters {
			f.fresh = true
		}
		f.node(p.Root, state{})
		f.end()
		b.sections.Add(f.take()...)
		if err := b.tally.Full(); err != nil {
			return nil, nil, err
		}
	}
	b.untold()
	return b.sections.List(), b.notes, nil
}

// untold tells of notes whose text arrived nowhere: those that only other notes refer to.
func (b *Book) untold() {
	for i, p := range b.Pages {
		f := &flow{b: b, page: i}
		visit(p.Root, func(n *html.Node) {
			if at, read := b.index[n]; b.isNote[n] && !b.told[n] && (!read || at < 0) {
				if text := allText(n); strings.TrimSpace(text) != "" {
					b.Log.Drop(finding.NoteWithoutReference, f.place(), text, "")
				}
			}
		})
	}
}

func visit(n *html.Node, f func(*html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		visit(c, f)
	}
}

// topLevel is the highest level of headings on a page, 7 where it has none.
func topLevel(root *html.Node) int {
	top := 7
	visit(root, func(n *html.Node) {
		if l := headingLevel(n); l > 0 {
			top = min(top, l)
		}
	})
	return top
}

// idOf is the name of the place where an element begins: its id, or the name that HTML 4 gives an a (HTML 7.4.6.3,
// "potential indicated element").
func idOf(n *html.Node) string {
	if id := attr(n, "id"); id != "" || n.Data != "a" {
		return id
	}
	return attr(n, "name")
}

func headingLevel(n *html.Node) int {
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

// key names a place in the book: the id itself where there is one page only.
func (b *Book) key(page int, id string) string {
	if len(b.Pages) == 1 {
		return id
	}
	if id == "" {
		return "p" + strconv.Itoa(page+1)
	}
	return "p" + strconv.Itoa(page+1) + "-" + id
}

// inside resolves a link to a place in the book; false for links that lead out of it.
func (b *Book) inside(page int, href string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", false
	}
	if u.Path != "" {
		i, ok := b.numbers[strings.ToLower(path.Join(path.Dir(b.Pages[page].Name), u.Path))]
		if !ok {
			return "", false
		}
		page = i
	}
	return b.key(page, u.Fragment), u.Fragment != "" || u.Path != "" && len(b.Pages) > 1
}

var noteMark = regexp.MustCompile(`^[\[(]?\s*([0-9]{1,4}|[*†‡§¶#]{1,4}|[a-z])\s*[\])]?$`)

// link finds out whether a link refers to a note, and which places links lead to.
func (b *Book) link(page int, n *html.Node) {
	to, ok := b.inside(page, attr(n, "href"))
	if !ok {
		return
	}
	for e := n.Parent; e != nil; e = e.Parent {
		if b.isNote[e] || e.Data == "nav" || means(e, "toc") {
			return // what leads from a note or a table of contents
		}
	}
	target := b.ids[to]
	marked := means(n, "noteref") || hasClass(n, "footnote-ref", "noteref", "footnoteref", "fnref")
	if means(n, "backlink") || hasClass(n, "footnote-back", "footnote-backref", "backlink") {
		return
	}
	if target != nil {
		note := noteBlock(target)
		if note != nil && (marked || b.leadsBack(page, n, note)) && !within(n, note) {
			b.refs[n], b.isNote[note] = note, true
			for e := n; e != nil && e.Type == html.ElementNode; e = e.Parent {
				if id := attr(e, "id"); id != "" {
					b.refIDs[b.key(page, id)] = true
				}
				if e != n && blockElement[e.Data] {
					break
				}
			}
			return
		}
	}
	if marked && target == nil {
		b.refs[n] = nil
		return
	}
	b.wanted[to] = true
}

// leadsBack says whether a link looks like the mark of a note: a number, raised or in brackets, that leads
// to a block which is marked as a note or leads back to it.
func (b *Book) leadsBack(page int, n, note *html.Node) bool {
	text := textOf(n)
	if !noteMark.MatchString(text) {
		return false
	}
	if means(note, "footnote", "endnote", "rearnote") {
		return true
	}
	raised := strings.ContainsAny(text, "[(*†‡")
	for e := n; e != nil && !raised && !(e != n && blockElement[e.Data]); e = e.Parent {
		raised = e.Data == "sup" || b.Sheet.of(e).style.Has(manuscript.Superscript)
	}
	visit(n, func(c *html.Node) {
		raised = raised || c.Data == "sup" || b.Sheet.of(c).style.Has(manuscript.Superscript)
	})
	if !raised {
		return false
	}
	back, known := b.back[note]
	if !known {
		visit(note, func(c *html.Node) { back = back || c.Data == "a" && attr(c, "href") != "" })
		b.back[note] = back
	}
	return back
}

func within(n, outer *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// noteBlock is the block that holds a note, given the element a reference leads to.
func noteBlock(n *html.Node) *html.Node {
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		switch n.Data {
		case "p", "li", "aside", "div", "dd", "section", "td":
			if n.Data == "td" || n.Data == "section" && !means(n, "footnote", "endnote", "rearnote") {
				return nil
			}
			return n
		case "body", "h1", "h2", "h3", "h4", "h5", "h6":
			return nil
		}
	}
	return nil
}

var numberFirst = regexp.MustCompile(`^[\[(]?([0-9]{1,4}|[*†‡§¶]{1,3})[\])]?\.?\s+`)

// note reads the text of a note at its first reference; -1 if the page does not have the note.
func (b *Book) note(page int, el *html.Node) int {
	if at, ok := b.index[el]; ok {
		return at
	}
	b.index[el] = -1
	if b.depth > 0 {
		return -1
	}
	b.depth++
	label := "footnote " + strconv.Itoa(len(b.notes)+1)
	f := &flow{b: b, page: page, top: 7, label: label, inNote: true}
	f.children(el, state{})
	f.end()
	b.depth--
	blocks := f.take()
	if len(blocks) == 0 {
		return -1
	}
	if p, ok := blocks[0].(*manuscript.Paragraph); ok && len(p.Inlines) > 0 {
		if t, ok := p.Inlines[0].(manuscript.Text); ok {
			t.S = numberFirst.ReplaceAllString(t.S, "")
			p.Inlines[0] = t
		}
		p.Inlines = source.Trim(p.Inlines)
	}
	b.notes = append(b.notes, manuscript.Note{
		Endnote: means(el, "endnote", "rearnote"), Blocks: blocks, Place: manuscript.Place{Section: b.sections.Title(), Part: label},
	})
	b.index[el] = len(b.notes) - 1
	return b.index[el]
}

// picture puts a picture of the book; pictures elsewhere are never fetched.
func (b *Book) picture(page int, src, alt string, place manuscript.Place) int {
	fault, at := "", -1
	u, err := url.Parse(strings.TrimSpace(src))
	switch {
	case err != nil || src == "":
		fault = "the page does not hold the picture"
	case u.Scheme == "data":
		at, fault = b.data(src)
	case u.Scheme != "" || u.Host != "" || b.Load == nil:
		fault = "the picture is linked, not embedded: " + u.Redacted()
	default:
		name := path.Join(path.Dir(b.Pages[page].Name), u.Path)
		at, fault = b.Pictures.Add(name, func() ([]byte, error) { return b.Load(name) })
	}
	if fault != "" {
		b.Log.Add(finding.MissingImage, place, alt, fault)
	}
	return at
}
