// Package pdf writes a laid out book to a PDF file: PDF/X-1a:2001 or PDF/X-4 for the printer, PDF 1.7 with
// links and bookmarks for proofs. Text is black alone (DeviceGray), fonts are embedded as subsets whose
// text can be copied, ligatures too; drawings
// are paths, in colours where the file is no printer's. The same book gives the same bytes. Check (package pdf/check) reads a
// file back by the rules printers hold it to.
//
//	%PDF-1.3 · objects in order of need · xref table · trailer with an /ID from the content
package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	"mappe/shared/book/font"
	"mappe/shared/book/layout/page"
)

// Preset is what a file is written for, as in the export dialogue of a layout program.
type Preset uint8

// The presets.
const (
	Proof Preset = iota // PDF 1.7 with links and bookmarks, pictures in their colours
	X1a                 // PDF/X-1a:2001
	X4                  // PDF/X-4 with a grey output profile
	Plain               // PDF 1.7 for printers that want neither links nor PDF/X
	Sheet               // PDF 1.7 of single pages with links, pictures and drawings in their colours
)

// Options say what file is written.
type Options struct {
	Preset   Preset
	Created  time.Time // written as both dates
	Producer string
	// Condition is the printing condition of X1a: a name that the ICC registry knows, such as FOGRA39 or
	// "CGATS TR 001". Empty is FOGRA39.
	Condition string
}

// Write writes the book. It fails when a page shows a missing glyph (.notdef) in a file
// for the printer, when a picture cannot be read, or when w does.
func Write(w io.Writer, b *page.Book, opt Options) error {
	if len(b.Pages) == 0 {
		return fmt.Errorf("pdf: a book without pages")
	}
	f := &file{book: b, opt: opt, drawn: map[[sha256.Size]byte]ref{}, out: &counter{w: w, sum: md5.New()}}
	for _, pf := range b.Fonts {
		style, err := styleOf(pf.Style)
		if err != nil {
			return err
		}
		src, err := font.Open(pf.Face, style)
		if err != nil {
			return err
		}
		f.fonts = append(f.fonts, &usedFont{font: src})
	}
	for _, u := range f.fonts {
		if g := u.font.Shape(nil, " ", font.Features{}); len(g) == 1 {
			u.space = g[0].ID
		}
	}
	if err := f.collect(); err != nil {
		return err
	}
	return f.write()
}

func styleOf(name string) (font.Style, error) {
	for s := font.Regular; s <= font.BoldItalic; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("pdf: font style %q", name)
}

// file is the work of one book.
type file struct {
	book    *page.Book
	opt     Options
	out     *counter
	fonts   []*usedFont
	offsets []int64                   // of the objects, from 1
	images  []ref                     // object of each image; 0 where it is not used
	drawn   map[[sha256.Size]byte]ref // the same by the bytes of pictures
	packed  bytes.Buffer
	packer  *zlib.Writer
	content []byte // of one page
}

func (f *file) printer() bool {
	return f.opt.Preset == X1a || f.opt.Preset == X4 || f.opt.Preset == Plain
}

// collect notes the glyphs and pictures that pages use.
func (f *file) collect() error {
	f.images = make([]ref, len(f.book.Images))
	for n := range f.book.Pages {
		for _, m := range f.book.Pages[n].Marks {
			switch m := m.(type) {
			case page.Glyphs:
				if m.Size <= 0 {
					continue
				}
				u := f.fonts[m.Font]
				if u.space != 0 {
					u.says(u.space, " ")
				}
				for _, g := range m.Glyphs {
					if g.ID == 0 && f.printer() {
						return fmt.Errorf("pdf: page %s: no glyph for %q", f.book.Pages[n].Folio, g.Text)
					}
					u.says(g.ID, g.Text)
				}
			case page.Picture:
				f.images[m.Image] = -1 // wanted
			}
		}
	}
	return nil
}

func (f *file) write() error {
	version := map[Preset]string{Proof: "1.7", Plain: "1.7", Sheet: "1.7", X1a: "1.3", X4: "1.6"}[f.opt.Preset]
	f.out.printf("%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n", version)
	for i, u := range f.fonts {
		if err := f.font(i, u); err != nil {
			return err
		}
	}
	for i := range f.images {
		if f.images[i] == 0 {
			continue
		}
		if err := f.image(i); err != nil {
			return err
		}
	}
	tree := f.reserve()
	pages := make([]ref, len(f.book.Pages))
	for i := range pages {
		pages[i] = f.reserve()
	}
	for i := range f.book.Pages {
		if err := f.page(i, tree, pages); err != nil {
			return err
		}
	}
	f.begin(tree)
	f.out.printf("<</Type/Pages/Count %d/Kids[", len(pages))
	for _, p := range pages {
		f.out.printf("%s ", p)
	}
	f.out.printf("]>>")
	f.end()
	info := f.info()
	root := f.catalog(tree, pages)
	return f.trailer(root, info)
}

// ref is an object's number.
type ref int

func (r ref) String() string { return fmt.Sprintf("%d 0 R", int(r)) }
