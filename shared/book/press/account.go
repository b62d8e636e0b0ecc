package press

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/preflight"
	"mappe/shared/book/reader/census"
	"mappe/shared/book/spec"
	"mappe/shared/book/tokens"
)

// fewLost is how many words may be lost without alarm: the report says them, nobody has to decide.
const fewLost = 2

// account counts the words of the file, those that are set and those that are left out, and lists the last. What is
// neither is a fault of the press, and the author has to know of it.
func (p Parts) account(name string, b []byte, m *Manuscript, s spec.Spec) preflight.Words {
	set, omitted := asSet(m.Book, s)
	out := preflight.Words{Removed: []preflight.Removed{}}
	var texts []string
	for _, f := range append(slices.Clone(m.Found), omitted...) {
		if n := tokens.Count(f.Left); n > 0 || f.Left != "" && f.Type != finding.ManualNumbering {
			out.Removed = append(out.Removed, preflight.Removed{Why: f.Type, Place: f.Place, Text: f.Left, Words: n})
			texts = append(texts, f.Left)
		}
	}
	if p.Census == nil {
		return out
	}
	file, err := p.Census(name, b)
	if err != nil { // Read has read it: the file is left without a count
		return out
	}
	a := census.Take(file, &set, texts)
	out.Counted, out.In, out.Set, out.Left = true, a.In, a.Set, a.Left
	if lost := a.Lost(); lost > 0 {
		f := finding.New(finding.WordsLost, manuscript.Place{}, manuscript.Line([]manuscript.Inline{manuscript.Text{S: a.Passage}}))
		f.Detail = fmt.Sprintf("%d words", lost)
		if lost <= fewLost {
			f.Severity = finding.Low
		}
		m.Found = append(m.Found, f)
	}
	return out
}

// asSet is the book without what the specification or the rules of notes leave out, and what that is.
func asSet(b manuscript.Book, s spec.Spec) (manuscript.Book, []finding.Finding) {
	var omitted []finding.Finding
	b.Sections, b.Notes = slices.Clone(b.Sections), slices.Clone(b.Notes)
	for i := range b.Sections {
		if sec := &b.Sections[i]; !s.ChapterLabel && sec.Label != "" && len(sec.Title) > 0 {
			place := sec.Place
			place.Section = cmp.Or(place.Section, sec.Called())
			omitted = append(omitted, finding.Leave(finding.LeftOut, place, sec.Label))
			sec.Label = ""
		}
	}
	cited := citedNotes(&b)
	for i := range b.Notes {
		if cited[i] {
			continue
		}
		for in := range manuscript.Passages(b.Notes[i].Blocks) {
			omitted = append(omitted, finding.Leave(finding.NoteWithoutReference, b.Notes[i].Place, manuscript.Plain(in)))
		}
		b.Notes[i].Blocks = nil
	}
	return b, omitted
}

// citedNotes are the notes that the text, or a note that is cited, refers to.
func citedNotes(b *manuscript.Book) map[int]bool {
	cited := map[int]bool{}
	var inlines func(in []manuscript.Inline)
	blocks := func(list []manuscript.Block) {
		for in := range manuscript.Passages(list) {
			inlines(in)
		}
	}
	inlines = func(in []manuscript.Inline) {
		for _, x := range in {
			switch x := x.(type) {
			case manuscript.Link:
				inlines(x.Inlines)
			case manuscript.NoteRef:
				if x.Note >= 0 && x.Note < len(b.Notes) && !cited[x.Note] {
					cited[x.Note] = true
					blocks(b.Notes[x.Note].Blocks)
				}
			}
		}
	}
	for i := range b.Sections {
		s := &b.Sections[i]
		if s.Kind == manuscript.KindContents {
			continue
		}
		inlines(s.Title)
		inlines(s.Subtitle)
		blocks(s.Blocks)
	}
	return cited
}
