package manuscript

import (
	"slices"
	"testing"
)

// TestPlainAndFlow: Plain is what a text says in one line, Flow keeps the ends of lines and marks pictures.
func TestPlainAndFlow(t *testing.T) {
	for _, c := range []struct {
		name        string
		in          []Inline
		plain, line string
	}{
		{"texts in a row", []Inline{Text{S: "Ma"}, Text{S: "nu", Style: Bold}, Text{S: "script"}}, "Manuscript", "Manuscript"},
		{"a line break is a space", []Inline{Text{S: "one"}, LineBreak{}, Text{S: "two"}}, "one two", "one two"},
		{"the text of a link", []Inline{Text{S: "see "}, Link{Href: "#a", Inlines: []Inline{Text{S: "there"}}}}, "see there", "see there"},
		{"notes, marks and targets say nothing", []Inline{Text{S: "a"}, NoteRef{Note: 1}, IndexMark{Term: "x"}, Target{Name: "t"},
			Text{S: "b"}}, "ab", "ab"},
		{"a picture in a line says nothing", []Inline{Text{S: "a"}, InlineImage{Alt: "hill"}, Text{S: "b"}}, "ab", "ab"},
		{"Line has one space between words and none at the edges", []Inline{Text{S: "  one \t two "}}, "  one \t two ", "one two"},
		{"nothing", nil, "", ""},
	} {
		if got := Plain(c.in); got != c.plain {
			t.Errorf("%s: plain %q, want %q", c.name, got, c.plain)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("%s: line %q, want %q", c.name, got, c.line)
		}
	}
	if got := Flow([]Inline{Text{S: "one"}, LineBreak{}, Text{S: "two"}}); got != "one\ntwo" {
		t.Errorf("flow %q", got)
	}
}

// TestPassages: every text of the blocks once, in the order in which it is read, whatever it stands in.
func TestPassages(t *testing.T) {
	line := func(s string) []Inline { return []Inline{Text{S: s}} }
	p := func(s string) *Paragraph { return &Paragraph{Inlines: line(s)} }
	blocks := []Block{
		p("one"),
		&Heading{Level: 1, Inlines: line("two")},
		&PageBreak{},
		&List{Items: [][]Block{{p("three"), &List{Items: [][]Block{{p("four")}}}}, {p("five")}}},
		&Quote{Blocks: []Block{p("six")}, Attribution: line("seven")},
		&Verse{Stanzas: [][]VerseLine{{{Inlines: line("eight")}}, {{Inlines: line("nine")}}}},
	}
	var got []string
	for in := range Passages(blocks) {
		got = append(got, Plain(in))
	}
	want := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for in := range Passages(blocks) { // a reader may stop
		if Plain(in) == "three" {
			break
		}
	}
}

// TestKinds: a kind is before the text, in it or behind it, and has a name of its own.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range AllSectionKinds() {
		if k.Front() && k.Back() {
			t.Errorf("%s is front and back", k)
		}
		if k.String() == "" || names[k.String()] {
			t.Errorf("kind %d has no name of its own: %q", k, k)
		}
		names[k.String()] = true
	}
	for k, want := range map[SectionKind][2]bool{
		KindTitlePage: {true, false}, KindCopyright: {true, false}, KindDedication: {true, false}, KindPreface: {true, false},
		KindPart: {false, false}, KindChapter: {false, false}, KindOther: {false, false},
		KindAfterword: {false, true}, KindAppendix: {false, true}, KindGlossary: {false, true},
	} {
		if got := [2]bool{k.Front(), k.Back()}; got != want {
			t.Errorf("%s: front and back %v, want %v", k, got, want)
		}
	}
}

func TestStylesAreSets(t *testing.T) {
	both := Italic | Bold
	if !both.Has(Italic) || !both.Has(Bold) || !both.Has(both) || both.Has(SmallCaps) || Italic.Has(both) {
		t.Error("Has asks for all of a set")
	}
}
