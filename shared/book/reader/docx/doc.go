// Package docx reads Word files: transitional and strict, by whatever program they were written. It reads
// the text as if every tracked change were accepted, keeps what a book keeps (styles of letters, notes,
// tables, pictures, lists, links, index entries) and reports what an author should know of. Fonts, sizes
// and colours are dropped and counted.
//
//	package ─ main part ─▶ trees of paragraphs and tables ─▶ items ─▶ blocks in sections
//
// Headings are known by the outline level of their style, else by its English, German or French name.
// A page number that a PAGEREF field gives is kept as the text of a link to its bookmark, which says that it is one.
package docx

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// reader is the reading of one file.
type reader struct {
	pack      *pack
	main      *part
	limits    source.Limits
	log       *source.Log
	pictures  *source.Pictures
	styles    *styles
	numbers   *numbering
	sections  source.Sections
	notes     notes
	comments  map[string]comment
	titles    []string // of paragraphs in the style Title
	wanted    map[string]bool
	ranges    map[string][]manuscript.IndexMark // index entries over a bookmark, by its name
	bookmarks map[string]string                 // names by id
	known     map[string]bool                   // bookmarks whose ends were read
	boxDepth  int
	boxed     int // text boxes so far
	tally     source.Tally
}

// Read reads a Word file.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	k, main, err := open(b, l)
	if err != nil {
		return manuscript.Book{}, nil, err
	}
	r := &reader{
		pack: k, main: main, limits: l, log: source.NewLog(l), pictures: source.NewPictures(l), tally: source.NewTally(l),
		wanted: map[string]bool{}, bookmarks: map[string]string{}, known: map[string]bool{}, ranges: map[string][]manuscript.IndexMark{},
	}
	if r.styles, err = readStyles(k, main); err != nil {
		return manuscript.Book{}, nil, err
	}
	if r.numbers, err = readNumbering(k, main, r.styles); err != nil {
		return manuscript.Book{}, nil, err
	}
	if err = r.readNotes(); err != nil {
		return manuscript.Book{}, nil, err
	}
	if err = r.readComments(); err != nil {
		return manuscript.Book{}, nil, err
	}
	if err = r.body(); err != nil {
		return manuscript.Book{}, nil, err
	}
	book := manuscript.Book{Sections: r.sections.List(), Notes: r.notes.list, Images: r.pictures.Images, Styles: r.styles.used()}
	book.Meta = r.meta()
	r.finish(&book)
	return book, r.log.Found, nil
}

// body reads the main part, one paragraph or table at a time.
func (r *reader) body() error {
	x := xmlpart.NewScanner(r.main.text, names, r.limits)
	f := &flow{r: r, story: &story{part: r.main, label: "body"}, top: true}
	tree := xmlpart.NewTree(r.limits)
	inside, found := false, false
	for {
		kind, err := x.Next()
		if err != nil {
			return wrap(r.main.name, err)
		}
		switch {
		case kind == xmlpart.EOF:
			if !found {
				return source.Refuse(source.Broken,
					"The file holds no document text. Open it in Word, save it as Word Document (.docx) and upload the new copy.")
			}
			f.end()
			f.endFields()
			f.flush()
			r.unusedNotes()
			return r.tally.Full()
		case kind == xmlpart.End && inside && x.Depth() == 1:
			inside = false
		case kind == xmlpart.Start && !inside:
			if x.NS == w && x.Name == "body" && x.Depth() == 2 {
				inside, found = true, true
			}
		case kind == xmlpart.Start:
			e, err := tree.Read(x)
			if err != nil {
				return wrap(r.main.name, err)
			}
			f.block(e)
			if err := r.tally.Full(); err != nil {
				return err
			}
		}
	}
}

// meta is what the file says of itself.
func (r *reader) meta() manuscript.Meta {
	var m manuscript.Meta
	name := "docProps/core.xml"
	b, err := r.pack.Part(name)
	if err == nil && b != nil {
		if root, err := xmlpart.Parse(xmlpart.Decode(b), names, r.limits); err == nil {
			m.Title = source.Line(source.Clean(root.Child(dc, "title").AllText()))
			m.Author = source.Line(source.Clean(root.Child(dc, "creator").AllText()))
		}
	}
	if m.Title == "" && len(r.titles) > 0 {
		m.Title = strings.Join(r.titles, " ")
	}
	return m
}

func (s *styles) used() []manuscript.StyleUse {
	var out []manuscript.StyleUse
	for _, id := range s.order {
		if st := s.byID[id]; st.used > 0 {
			out = append(out, manuscript.StyleUse{Name: st.name, Paragraphs: st.used})
		}
	}
	return out
}
