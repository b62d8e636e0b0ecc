package spelling

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 3, 0},
		{"limit", "limit", 3, 0},
		{"limt", "limit", 3, 1},
		{"limitt", "limit", 3, 1},
		{"linit", "limit", 3, 1},
		{"lmiit", "limit", 3, 1}, // a swap is one error
		{"ca", "abc", 9, 3},      // no byte twice: not swap and insert
		{"vienna", "wien", 9, 3},
		{"a", "abcd", 3, 3},        // told by the lengths
		{"abcdef", "uvwxyz", 2, 2}, // no more than the limit
		{strings.Repeat("a", 300), strings.Repeat("a", 299) + "b", 3, 1},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%.10q to %.10q: want %d, got %d", c.a, c.b, c.want, got)
		}
	}
}

// Errors made one after the other are no further than they are many, and the way back is as long.
func TestErrorsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab]{0,80}`).Draw(t, "word")
		a, n := []byte(word), rapid.IntRange(0, 4).Draw(t, "errors")
		for range n {
			if i := rapid.IntRange(0, len(a)).Draw(t, "at"); i == len(a) || rapid.Bool().Draw(t, "insert") {
				a = append(a[:i:i], append([]byte{'c'}, a[i:]...)...)
			} else if rapid.Bool().Draw(t, "replace") {
				a[i] = 'd'
			} else {
				a = append(a[:i], a[i+1:]...)
			}
		}
		there, back := Distance(string(a), word, 100), Distance(word, string(a), 100)
		if there > n || there != back || (there == 0) != (string(a) == word) {
			t.Fatalf("%d errors from %q to %q: %d there, %d back", n, word, a, there, back)
		}
	})
}

// A letter of two bytes is one letter, and so is an error in it.
func TestOneErrorCountsLetters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"großmotten", "gromotten", true}, {"großmotten", "groxmotten", true}, {"größe", "grösse", false}, {"größe", "grßöe", true},
		{"müh", "möh", true}, {"müh", "mühe", true}, {"ß", "", true}, {"", "", false}, {"čž", "žč", true}, {"straße", "strase", true},
		{"äöü", "aou", false},
	} {
		if got := OneError(c.a, c.b); got != c.want || OneError(c.b, c.a) != c.want {
			t.Errorf("%q and %q: want %v, got %v", c.a, c.b, c.want, got)
		}
	}
}

// OneError agrees with Distance where a letter is a byte, and does not mind where it is more.
func TestOneError(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,7}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		umlauts := strings.NewReplacer("a", "ä", "b", "ö", "c", "ü") // which share their first byte
		if OneError(umlauts.Replace(a), umlauts.Replace(b)) != OneError(a, b) {
			t.Fatalf("%q and %q: another answer with umlauts", a, b)
		}
		if got, want := OneError(a, b), Distance(a, b, 9) == 1; got != want {
			t.Fatalf("%q and %q: want %v, got %v", a, b, want, got)
		}
	})
}
