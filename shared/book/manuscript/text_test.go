package manuscript

import (
	"reflect"
	"testing"
)

func TestTextOfInlines(t *testing.T) {
	everything := []Inline{
		Text{S: " Der  "}, Text{S: "Weg", Style: Italic}, Target{Name: "weg"}, IndexMark{Term: "Wege"}, LineBreak{},
		Link{Href: "#mühle", Inlines: []Inline{Text{S: "zur"}, LineBreak{}, InlineImage{Alt: "ein Rad"}, Text{S: " Mühle"}}},
		NoteRef{Note: 3}, InlineImage{Alt: "ein Bach"},
	}
	for _, c := range []struct {
		name              string
		in                []Inline
		plain, line, flow string
	}{
		{"nothing", nil, "", "", ""},
		{"one text is given as it stands", []Inline{Text{S: " a  b "}}, " a  b ", "a b", " a  b "},
		{"only a note", []Inline{NoteRef{}}, "", "", ""},
		{"only a picture", []Inline{InlineImage{Alt: "a"}}, "", "", "\uFFFC"},
		{"everything", everything, " Der  Weg zur  Mühle", "Der Weg zur Mühle", " Der  Weg\nzur\n\uFFFC Mühle\uFFFC"},
	} {
		if got := Plain(c.in); got != c.plain {
			t.Errorf("%s: Plain %q, want %q", c.name, got, c.plain)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("%s: Line %q, want %q", c.name, got, c.line)
		}
		if got := Flow(c.in); got != c.flow {
			t.Errorf("%s: Flow %q, want %q", c.name, got, c.flow)
		}
	}
}

func TestPassagesComeInReadingOrder(t *testing.T) {
	say := func(s string) []Inline { return []Inline{Text{S: s}} }
	p := func(s string) Block { return &Paragraph{Inlines: say(s)} }
	blocks := []Block{
		&Heading{Inlines: say("1")}, p("2"), &SceneBreak{Mark: "*"}, &PageBreak{},
		&Quote{Blocks: []Block{p("3"), &Verse{Stanzas: [][]VerseLine{{{Inlines: say("4")}}, {{Inlines: say("5")}}}, Attribution: say("6")}}, Attribution: say("7")},
		&List{Items: [][]Block{{p("8"), p("9")}, {&List{Items: [][]Block{{p("10")}}}}}},
		&Table{Caption: say("11"), Rows: []Row{{Cells: []Cell{{Blocks: []Block{p("12")}}, {Blocks: []Block{p("13")}}}}}},
		&Figure{Caption: say("14")}, &Figure{}, &Code{Lines: []string{"15", "16"}},
	}
	want := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"}
	var got []string
	for in := range Passages(blocks) {
		got = append(got, Plain(in))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for stop := range want { // whoever has enough is given no more
		n := 0
		for range Passages(blocks) {
			if n++; n == stop+1 {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("%d passages after %d", n, stop+1)
		}
	}
}

func TestLabels(t *testing.T) {
	say := func(s string) []Inline { return []Inline{Text{S: s}} }
	for _, c := range []struct {
		language             string
		section              Section
		label, entry, called string
	}{
		{"en", Section{Kind: KindChapter, Number: "3", Title: say("The Storm")}, "Chapter 3", "3\u2002The Storm", "3. The Storm"},
		{"en", Section{Kind: KindChapter, Number: "3"}, "Chapter 3", "Chapter 3", "Chapter 3"},
		{"en", Section{Kind: KindPart, Number: "II", Title: say("The Sea")}, "Part II", "II\u2002The Sea", "II The Sea"},
		{"de-AT", Section{Kind: KindChapter, Number: "3", Title: say("Der Sturm")}, "3. Kapitel", "3\u2002Der Sturm", "3. Der Sturm"},
		{"DE", Section{Kind: KindChapter, Number: "Drei"}, "Kapitel Drei", "Kapitel Drei", "Kapitel Drei"},
		{"de", Section{Kind: KindPart, Number: "2"}, "2. Teil", "2. Teil", "2. Teil"},
		{"de", Section{Kind: KindPart, Number: "II"}, "Teil II", "Teil II", "Teil II"},
		{"de", Section{Kind: KindChapter}, "Kapitel", "", ""},
		{"en", Section{Kind: KindPreface, Title: []Inline{Text{S: "A "}, LineBreak{}, Text{S: "Preface by Dr.\u00a0X"}}}, "Chapter", "A Preface by Dr.\u00a0X", "A Preface by Dr. X"},
	} {
		if got := c.section.Label(c.language); got != c.label {
			t.Errorf("label %q, want %q", got, c.label)
		}
		if got := c.section.Entry(c.language); got != c.entry {
			t.Errorf("entry %q, want %q", got, c.entry)
		}
		if got := c.section.Called(c.language); got != c.called {
			t.Errorf("called %q, want %q", got, c.called)
		}
	}
}
