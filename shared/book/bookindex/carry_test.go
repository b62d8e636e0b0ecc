package bookindex

import (
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
	if lost != 1 || len(got[1].Locators) != 0 || len(got[0].Locators) != 2 || got[0].Locators[0] != want[0] || got[0].Locators[1] != want[1] {
		t.Errorf("lost %d, got %+v, want %+v", lost, got, want)
	}
	if len(e[1].Locators) != 1 {
		t.Error("the entries that were given are changed")
	}
}
