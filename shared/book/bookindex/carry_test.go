package bookindex

import (
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

func TestCarry(t *testing.T) {
	before := book("en", "The road to Gastein.", "A mill in Gastein.", "Snow in Rauris.", "The end.")
	after := book("en", "A new beginning.", "The road to Gastein.", "An old mill in Gastein, he said.", "The end.")
	at := func(b manuscript.Book, i int) string {
		return Anchor(b).Sections[0].Blocks[i].(*manuscript.Paragraph).Anchor
	}
	e := []Entry{newEntry("Gastein", ""), newEntry("Rauris", "")}
	e[0].Locators = []Locator{{Anchor: at(before, 0), EndAnchor: at(before, 3)}, {Anchor: at(before, 1)}}
	e[1].Locators = []Locator{{Anchor: at(before, 2)}}
	got, lost := Carry(e, after)
	if err := Validate(got, after); err != nil {
		t.Fatal(err)
	}
	want := []Locator{{Anchor: at(after, 1), EndAnchor: at(after, 3)}, {Anchor: at(after, 2)}}
	if lost != 1 || len(got[1].Locators) != 0 || len(got[0].Locators) != 2 || got[0].Locators[0] != want[0] ||
		got[0].Locators[1] != want[1] {
		t.Errorf("lost %d, got %+v, want %+v", lost, got, want)
	}
	if len(e[1].Locators) != 1 {
		t.Error("the entries that were given are changed")
	}
}

func TestSingleSpaces(t *testing.T) {
	for _, s := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\nb", "a\u00a0b", "Ä ö  ü ", "a b c"} {
		if got, want := single(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestCarryToAnotherNumber: a chapter put in front gives all the others another number.
func TestCarryToAnotherNumber(t *testing.T) {
	chapter := func(number string, texts ...string) manuscript.Section {
		return manuscript.Section{Kind: manuscript.KindChapter, Number: number, Blocks: paragraphs(texts...)}
	}
	before := manuscript.Book{Sections: []manuscript.Section{
		chapter("1", "The road to Gastein.", "Yes.", "A mill in Gastein.", "Snow in Gastein.", "The end of it."),
		chapter("2", "Yes.", "Newton came."),
	}}
	after := manuscript.Book{Sections: []manuscript.Section{
		chapter("1", "A new beginning in Gastein.", "Yes."),
		chapter("2", "The road to Gastein.", "Yes.", "A mill in Gastein.", "Deep snow in Gastein.", "The end of it."),
		chapter("3", "Yes.", "Newton came."),
	}}
	at := func(b manuscript.Book, section, i int) string {
		return Anchor(b).Sections[section].Blocks[i].(*manuscript.Paragraph).Anchor
	}
	e := newEntry("Gastein", "")
	e.Keep, e.SeeAlso = false, []string{"Mill"}
	e.Locators = []Locator{{Anchor: at(before, 0, 0), EndAnchor: at(before, 0, 4)}, {Anchor: at(before, 0, 1)}, {Anchor: at(before, 0, 2)},
		{Anchor: at(before, 0, 3), EndAnchor: "p0-gone"}, {Anchor: at(before, 1, 1)}, {Anchor: "p0-gone"}}
	got, lost := Carry([]Entry{e}, after)
	want := []Locator{{Anchor: at(after, 1, 0), EndAnchor: at(after, 1, 4)}, {Anchor: at(after, 1, 1)}, {Anchor: at(after, 1, 2)},
		{Anchor: at(after, 1, 3)}, {Anchor: at(after, 2, 1)}}
	if !slices.Equal(got[0].Locators, want) || lost != 1 || got[0].Keep || got[0].SeeAlso[0] != "Mill" {
		t.Errorf("lost %d, got %+v\nwant %+v", lost, got[0], want)
	}
	if n, m := len(e.Locators), e.Locators[0].Anchor; n != 6 || m != at(before, 0, 0) {
		t.Error("the entry that was given is changed")
	}
}

func TestTermsAreWords(t *testing.T) {
	for _, c := range []struct {
		text, term string
		want       bool
	}{
		{"the art of it", "art", true}, {"they started", "art", false}, {"two arts", "art", true}, {"the artist", "art", false},
		{"started an art", "art", true}, {"des hubers haus", "huber", true}, {"bad gastein", "gastein", true},
		{"badgastein", "gastein", false},
		{"ägypten", "gypten", false}, {"", "a", false}, {"a", "", false},
	} {
		if got := has(c.text, c.term); got != c.want {
			t.Errorf("%q in %q: %v", c.term, c.text, got)
		}
	}
}

// TestCarriedIndexIsValid: whatever became of the manuscript, what is carried can be set with it.
func TestCarriedIndexIsValid(t *testing.T) {
	before := long(3000)
	e := Draft(before)
	for _, step := range []int{2, 3, 7} {
		after := before
		after.Sections = []manuscript.Section{before.Sections[0]}
		after.Sections[0].Title = []manuscript.Inline{manuscript.Text{S: "Another title"}}
		after.Sections[0].Blocks = nil
		for i, b := range before.Sections[0].Blocks {
			if i%step > 0 {
				after.Sections[0].Blocks = append(after.Sections[0].Blocks, b)
			}
		}
		got, lost := Carry(e, after)
		if err := Validate(got, after); err != nil {
			t.Error(err)
		}
		places := 0
		for i := range e {
			places += len(e[i].Locators) - len(got[i].Locators)
		}
		if len(got) != len(e) || places < lost || lost == 0 {
			t.Errorf("%d of %d entries, %d places fewer, %d lost", len(got), len(e), places, lost)
		}
	}
}
