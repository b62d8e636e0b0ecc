package press

import (
	"context"
	"io"

	"mappe/shared/book/epub"
	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/pdf/check"
	"mappe/shared/book/preflight"
	"mappe/shared/book/reader/census"
	"mappe/shared/book/spec"
)

// Parts are the steps of the way. Standard gives the press's own; tests put others in their place.
type Parts struct {
	Look func(name string, b []byte) error
	Read func(name string, b []byte) (manuscript.Book, []finding.Finding, error)
	// Census gives the text of a file passage by passage, without the reader; nil: words are not counted.
	Census  func(name string, b []byte) ([]census.Passage, error)
	Repair  func(manuscript.Book, spec.Spec) (manuscript.Book, []finding.Finding)
	Examine func(manuscript.Book, []finding.Finding, spec.Spec) preflight.Report
	Set     func(context.Context, manuscript.Book, spec.Spec, layout.Options) (*page.Book, layout.Report, error)
	// CheckPDF says what is wrong with a print file, and what the printer of the specification would refuse it for.
	CheckPDF  func(b []byte, preset pdf.Preset, s spec.Spec) (wrong, refused []string)
	Ebook     func(io.Writer, manuscript.Book, spec.Spec, epub.Options) error
	CheckEPUB func(b []byte) (wrong []string)
	Template  func(io.Writer, spec.Spec) error
}

// Standard are the press's own steps.
func Standard() Parts {
	p := Reading()
	p.Set = layout.Set
	p.CheckPDF = func(b []byte, preset pdf.Preset, s spec.Spec) (wrong, refused []string) {
		if preset == pdf.Proof || s.Printer == spec.PrinterPlain {
			return check.Check(b, preset), nil
		}
		return check.Printer(b, preset, s)
	}
	p.Ebook, p.CheckEPUB = epub.Write, epub.Check
	return p
}
