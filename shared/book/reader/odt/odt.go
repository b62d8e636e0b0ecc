// Package odt reads OpenDocument texts as LibreOffice writes them: headings, notes, lists, tables, pictures,
// index entries, links, the styles of letters a book keeps. Tracked changes are accepted and reported.
package odt

import (
	"strconv"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

type reader struct {
	arch     *source.Archive
	limits   source.Limits
	log      *source.Log
	pictures *source.Pictures
	styles   *styles
	sections source.Sections
	notes    []manuscript.Note
	changes  map[string]change
	wanted   map[string]bool
	titles   []string
	paras    int
	tally    source.Tally
	depth    int  // of text boxes
	noted    bool // inside of a note
	counts   counts
}

// Read reads an OpenDocument text.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	var book manuscript.Book
	z, err := source.OpenArchive(b, l)
	if err != nil {
		return book, nil, err
	}
	r := &reader{arch: z, limits: l, log: source.NewLog(l), pictures: source.NewPictures(l), tally: source.NewTally(l), styles: newStyles(),
		changes: map[string]change{}, wanted: map[string]bool{}, counts: counts{byID: map[string]int{}}}
	if err := r.refuse(); err != nil {
		return book, nil, err
	}
	if root, err := r.part("styles.xml"); err != nil {
		return book, nil, err
	} else if root.Ok() {
		r.styles.add(root.Child(office, "styles"), false)
		r.styles.add(root.Child(office, "automatic-styles"), true)
	}
	root, err := r.part("content.xml")
	if err != nil {
		return book, nil, err
	}
	body := root.Child(office, "body").Child(office, "text")
	if !body.Ok() {
		return book, nil, source.Refuse(source.Broken,
			"The file holds no document text. Open it in your word processor, save it as Word Document (.docx) and upload that.")
	}
	r.styles.add(root.Child(office, "automatic-styles"), true)
	r.styles.resolve()
	r.links(body)
	f := &flow{r: r, label: "body", top: true}
	f.children(body)
	f.flush()
	if err := r.tally.Full(); err != nil {
		return book, nil, err
	}
	if r.styles.landscape {
		r.log.Add(finding.Columns, manuscript.Place{Part: "body"}, "", "landscape pages")
	}
	book.Sections, book.Notes, book.Images = r.sections.List(), r.notes, r.pictures.Images
	for _, s := range r.styles.order {
		if s.used > 0 {
			book.Styles = append(book.Styles, manuscript.StyleUse{Name: s.name, Paragraphs: s.used})
		}
	}
	book.Meta = r.meta()
	source.SettleLanguages(&book)
	source.Scale(&book)
	source.Typed(&book)
	return book, r.log.Found, nil
}

// refuse refuses files with a password, and files of macros.
func (r *reader) refuse() error {
	for _, n := range r.arch.Names() {
		if strings.HasPrefix(n, "Basic/") && strings.HasSuffix(n, ".xml") && !strings.HasSuffix(n, "-lc.xml") &&
			!strings.HasSuffix(n, "-lb.xml") {
			return source.Refuse(source.Macros,
				"The file holds macros. Save it as Word Document (.docx), which leaves them out, and upload that.")
		}
	}
	b, err := r.arch.Part("META-INF/manifest.xml")
	if err != nil {
		return err
	}
	if strings.Contains(string(b), "encryption-data") {
		return source.Refuse(source.Encrypted, "The file is protected by a password. Save it without a password and upload it again.")
	}
	return nil
}

// part reads a part; none where it is missing.
func (r *reader) part(name string) (xmlpart.El, error) {
	b, err := r.arch.Part(name)
	if b == nil || err != nil {
		return xmlpart.El{}, err
	}
	root, err := xmlpart.Parse(xmlpart.Decode(b), names, r.limits)
	if err != nil {
		if _, refused := err.(source.Refused); refused {
			return xmlpart.El{}, err
		}
		return xmlpart.El{}, source.Refuse(source.Broken,
			"The file is damaged: its part %q cannot be read (%v). Open it in your word processor, save it anew and upload the new copy.",
			name, err)
	}
	return root, nil
}

func (r *reader) meta() manuscript.Meta {
	var m manuscript.Meta
	root, err := r.part("meta.xml")
	if err == nil && root.Ok() {
		e := root.Child(office, "meta")
		m.Title = source.Line(source.Clean(e.Child(dc, "title").AllText()))
		for _, ns := range []xmlpart.El{e.Child(meta, "initial-creator"), e.Child(dc, "creator")} {
			if m.Author == "" {
				m.Author = source.Line(source.Clean(ns.AllText()))
			}
		}
	}
	if m.Title == "" {
		m.Title = strings.Join(r.titles, " ")
	}
	return m
}

// links finds out which places links lead to.
func (r *reader) links(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.IsText() {
			continue
		}
		if c.Is(text, "a") {
			if to, ok := strings.CutPrefix(c.Attr(xlink, "href"), "#"); ok {
				r.wanted[to] = true
			}
		}
		if n := c.Name(); c.NS() == text && (n == "bookmark-ref" || n == "reference-ref") {
			r.wanted[c.Attr(text, "ref-name")] = true
		}
		r.links(c)
	}
}

func number(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1_000_000 {
		return otherwise
	}
	return n
}

// millimetres reads a length.
func millimetres(s string) float64 {
	for _, u := range []struct {
		name string
		mm   float64
	}{{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}, {"pc", 25.4 / 6}, {"px", 25.4 / 96}} {
		if v, ok := strings.CutSuffix(s, u.name); ok {
			if n, err := strconv.ParseFloat(v, 64); err == nil && n*u.mm > 0 && n*u.mm < 1000 {
				return n * u.mm
			}
		}
	}
	return 0
}
