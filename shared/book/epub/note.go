package epub

import (
	"strconv"
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// shownNote is a note as it stands at one of its references.
type shownNote struct {
	note   int // index in Book.Notes
	number int // as printed: counted in its section
	id     int // counted in the book
	depth  int // of notes to notes
}

// laterNote is a note of the notes page.
type laterNote struct {
	shownNote
	section int
	href    string // of its reference
}

// maxNoteDepth bounds notes to notes.
const maxNoteDepth = 3

// foot says whether a note stands in the section that refers to it, as layout does for the page's foot.
func (k *book) foot(n *manuscript.Note) bool {
	switch k.spec.Notes {
	case spec.NotesFoot:
		return true
	case spec.NotesEnd:
		return false
	}
	return !n.Endnote
}

// noteRef writes the number of a note: a link that reading systems open in place.
func (p *page) noteRef(note int) {
	if note < 0 || note >= len(p.k.src.Notes) || p.depth >= maxNoteDepth {
		return
	}
	p.plainStyle()
	p.number++
	p.k.refs++
	n := shownNote{note: note, number: p.number, id: p.k.refs, depth: p.depth + 1}
	id, href := "ref"+strconv.Itoa(n.id), "#note"+strconv.Itoa(n.id)
	if p.k.foot(&p.k.src.Notes[note]) || p.section < 0 {
		p.notes = append(p.notes, n)
	} else {
		p.k.later = append(p.k.later, laterNote{n, p.section, p.path + "#" + id})
		href = p.k.noteFiles[note] + href
	}
	p.start("a", "epub:type", "noteref", "role", "doc-noteref", "class", "noteref", "id", id, "href", href)
	p.text(strconv.Itoa(n.number))
	p.end()
}

// footnotes writes the notes the page has referred to so far.
func (p *page) footnotes() {
	if len(p.notes) == 0 {
		return
	}
	p.start("section", "class", "footnotes", "aria-label", p.k.word.notes)
	p.text("\n")
	for i := 0; i < len(p.notes); i++ { // a note may add one
		n := p.notes[i]
		p.start("aside", "epub:type", "footnote", "role", "doc-footnote", "id", "note"+strconv.Itoa(n.id))
		p.note(n, "#ref"+strconv.Itoa(n.id))
		p.line()
	}
	p.notes = nil
	p.line()
}

// note writes a note's text with its number, which leads back.
func (p *page) note(n shownNote, back string) {
	blocks := p.k.src.Notes[n.note].Blocks
	p.depth = n.depth
	p.start("p")
	p.start("a", "role", "doc-backlink", "class", "number", "href", back)
	p.text(strconv.Itoa(n.number))
	p.end()
	p.text(" ")
	if len(blocks) > 0 {
		if x, ok := blocks[0].(*manuscript.Paragraph); ok {
			p.target(x.Anchor)
			p.inlines(x.Inlines)
			blocks = blocks[1:]
		}
	}
	p.line()
	p.blocks(blocks, 0)
	p.depth = 0
}

const notesPath = "notes.xhtml"

// notesPages writes the notes that stand at the end of the book, by section.
func (k *book) notesPages() {
	if len(k.later) == 0 {
		return
	}
	pages := map[string]*page{}
	sections := map[string]int{}        // the one each page is in
	for i := 0; i < len(k.later); i++ { // a note may add one
		n := k.later[i]
		path := k.noteFiles[n.note]
		p := pages[path]
		if p == nil {
			p = k.notesPage(path)
			pages[path], sections[path] = p, -1
		}
		lang := k.sectionLang(n.section)
		if last := sections[path]; n.section != last {
			if last >= 0 {
				p.line()
			}
			p.start("section")
			p.text("\n")
			if t := k.sectionTitle(n.section); t != "" {
				p.element("h2", t, "lang", lang, "xml:lang", lang)
			}
			sections[path] = n.section
		}
		p.start("aside", "epub:type", "footnote", "role", "doc-footnote", "id", "note"+strconv.Itoa(n.id), "lang", lang, "xml:lang", lang)
		p.section, p.number = n.section, n.number
		p.note(n.shownNote, n.href)
		p.line()
	}
	first := ""
	for _, path := range k.notePages {
		p := pages[path]
		if p == nil { // of notes nobody refers to
			continue
		}
		p.line()
		p.rest()
		p.line()
		k.add(p, strings.TrimSuffix(path, ".xhtml"))
		if first == "" {
			first = path
		}
	}
	k.toc = append(k.toc, entry{title: k.word.notes, href: first})
	k.landmarks = append(k.landmarks, landmark{"endnotes", k.word.notes, first})
}

// notesPage begins a page of notes.
func (k *book) notesPage(path string) *page {
	p := k.page(path, -1)
	p.title = k.word.notes
	if path != notesPath {
		p.start("section", "class", "endnotes", "aria-label", k.word.notes)
		p.text("\n")
		return p
	}
	p.start("section", "epub:type", "endnotes", "role", "doc-endnotes", "aria-labelledby", "title")
	p.text("\n")
	p.element("h1", k.word.notes, "id", "title")
	return p
}
