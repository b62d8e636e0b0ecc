// Package epub writes a manuscript as an EPUB 3.3: one page of XHTML a section, several where it is longer
// than MaxPage, one style sheet, notes that
// pop up, a navigation document with contents, landmarks and the pages of the print book, an NCX for old
// readers, a cover, and metadata that says how accessible the book is. Check reads a file back by the rules
// shops hold it to. It owns the format and nothing of print; package press calls it.
//
//	mimetype (first, stored) · META-INF/container.xml · EPUB/{package.opf,nav.xhtml,toc.ncx,style.css}
//	EPUB/cover.xhtml · title.xhtml · copyright.xhtml · s001.xhtml, s001-2.xhtml ... · notes.xhtml · images/...
//
// The same book, specification and options give the same bytes.
package epub

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Options are what a build adds to manuscript and specification.
type Options struct {
	Proof string // the line every page of a proof bears; "" for finals
	// Created is the date of last change; its year stands in the source of the page numbers.
	Created time.Time
	// Identifier names the book for ever (a URN). Empty is the ISBN, or a UUID made from title, author and text.
	Identifier string
	Pages      []PageRef // where the pages of the print book begin, in order; none leaves the page list out
	// Referred are the numbers of the print book's pages that references to pages show, by the target they lead to.
	Referred map[string]string
}

// PageRef is where a page of the print book begins. It has the members of layout.PageStart.
type PageRef struct {
	Folio   string
	Section int // index in Book.Sections
	Block   int // index in the section's blocks; -1 above the first
	Letters int // letters of the block (unicode.IsLetter) that stand on the pages before
}

// Write writes the book. It fails only when w does, or when the cover cannot be drawn.
func Write(w io.Writer, b manuscript.Book, s spec.Spec, o Options) error {
	k := newBook(&b, &s, &o)
	if err := k.cover(); err != nil {
		return err
	}
	k.plan()
	k.titlePage()
	k.sections()
	k.notesPages()
	k.identify()
	k.navigation()
	k.ncx()
	k.packageDocument()
	return k.pack(w)
}

// item is a file of the book.
type item struct {
	id, path   string // path below EPUB/
	mediaType  string
	properties string
	body       []byte
	spine      bool
	stored     bool // not deflated: it is compressed already
}

// entry is a line of the contents.
type entry struct {
	title, lang string
	href        string
	children    []entry
}

// landmark is a place reading systems lead to.
type landmark struct{ kind, title, href string }

// pageMark is a page of the print book in the text.
type pageMark struct{ folio, href string }

// book is the work of one file.
type book struct {
	src  *manuscript.Book
	spec *spec.Spec
	opt  *Options
	lang string // of the book
	word words

	items     []item
	navAt     int            // the item the contents stand before
	images    map[int]string // path of each image that is used
	alts      bool           // every picture of the text has an alternative
	pictures  int
	toc       []entry
	landmarks []landmark
	pages     []pageMark
	text      hash.Hash // of everything the author has written
	id        string    // identifier

	starts  map[int][]PageRef // of each section
	files   map[int]string    // of each section that is shown, its first page
	pieces  map[int][]piece   // all its pages
	wanted  map[string]bool   // anchors that links lead to
	targets map[string]target // where they are
	later   []laterNote       // notes of the notes pages
	// noteFiles are the notes pages of the notes that stand on one, notePages all of them.
	noteFiles, notePages []string
	refs                 int // references to notes so far
}

func newBook(b *manuscript.Book, s *spec.Spec, o *Options) *book {
	k := &book{
		src: b, spec: s, opt: o, alts: true, text: sha256.New(),
		images: map[int]string{}, starts: map[int][]PageRef{}, files: map[int]string{}, pieces: map[int][]piece{},
		wanted: map[string]bool{}, targets: map[string]target{},
	}
	k.lang = language(s.Language)
	if k.lang == "" {
		k.lang = language(b.Meta.Language)
	}
	if k.lang == "" {
		k.lang = "en"
	}
	k.word = wordsOf(k.lang)
	for _, p := range o.Pages {
		if p.Section >= 0 && p.Section < len(b.Sections) && p.Folio != "" {
			k.starts[p.Section] = append(k.starts[p.Section], p)
		}
	}
	return k
}

func (k *book) title() string {
	if t := strings.TrimSpace(k.spec.Title); t != "" {
		return t
	}
	if t := strings.TrimSpace(k.src.Meta.Title); t != "" {
		return t
	}
	return k.word.untitled
}

func (k *book) subtitle() string {
	if k.spec.Subtitle != "" {
		return k.spec.Subtitle
	}
	return k.src.Meta.Subtitle
}

func (k *book) author() string {
	if k.spec.Author != "" {
		return k.spec.Author
	}
	return k.src.Meta.Author
}

// identify settles the identifier once all text is known.
func (k *book) identify() {
	isbn := strings.NewReplacer("-", "", " ", "").Replace(k.spec.ISBN)
	switch {
	case k.opt.Identifier != "":
		k.id = k.opt.Identifier
	case isbn != "":
		k.id = "urn:isbn:" + isbn
	default:
		k.text.Write([]byte("\x00" + k.title() + "\x00" + k.author()))
		u := k.text.Sum(nil)[:16]
		u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80 // version 8: made by a rule of one's own (RFC 9562)
		k.id = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
	}
}
