package preflight

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

func text(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }

// bookOf makes a book of lines: "# " begins a section.
func bookOf(language string, lines ...string) manuscript.Book {
	b := manuscript.Book{Meta: manuscript.Meta{Language: language}}
	for _, l := range lines {
		if t, ok := strings.CutPrefix(l, "# "); ok {
			b.Sections = append(b.Sections, manuscript.Section{Title: text(t)})
			continue
		}
		if len(b.Sections) == 0 {
			b.Sections = append(b.Sections, manuscript.Section{})
		}
		sec := &b.Sections[len(b.Sections)-1]
		sec.Blocks = append(sec.Blocks,
			&manuscript.Paragraph{Inlines: text(l), Place: manuscript.Place{Part: "body", Paragraph: len(sec.Blocks) + 1}})
	}
	return b
}

func examine(b manuscript.Book) Report {
	got, found := clean.Repair(b, clean.Options{})
	return Examine(got, found, spec.Default())
}

func TestJSON(t *testing.T) {
	r := examine(bookOf("en", "# Chapter 1", `"It's time," she said.`, "# Chapter 3: The <Storm>", "TK the storm"))
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"summary":{"total":5,"high":2,"medium":3,"low":0,"preserved":0,"by_type":{"chapter_number_gap":1,"placeholder_text":1,"straight_quotes":3}},` +
		`"book_map":{"sections":[{"title":"Chapter 1","kind":"chapter","paras":1,"words":4},{"title":"3. The \u003cStorm\u003e","kind":"chapter","paras":1,"words":3}],` +
		`"warnings":["Chapter number missing (2): 3. The \u003cStorm\u003e"],"notes":["Language: en"],"summary":"7 words in 2 chapters, about 2 pages."},"words":{"in":0,"set":0,"removed":0,"list":[]}}`
	if string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

func TestHTMLEscapes(t *testing.T) {
	b := bookOf("en", "# Chapter 1", `<script>alert("x")</script> TK`, "# Chapter 3: The <Storm>", "Text.")
	b.Meta.Title = `<img src=x onerror=1>`
	var w strings.Builder
	if err := examine(b).HTML(&w, HTMLOptions{Source: `"><b>.docx`}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "<Storm>", "<b>.docx"} {
		if strings.Contains(w.String(), bad) {
			t.Errorf("the page holds %s unescaped", bad)
		}
	}
	if !strings.Contains(w.String(), "&lt;Storm&gt;") {
		t.Error("the page does not show the chapter's title")
	}
}

func TestHTMLNeedsNothing(t *testing.T) {
	var w strings.Builder
	if err := examine(bookOf("en", "# Chapter 1", "A text with TK.", "# Chapter 3", "Text.")).HTML(&w, HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", " src=", "href=\"http", "url(", "@import", "javascript:"} {
		if strings.Contains(w.String(), bad) {
			t.Errorf("the page holds %q: the page must load nothing and run nothing", bad)
		}
	}
}

// TestWordsOfWordProcessors: what a lost cross-reference leaves in the text is no text of the author's.
func TestWordsOfWordProcessors(t *testing.T) {
	for text, want := range map[string]int{
		"As told on page Error! Bookmark not defined. it was.":                          1,
		"(see Error! Reference source not found.) and so on":                            1,
		"Siehe Fehler! Verweisquelle konnte nicht gefunden werden. und weiter.":         1,
		"Siehe Seite Fehler! Textmarke nicht definiert. und weiter.":                    1,
		"“Error!” said the machine. “Reference the source,” said she, “not the found.”": 0,
		"Der Fehler! Er war nicht zu finden.":                                           0,
	} {
		if got := examine(bookOf("en", "# Chapter 1", text)).Summary.ByType["broken_reference"]; got != want {
			t.Errorf("%q: %d broken references, want %d", text, got, want)
		}
	}
}

// TestTypedByHand: page numbers that were typed and hyphens that a line's end has left are found, what looks like
// them is not.
func TestTypedByHand(t *testing.T) {
	for _, c := range []struct {
		text          string
		pages, hyphen int
	}{
		{"The map (see page 37) shows it.", 1, 0},
		{"Das zeigt die Karte (siehe S. 12).", 1, 0},
		{"Mehr dazu auf Seite 40 unten.", 1, 0},
		{"He opened the ledger on page 37 and read.", 0, 0},
		{"See page 12 of the ledger.", 0, 0},
		{"Es war wirk- lich still im Haus.", 0, 1},
		{"Die Vor- und Nachteile, zwei- bis dreimal.", 0, 0},
		{"A two- or three-day journey - no more.", 0, 0},
	} {
		got := examine(bookOf("en", "# Chapter 1", c.text)).Summary.ByType
		if got["page_reference"] != c.pages || got["line_end_hyphen"] != c.hyphen {
			t.Errorf("%q: %d page references, %d hyphens", c.text, got["page_reference"], got["line_end_hyphen"])
		}
	}
}

// TestLettersInQuotes: a letter whose every paragraph opens a quotation that only the last one closes has no
// fault; one speech that is left open has.
func TestLettersInQuotes(t *testing.T) {
	for _, c := range []struct {
		text []string
		want int
	}{
		{[]string{"“My dear Anna,", "“The house is sold.", "“I leave on Monday.", "“Yours, Max.”", "She put it down."}, 0},
		{[]string{"“The house is sold.", "“When?” she asked.", "“On Monday.”"}, 1},
		{[]string{"“The house is sold.", "Nobody spoke."}, 1},
	} {
		lines := append([]string{"# Chapter 1"}, c.text...)
		if got := examine(bookOf("en", lines...)).Summary.ByType["unmatched_quotes"]; got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}

// TestPagesReferredTo: what leads nowhere keeps the word processor's number, wherever the places stand.
func TestPagesReferredTo(t *testing.T) {
	page := func(target string) manuscript.Inline {
		return manuscript.Link{Href: "#" + target, Page: true, Inlines: []manuscript.Inline{manuscript.Text{S: "12"}}}
	}
	b := bookOf("en", "# Chapter 1", "A text.")
	text := b.Sections[0].Blocks[0].(*manuscript.Paragraph)
	text.Inlines = append(text.Inlines, page("behind"), page("nowhere"), page("noted"),
		manuscript.Link{Href: "#nowhere", Inlines: []manuscript.Inline{manuscript.Text{S: "there"}}})
	b.Sections[0].Blocks = append(b.Sections[0].Blocks, &manuscript.Quote{Blocks: []manuscript.Block{
		&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Target{Name: "behind"}, manuscript.Text{S: "A place."}}}}})
	b.Notes = append(b.Notes, manuscript.Note{
		Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Target{Name: "noted"}, page("gone")}}}})
	if got := examine(b).Summary.ByType["page_reference"]; got != 2 {
		t.Errorf("%d numbers that stay, want 2", got)
	}
}

// TestReadersInGerman: what readers say of a finding reads as German in a German report.
func TestReadersInGerman(t *testing.T) {
	for _, c := range []struct {
		of         finding.Type
		said, want string
	}{
		{finding.TrackedChange, "formatting by Anna", "formatiert von Anna"},
		{finding.UnsupportedObject, "a drawing", "eine Zeichnung"},
		{finding.UnsupportedObject, "what the field LISTNUM shows", "was das Feld LISTNUM zeigt"},
		{finding.UnsupportedObject, "a text box in others", "ein Textfeld in anderen"},
		{finding.TrackedChange, "inserted by Anna", "eingefügt von Anna"},
		{finding.Columns, "2 columns", "2 Spalten"},
		{finding.Columns, "columns", "Spalten"},
		{finding.MissingImage, "the page does not hold the picture", "die Seite enthält das Bild nicht"},
		{finding.MissingImage, "the pictures have more than 2500 megapixels together", "die Bilder haben zusammen mehr als 2500 Megapixel"},
		{finding.MissingImage, "the picture of 9000 by 8000 pixels is larger than 50 megapixels or 20000 pixels a side",
			"das Bild von 9000 mal 8000 Pixeln ist größer als 50 Megapixel oder 20000 Pixel je Seite"},
		{finding.HiddenText, "a picture or a drawing", "ein Bild oder eine Zeichnung"},
		{finding.DirectFormatting, "a picture at an angle of 12°", "ein Bild im Winkel von 12°"},
		{finding.MissingImage, "a picture of the kind EMF cannot be printed; save it as PNG or JPEG",
			"ein Bild der Art EMF lässt sich nicht drucken; als PNG oder JPEG speichern"},
	} {
		f := finding.Finding{Type: c.of, Detail: c.said}
		if got := detail(f, "de"); got != c.want {
			t.Errorf("%s: %q, want %q", c.said, got, c.want)
		}
		if got := detail(f, "en"); got != c.said {
			t.Errorf("%s: %q in English", c.said, got)
		}
	}
}
