package format

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// plain tells the bytes that a JSON string carries as they are: printable ASCII except the quote and
// the backslash.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x7f; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// plain8 says whether the first eight bytes of a text are plain. A byte that is not sets the top bit of
// its lane in one of the terms; a borrow may set more, but only where one is set already.
func plain8(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(
		s[6])<<48 | uint64(s[7])<<56
	quote, slash := x^'"'*ones, x^'\\'*ones
	return ((x-' '*ones)|(x+ones)|(quote-ones)|(slash-ones)|x)&tops == 0
}

// appendString writes a JSON string. Invalid UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, so
// that the text is also a JavaScript literal (JSONP).
func appendString(b []byte, s string) []byte {
	i := 0
	for len(s)-i >= 8 && plain8(s[i:]) {
		i += 8
	}
	for i < len(s) && plain[s[i]] {
		i++
	}
	b = append(b, '"')
	if i == len(s) {
		b = append(b, s...)
		return append(b, '"')
	}
	start := 0
	for i < len(s) {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, s[start:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			default:
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(b, s[start:i]...)
			b = append(b, `\ufffd`...)
			i++
			start = i
			continue
		}
		if r == '\u2028' || r == '\u2029' {
			b = append(b, s[start:i]...)
			b = append(b, `\u202`...)
			b = append(b, hexDigits[r&15])
			i += n
			start = i
			continue
		}
		i += n
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
