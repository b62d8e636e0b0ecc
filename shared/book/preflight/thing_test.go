package preflight

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// toldOf are the findings of some types as "type: detail", or "type: excerpt" where there is no detail.
func toldOf(r Report, types ...finding.Type) (out []string) {
	for _, f := range r.Findings {
		if slices.Contains(types, f.Type) {
			said := f.Detail
			if said == "" {
				said = f.Excerpt
			}
			out = append(out, f.Type.String()+": "+said)
		}
	}
	return out
}

// TestNumbersOfChapters: a number that is left out or stands twice is told; chapters that begin anew in each part are
// in order, and of numbers that are not all understood nothing is claimed.
func TestNumbersOfChapters(t *testing.T) {
	for _, c := range []struct{ name, sections, want string }{
		{"in order", "c1 c2 c3", ""},
		{"one is missing", "c1 c3", "chapter_number_gap: 2"},
		{"three are missing", "c1 c5 c6", "chapter_number_gap: 2, 3, 4"},
		{"the first is missing", "c2 c3", "chapter_number_gap: 1"},
		{"an excerpt of a longer book", "c12 c13", ""},
		{"one stands twice", "c1 c2 c2 c3", "chapter_number_duplicate: 2"},
		{"two have changed places", "c1 c3 c2 c4", ""},
		{"in Roman numbers and words", "cI cTwo c3", ""},
		{"anew in each part", "pI c1 c2 pII c1 c2", ""},
		{"on and on over the parts", "pI c1 c2 pII c3 c4", ""},
		{"a gap in the second part", "pI c1 c2 pII c1 c3", "chapter_number_gap: 2"},
		{"anew without a part", "c1 c2 c1 c2", "chapter_number_duplicate: 1|chapter_number_duplicate: 2"},
		{"a part is missing", "pI c1 pIII c2", "chapter_number_gap: 2"},
		{"a number that is not understood", "c1 xEleventy c3", ""},
		{"sections without numbers between", "c1 - c2", ""},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}}
		for _, s := range strings.Fields(c.sections) {
			sec := manuscript.Section{Kind: manuscript.KindChapter, Number: s[1:], Title: text("x")}
			switch s[0] {
			case 'p':
				sec.Kind = manuscript.KindPart
			case 'x':
				sec.Number, sec.Title = "", text("Chapter "+s[1:])
			case '-':
				sec.Number = ""
			}
			b.Sections = append(b.Sections, sec)
		}
		got := strings.Join(toldOf(Examine(b, nil, spec.Default()), finding.ChapterNumberGap, finding.ChapterNumberDuplicate), "|")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPicturesInPrint: a picture's pixels to the inch at the size that it is set in, its colour and its words for
// those who do not see it. The measure of the default page is 105.3 mm wide and 164.4 mm high.
func TestPicturesInPrint(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		mm            float64
		want          finding.Severity // 0 where nothing is told
		detail        string
	}{
		{"sharp", 1300, 800, 100, finding.Preserved, ""},
		{"300 to the inch", 1182, 800, 100, finding.Preserved, ""},
		{"a little soft", 1000, 800, 100, finding.Medium, "254 dpi, 100 mm"},
		{"blocky", 500, 400, 100, finding.High, "127 dpi, 100 mm"},
		{"wider than the measure it is set in the measure", 1243, 800, 300, finding.Preserved, ""},
		{"small on purpose", 250, 200, 20, finding.Preserved, ""},
		{"high, so it is set narrower", 400, 4000, 100, finding.Preserved, ""},
		{"of no stated size it is set at 200 to the inch", 400, 300, 0, finding.Medium, "200 dpi, 51 mm"},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en"},
			Images:   []manuscript.Image{{Name: "mill.png", Width: c.width, Height: c.height, Gray: true}},
			Sections: []manuscript.Section{{Blocks: []manuscript.Block{&manuscript.Figure{Image: 0, Alt: "A mill", WidthMM: c.mm}}}}}
		r := Examine(b, nil, spec.Default())
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Type == finding.LowResImage })
		switch {
		case i < 0 && c.want != finding.Preserved:
			t.Errorf("%s: nothing is told", c.name)
		case i >= 0 && (r.Findings[i].Severity != c.want || r.Findings[i].Detail != c.detail || r.Findings[i].Excerpt != "A mill"):
			t.Errorf("%s: %v %q of %q, want %v %q", c.name, r.Findings[i].Severity, r.Findings[i].Detail, r.Findings[i].Excerpt, c.want,
				c.detail)
		}
	}
	b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Images: []manuscript.Image{{Name: "mill.png", Width: 4000, Height: 3000}},
		Sections: []manuscript.Section{{Blocks: []manuscript.Block{
			&manuscript.Figure{Image: 0, WidthMM: 50}, &manuscript.Figure{Image: 7},
			&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "See "}, manuscript.InlineImage{Image: 0}}},
		}}}}
	got := strings.Join(toldOf(Examine(b, nil, spec.Default()), finding.ColourImage, finding.MissingAltText), "|")
	want := "missing_alt_text: mill.png|missing_alt_text: |missing_alt_text: See |colour_image: mill.png|colour_image: mill.png"
	if got != want {
		t.Errorf("a picture in colours without words:\n got %q\nwant %q", got, want)
	}
}

// TestWideTables: a table is told where the longest words of its columns do not stand beside each other.
func TestWideTables(t *testing.T) {
	table := func(words ...string) *manuscript.Table {
		var row manuscript.Row
		for _, w := range words {
			row.Cells = append(row.Cells, manuscript.Cell{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: text(w)}}, ColSpan: 1,
				RowSpan: 1})
		}
		return &manuscript.Table{Rows: []manuscript.Row{row}, Caption: text("Grain")}
	}
	for _, c := range []struct {
		name  string
		table *manuscript.Table
		want  int
	}{
		{"four short columns", table("one", "two", "three", "four"), 0},
		{"ten figures", table(strings.Split("1 2 3 4 5 6 7 8 9 10", " ")...), 0},
		{"eight long words", table(strings.Split(strings.Repeat("agriculture ", 8), " ")[:8]...), 1},
		{"long words that are divided", table("Landwirtschaftskammer", "Grundstücksverzeichnis"), 0},
		{"words that a hyphen parts", table(strings.Split(strings.Repeat("one-two-three ", 6), " ")[:6]...), 0},
		{"more columns than are set", table(strings.Split(strings.Repeat("1 ", manuscript.MaxColumns+1), " ")[:manuscript.MaxColumns+1]...),
			1},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "de"}, Sections: []manuscript.Section{{Blocks: []manuscript.Block{c.table}}}}
		if got := toldOf(Examine(b, nil, spec.Default()), finding.WideTable); len(got) != c.want {
			t.Errorf("%s: %q, want %d", c.name, got, c.want)
		}
	}
}

// TestLongChapters: a chapter of at least 8,000 words and three times the median of four or more, or of 40,000 and
// three times the median of two or more.
func TestLongChapters(t *testing.T) {
	for _, c := range []struct {
		words []int
		want  string
	}{
		{[]int{1000, 2000, 3000, 9100}, "long_chapter: 9100"},
		{[]int{1000, 2000, 3000, 8900}, ""},
		{[]int{100, 200, 300, 7900}, ""},
		{[]int{2000, 9000, 2000}, ""},
		{[]int{9000, 41000, 9000}, "long_chapter: 41000"},
		{[]int{50000}, ""},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}}
		for i, n := range c.words {
			b.Sections = append(b.Sections, manuscript.Section{Kind: manuscript.KindChapter, Number: fmt.Sprint(i + 1), Title: text("x"),
				Blocks: []manuscript.Block{
					&manuscript.Paragraph{Inlines: text(strings.TrimSpace(strings.Repeat("word ", n)))}}})
		}
		if got := strings.Join(toldOf(Examine(b, nil, spec.Default()), finding.LongChapter), "|"); got != c.want {
			t.Errorf("%v: %q, want %q", c.words, got, c.want)
		}
	}
}

// TestCharactersAndWords: words that no line holds, and characters that no face of the book has, once a paragraph.
func TestCharactersAndWords(t *testing.T) {
	for _, c := range []struct{ name, language, text, want string }{
		{"a long German word is divided", "de", "Die Rindfleischetikettierungsüberwachungsaufgabenübertragung.", ""},
		{"a word of one letter", "en", strings.Repeat("A", 40) + "!", "long_word: 41"},
		{"an address is divided at its slashes", "en", "https://example.org/a/very/long/address/that/goes/on/and/on", ""},
		{"a character of no face", "en", "They say \U00012000 and \U00012000 again.", "missing_glyph: \U00012000 U+12000"},
		{"Greek and Cyrillic are there", "en", "λόγος and слово", ""},
		{"invisible characters need no shape", "en", "soft\u00adhyphen, no\u2060break", ""},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: c.language},
			Sections: []manuscript.Section{{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: text(c.text)}}}}}
		if got := strings.Join(toldOf(Examine(b, nil, spec.Default()), finding.LongWord, finding.MissingGlyph), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWhatWaitsForTheAuthor: words that stand for others which were to come.
func TestWhatWaitsForTheAuthor(t *testing.T) {
	for text, want := range map[string]int{
		"The mill stood TK miles away.": 1, "TODO: describe the mill.": 1, "He paid XXX for it.": 1, "[insert map here]": 1,
		"[Bild einfügen]": 1, "as [name of the mill] says": 1,
		"Lorem ipsum dolor sit amet.": 1, "Click here to enter text.": 1, "Klicken Sie hier, um Text einzugeben.": 1, "What???": 1,
		"[TK]":                   1,
		"Chapter XXX was short.": 0, "Psalm XXX, verse 2": 0, "He wore XXXL.": 0, "the tk of a clock": 0, "[sic]": 0, "[the map]": 0,
		"What??": 0, "no end [insert": 0,
	} {
		b := bookOf("en", "# One", text)
		if got := len(toldOf(Examine(b, nil, spec.Default()), finding.PlaceholderText)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestQuotationsOverParagraphs: what is open at a paragraph's end is no fault where the next one goes on with it.
func TestQuotationsOverParagraphs(t *testing.T) {
	long := strings.Repeat(" and the river ran below it", 8)
	for _, c := range []struct {
		name, language string
		text           []string
		want           int
	}{
		{"closed", "en", []string{"“Yes,” she said. “No.”"}, 0},
		{"never closed", "en", []string{"“Yes, she said.", "He went."}, 1},
		{"never opened", "en", []string{"Yes,” she said."}, 1},
		{"a second opens in the first", "en", []string{"“Yes, she said. “No.”"}, 1},
		{"an English speech over two paragraphs opens again", "en", []string{"“It was late" + long, "“And we went.”"}, 0},
		{"a German speech over two paragraphs does not", "de", []string{"„Es war spät" + long, "Und wir gingen.“"}, 0},
		{"German marks", "de", []string{"„Ja“, sagte sie. »Nein«, sagte er."}, 0},
		{"German low mark closed in English", "de", []string{"„Ja”, sagte sie."}, 0},
		{"guillemets outwards", "de", []string{"«Ja», sagte sie."}, 0},
		{"guillemets that open twice", "de", []string{"»Ja, sagte sie. »Nein«, sagte er."}, 1},
		{"French", "fr", []string{"«\u00a0Oui\u00a0», dit-elle."}, 0},
		{"French that opens twice", "fr", []string{"«\u00a0Oui, dit-elle. «\u00a0Non\u00a0»."}, 1},
		{"apostrophes are no marks", "en", []string{"the boys’ house, ’tis"}, 0},
	} {
		b := bookOf(c.language, append([]string{"# One"}, c.text...)...)
		if got := len(toldOf(Examine(b, nil, spec.Default()), finding.UnmatchedQuotes)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestNotesAndReferences: a reference needs its note, and a note its reference.
func TestNotesAndReferences(t *testing.T) {
	note := func(s string) manuscript.Note {
		return manuscript.Note{Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: text(s)}}}
	}
	ref := func(n int) manuscript.Block {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "Water"}, manuscript.NoteRef{Note: n}}}
	}
	for _, c := range []struct {
		name   string
		blocks []manuscript.Block
		notes  []manuscript.Note
		want   string
	}{
		{"each has its own", []manuscript.Block{ref(0), ref(1)}, []manuscript.Note{note("a"), note("b")}, ""},
		{"a note in a note", []manuscript.Block{ref(0)}, []manuscript.Note{{Blocks: []manuscript.Block{ref(1)}}, note("b")}, ""},
		{"a note that nobody refers to", nil, []manuscript.Note{note("Lost.")}, "note_without_reference: Lost."},
		{"a reference to nothing", []manuscript.Block{ref(3)}, nil, "note_without_text: Water"},
		{"a reference to an empty note", []manuscript.Block{ref(0)}, []manuscript.Note{{}}, "note_without_text: Water"},
		{"two references to one note", []manuscript.Block{ref(0), ref(0)}, []manuscript.Note{note("a")}, ""},
	} {
		b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Sections: []manuscript.Section{{Blocks: c.blocks}}, Notes: c.notes}
		if got := strings.Join(toldOf(Examine(b, nil, spec.Default()), finding.NoteWithoutReference, finding.NoteWithoutText),
			"|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
