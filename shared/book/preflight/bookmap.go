package preflight

import (
	"strconv"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// languageNames are the languages a text can be told from, in English and German.
var languageNames = map[string][2]string{"en": {"English", "Englisch"}, "de": {"German", "Deutsch"}, "fr": {"French", "Französisch"}}

// bookMap draws the map of the book in the report's language.
func (x *exam) bookMap(language string, all []finding.Finding) BookMap {
	german := language == "de"
	m := BookMap{Sections: x.rows, Warnings: []string{}, Notes: []string{}}
	if m.Sections == nil {
		m.Sections = []Section{}
	}
	var n bookCounts
	for i := range x.book.Sections {
		n.words += x.rows[i].Words
		switch k := x.book.Sections[i].Kind; {
		case k.Front():
			n.front++
		case k.Back():
			n.back++
		case k == manuscript.KindPart:
		default:
			n.body++
		}
	}
	n.pages = x.pages(n.words)
	m.Summary = n.sentence(german)
	for _, f := range all {
		switch f.Type {
		case finding.NoHeadings, finding.ChapterNumberGap, finding.ChapterNumberDuplicate, finding.LongChapter, finding.FrontMatterUnclear:
			w := wordsOf(f.Type, language)
			m.Warnings = append(m.Warnings, sentence(w.title, f))
		}
	}
	if len(x.rows) > 0 && n.body == 0 {
		m.Warnings = append(m.Warnings, pick(german, "Kein Kapitel gefunden.", "No chapter was found."))
	}
	for _, t := range []finding.Type{finding.KeptFootnote, finding.KeptEndnote, finding.KeptImage, finding.KeptTable, finding.KeptVerse,
		finding.KeptSceneBreak, finding.KeptIndexEntry} {
		if n := x.keeps[t].n; n > 0 {
			m.Notes = append(m.Notes, wordsOf(t, language).title+": "+strconv.Itoa(n))
		}
	}
	m.Notes = append(m.Notes, pick(german, "Sprache: ", "Language: ")+x.book.Meta.Language)
	return m
}

// bookCounts are what a book has of each: sections of front matter, chapters and sections behind them.
type bookCounts struct{ words, pages, front, body, back int }

// sentence is the book in one sentence.
func (n bookCounts) sentence(german bool) string {
	count := func(k int, one, many string) string {
		if k == 1 {
			return "1 " + one
		}
		return thousands(k, pick(german, ".", ",")) + " " + many
	}
	if german {
		s := count(n.words, "Wort", "Wörter") + " in " + count(n.body, "Kapitel", "Kapiteln") + ", etwa " + count(n.pages, "Seite",
			"Seiten")
		if n.front > 0 {
			s += "; davor " + count(n.front, "Teil der Titelei", "Teile der Titelei")
		}
		if n.back > 0 {
			s += "; danach " + count(n.back, "Teil Anhang", "Teile Anhang")
		}
		return s + "."
	}
	s := count(n.words, "word", "words") + " in " + count(n.body, "chapter", "chapters") + ", about " + count(n.pages, "page", "pages")
	if n.front > 0 {
		s += "; " + count(n.front, "section of front matter", "sections of front matter")
	}
	if n.back > 0 {
		s += "; " + count(n.back, "section of back matter", "sections of back matter")
	}
	return s + "."
}

func sentence(title string, f finding.Finding) string {
	s := title
	if f.Detail != "" {
		s += " (" + f.Detail + ")"
	}
	if f.Excerpt != "" {
		s += ": " + f.Excerpt
	}
	return s
}

// pages guesses the pages of a book from its words, its openers and what stands beside the text: right to
// about a tenth on the books it was measured on.
func (x *exam) pages(words int) int {
	width, height := x.measure()
	size, leading := x.spec.SizePt, x.spec.LeadingPt
	if size <= 0 || leading <= 0 {
		return 0
	}
	word := 6.3 // characters with the space behind it
	if x.lang == "de" {
		word = 7.2
	}
	line := width * 72 / 25.4 / (size * 0.44) / word // words in a line
	rows := height * 72 / 25.4 / leading
	opener := 0.8 // pages a section costs beside its lines: its head and its last page
	if x.spec.Openers == spec.Recto {
		opener = 1.3
	}
	n := float64(words)/(line*rows*0.88) + opener*float64(len(x.book.Sections)) +
		0.45*float64(x.keeps[finding.KeptImage].n) + 0.25*float64(x.keeps[finding.KeptTable].n) + 0.35*float64(x.keeps[finding.KeptVerse].n)
	return max(1, int(n))
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// thousands writes a number with a mark between its groups.
func thousands(n int, mark string) string {
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(mark)
		}
		b.WriteRune(c)
	}
	return b.String()
}
