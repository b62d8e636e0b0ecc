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
	front, body, back, words := 0, 0, 0, 0
	for i := range x.book.Sections {
		words += x.rows[i].Words
		switch k := x.book.Sections[i].Kind; {
		case k.Front():
			front++
		case k.Back():
			back++
		case k == manuscript.KindPart:
		default:
			body++
		}
	}
	m.Summary = bookSentence(german, words, x.pages(words), front, body, back)
	for _, f := range all {
		switch f.Type {
		case finding.NoHeadings, finding.ChapterNumberGap, finding.ChapterNumberDuplicate, finding.LongChapter, finding.FrontMatterUnclear:
			w := wordsOf(f.Type, language)
			m.Warnings = append(m.Warnings, sentence(w.title, f))
		}
	}
	if len(x.rows) > 0 && body == 0 {
		m.Warnings = append(m.Warnings, pick(german, "Kein Kapitel gefunden.", "No chapter was found."))
	}
	for _, t := range []finding.Type{finding.KeptFootnote, finding.KeptEndnote, finding.KeptImage, finding.KeptTable, finding.KeptVerse, finding.KeptSceneBreak, finding.KeptIndexEntry} {
		if n := x.keeps[t].n; n > 0 {
			m.Notes = append(m.Notes, wordsOf(t, language).title+": "+strconv.Itoa(n))
		}
	}
	m.Notes = append(m.Notes, pick(german, "Sprache: ", "Language: ")+x.book.Meta.Language)
	return m
}

// bookSentence is the book in one sentence.
func bookSentence(german bool, words, pages, front, body, back int) string {
	count := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return thousands(n, pick(german, ".", ",")) + " " + many
	}
	if german {
		s := count(words, "Wort", "Wörter") + " in " + count(body, "Kapitel", "Kapiteln") + ", etwa " + count(pages, "Seite", "Seiten")
		if front > 0 {
			s += "; davor " + count(front, "Teil der Titelei", "Teile der Titelei")
		}
		if back > 0 {
			s += "; danach " + count(back, "Teil Anhang", "Teile Anhang")
		}
		return s + "."
	}
	s := count(words, "word", "words") + " in " + count(body, "chapter", "chapters") + ", about " + count(pages, "page", "pages")
	if front > 0 {
		s += "; " + count(front, "section of front matter", "sections of front matter")
	}
	if back > 0 {
		s += "; " + count(back, "section of back matter", "sections of back matter")
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
