package layout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// MaxPages bounds a book.
const MaxPages = 2000

// ErrTooManyPages is the error of a book with more than MaxPages pages.
var ErrTooManyPages = fmt.Errorf("the book has more than %d pages", MaxPages)

// Set sets a book. It fails with a NoRoom when the specification leaves too little room for the text of so
// thick a book, with ErrTooManyPages, or when the context is done.
func Set(ctx context.Context, b manuscript.Book, sp spec.Spec, o Options) (*page.Book, Report, error) {
	b = bookindex.Anchor(b)
	pages, err := estimate(&b, sp)
	if err != nil {
		return nil, Report{}, err
	}
	w := work{ctx: ctx, o: o}
	shaper := line.NewShaper() // words have the same shape on every measure
	var folios map[string]string
	for again := 0; ; again++ {
		out, s, err := w.fitted(&b, sp, shaper, pages, folios)
		if err != nil {
			return nil, Report{}, err
		}
		next := s.referred(out)
		if maps.Equal(next, s.shown) || again == maxAgain {
			s.report.Referred = next
			return out, *s.report, nil
		}
		pages, folios = len(out.Pages), next
	}
}

// maxAgain is how often a book is set again for the numbers of pages it refers to: they may take other room
// than those the word processor had, and so move what they refer to.
const maxAgain = 4

// fitted sets a book with the margin at the spine that its number of pages asks for.
func (w *work) fitted(b *manuscript.Book, sp spec.Spec, shaper *line.Shaper, pages int, folios map[string]string) (*page.Book, *setter,
	error) {
	for round := 0; ; round++ {
		d, err := newDesign(sp, pages)
		if err != nil && round == 0 { // it may have fewer pages than it seems
			d, err = newDesign(sp, 0)
		}
		if err != nil {
			return nil, nil, err
		}
		w := work{ctx: w.ctx, o: w.o, s: &setter{
			d: d, book: b, shaper: shaper, report: &Report{Anchors: map[string]int{}}, wants: wants(w.o.Index), noted: map[string]bool{},
			stopped: w.ctx.Err, proof: w.o.Proof != "", folios: folios, shown: map[string]string{},
		}}
		out, err := w.set()
		if err != nil {
			return nil, nil, err
		}
		if sp.Page(len(out.Pages)).Inner == d.inner || round == 2 {
			return out, w.s, nil
		}
		// The wider margin makes more pages: the larger class holds.
		pages = max(pages, len(out.Pages))
		if sp.Page(pages).Inner == d.inner {
			pages = len(out.Pages)
		}
	}
}

// work is one round.
type work struct {
	ctx context.Context
	o   Options
	s   *setter

	halfTitle bool // the manuscript has a half title, which is made anew
}

func (w *work) set() (*page.Book, error) {
	s := w.s
	var front []part
	var body sequence
	total := len(s.book.Sections)
	matter := s.book.Matter()
	for i := range s.book.Sections {
		w.halfTitle = w.halfTitle || s.book.Sections[i].Kind == manuscript.KindHalfTitle
	}
	for _, i := range matter.Body {
		w.o.progress("pages", i, total)
		if err := w.append(&body, i); err != nil {
			return nil, err
		}
	}
	if err := w.endnotes(&body); err != nil {
		return nil, err
	}
	if err := w.dressed(body.parts, 0, arabic); err != nil { // folios of the body are known before the front is
		return nil, err
	}
	// The contents give folios of sections behind them, and their own length moves those: three rounds settle it.
	// The index stands behind all it refers to; only the contents have to know where it begins.
	var back []part
	for range 3 {
		var err error
		if back, err = w.index(slices.Concat(front, body.parts), body.pages); err != nil {
			return nil, err
		}
		if err := w.dressed(back, body.pages, arabic); err != nil {
			return nil, err
		}
		if front, err = w.front(matter.Front, matter.Late, slices.Concat(body.parts, back), front); err != nil {
			return nil, err
		}
	}
	return w.bind(front, slices.Concat(body.parts, back))
}

// dressed gives parts behind so many pages their heads, and folios in the numerals that begin with a number.
func (w *work) dressed(parts []part, pages int, numerals func(first int) func(int) string) error {
	for i := range parts {
		if err := w.s.dress(&parts[i], pages, numerals(pages+1), w.o.Proof); err != nil {
			return err
		}
		pages += len(parts[i].pages)
	}
	return nil
}

// sequence is parts one behind the other, the first of which begins on a recto.
type sequence struct {
	parts []part
	pages int // of them
}

func (q *sequence) add(p part) { q.parts, q.pages = append(q.parts, p), q.pages+len(p.pages) }

// append sets a section and adds it, with the blank page it may need.
func (w *work) append(to *sequence, section int) error {
	s := w.s
	sec := &s.book.Sections[section]
	s.current = section
	g, err := s.section(sec)
	if err != nil || len(g.blocks) == 0 {
		return err
	}
	recto := s.d.spec.Openers == spec.Recto || sec.Kind == manuscript.KindPart || sec.Kind.Front()
	if sec.Kind == manuscript.KindCopyright { // behind the title
		recto = false
	}
	p, err := w.place(g, to, recto)
	if err != nil {
		return err
	}
	p.section, p.kind, p.title = section, sec.Kind, manuscript.Plain(sec.Title)
	p.opener = len(sec.Title) > 0
	switch sec.Kind {
	case manuscript.KindTitlePage, manuscript.KindCopyright, manuscript.KindDedication, manuscript.KindEpigraph:
		p.bare = true
	}
	if p.title != "" && !p.bare {
		p.level = 1
	}
	to.add(p)
	return nil
}

// place cuts and draws a galley as the part that is to be added next; the blank page that it may need is added here.
func (w *work) place(g *galley, to *sequence, recto bool) (part, error) {
	if recto && to.pages%2 == 1 {
		to.add(blank())
	}
	ch := paginate.Chapter{Rows: w.s.d.rows, Recto: to.pages%2 == 0, NoteRows: w.s.d.noteRows}
	for _, n := range g.notes {
		ch.Notes = append(ch.Notes, paginate.Note{Lines: len(n.lines)})
	}
	cut, err := g.cut(w.ctx, ch)
	if errors.Is(err, paginate.ErrTooLong) || to.pages+len(cut) > MaxPages {
		err = ErrTooManyPages
	}
	if err != nil {
		return part{}, err
	}
	return w.s.ship(g, cut, ch.Recto), nil
}

func blank() part {
	return part{section: -1, bare: true, pages: []page.Page{{Blank: true}}}
}

// bind joins the parts into a book, adds blank pages at the end and resolves what waited for page numbers.
func (w *work) bind(front, body []part) (*page.Book, error) {
	s := w.s
	d := s.d
	out := &page.Book{Width: d.width, Height: d.height, Bleed: fromMM(d.spec.BleedMM)}
	out.Info = page.Info{Title: s.title(), Author: s.author(), Language: d.spec.Language}
	for _, img := range s.book.Images {
		out.Images = append(out.Images, page.Image{MediaType: img.MediaType, Bytes: img.Bytes, Width: img.Width, Height: img.Height})
	}
	var waiting []pending
	for _, p := range slices.Concat(front, body) {
		waiting = append(waiting, s.join(out, &p)...)
	}
	for multiple := max(d.spec.PageMultiple, 1); len(out.Pages)%multiple != 0; {
		b := blank()
		if err := s.dress(&b, len(out.Pages), func(int) string { return "" }, w.o.Proof); err != nil {
			return nil, err
		}
		out.Pages = append(out.Pages, b.pages...)
	}
	s.resolve(out, waiting)
	for name := range s.report.Anchors { // our own names are nobody else's
		if name == "" || name[0] == 0 {
			delete(s.report.Anchors, name)
		}
	}
	out.Fonts = d.fonts
	s.report.Pages, s.report.Rows = len(out.Pages), d.rows
	return out, nil
}

// join adds the pages of a part to the book and what it says of itself to the report. It gives the links
// that wait, with their pages in the book.
func (s *setter) join(out *page.Book, p *part) (waiting []pending) {
	at := len(out.Pages)
	r := s.report
	for m := range p.textures {
		r.Textures[m].add(p.textures[m])
	}
	out.Pages = append(out.Pages, p.pages...)
	for _, f := range p.faults {
		r.Faults = append(r.Faults, Fault{Page: at + f.Page, Reasons: f.Reasons})
	}
	for name, i := range p.anchors {
		r.Anchors[name] = at + i
	}
	if p.title != "" && !p.bare {
		out.Outline = append(out.Outline, page.OutlineItem{Title: p.title, Level: 1, Page: at})
	}
	if p.title != "" || p.section >= 0 {
		r.Sections = append(r.Sections, SectionPage{Section: p.section, Title: p.title, Page: at, Folio: p.pages[0].Folio})
	}
	if p.section >= 0 {
		r.Anchors[sectionAnchor(p.section)] = at
		for i, start := range p.starts {
			start.Section, start.Folio = p.section, p.pages[i].Folio
			r.Starts = append(r.Starts, start)
		}
	}
	for _, l := range p.links {
		waiting = append(waiting, pending{page: at + l.page, link: l.link, target: l.target})
	}
	return waiting
}

// resolve gives links their pages, and takes away those that lead nowhere.
func (s *setter) resolve(out *page.Book, waiting []pending) {
	for _, l := range waiting {
		if at, ok := s.report.Anchors[l.target]; ok {
			out.Pages[l.page].Links[l.link].Page = at
		}
	}
	for i := range out.Pages {
		p := &out.Pages[i]
		p.Links = slices.DeleteFunc(p.Links, func(l page.Link) bool { return l.URI == "" && l.Page < 0 })
	}
}

// sectionAnchor is the name under which the contents refer to a section.
func sectionAnchor(i int) string { return fmt.Sprintf("\x00section %d", i) }
