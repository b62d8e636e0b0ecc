package bookindex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

func paragraphs(texts ...string) []manuscript.Block {
	var out []manuscript.Block
	for _, t := range texts {
		out = append(out, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: t}}})
	}
	return out
}

func book(language string, texts ...string) manuscript.Book {
	return manuscript.Book{
		Meta:     manuscript.Meta{Language: language},
		Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Number: "1", Blocks: paragraphs(texts...)}},
	}
}

func terms(entries []Entry) (out []string) {
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s %d", e.Term, len(e.Locators)))
	}
	return out
}

func TestDraftEnglish(t *testing.T) {
	got := terms(Draft(book("en",
		"In the spring Anna Huber came to the Bank of Salzburg. She was late.",
		"“Where is Mr. Huber?” asked the clerk of the Bank of Salzburg, and Huber’s sister laughed.",
		"On Monday I saw the valley. The Valley of Gastein lay in snow.",
		"Nobody knew H. G. Wells there. Later H. G. Wells was known in the Valley of Gastein.",
		"He walked and walked, and Nobody came; nobody at all, nobody.",
	)))
	want := []string{"Bank of Salzburg 2", "Huber, Anna 2", "Valley of Gastein 2"} // H. G. Wells stands in one paragraph only
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A name stands under the surname where it begins with initials, and no sentence begins behind a title.
func TestDraftInitials(t *testing.T) {
	got := terms(Draft(book("en",
		"Then Dr. J. R. R. Tolkien met Mrs. Watchett in the hall.",
		"It was Mrs. Watchett and J. R. R. Tolkien whom he saw.",
		"Later Tolkien went home.",
	)))
	if want := []string{"Tolkien, J. R. R. 3", "Watchett 2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := terms(Draft(book("de", "Dann las E. T. A. Hoffmann daraus vor.", "Es war E. T. A. Hoffmann, der kam."))); !slices.Equal(got,
		[]string{"Hoffmann, E. T. A. 2"}) {
		t.Errorf("got %v", got)
	}
}

func TestDraftGerman(t *testing.T) {
	got := terms(Draft(book("de",
		"Am Morgen ging Gregor Samsa durch die Stadt, und Samsa kannte das Grundbuch.",
		"Das Grundbuch lag auf dem Tisch, sagte Herr Samsa.",
		"Im Grundbuch stand nichts; die Seiten des Grundbuchs waren leer.",
		"In der Zeit war Zeit genug, und die Stadt war eine Stadt.",
	)))
	if want := []string{"Grundbuch 3", "Samsa, Gregor 2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDraftTakesMarks(t *testing.T) {
	b := book("en", "one", "two", "three")
	set := func(i int, in ...manuscript.Inline) {
		p := b.Sections[0].Blocks[i].(*manuscript.Paragraph)
		p.Inlines = append(p.Inlines, in...)
	}
	set(0, manuscript.IndexMark{Term: "survey", EndOf: "bm1"})
	set(1, manuscript.IndexMark{Term: "survey", Sub: "chains"}, manuscript.IndexMark{Term: "mapping", See: "survey"},
		manuscript.IndexMark{Term: "odd", See: "nowhere"})
	set(2, manuscript.Target{Name: "bm1"})
	d := Draft(b)
	if err := Validate(d, b); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(terms(d)), "[mapping 0 odd 0 survey 1 survey 1]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if d[0].See[0] != "survey" || len(d[1].See) != 0 {
		t.Errorf("references: %v, %v", d[0].See, d[1].See)
	}
	if l := d[2].Locators[0]; l.EndAnchor == "" || l.EndAnchor == l.Anchor {
		t.Errorf("no range: %+v", l)
	}
}

// A paragraph that stays as it was keeps its anchor when others come and go.
func TestAnchorsOutliveAnEdit(t *testing.T) {
	at := func(b manuscript.Book, i int) string {
		return Anchor(b).Sections[0].Blocks[i].(*manuscript.Paragraph).Anchor
	}
	b, edited := book("en", "One.", "Two.", "Two."), book("en", "A new one.", "One!", "Two.", "Two.")
	if at(b, 1) != at(edited, 2) || at(b, 2) != at(edited, 3) || at(b, 0) == at(edited, 1) || at(b, 1) == at(b, 2) {
		t.Errorf("%s %s %s, then %s %s %s", at(b, 0), at(b, 1), at(b, 2), at(edited, 1), at(edited, 2), at(edited, 3))
	}
	if b.Sections[0].Blocks[0].(*manuscript.Paragraph).Anchor != "" {
		t.Error("the book that was given is changed")
	}
}

func TestValidate(t *testing.T) {
	b := book("en", "One.", "Two.")
	a := Anchor(b).Sections[0].Blocks
	first, second := a[0].(*manuscript.Paragraph).Anchor, a[1].(*manuscript.Paragraph).Anchor
	good := func() []Entry {
		e := []Entry{newEntry("road", ""), newEntry("path", ""), newEntry("road", "closed")}
		e[0].Locators = []Locator{{Anchor: first, EndAnchor: second}}
		e[1].See = []string{"road"}
		e[2].SeeAlso = []string{"path"}
		return e
	}
	if err := Validate(good(), b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		change     func(e []Entry)
	}{
		{"no term", `entries[0] (""): term: 0 characters, allowed are 1 to 200`, func(e []Entry) { e[0].Term = "" }},
		{"long term", "201 characters", func(e []Entry) { e[0].Term = strings.Repeat("x", 201) }},
		{"line end", "entries[2] (\"road\"): sub: text in one line", func(e []Entry) { e[2].Sub = "a\nb" }},
		{"a hidden term", "entries[0]", func(e []Entry) { e[0].Term = "\u2060" }},
		{"a turned term", "none of which is hidden", func(e []Entry) { e[0].Term = "a\u202eb" }},
		{"id twice", "entries[1] (\"path\"): id:", func(e []Entry) { e[1].ID = e[0].ID }},
		{"no such target", `entries[1] ("path"): see[0]: "rod" is no kept term`, func(e []Entry) { e[1].See[0] = "rod" }},
		{"target not kept", "see_also[0]", func(e []Entry) { e[1].Keep = false }},
		{"no id", "id: 1 to 64 characters", func(e []Entry) { e[0].ID = "" }},
		{"a long id", "id: 1 to 64 characters", func(e []Entry) { e[0].ID = strings.Repeat("x", 65) }},
		{"an id with a space", "id: 1 to 64 characters", func(e []Entry) { e[0].ID = "a b" }},
		{"an id with an umlaut", "id: 1 to 64 characters", func(e []Entry) { e[0].ID = "ä" }},
		{"a space behind", "term: no space at its ends", func(e []Entry) { e[0].Term = "road " }},
		{"too many targets", "see_also: 21 targets, allowed are 20", func(e []Entry) { e[2].SeeAlso = make([]string, MaxTargets+1) }},
		{"no such end", "locators[0].end_anchor: \"p1\" is no place", func(e []Entry) { e[0].Locators[0].EndAnchor = "p1" }},
		{"a long term is shortened in its message", "…\"): term: 201", func(e []Entry) { e[0].Term = strings.Repeat("x", 201) }},
		{"itself", "refers to itself", func(e []Entry) { e[1].See[0] = "path" }},
		{"circle", "leads in a circle", func(e []Entry) { e[0].Locators, e[0].See = nil, []string{"path"} }},
		{"same twice", "entries[0] has the same term and sub", func(e []Entry) { e[2].Sub = ""; e[2].SeeAlso = nil }},
		{"see and places", "has see_also, not see", func(e []Entry) { e[1].Locators = e[0].Locators }},
		{"no such anchor", "locators[0].anchor", func(e []Entry) { e[0].Locators[0].Anchor = "p1" }},
		{"range backwards", "locators[0].end_anchor: stands before", func(e []Entry) { e[0].Locators[0] = Locator{second, first} }},
		{"too many places", "locators: 2001, allowed are 2000", func(e []Entry) { e[0].Locators = make([]Locator, 2001) }},
	} {
		e := good()
		c.change(e)
		if err := Validate(e, b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// A report has at most twenty faults, and no list of more entries than an index may have is looked at.
func TestValidateIsBounded(t *testing.T) {
	if err := Validate(make([]Entry, MaxEntries+1), book("en", "x")); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("%d entries, allowed are %d", MaxEntries+1, MaxEntries)) {
		t.Errorf("%v", err)
	}
	if err := Validate(make([]Entry, 30), book("en", "x")); strings.Count(fmt.Sprint(err), "\n") != maxErrors-1 {
		t.Errorf("%v", err)
	}
}

func TestLongChainOfReferences(t *testing.T) {
	e := make([]Entry, MaxEntries)
	for i := range e {
		e[i] = newEntry(fmt.Sprint("t", i), "")
		e[i].See = []string{fmt.Sprint("t", (i+1)%len(e))}
	}
	if err := Validate(e, book("en", "x")); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("%v", err)
	}
}

func TestSort(t *testing.T) {
	want := []string{"3 Berge", "Aalen", "Abel", "Äpfel", "Apfelbaum", "Newton", "New York", "Ofen", "Öl", "Straße", "Strasser", "Zug"}
	e := make([]Entry, len(want))
	for i, w := range want {
		e[len(e)-1-i] = newEntry(w, "")
	}
	Sort(e)
	var got []string
	for _, x := range e {
		got = append(got, x.Term)
	}
	if !slices.Equal(got, want) {
		t.Errorf("\ngot  %v\nwant %v", got, want)
	}
	for term, want := range map[string]string{"Äpfel": "A", "3 Berge": "", "“quoted”": "Q", "ßa": "S"} {
		if got := Group(term); got != want {
			t.Errorf("%s stands under %q, want %q", term, got, want)
		}
	}
}

func TestPages(t *testing.T) {
	folio := func(i int) string {
		if i < 4 {
			return []string{"i", "ii", "iii", "iv"}[i]
		}
		if i == 20 {
			return "" // blank
		}
		return fmt.Sprint(i - 3)
	}
	for _, c := range []struct {
		want   string
		places []Place
	}{
		{"2", []Place{{5, 5, false}}},
		{"2–4, 9", []Place{{7, 7, false}, {5, 5, false}, {6, 6, false}, {12, 12, false}, {5, 5, false}}},
		{"2–6", []Place{{5, 9, false}, {6, 7, false}}},
		{"iii–iv, 1–2", []Place{{2, 5, false}}},
		{"2, 5n", []Place{{5, 5, true}, {5, 5, false}, {8, 8, true}}},
		{"16, 18", []Place{{19, 21, false}}},
		{"", nil},
	} {
		var got []string
		for _, l := range Pages(c.places, folio) {
			got = append(got, l.Text)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%v: got %s, want %s", c.places, s, c.want)
		}
	}
}

func TestDraftIsTheSameTwice(t *testing.T) {
	b := long(20_000)
	x, _ := json.Marshal(Draft(b))
	y, _ := json.Marshal(Draft(b))
	if string(x) != string(y) || len(x) < 1000 {
		t.Errorf("two drafts differ, or are empty (%d and %d bytes)", len(x), len(y))
	}
}

func FuzzDraft(f *testing.F) {
	f.Add("In Wien war Anna Huber. In Wien, H. G. Wells.", "de")
	f.Add("the Bank of ’s X’Y -Z \xff of Of", "en")
	f.Fuzz(func(t *testing.T, s, language string) {
		b := book(language, strings.Split(s, ".")...)
		if err := Validate(Draft(b), b); err != nil {
			t.Fatal(err)
		}
	})
}

// long is a made-up text of about n words.
func long(n int) manuscript.Book {
	names := strings.Fields("Gastein Salzburg Huber Newton Rauris Pinzgau Bischof Lungau Tauern Hallein Werfen Abtenau")
	var texts []string
	for i := 0; i*20 < n; i++ {
		texts = append(texts, fmt.Sprintf(
			"In the year of the survey the men went from %s to %s and measured every field. Nobody thought of %s.", names[i%len(names)],
			names[i*7%len(names)], names[i*5%11]))
	}
	return book("en", texts...)
}

func BenchmarkDraft100000Words(b *testing.B) {
	x := long(100_000)
	for b.Loop() {
		Draft(x)
	}
}
