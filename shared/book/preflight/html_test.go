package preflight

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// TestDetails: what is special to a finding, as the report says it in English and German.
func TestDetails(t *testing.T) {
	for _, c := range []struct {
		of            finding.Type
		said          string
		english, want string
	}{
		{finding.ChapterNumberGap, "3, 4", "missing: 3, 4", "es fehlt: 3, 4"},
		{finding.ChapterNumberDuplicate, "3", "number 3", "Nummer 3"},
		{finding.LongChapter, "12000", "12000 words", "12000 Wörter"},
		{finding.LongWord, "41", "41 characters", "41 Zeichen"},
		{finding.WideTable, "9", "9 columns", "9 Spalten"},
		{finding.MixedLanguages, "en → de", "taken as English, reads like German", "steht als Englisch, liest sich wie Deutsch"},
		{finding.MixedLanguages, "unclear", "unclear", "unclear"},
		{finding.TOCField, "TOC", "table of contents", "Inhaltsverzeichnis"},
		{finding.TOCField, "alphabetical-index", "index", "Register"},
		{finding.TOCField, "illustration-index", "list of illustrations", "Abbildungsverzeichnis"},
		{finding.PageReference, "an index with page numbers of the manuscript", "an index with page numbers of the manuscript",
			"ein Register mit Seitenzahlen des Manuskripts"},
		{finding.HeadingLevelSkip, "level 3 after level 1", "level 3 after level 1", "Ebene 3 nach Ebene 1"},
		{finding.EmptyParagraphs, "3 empty paragraphs, set as a scene break", "3 empty paragraphs, set as a scene break",
			"3 leere Absätze, als Szenenwechsel gesetzt"},
		{finding.ManualPageBreak, "inside a chapter", "inside a chapter", "mitten im Kapitel"},
		{finding.RunningHeadInBody, "taken out", "taken out", "herausgenommen"},
		{finding.NestedTable, "2 rows, 3 columns", "2 rows, 3 columns", "2 Zeilen, 3 Spalten"},
		{finding.PageReference, "typed by hand", "typed by hand", "von Hand getippt"},
		{finding.Comment, "Anna, inside a chapter", "Anna, inside a chapter", "Anna, inside a chapter"}, // the author's own words stay
		{finding.StraightQuotes, "", "", ""},
	} {
		f := finding.Finding{Type: c.of, Detail: c.said}
		if got := detail(f, "en"); got != c.english {
			t.Errorf("%s: %q, want %q", c.said, got, c.english)
		}
		if got := detail(f, "de"); got != c.want {
			t.Errorf("%s in German: %q, want %q", c.said, got, c.want)
		}
	}
}

// TestPlaces: where a finding stands, in words.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		at              manuscript.Place
		english, german string
	}{
		{manuscript.Place{}, "", ""},
		{manuscript.Place{Part: "body", Paragraph: 12}, "paragraph 12", "Absatz 12"},
		{manuscript.Place{Part: "body", Section: "The Storm", Paragraph: 3}, "The Storm · paragraph 3", "The Storm · Absatz 3"},
		{manuscript.Place{Part: "footnote 2", Section: "The Storm"}, "The Storm · footnote 2", "The Storm · Fußnote 2"},
		{manuscript.Place{Part: "endnote 1", Paragraph: 1}, "endnote 1 · paragraph 1", "Endnote 1 · Absatz 1"},
		{manuscript.Place{Part: "header 1"}, "header 1", "Kopfzeile 1"},
		{manuscript.Place{Part: "text box 4"}, "text box 4", "Textfeld 4"},
	} {
		if got := where(c.at, "en"); got != c.english {
			t.Errorf("%+v: %q, want %q", c.at, got, c.english)
		}
		if got := where(c.at, "de"); got != c.german {
			t.Errorf("%+v in German: %q, want %q", c.at, got, c.german)
		}
	}
}

// shown is what a page says, without its markup and style, each element on a line of its own.
func shown(t *testing.T, r Report, o HTMLOptions) string {
	t.Helper()
	var w strings.Builder
	if err := r.HTML(&w, o); err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(w.String(), "<main>")
	page = regexp.MustCompile(`\n+`).ReplaceAllString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "\n"), "\n")
	return page
}

// TestVerdict: the first sentence says whether anything stands in the way, in the language of the book.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		language string
		high     int
		total    int
		want     string
	}{
		{"en", 0, 0, "Nothing was found."},
		{"en", 0, 3, "Nothing stands in the way."},
		{"en", 1, 3, "One thing needs your decision"},
		{"en", 7, 7, "7 things need your decision"},
		{"de", 0, 0, "Es wurde nichts gefunden."},
		{"de", 0, 3, "Nichts steht im Weg."},
		{"de", 1, 3, "Eines müssen Sie entscheiden"},
		{"de", 7, 7, "7 Dinge müssen Sie entscheiden"},
	} {
		r := Report{Summary: Summary{High: c.high, Total: c.total}, language: c.language}
		if got := shown(t, r, HTMLOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s, %d of %d: no %q in %.200q", c.language, c.high, c.total, c.want, got)
		}
	}
}

// TestPageOfAReport: the page says whose book it is and when it was examined, what to decide first, each finding with
// its places, and what is kept; places beyond the twelfth are counted.
func TestPageOfAReport(t *testing.T) {
	var found []finding.Finding
	for i := range 14 {
		found = append(found, finding.Finding{Type: finding.PlaceholderText, Severity: finding.High, Excerpt: fmt.Sprintf("TK %d", i+1),
			Count: 1, Place: manuscript.Place{Section: "Storm", Paragraph: i + 1}})
	}
	found = append(found, finding.Finding{Type: finding.DoubleSpace, Severity: finding.Low, Excerpt: "one  two", Count: 5})
	b := bookOf("en", "# Storm", "Text with words.")
	b.Meta.Title, b.Meta.Author = "Rivers", "Anna"
	b.Sections[0].Kind = manuscript.KindChapter
	b.Sections[0].Blocks[0].(*manuscript.Paragraph).Inlines = []manuscript.Inline{manuscript.Text{S: "Text "},
		manuscript.Text{S: "with", Style: manuscript.Italic}, manuscript.Text{S: " words."}}
	b.Sections = append(b.Sections, manuscript.Section{Kind: manuscript.KindDedication})
	got := shown(t, Examine(b, found, spec.Default()), HTMLOptions{Source: "rivers.docx", Date: "1 May 2026"})
	at := 0
	for _, want := range []string{
		"\nRivers\n", "\nby Anna · rivers.docx · examined 1 May 2026\n", "14 things need your decision", "\nDecide this first\n",
		" (14) — ",
		"\nTo decide\n", "\nStorm · paragraph 1\n", "\nTK 1\n", "\nTK 12\n", "\n+ 2 more of these\n",
		"\nMended for you\n", "You need not do anything", "\none  two\n", "\n5 times\n",
		"\nPreserved\n", "The good news", "\nItalic", "\n1\n", "\nThe book as the press understands it\n",
		"\nStorm\n", "\nchapter\n", "\nwithout a title\n", "\ndedication\n", "\nWorth knowing\n", "Language: en",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind %q in\n%s", want, got[max(0, at-60):at], got)
		}
		at += i
	}
	if strings.Contains(got, "TK 13") {
		t.Error("the thirteenth place is shown")
	}
	german := shown(t, Examine(b, found, spec.Default()).In("de"), HTMLOptions{Source: "rivers.docx", Date: "1. Mai 2026"})
	for _, want := range []string{"von Anna · rivers.docx · geprüft 1. Mai 2026", "Storm · Absatz 1", "+ 2 weitere", "5 mal", "Kapitel",
		"Widmung", "ohne Titel", "Für Sie gerichtet", "Bewahrt"} {
		if !strings.Contains(german, want) {
			t.Errorf("no %q in the German page", want)
		}
	}
}

// TestSentenceOfTheBook: the book in one sentence, with one and many of everything.
func TestSentenceOfTheBook(t *testing.T) {
	for _, c := range []struct {
		n               bookCounts
		english, german string
	}{
		{bookCounts{1, 1, 0, 1, 0}, "1 word in 1 chapter, about 1 page.", "1 Wort in 1 Kapitel, etwa 1 Seite."},
		{bookCounts{1234567, 2000, 1, 20, 1},
			"1,234,567 words in 20 chapters, about 2,000 pages; 1 section of front matter; 1 section of back matter.",
			"1.234.567 Wörter in 20 Kapiteln, etwa 2.000 Seiten; davor 1 Teil der Titelei; danach 1 Teil Anhang."},
		{bookCounts{900, 4, 2, 3, 4}, "900 words in 3 chapters, about 4 pages; 2 sections of front matter; 4 sections of back matter.",
			"900 Wörter in 3 Kapiteln, etwa 4 Seiten; davor 2 Teile der Titelei; danach 4 Teile Anhang."},
	} {
		if got := c.n.sentence(false); got != c.english {
			t.Errorf("%s", got)
		}
		if got := c.n.sentence(true); got != c.german {
			t.Errorf("%s", got)
		}
	}
}
