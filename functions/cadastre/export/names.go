package export

import (
	"strings"
	"unicode"
)

// spellings are the ways in which one name is written: ß and ss, an umlaut and its two letters, Sankt and St.
var spellings = strings.NewReplacer("ß", "ss", "ä", "a", "ö", "o", "ü", "u", "ae", "a", "oe", "o", "ue", "u",
	"š", "s", "č", "c", "ž", "z", "é", "e", "á", "a", "ő", "o", "ű", "u")

// folded is a name without what its spellings differ in: Sankt Pölten, St. Poelten and ST.PÖLTEN are one.
func folded(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, w := range words {
		if w == "sankt" {
			w = "st"
		}
		b.WriteString(spellings.Replace(w))
	}
	return b.String()
}

// named are those of n names that are the one asked for: written the same but for capitals, or else folded
// the same.
func named(asked string, n int, name func(i int) string) []int {
	var same, like []int
	key := folded(asked)
	for i := range n {
		switch {
		case strings.EqualFold(name(i), strings.TrimSpace(asked)):
			same = append(same, i)
		case key != "" && folded(name(i)) == key:
			like = append(like, i)
		}
	}
	if same != nil {
		return same
	}
	return like
}
