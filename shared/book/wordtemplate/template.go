// Package wordtemplate writes a Word file for an author to write in: the page of the book, the named styles
// that the press reads (the table of package stylename, no others but Word's own for lists and notes), and
// a sample text in each, in English or German. The same specification gives the same bytes.
package wordtemplate

import (
	"archive/zip"
	"io"
	"strings"
	"time"

	"mappe/shared/book/spec"
)

// Write writes the template of a book. It fails when w does.
func Write(w io.Writer, s spec.Spec) error {
	t := template{spec: s, german: strings.HasPrefix(s.Language, "de")}
	z := zip.NewWriter(w)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", rels},
		{"docProps/core.xml", t.core()},
		{"word/document.xml", t.document()},
		{"word/_rels/document.xml.rels", documentRels},
		{"word/styles.xml", t.styles()},
		{"word/numbering.xml", numbering},
		{"word/footnotes.xml", t.footnotes()},
		{"word/settings.xml", t.settings()},
	} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate,
			Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, part.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// template is the work of one file.
type template struct {
	spec   spec.Spec
	german bool
}

// pick is the text in the language of the book.
func (t *template) pick(x bilingual) string {
	if t.german {
		return x.de
	}
	return x.en
}

type bilingual struct{ en, de string }
