package bookindex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestKey: terms are sorted letter by letter, without accents, spaces and signs (DIN 5007-1).
func TestKey(t *testing.T) {
	for term, want := range map[string]string{
		"Wien": "wien", "Österreich": "osterreich", "Straße": "strasse", "Señor": "senor", "Ærø": "aero", "Łódź": "lodz",
		"New York": "newyork", "O’Neill": "oneill", "a-b": "ab", "1984": "1984", "…": "", "": "",
	} {
		if got := Key(term); got != want {
			t.Errorf("%q is sorted as %q, want %q", term, got, want)
		}
	}
}

// TestGroup: the letter above a group of entries; figures and signs have none.
func TestGroup(t *testing.T) {
	for term, want := range map[string]string{"wien": "W", "Österreich": "O", "ßa": "S", "1984": "", "«Zitat»": "Z", "Москва": "М", "": "",
		"—": ""} {
		if got := Group(term); got != want {
			t.Errorf("%q stands under %q, want %q", term, got, want)
		}
	}
}

// TestSortIsAnOrder: whatever the order of the entries was, it is the same afterwards, and keys rise.
func TestSortIsAnOrder(t *testing.T) {
	names := []string{"Wien", "wien", "Wiener", "Öl", "Ol", "1984", "New York", "Newton", "a", "Ä"}
	want := make([]Entry, 0, len(names)*2)
	for _, n := range names {
		want = append(want, newEntry(n, ""), newEntry(n, "history"))
	}
	Sort(want)
	for i := 1; i < len(want); i++ {
		if Key(want[i-1].Term) > Key(want[i].Term) {
			t.Errorf("%q stands before %q", want[i-1].Term, want[i].Term)
		}
		if want[i].Sub == "" && i > 0 && want[i-1].Term == want[i].Term {
			t.Errorf("the subject of %q stands before it", want[i].Term)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		got := rapid.Permutation(want).Draw(t, "entries")
		Sort(got)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v", got)
		}
	})
}

// TestWords: what the draft takes for a word, which words begin a sentence (marked with .) and which follow the
// one before after a space alone (marked with +).
func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words between spaces", "one two three", ".one +two +three"},
		{"a sentence ends", "One. Two three", ".One .Two +three"},
		{"no sentence begins behind a title", "Mr. Huber came", ".Mr Huber +came"},
		{"questions, cries and colons", "So? Yes! Thus: now", ".So .Yes .Thus .now"},
		{"quotations begin sentences", "he said “Yes”", ".he +said .Yes"},
		{"a comma parts words", "Huber, Anna", ".Huber Anna"},
		{"apostrophes and hyphens inside words", "O’Neill’s well-known don't", ".O’Neill’s +well-known +don't"},
		{"an apostrophe at the end is dropped", "the boys’ house", ".the +boys house"},
		{"initials keep the words together", "H. G. Wells", ".H +G +Wells"},
		{"no letters", "… — !", ""},
	} {
		var got []string
		for _, w := range words(nil, c.text) {
			mark := ""
			if w.start {
				mark += "."
			}
			if w.joined {
				mark += "+"
			}
			got = append(got, mark+w.s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.name, c.text, s, c.want)
		}
	}
}

// TestDraftChooses: which names of a text come into the draft of an index.
func TestDraftChooses(t *testing.T) {
	for _, c := range []struct {
		name, language string
		texts          []string
		want           []string
	}{
		{"a name in two paragraphs", "en", []string{"Here came Salzburg again.", "Nobody saw Salzburg then."}, []string{"Salzburg 2"}},
		{"a name in one paragraph alone is left out", "en", []string{"Here came Salzburg and Salzburg again."}, nil},
		{"a word that only begins sentences is no name", "en", []string{"Later it rained.", "Later it snowed."}, nil},
		{"a word that is also written small is no name", "en",
			[]string{"In the Valley it rained.", "In the Valley it snowed, and another valley lay dry, and the valley too."}, nil},
		{"weekdays and months are no names", "en", []string{"It was on Monday in May.", "And again on Monday in May."}, nil},
		{"forename and surname", "en", []string{"Then Anna Huber came.", "There was Anna Huber."}, []string{"Huber, Anna 2"}},
		{"the surname alone is the same person", "en", []string{"Then Anna Huber came.", "There was Anna Huber.", "Later they met Huber."},
			[]string{"Huber, Anna 3"}},
		{"the possessive is the same name", "en", []string{"Here came Salzburg again.", "They saw Salzburg’s houses."},
			[]string{"Salzburg 2"}},
		{"names that a comma parts are two", "en", []string{"He saw Salzburg, Vienna there.", "He saw Salzburg, Vienna there again."},
			[]string{"Salzburg 2", "Vienna 2"}},
		{"two sentences are two names", "en", []string{"He saw Salzburg. There Vienna was.", "He saw Salzburg. There Vienna was again."},
			[]string{"Salzburg 2", "Vienna 2"}},
		{"nothing", "en", nil, nil},
	} {
		if got := terms(Draft(book(c.language, c.texts...))); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
