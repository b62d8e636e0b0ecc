package epub

import (
	"cmp"
	"slices"
	"strings"

	"mappe/shared/book/manuscript"
)

// page begins a page of the book.
func (k *book) page(path string, section int) *page {
	p := &page{k: k, path: path, title: k.title(), section: section, lang: k.lang, anchors: map[string]bool{}}
	if section >= 0 {
		p.title = cmp.Or(k.sectionTitle(section), p.title)
	}
	for _, t := range k.targets {
		if t.path == path {
			p.anchors[t.id] = false
		}
	}
	return p
}

// anchor gives the id of an anchor that a link leads to, once; "" for all others.
func (p *page) anchor(name string) string {
	t, ok := p.k.targets[name]
	if !ok || t.path != p.path || p.anchors[t.id] {
		return ""
	}
	p.anchors[t.id] = true
	return t.id
}

// rest writes the anchors that found no place: no link leads nowhere.
func (p *page) rest() {
	var left []string
	for id, written := range p.anchors {
		if !written {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	for _, id := range left {
		p.element("div", "", "id", id)
	}
}

// flush marks the pages that begin here, between two blocks.
func (p *page) flush() {
	for len(p.starts) > 0 && p.letters >= p.starts[0].Letters {
		p.pageMark("div")
		p.text("\n")
	}
}

// add wraps a page in its document and adds it to the book.
func (k *book) add(p *page, id string) {
	k.items = append(k.items, item{id: id, path: p.path, mediaType: xhtml, body: k.document(p.title, p.b), spine: true})
}

const xhtml = "application/xhtml+xml"

// document is an XHTML page around its body; every page of a proof says that it is one.
func (k *book) document(title string, body []byte) []byte {
	var m markup
	m.b = append(m.b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"...)
	m.start("html", "xmlns", "http://www.w3.org/1999/xhtml", "xmlns:epub", "http://www.idpf.org/2007/ops", "lang", k.lang, "xml:lang",
		k.lang)
	m.text("\n")
	m.start("head")
	m.text("\n")
	m.element("title", title)
	m.empty("link", "rel", "stylesheet", "type", "text/css", "href", "style.css")
	m.text("\n")
	m.line()
	m.start("body")
	m.text("\n")
	if k.opt.Proof != "" {
		m.element("p", k.opt.Proof, "class", "proof")
	}
	m.b = append(m.b, body...)
	m.line()
	m.line()
	return m.b
}

// terms are the structural terms of sections, for epub:type and as roles. EPUB Structural Semantics
// Vocabulary 1.1 and DPUB-ARIA 1.1.
var terms = map[manuscript.SectionKind]struct{ kind, role string }{
	manuscript.KindTitlePage:        {"titlepage", ""},
	manuscript.KindCopyright:        {"copyright-page", ""},
	manuscript.KindDedication:       {"dedication", "doc-dedication"},
	manuscript.KindEpigraph:         {"epigraph", "doc-epigraph"},
	manuscript.KindForeword:         {"foreword", "doc-foreword"},
	manuscript.KindPreface:          {"preface", "doc-preface"},
	manuscript.KindIntroduction:     {"introduction", "doc-introduction"},
	manuscript.KindPrologue:         {"prologue", "doc-prologue"},
	manuscript.KindPart:             {"part", "doc-part"},
	manuscript.KindChapter:          {"chapter", "doc-chapter"},
	manuscript.KindEpilogue:         {"epilogue", "doc-epilogue"},
	manuscript.KindAfterword:        {"afterword", "doc-afterword"},
	manuscript.KindAcknowledgements: {"acknowledgments", "doc-acknowledgments"},
	manuscript.KindAppendix:         {"appendix", "doc-appendix"},
	manuscript.KindGlossary:         {"glossary", ""},
	manuscript.KindBibliography:     {"bibliography", "doc-bibliography"},
	manuscript.KindNotes:            {"endnotes", "doc-endnotes"},
}

// sections writes the author's sections in the print book's order, and the contents.
func (k *book) sections() {
	part := -1 // entry of the part that chapters stand in
	body := false
	order, late := k.order()
	k.navAt = len(k.items)
	for n, i := range order {
		k.section(i)
		s := &k.src.Sections[i]
		if s.Kind == manuscript.KindTitlePage {
			k.copyrightPage()
		}
		if n < late {
			k.navAt = len(k.items)
		}
		title := k.sectionTitle(i)
		e := entry{title: title, lang: k.sectionLang(i), href: k.files[i]}
		if !body && !s.Kind.Front() {
			body = true
			k.landmarks = append(k.landmarks, landmark{"bodymatter", k.word.begin, k.files[i]})
		}
		if s.Kind.Back() || s.Kind.Front() || s.Kind == manuscript.KindPrologue || s.Kind == manuscript.KindEpilogue {
			part = -1
		}
		switch {
		case title == "":
		case part >= 0 && s.Kind != manuscript.KindPart:
			k.toc[part].children = append(k.toc[part].children, e)
		default:
			k.toc = append(k.toc, e)
			if s.Kind == manuscript.KindPart {
				part = len(k.toc) - 1
			}
		}
	}
}

// sectionTitle is a section's title in the contents.
func (k *book) sectionTitle(i int) string {
	s := &k.src.Sections[i]
	switch s.Kind {
	case manuscript.KindTitlePage, manuscript.KindCopyright, manuscript.KindDedication, manuscript.KindEpigraph:
		return "" // not in the print book's contents either
	}
	return s.Entry(k.spec.ChapterLabel)
}

// sectionLang is a section's language where it differs from the book's.
func (k *book) sectionLang(i int) string {
	if l := language(k.src.Sections[i].Language); l != k.lang {
		return l
	}
	return ""
}

// section writes one section, on as many pages as it has.
func (k *book) section(i int) {
	s := &k.src.Sections[i]
	waiting := k.starts[i] // pages of the print book that begin in what is not written yet
	until := func(block int) (due []PageRef) {
		n := 0
		for n < len(waiting) && waiting[n].Block <= block {
			n++
		}
		due, waiting = waiting[:n], waiting[n:]
		return due
	}
	notes := 0
	for n, piece := range k.pieces[i] {
		p := k.page(piece.path, i)
		p.number = notes
		if lang := k.sectionLang(i); lang != "" {
			p.lang = lang
		}
		if n == 0 {
			p.begin(s, until(-1))
			p.opening = opens(s)
		} else {
			p.continued(s)
		}
		for at := piece.from; at < piece.to; at++ {
			b := s.Blocks[at]
			p.starts, p.letters, p.inWord = until(at), 0, false
			if _, ok := b.(*manuscript.Paragraph); !ok {
				if q, ok := b.(*manuscript.Quote); !ok || !q.Epigraph {
					p.opening = false
				}
			}
			p.block(b, 0)
			p.flushAll()
		}
		if n+1 == len(k.pieces[i]) {
			p.starts = waiting
			p.flushAll()
		}
		p.footnotes()
		notes = p.number
		p.rest()
		p.line()
		k.add(p, strings.TrimSuffix(p.path, ".xhtml"))
	}
}

// begin opens a section on its first page and writes what stands above its text.
func (p *page) begin(s *manuscript.Section, starts []PageRef) {
	k := p.k
	titled := manuscript.Line(s.Title) != ""
	by := ""
	if titled {
		by = "title"
	}
	t := terms[s.Kind]
	lang := k.sectionLang(p.section)
	p.start("section", "epub:type", t.kind, "role", t.role, "class", class(s), "aria-labelledby", by, "lang", lang, "xml:lang", lang)
	p.text("\n")
	p.starts = starts
	p.flushAll()
	if titled {
		p.heading(s)
	}
}

// continued opens a section on a further page. It is no section of its own for those who listen.
func (p *page) continued(s *manuscript.Section) {
	lang := p.k.sectionLang(p.section)
	p.start("section", "class", class(s), "aria-label", p.k.sectionTitle(p.section), "lang", lang, "xml:lang", lang)
	p.text("\n")
}

// class is what the style sheet calls a section.
func class(s *manuscript.Section) string { return strings.ReplaceAll(s.Kind.String(), "_", "-") }

// opens says whether the first paragraph of a section is set as a chapter's.
func opens(s *manuscript.Section) bool {
	switch s.Kind {
	case manuscript.KindChapter, manuscript.KindPrologue, manuscript.KindEpilogue, manuscript.KindIntroduction:
		return true
	}
	return false
}

// flushAll marks all pages that wait.
func (p *page) flushAll() {
	for len(p.starts) > 0 {
		p.pageMark("div")
		p.text("\n")
	}
}

// heading writes what stands above a section.
func (p *page) heading(s *manuscript.Section) {
	p.start("header")
	p.text("\n")
	if s.Label != "" && p.k.spec.ChapterLabel {
		p.element("p", s.Label, "class", "label")
	}
	p.start("h1", "id", "title")
	p.inlines(s.Title)
	p.line()
	if visible(s.Subtitle) {
		p.start("p", "class", "subtitle", "role", "doc-subtitle")
		p.inlines(s.Subtitle)
		p.line()
	}
	p.line()
}
