package press

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/epub"
	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/pdf"
	"mappe/shared/book/preview"
	"mappe/shared/book/spec"
)

// Job says what is built.
type Job struct {
	Edition Edition
	Format  Format
	Index   []bookindex.Entry // nil: no index is set
	// Preview asks for the pages as pictures, of a proof that is printed.
	Preview bool
	Created time.Time // goes into the files; the press reads no clock
	// Identifier names the publication (urn:uuid:..., an address); "" makes one of the manuscript.
	Identifier string
	// Progress is told what is being done and how much of all is done, from 0 to 1; nil: nobody listens.
	Progress func(step string, done float64)
}

// Outputs are the files of a build; what was not asked for is nil.
type Outputs struct {
	PDF, EPUB []byte
	Pages     int // of the print book
	Layout    layout.Report
	Preview   *Preview // nil where it was not asked for
}

// Preview is the pages of a proof as pictures: the list says where each lies in Pages.
type Preview struct {
	List  preview.List
	Pages []byte
}

// The steps as a build tells them, in order.
const (
	StepSet   = "setting the pages"
	StepPrint = "writing the print file"
	StepCheck = "checking the print file"
	StepShow  = "drawing the preview"
	StepEbook = "writing the e-book"
	StepProve = "checking the e-book"
)

// Build makes the files of a book. Every error is a *Fault.
func Build(ctx context.Context, m Manuscript, s spec.Spec, j Job) (Outputs, error) {
	return Standard().Build(ctx, m, s, j)
}

// Build is Build with these parts.
func (p Parts) Build(ctx context.Context, m Manuscript, s spec.Spec, j Job) (out Outputs, err error) {
	if err := j.check(); err != nil {
		return Outputs{}, err
	}
	if s.Language == "" {
		s.Language = m.Language
	}
	b := building{parts: p, m: m, s: s, j: j, section: -1}
	defer caught(&err, b.where)
	if j.Edition == Final {
		if err := mayBeFinal(m); err != nil {
			return Outputs{}, err
		}
	}
	pages, err := b.set(ctx)
	if err != nil {
		return Outputs{}, err
	}
	out = Outputs{Pages: len(pages.Pages), Layout: b.report}
	if j.Format != EPUB {
		if out.PDF, err = b.print(ctx, pages); err != nil {
			return Outputs{}, err
		}
		if out.Preview, err = b.preview(pages); err != nil {
			return Outputs{}, err
		}
	}
	if j.Format != PDF {
		if out.EPUB, err = b.ebook(ctx); err != nil {
			return Outputs{}, err
		}
	}
	b.tell("done", 1)
	return out, nil
}

// building is the work of one Build.
type building struct {
	parts   Parts
	m       Manuscript
	s       spec.Spec
	j       Job
	step    string
	section int // the one being set; -1
	report  layout.Report
}

func (b *building) tell(step string, done float64) {
	b.step = step
	if b.j.Progress != nil {
		b.j.Progress(step, done)
	}
}

// where is what is being done, and how the section begins that is being set.
func (b *building) where() (step, at string) {
	if b.section >= 0 && b.section < len(b.m.Book.Sections) {
		at = near(opening(&b.m.Book.Sections[b.section]))
	}
	return b.step, at
}

// fault explains an error of a step; a step may also explain itself.
func (b *building) fault(err error) error {
	step, at := b.where()
	return explained(step, at, err)
}

// set lays the book out. It takes most of the time: seven tenths of the bar.
func (b *building) set(ctx context.Context) (*page.Book, error) {
	b.tell(StepSet, 0)
	if ctx.Err() != nil { // whoever was told may have ended it: a worker that lost its lease begins nothing
		return nil, b.fault(ctx.Err())
	}
	o := layout.Options{Index: b.j.Index, Progress: func(_ string, done, total int) {
		if total > 0 && done >= 0 && done <= total {
			b.section = done
			b.tell(StepSet, 0.7*float64(done)/float64(total))
		}
	}}
	if b.j.Edition == Proof {
		o.Proof = b.j.proofLine()
	}
	pages, report, err := b.parts.Set(ctx, b.m.Book, b.s, o)
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, b.fault(err)
	}
	b.section, b.report = -1, report
	if b.j.Edition == Final && len(report.Missing) > 0 {
		return nil, &Fault{
			Plain: "The type face has no shape for " + characters(report.Missing) +
				". Replace these characters in the manuscript, or choose another face in the transmittal; a proof shows where they stand.",
			Detail: "missing glyphs",
		}
	}
	return pages, nil
}

// characters lists characters by what they look like and their number.
func characters(missing []rune) string {
	const most = 8
	var s []string
	for i, c := range missing {
		if i == most {
			s = append(s, fmt.Sprintf("%d more", len(missing)-most))
			break
		}
		s = append(s, fmt.Sprintf("%q (U+%04X)", string(c), c))
	}
	return strings.Join(s, ", ")
}

func (b *building) print(ctx context.Context, pages *page.Book) ([]byte, error) {
	b.tell(StepPrint, 0.7)
	if ctx.Err() != nil {
		return nil, b.fault(ctx.Err())
	}
	preset := pdf.Proof
	if b.j.Edition == Final {
		preset = map[spec.PDFPreset]pdf.Preset{spec.PDFX1a: pdf.X1a, spec.PDFX4: pdf.X4, spec.PDFPlain: pdf.Plain}[b.s.PDF]
	}
	var w bytes.Buffer
	if err := pdf.Write(&w, pages, pdf.Options{Preset: preset, Created: b.j.Created, Producer: producer}); err != nil {
		return nil, b.fault(err)
	}
	b.tell(StepCheck, 0.82)
	wrong, refused := b.parts.CheckPDF(w.Bytes(), preset, b.s)
	if len(wrong) > 0 {
		return nil, unsound("print file", wrong)
	}
	if len(refused) > 0 {
		return nil, &Fault{
			Plain: "The printer that the transmittal names would refuse this book: " + oneLine(strings.Join(some(refused), "; ")) +
				". Change that, or choose the plain printer in the transmittal and settle it with the printing house.",
			Detail: "printer's rules",
		}
	}
	return w.Bytes(), nil
}

func (b *building) preview(pages *page.Book) (*Preview, error) {
	if !b.j.Preview || b.j.Edition != Proof {
		return nil, nil
	}
	b.tell(StepShow, 0.86)
	var w bytes.Buffer
	list, err := preview.Pack(&w, pages)
	if err != nil {
		return nil, b.fault(err)
	}
	return &Preview{list, w.Bytes()}, nil
}

func (b *building) ebook(ctx context.Context) ([]byte, error) {
	b.tell(StepEbook, 0.88)
	if ctx.Err() != nil {
		return nil, b.fault(ctx.Err())
	}
	o := epub.Options{Created: b.j.Created, Identifier: b.j.Identifier, Referred: b.report.Referred}
	for _, p := range b.report.Starts {
		o.Pages = append(o.Pages, epub.PageRef(p))
	}
	if b.j.Edition == Proof || b.j.Format == EPUB {
		o.Proof = b.j.proofLine()
	}
	var w bytes.Buffer
	if err := b.parts.Ebook(&w, b.m.Book, b.s, o); err != nil {
		return nil, b.fault(err)
	}
	b.tell(StepProve, 0.96)
	if wrong := b.parts.CheckEPUB(w.Bytes()); len(wrong) > 0 {
		return nil, unsound("e-book", wrong)
	}
	return w.Bytes(), nil
}

// unsound is the fault of a file that the press itself refuses to hand out. It is never the author's, and the same
// manuscript gives the same file.
func unsound(what string, wrong []string) *Fault {
	return &Fault{
		Plain: "The press made a faulty " + what +
			" and does not hand it out. The fault is in the press, not in the manuscript, and another build would end the same. Please send the studio the technical detail below.",
		Detail: oneLine(strings.Join(some(wrong), "; ")),
	}
}

// some are the first of many.
func some(list []string) []string {
	const most = 5
	if len(list) > most {
		list = append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
	}
	return list
}

// missingPicture is the fault of a final with a picture that is not there or that the press does not draw.
func missingPicture(f finding.Finding) *Fault {
	detail := oneLine(f.Type.String() + " " + f.Detail)
	if strings.Contains(f.Detail, "cannot be printed") { // some SVG
		return &Fault{
			Plain: "A picture is of a kind that cannot be printed, so a final would have a hole. Export it as PNG with at least 300 dots per inch at its printed size, or as JPEG, and put that in its place. Then upload the manuscript again.",
			Near:  near(f.Excerpt), Detail: detail,
		}
	}
	return &Fault{
		Plain: "A picture is linked, missing or broken, so a final would have a hole. " + f.Type.Fix() +
			" Then upload the manuscript again.",
		Near: near(f.Excerpt), Detail: detail,
	}
}

// mayBeFinal refuses a final of a manuscript whose report says that it would have holes.
func mayBeFinal(m Manuscript) error {
	for _, f := range m.Found {
		switch f.Type {
		case finding.MissingImage:
			return missingPicture(f)
		case finding.MissingGlyph:
			return &Fault{
				Plain:  "The type face has no shape for a character of the text. " + f.Type.Fix(),
				Near:   near(f.Excerpt),
				Detail: oneLine(f.Type.String() + " " + f.Detail),
			}
		}
	}
	return nil
}
