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
		section               Section
		entry, compact, spoke string
	}{
		{Section{Kind: KindChapter, Label: "Chapter 3", Number: "3", Title: say("The Storm")}, "Chapter 3\u2002The Storm", "3\u2002The Storm", "3. The Storm"},
		{Section{Kind: KindChapter, Number: "3", Title: say("Chapter 3")}, "Chapter 3", "Chapter 3", "Chapter 3"},
		{Section{Kind: KindPart, Label: "Book II", Number: "II", Title: say("The Sea")}, "Book II\u2002The Sea", "II\u2002The Sea", "Book II: The Sea"},
		{Section{Kind: KindChapter, Label: "III", Number: "III", Title: say("Der Sturm")}, "III\u2002Der Sturm", "III\u2002Der Sturm", "III Der Sturm"},
		{Section{Kind: KindChapter, Label: "Drittes Kapitel", Number: "Drittes", Title: say("Der Sturm")}, "Drittes Kapitel\u2002Der Sturm", "Drittes Kapitel\u2002Der Sturm", "Drittes Kapitel: Der Sturm"},
		{Section{Kind: KindChapter, Number: "Erstes", Title: say("Erstes Kapitel")}, "Erstes Kapitel", "Erstes Kapitel", "Erstes Kapitel"},
		{Section{Kind: KindChapter}, "", "", ""},
		{Section{Kind: KindPreface, Title: []Inline{Text{S: "A "}, LineBreak{}, Text{S: "Preface by Dr.\u00a0X"}}}, "A Preface by Dr.\u00a0X", "A Preface by Dr.\u00a0X", "A Preface by Dr. X"},
	} {
		if got := c.section.Entry(true); got != c.entry {
			t.Errorf("entry %q, want %q", got, c.entry)
		}
		if got := c.section.Entry(false); got != c.compact {
			t.Errorf("entry without labels %q, want %q", got, c.compact)
		}
		if got := c.section.Called(); got != c.spoke {
			t.Errorf("called %q, want %q", got, c.spoke)
		}
	}
}
