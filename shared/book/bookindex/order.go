package bookindex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// special are letters that do not fall apart into a base and an accent.
var special = strings.NewReplacer("ß", "ss", "ẞ", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "þ", "th", "ı", "i",
	"ħ", "h")

// Key is what a term is sorted by: letter by letter, accents dropped (ä as a, ß as ss: DIN 5007-1), spaces
// and punctuation passed over, figures before letters.
func Key(s string) string {
	var b strings.Builder
	for _, c := range norm.NFD.String(special.Replace(strings.ToLower(s))) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Group is the letter an entry stands under: A to Z, another script's letter, or "" for figures and signs.
func Group(term string) string {
	if c, _ := utf8.DecodeRuneInString(Key(term)); unicode.IsLetter(c) {
		return string(unicode.ToUpper(c))
	}
	return ""
}

// Sort orders entries by term, then subject; the term itself stands before its subjects.
func Sort(entries []Entry) {
	type keyed struct {
		term, sub string
		e         Entry
	}
	list := make([]keyed, len(entries))
	for i, e := range entries {
		list[i] = keyed{Key(e.Term), Key(e.Sub), e}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		for _, c := range []int{
			strings.Compare(a.term, b.term), strings.Compare(a.e.Term, b.e.Term),
			strings.Compare(a.sub, b.sub), strings.Compare(a.e.Sub, b.e.Sub), strings.Compare(a.e.ID, b.e.ID),
		} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
	for i := range list {
		entries[i] = list[i].e
	}
}
