package reply

import "strings"

var umlauts = strings.NewReplacer("©", "(c)", "ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "–", "-", "—",
	"-", "²", "2")

// ASCII spells a text for a header value: browsers read header bytes as Latin-1, so UTF-8 would show
// as two wrong letters.
func ASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return '?'
		}
		return r
	}, umlauts.Replace(s))
}
