package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold is the spelling of a name that is compared: small letters and digits, words separated by one blank.
// What Austrian names are written with in several ways comes out the same:
//
//	letters    ä, ae and a; ö, oe and o; ü, ue and u; ß and ss; letters with other marks without them (č: c)
//	words      St. and Sankt; Gr. and Groß; Kl. and Klein; Str., -straße and -strasse; strasse behind a hyphen
//	between    hyphens, stops, slashes and blanks
//
// ue keeps its e behind a, e and q (Auen, Neue, Quelle): there it is no ü. Fold of a folded name is that name.
func Fold(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	b := make([]byte, 0, len(name)+8)
	for _, w := range words {
		end := len(b)
		if end > 0 {
			b = append(b, ' ')
		}
		start := len(b)
		if b = appendLetters(b, w); len(b) == start { // marks without a letter
			b = b[:end]
			continue
		}
		b = expand(b, start)
	}
	return string(b)
}

// Compact is Fold without blanks, for names whose words are joined as often as not: Bad Ischl, Badischl;
// Groß-Enzersdorf, Großenzersdorf.
func Compact(folded string) string { return strings.ReplaceAll(folded, " ", "") }

// appendLetters appends a word, its letters folded.
func appendLetters(b []byte, word string) []byte {
	start := len(b)
	for _, r := range word {
		r = unicode.ToLower(r)
		if r >= utf8.RuneSelf && plain[r] != 0 {
			r = plain[r]
		}
		switch {
		case r == 'e' && endsUmlaut(b[start:]):
		case r < utf8.RuneSelf:
			b = append(b, byte(r))
		case r == 'ß':
			b = append(b, "ss"...)
		case unicode.IsMark(r): // a mark that stands apart from its letter
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// endsUmlaut says whether an e behind these letters is the second half of an umlaut.
func endsUmlaut(word []byte) bool {
	n := len(word)
	if n == 0 {
		return false
	}
	switch word[n-1] {
	case 'a', 'o':
		return true
	case 'u':
		return n < 2 || !strings.ContainsRune("aeq", rune(word[n-2]))
	}
	return false
}

// plain are letters with marks, of the languages in which places of Austria have names, without them.
var plain = marks(
	"a", "äáàâãåăąæ", "c", "čćçĉ", "d", "ďđ", "e", "éèêëěę", "g", "ğ", "i", "íìîïı", "l", "ľĺł", "n", "ňńñ",
	"o", "öóòôõőøœ", "r", "řŕ", "s", "šśşș", "t", "ťțţ", "u", "üúùûůű", "y", "ýÿ", "z", "žźż",
)

func marks(pairs ...string) map[rune]rune {
	m := map[rune]rune{}
	for i := 0; i < len(pairs); i += 2 {
		for _, r := range pairs[i+1] {
			m[r] = rune(pairs[i][0])
		}
	}
	return m
}

// expand writes out the abbreviation that the word from start on is or ends with.
func expand(b []byte, start int) []byte {
	switch word := string(b[start:]); {
	case word == "st":
		return append(b[:start], "sankt"...)
	case word == "gr":
		return append(b[:start], "gross"...)
	case word == "kl":
		return append(b[:start], "klein"...)
	case strings.HasSuffix(word, "str"):
		return append(b, "asse"...)
	}
	return b
}
