package press

import (
	"context"
	"errors"
	"io"
	"time"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/reader"
	"mappe/shared/book/spec"
)

// Parts are the steps of the way. Standard gives the press's own; tests put others in their place.
type Parts struct {
	Look      func(name string, b []byte) error
	Read      func(name string, b []byte) (manuscript.Book, []finding.Finding, error)
	Repair    func(manuscript.Book, spec.Spec) (manuscript.Book, []finding.Finding)
	Examine   func(manuscript.Book, []finding.Finding, spec.Spec) Report
	Set       func(context.Context, manuscript.Book, spec.Spec, LayoutOptions) (*page.Book, layout.Report, error)
	CheckPDF  func(b []byte, kind pdf.Kind) (wrong []string)
	Ebook     func(io.Writer, manuscript.Book, spec.Spec, EbookOptions) error
	CheckEPUB func(b []byte) (wrong []string)
	Template  func(io.Writer, spec.Spec) error
}

// Report is what Examine found.
type Report interface {
	// All are the findings, those of the reader and the repairs too.
	All() []finding.Finding
	// HTML writes the page for the author.
	HTML(w io.Writer) error
}

// LayoutOptions are what Set is told beside the specification.
type LayoutOptions struct {
	Proof    string // the line on every page; "" for finals
	Index    []bookindex.Entry
	Progress func(step string, done, total int)
}

// EbookOptions are what Ebook is told beside the specification.
type EbookOptions struct {
	Proof      string // the line in every chapter; "" for finals
	Created    time.Time
	Identifier string
	Pages      *page.Book // of the print book, for the page list
	Layout     layout.Report
}

// errNoPart: the press was made without a step that the build needs.
var errNoPart = errors.New("the press was built without this step")

// Standard are the press's own steps.
func Standard() Parts {
	return Parts{
		Look: func(name string, b []byte) error {
			_, err := reader.Sniff(name, b)
			return err
		},
		Read: func(name string, b []byte) (manuscript.Book, []finding.Finding, error) {
			return reader.Read(name, b, reader.Default())
		},
		Set: func(ctx context.Context, b manuscript.Book, s spec.Spec, o LayoutOptions) (*page.Book, layout.Report, error) {
			if o.Index != nil {
				return nil, layout.Report{}, errNoPart
			}
			return layout.Set(ctx, b, s, layout.Options{Proof: o.Proof, Progress: o.Progress})
		},
	}
}
