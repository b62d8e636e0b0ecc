// Package reader reads manuscripts: it knows a file by its content, keeps it within limits, and hands it to
// the reader of its kind (packages docx, odt, epubin, webpage, markdown, plain). Files it does not read are
// refused with a sentence that says what to do.
//
// What Read gives is as flat as the file is: one list of sections, cut at the headings of the first outline
// level; what stands before the first is a section without a title. Section.Kind is KindOther unless a
// style names it (Chapter Title, Part Title, Dedication). Deeper headings are manuscript.Heading. Numbers,
// front and back matter, headings by look only and all repairs are the business of package clean. Texts
// keep their tabs, double spaces, hard spaces and soft hyphens for it to count.
package reader

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/docx"
	"mappe/shared/book/reader/epubin"
	"mappe/shared/book/reader/markdown"
	"mappe/shared/book/reader/odt"
	"mappe/shared/book/reader/plain"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/webpage"
)

// Limits bound what a file may cost.
type Limits = source.Limits

// Refused is the error of a file that cannot be read.
type Refused = source.Refused

// Default are the limits of the service.
func Default() Limits { return source.Default() }

// Read reads a manuscript. The name of the file is asked only where the content leaves it open: whether a
// text is Markdown. An error is a Refused.
func Read(name string, b []byte, l Limits) (manuscript.Book, []finding.Finding, error) {
	l = l.WithDefaults()
	if len(b) > l.File {
		return manuscript.Book{}, nil,
			source.Refuse(source.TooLarge, "The file has %s, more than the %s that can be uploaded. Leave out or shrink its pictures.",
				source.Size(len(b)), source.Size(l.File))
	}
	format, err := Sniff(name, b)
	if err != nil {
		return manuscript.Book{}, nil, err
	}
	var book manuscript.Book
	var found []finding.Finding
	switch format {
	case DOCX:
		book, found, err = docx.Read(b, l)
	case ODT:
		book, found, err = odt.Read(b, l)
	case EPUB:
		book, found, err = epubin.Read(b, l)
	case HTML:
		book, found, err = webpage.Read(b, l)
	case Markdown:
		book, found, err = markdown.Read(b, l)
	default:
		book, found, err = plain.Read(b, l)
	}
	if err != nil {
		return manuscript.Book{}, nil, err
	}
	if empty(book) {
		return manuscript.Book{}, nil,
			source.Refuse(source.Empty, "The file holds no text. Check that it is the manuscript and upload it again.")
	}
	return book, found, nil
}

func empty(b manuscript.Book) bool {
	for i := range b.Sections {
		if s := &b.Sections[i]; len(s.Title) > 0 || !emptyBlocks(s.Blocks) {
			return false
		}
	}
	return true
}

func emptyBlocks(blocks []manuscript.Block) bool {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			if strings.TrimSpace(manuscript.Line(b.Inlines)) != "" || !source.Blank(b.Inlines) {
				return false
			}
		case *manuscript.PageBreak:
		default:
			return false
		}
	}
	return true
}
