package source

import "mappe/shared/book/manuscript"

// Sections gathers blocks into the sections of a manuscript: a heading of the first level begins one, and
// so does a paragraph whose style names a part of a book. What stands before the first is a section
// without a title. Headings of level 2 become Heading.Level 1, and so on. Everything else about the
// structure of a book is decided by package clean.
type Sections struct {
	list  []manuscript.Section
	begun bool
}

// Head is a heading of the first level.
type Head struct {
	Kind     manuscript.SectionKind
	Label    string // with a Number and a Title
	Number   string
	Title    []manuscript.Inline
	Subtitle []manuscript.Inline
	Language string
	Place    manuscript.Place
}

// Begin begins a section.
func (s *Sections) Begin(h Head) {
	h.Place.Section = manuscript.Line(h.Title)
	s.begun = true
	s.list = append(s.list, manuscript.Section{Kind: h.Kind, Label: h.Label, Number: h.Number, Title: h.Title, Subtitle: h.Subtitle,
		Language: h.Language, Place: h.Place})
}

// SectionKind is the kind of the section that is open, and whether it has no title.
func (s *Sections) Kind() (k manuscript.SectionKind, untitled bool) {
	if !s.begun {
		return manuscript.KindOther, true
	}
	last := &s.list[len(s.list)-1]
	return last.Kind, len(last.Title) == 0
}

// Title is the title of the section that is open.
func (s *Sections) Title() string {
	if !s.begun {
		return ""
	}
	return s.list[len(s.list)-1].Place.Section
}

// Add adds blocks to the section that is open.
func (s *Sections) Add(blocks ...manuscript.Block) {
	if len(blocks) == 0 {
		return
	}
	if !s.begun {
		s.Begin(Head{})
	}
	last := &s.list[len(s.list)-1]
	last.Blocks = append(last.Blocks, blocks...)
}

// Subtitle gives the section that is open a subtitle; false where it has no title, has one or has text.
func (s *Sections) Subtitle(in []manuscript.Inline) bool {
	if !s.begun {
		return false
	}
	last := &s.list[len(s.list)-1]
	if len(last.Title) == 0 || len(last.Subtitle) > 0 || len(last.Blocks) > 0 {
		return false
	}
	last.Subtitle = in
	return true
}

// List is what was gathered.
func (s *Sections) List() []manuscript.Section { return s.list }
