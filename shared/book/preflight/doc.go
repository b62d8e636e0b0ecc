// Package preflight examines a repaired manuscript before it is set: it adds the checks that need the
// whole book or its specification to what readers and repairs have found, counts, and draws the map of the
// book. Report is what the service answers as JSON; HTML is the page for the author.
//
// It changes nothing. The build runs the same readers and repairs, so what the report says the press does is
// what the press does.
package preflight

import (
	"cmp"
	"encoding/json"
	"slices"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Report is what was found.
type Report struct {
	Summary  Summary           `json:"summary"`
	BookMap  BookMap           `json:"book_map"`
	Words    Words             `json:"words"`
	Findings []finding.Finding `json:"-"` // worst first, then by type, then as they stand in the book

	title, author string
	language      string // en or de: of the report's words
	maps          map[string]BookMap
}

// Languages are those that a report can be read in.
func Languages() []string { return []string{"en", "de"} }

// Language is the language of the book map: that of the book where it is one of Languages, else en.
func (r Report) Language() string { return cmp.Or(r.language, "en") }

// In is the report in one of Languages.
func (r Report) In(language string) Report {
	if m, ok := r.maps[language]; ok {
		r.language, r.BookMap = language, m
	}
	return r
}

// Summary counts findings. Total is High+Medium+Low; Preserved stands beside it. A finding that stands for
// several places counts as many.
type Summary struct {
	Total     int            `json:"total"`
	High      int            `json:"high"`
	Medium    int            `json:"medium"`
	Low       int            `json:"low"`
	Preserved int            `json:"preserved"`
	ByType    map[string]int `json:"by_type"` // by the name of the type, preserved ones too
}

// Words says what becomes of the words of the file, as package tokens counts them: In = Set + Left, or a finding of
// the type words_lost says how many are missing.
type Words struct {
	In      int       `json:"in"`      // of the file
	Set     int       `json:"set"`     // in the book
	Left    int       `json:"removed"` // left out: every one stands in Removed
	Removed []Removed `json:"list"`    // what is left out, word for word
	Counted bool      `json:"-"`       // false: the file could not be counted
}

// Removed is a text that is left out.
type Removed struct {
	Why   finding.Type
	Place manuscript.Place
	Text  string
	Words int
}

// MarshalJSON names the type and the place.
func (r Removed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type      string `json:"type"`
		Section   string `json:"section,omitempty"`
		Part      string `json:"part,omitempty"`
		Paragraph int    `json:"paragraph,omitempty"`
		Text      string `json:"text"`
		Words     int    `json:"words"`
	}{r.Why.String(), r.Place.Section, r.Place.Part, r.Place.Paragraph, r.Text, r.Words})
}

// BookMap is the book as the press understands it.
type BookMap struct {
	Sections []Section `json:"sections"`
	Warnings []string  `json:"warnings"` // what may be wrong with the structure, in sentences
	Notes    []string  `json:"notes"`    // what is worth knowing and no fault
	Summary  string    `json:"summary"`  // the book in one sentence
}

// Section is a row of the book map.
type Section struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
	Paras int    `json:"paras"` // paragraphs, items of lists, stanzas and rows of tables
	Words int    `json:"words"`
}

// Examine checks a repaired book; found is what its reader and package clean have told.
func Examine(b manuscript.Book, found []finding.Finding, s spec.Spec) Report {
	x := newExam(&b, s)
	x.read()
	x.structure()
	x.notes()
	x.wholly()
	all := make([]finding.Finding, 0, len(found)+len(x.found))
	told := map[finding.Type]bool{}
	for _, f := range found {
		if f.Severity == finding.Preserved { // counted here, from the book
			continue
		}
		if f.Count < 1 {
			f.Count = 1
		}
		told[f.Type] = true
		all = append(all, f)
	}
	for _, f := range x.found {
		if told[f.Type] && (f.Type == finding.NoteWithoutText || f.Type == finding.NoteWithoutReference) {
			continue // the reader knows it better
		}
		all = append(all, f)
	}
	all = append(all, x.kept()...)
	slices.SortStableFunc(all, func(a, b finding.Finding) int {
		if a.Severity != b.Severity {
			return int(a.Severity) - int(b.Severity)
		}
		return int(a.Type) - int(b.Type)
	})
	r := Report{Findings: all, language: "en", title: b.Meta.Title, author: b.Meta.Author, Words: Words{Removed: []Removed{}}}
	if s.Title != "" {
		r.title = s.Title
	}
	if s.Author != "" {
		r.author = s.Author
	}
	if manuscript.Base(b.Meta.Language) == "de" {
		r.language = "de"
	}
	r.Summary = count(all)
	r.maps = map[string]BookMap{}
	for _, language := range Languages() {
		r.maps[language] = x.bookMap(language, all)
	}
	return r.In(r.language)
}

func count(all []finding.Finding) Summary {
	s := Summary{ByType: map[string]int{}}
	for _, f := range all {
		s.ByType[f.Type.String()] += f.Count
		switch f.Severity {
		case finding.High:
			s.High += f.Count
		case finding.Medium:
			s.Medium += f.Count
		case finding.Low:
			s.Low += f.Count
		default:
			s.Preserved += f.Count
		}
	}
	s.Total = s.High + s.Medium + s.Low
	return s
}
