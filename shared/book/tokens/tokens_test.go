package tokens

import (
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// words is the words of a text.
func words(s string) (all []Word) {
	Each(s, func(w Word) { all = append(all, w) })
	return all
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"words between spaces", "one two three", 3},
		{"single letters do not count: they number lists and begin chapters", "a b two c", 1},
		{"numbers do not count", "1984 and 12", 1},
		{"signs divide words", "well-known, don’t; (so)", 4},
		{"German letters", "Grüße über Äpfel", 3},
		{"a soft hyphen does not divide", "Grund\u00adbuch", 1},
		{"a zero-width space does not divide", "Grund\u200bbuch", 1},
		{"a mark of byte order does not divide", "\ufeffGrundbuch", 1},
		{"other scripts", "слово λόγος", 2},
		{"bytes that are no UTF-8 divide", "one\xfftwo", 2},
	} {
		if got := Count(c.text); got != c.want {
			t.Errorf("%s: %q has %d words, want %d", c.name, c.text, got, c.want)
		}
	}
}

// TestTheSameWord: letter case, accents and how they are composed make no other word; letters do.
func TestTheSameWord(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Haus", "HAUS", true},
		{"café", "cafe\u0301", true},
		{"Über", "uber", true},
		{"Grundbuch", "Grund\u00adbuch", true},
		{"Haus", "Maus", false},
		{"ab", "ba", false},
		{"Haus", "Hau", false},
	} {
		if got := words(c.a)[0] == words(c.b)[0]; got != c.same {
			t.Errorf("%q and %q are the same word: %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

// TestComposedOrNot: the words of a text do not depend on its normal form.
func TestComposedOrNot(t *testing.T) {
	letter := rapid.RuneFrom([]rune("abcßäöüÄéñø -,1\u00ad\u200b"))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(letter).Draw(t, "text")
		a, b := words(norm.NFC.String(s)), words(norm.NFD.String(s))
		if len(a) != len(b) {
			t.Fatalf("%d words composed, %d not", len(a), len(b))
		}
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("word %d is %v composed, %v not", i, a[i], b[i])
			}
		}
	})
}

// TestJoinedTextsHaveTheWordsOfBoth: a space between two texts adds and takes no word.
func TestJoinedTextsHaveTheWordsOfBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if got, want := Count(a+" "+b), Count(a)+Count(b); got != want {
			t.Fatalf("%d words together, %d apart", got, want)
		}
	})
}
