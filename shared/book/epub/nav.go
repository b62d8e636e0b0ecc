package epub

import (
	"strconv"
)

const (
	navPath = "nav.xhtml"
	ncxPath = "toc.ncx"
)

// navigation writes the navigation document: contents, landmarks, pages of the print book.
func (k *book) navigation() {
	p := k.page(navPath, -1)
	if len(k.toc) == 0 { // a book of one untitled piece
		k.toc = []entry{{title: k.title(), href: k.landmarks[len(k.landmarks)-1].href}}
	}
	p.start("nav", "epub:type", "toc", "role", "doc-toc", "id", "toc", "aria-labelledby", "title")
	p.text("\n")
	p.element("h1", k.word.contents, "id", "title")
	p.entries(k.toc)
	p.line()

	p.start("nav", "epub:type", "landmarks", "aria-label", k.word.landmarks, "hidden", "hidden")
	p.text("\n")
	p.start("ol")
	p.text("\n")
	for _, l := range append([]landmark{{"cover", k.word.cover, coverPath}, {"toc", k.word.contents, navPath + "#toc"}}, k.landmarks...) {
		p.start("li")
		p.start("a", "epub:type", l.kind, "href", l.href)
		p.text(l.title)
		p.end()
		p.line()
	}
	p.line()
	p.line()

	if len(k.pages) > 0 {
		p.start("nav", "epub:type", "page-list", "role", "doc-pagelist", "aria-label", k.word.pages, "hidden", "hidden")
		p.text("\n")
		p.start("ol")
		p.text("\n")
		for _, m := range k.pages {
			p.start("li")
			p.start("a", "href", m.href)
			p.text(m.folio)
			p.end()
			p.line()
		}
		p.line()
		p.line()
	}
	k.items = append(k.items, item{id: "nav", path: navPath, mediaType: xhtml, properties: "nav", body: k.document(k.word.contents, p.b)})
}

// entries writes lines of the contents.
func (p *page) entries(list []entry) {
	p.start("ol")
	p.text("\n")
	for _, e := range list {
		p.start("li")
		p.start("a", "href", e.href, "lang", e.lang, "xml:lang", e.lang)
		p.text(e.title)
		p.end()
		if len(e.children) > 0 {
			p.text("\n")
			p.entries(e.children)
		}
		p.line()
	}
	p.line()
}

// ncx writes the contents for readers of EPUB 2.
func (k *book) ncx() {
	var m markup
	m.b = append(m.b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"...)
	m.start("ncx", "xmlns", "http://www.daisy.org/z3986/2005/ncx/", "version", "2005-1", "xml:lang", k.lang)
	m.text("\n")
	m.start("head")
	m.text("\n")
	for _, e := range [][2]string{{"dtb:uid", k.id}, {"dtb:depth", strconv.Itoa(depth(k.toc))}, {"dtb:totalPageCount", "0"},
		{"dtb:maxPageNumber", "0"}} {
		m.empty("meta", "name", e[0], "content", e[1])
		m.text("\n")
	}
	m.line()
	m.start("docTitle")
	m.element("text", k.title())
	m.line()
	m.start("navMap")
	m.text("\n")
	n := 0
	m.points(k.toc, &n)
	m.line()
	m.line()
	k.items = append(k.items, item{id: "ncx", path: ncxPath, mediaType: "application/x-dtbncx+xml", body: m.b})
}

func depth(list []entry) int {
	most := 0
	for _, e := range list {
		most = max(most, depth(e.children))
	}
	return most + min(len(list), 1)
}

func (m *markup) points(list []entry, n *int) {
	for _, e := range list {
		*n++
		m.start("navPoint", "id", "point"+strconv.Itoa(*n), "playOrder", strconv.Itoa(*n))
		m.start("navLabel")
		m.start("text")
		m.text(e.title)
		m.end()
		m.end()
		m.empty("content", "src", e.href)
		m.points(e.children, n)
		m.line()
	}
}
