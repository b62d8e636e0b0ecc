package clean

import (
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

const (
	englishText = "The house was old and the river ran below it, and nobody had been there for a year."
	germanText  = "Das Haus war alt und der Fluss lief unter ihm vorbei, und niemand war in dem Jahr dort."
	frenchText  = "La maison était vieille et le fleuve passait sous les murs, et dans la vallée on ne disait plus rien."
)

// TestLanguageOfABook: what the customer says wins; then what the file says, unless the text reads like another
// language by far; then the text; English where nobody says anything.
func TestLanguageOfABook(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s+" ", 12) }
	for _, c := range []struct{ name, wanted, file, text, want string }{
		{"nothing is said", "", "", "Hm.", "en"},
		{"the text is German", "", "", germanText, "de"},
		{"the text is French", "", "", frenchText, "fr"},
		{"the customer's word", "de-AT", "en", englishText, "de-AT"},
		{"the customer's word against a long text", "en-GB", "", many(germanText), "en-GB"},
		{"the file's word", "", "en-GB", englishText, "en-GB"},
		{"the file's word against a sentence", "", "en-US", germanText, "en-US"},
		{"the file's word against a long text", "", "en-US", many(germanText), "de"},
		{"the file's region stays where the text agrees", "", "de-CH", many(germanText), "de-CH"},
		{"German of the old spelling", "", "de", "Er wußte, daß er mußte, und der Fluß war gewiß naß.", "de-1901"},
		{"German of both spellings", "", "de", "Er wußte, dass er musste, und der Fluss war gewiss nass.", "de"},
		{"German that shall be of the new spelling", "de-1996", "", "Er wußte, daß er mußte, und der Fluß war gewiß naß.", "de-1996"},
	} {
		b, _ := Repair(manuscript.Book{Meta: manuscript.Meta{Language: c.file},
			Sections: []manuscript.Section{{Blocks: []manuscript.Block{para(c.text)}}}}, Options{Language: c.wanted})
		if b.Meta.Language != c.want {
			t.Errorf("%s: %s, want %s", c.name, b.Meta.Language, c.want)
		}
	}
}

// TestGuess: a text says its language by its common words; too few of them say nothing.
func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		englishText: "en", germanText: "de", frenchText: "fr", "": "", "Rio Grande": "", "the and of": "",
		strings.Repeat("Kukuruz Paradeiser Marille Erdapfel ", 20) + "der die und das den": "", // five common words among eighty
	} {
		if got, n := Guess(text); got != want || (n > 0) != (want != "") {
			t.Errorf("%.30q: %q by %d words, want %q", text, got, n, want)
		}
	}
}

// TestHabitsOfAnAuthor: where an author has set marks and dashes in a way of his own, what is mended follows him.
func TestHabitsOfAnAuthor(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"dashes between spaces in American English", "en", "a – b – c – d – e – f, then g -- h", "a – b – c – d – e – f, then g\u00a0– h"},
		{"dashes without spaces in British English", "en-GB", "a—b—c—d—e—f, then g -- h", "a—b—c—d—e—f, then g—h"},
		{"four dashes are no habit", "en-GB", "a—b—c—d—e, then f -- g", "a—b—c—d—e, then f\u00a0– g"},
		{"German dashes stay German", "de", "a—b—c—d—e—f, dann g -- h", "a—b—c—d—e—f, dann g\u00a0– h"},
		{"guillemets inwards, as most do here", "de", `»Eins« und »zwei«, „drei“ und "vier".`, `»Eins« und »zwei«, „drei“ und »vier«.`},
		{"low marks, as most do here", "de", `„Eins“ und „zwei“, »drei« und "vier".`, `„Eins“ und „zwei“, »drei« und „vier“.`},
		{"guillemets outwards", "de", `«Eins» und "zwei".`, `«Eins» und «zwei».`},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}
