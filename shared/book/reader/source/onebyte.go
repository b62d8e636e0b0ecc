package source

import "unicode/utf8"

// OneByte says whether bytes are text in an encoding of one byte a letter rather than UTF-8: a few broken letters in
// UTF-8 are broken letters, text that is not UTF-8 has no valid ones.
func OneByte(b []byte) bool {
	good, bad := 0, 0 // letters of more than one byte
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		switch {
		case c == utf8.RuneError && n <= 1:
			bad++
		case n > 1:
			good++
		}
		b = b[max(n, 1):]
	}
	return bad > 0 && good <= 4*bad
}
