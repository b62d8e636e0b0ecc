package preflight

import (
	"mappe/shared/book/finding"
	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// maxPlaces bounds how many findings of a type are kept one by one; the rest are counted with the last.
const maxPlaces = 500

// exam is one examination of one book.
type exam struct {
	book  *manuscript.Book
	spec  spec.Spec
	lang  string // of the book, without its region
	faces []*font.Font
	hyph  *hyphen.Language
	glyph map[rune]bool // characters outside ASCII that the fonts have

	found []finding.Finding
	of    [256]struct{ n, last int }

	section *manuscript.Section
	title   string
	rows    []Section
	words   int // of the section that is read
	paras   int
	cited   []bool // notes that are referred to
	targets map[string]bool
	turns   []turn

	keeps   [256]keep
	quotes  quoteWatch
	asked   int // paragraphs whose language was looked at
	strange int // of them, those that read like another and bear no mark
}

// turn is a reference to the page of a place.
type turn struct {
	target, excerpt string
	place           manuscript.Place
}

// keep counts what is preserved, with the first place.
type keep struct {
	n       int
	place   manuscript.Place
	excerpt string
}

func newExam(b *manuscript.Book, s spec.Spec) *exam {
	x := &exam{book: b, spec: s, lang: manuscript.Base(b.Meta.Language), glyph: map[rune]bool{}, cited: make([]bool, len(b.Notes)),
		targets: map[string]bool{}}
	if x.lang == "" {
		x.lang = "en"
	}
	for _, face := range append([]string{s.Face}, font.Faces()...) {
		if f, err := font.Open(face, font.Regular); err == nil {
			x.faces = append(x.faces, f)
		}
	}
	if l, ok := hyphen.For(b.Meta.Language); ok {
		x.hyph = l
	}
	return x
}

func (x *exam) tell(f finding.Finding) {
	if f.Place.Section == "" {
		f.Place.Section = x.title
	}
	seen := &x.of[f.Type]
	if seen.n >= maxPlaces {
		x.found[seen.last].Count += f.Count
		return
	}
	seen.n++
	seen.last = len(x.found)
	x.found = append(x.found, f)
}

func (x *exam) add(t finding.Type, place manuscript.Place, excerpt, detail string) {
	f := finding.New(t, place, excerpt)
	f.Detail = detail
	x.tell(f)
}

func (x *exam) keep(t finding.Type, place manuscript.Place, excerpt string) {
	k := &x.keeps[t]
	if k.n == 0 {
		k.place, k.excerpt = place, excerpt
		if k.place.Section == "" {
			k.place.Section = x.title
		}
	}
	k.n++
}

// kept are the findings of what is preserved, one of each type.
func (x *exam) kept() []finding.Finding {
	var all []finding.Finding
	for _, t := range finding.AllTypes() {
		if k := &x.keeps[t]; k.n > 0 {
			f := finding.New(t, k.place, k.excerpt)
			f.Count = k.n
			all = append(all, f)
		}
	}
	return all
}

// read goes through the whole text once.
func (x *exam) read() {
	for i := range x.book.Sections {
		sec := &x.book.Sections[i]
		x.section, x.title, x.words, x.paras = sec, sec.Called(), 0, 0
		x.quotes.reset()
		x.line(sec.Title, sec.Place, true)
		x.line(sec.Subtitle, sec.Place, true)
		x.words = 0
		x.blocks(sec.Blocks)
		x.quotes.end(x)
		x.rows = append(x.rows, Section{Title: x.title, Kind: sec.Kind.String(), Paras: x.paras, Words: x.words})
	}
	x.section, x.title = nil, ""
	for i := range x.book.Notes {
		x.quotes.reset()
		x.blocks(x.book.Notes[i].Blocks)
		x.quotes.end(x)
	}
	for _, r := range x.turns {
		if !x.targets[r.target] { // else the number is that of the book's own page
			x.add(finding.PageReference, r.place, r.excerpt, "")
		}
	}
}

func (x *exam) blocks(blocks []manuscript.Block) {
	for _, b := range blocks {
		x.block(b)
	}
}

func (x *exam) block(b manuscript.Block) {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		x.paras++
		x.line(b.Inlines, b.Place, false)
	case *manuscript.Heading:
		x.line(b.Inlines, b.Place, true)
	case *manuscript.SceneBreak:
		x.keep(finding.KeptSceneBreak, b.Place, b.Mark)
	case *manuscript.Figure:
		x.keep(finding.KeptImage, b.Place, b.Alt)
		x.picture(b.Image, b.Alt, b.WidthMM, b.Place)
		if len(b.Caption) > 0 {
			x.keep(finding.KeptCaption, b.Place, manuscript.Plain(b.Caption))
			x.line(b.Caption, b.Place, true)
		}
	case *manuscript.Table:
		x.keep(finding.KeptTable, b.Place, manuscript.Plain(b.Caption))
		if len(b.Caption) > 0 {
			x.keep(finding.KeptCaption, b.Place, manuscript.Plain(b.Caption))
			x.line(b.Caption, b.Place, true)
		}
		x.table(b)
		paras := x.paras
		for _, r := range b.Rows {
			for _, c := range r.Cells {
				x.blocks(c.Blocks)
			}
		}
		x.paras = paras + len(b.Rows)
	case *manuscript.List:
		x.keep(finding.KeptList, b.Place, "")
		paras := x.paras
		for _, item := range b.Items {
			x.blocks(item)
		}
		x.paras = paras + len(b.Items)
	case *manuscript.Verse:
		x.keep(finding.KeptVerse, b.Place, firstLine(b))
		for _, stanza := range b.Stanzas {
			x.paras++
			for _, l := range stanza {
				x.verse(l.Inlines, b.Place)
			}
		}
		x.line(b.Attribution, b.Place, true)
	case *manuscript.Quote:
		x.keep(finding.KeptQuote, b.Place, "")
		x.blocks(b.Blocks)
		x.line(b.Attribution, b.Place, true)
	case *manuscript.Code:
		x.paras++
		for _, l := range b.Lines {
			x.glyphs(l, b.Place)
		}
	}
}

func firstLine(v *manuscript.Verse) string {
	if len(v.Stanzas) == 0 || len(v.Stanzas[0]) == 0 {
		return ""
	}
	return manuscript.Plain(v.Stanzas[0][0].Inlines)
}
