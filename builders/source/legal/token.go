package legal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind uint8

const (
	word   kind = iota
	number      // a parcel number by its form: 302, 302/5, .17
	other       // not a parcel number: 20891.23, 98c, 1/2/3
	mark        // a punctuation mark
)

// token is a piece of a text.
type token struct {
	kind kind
	text string
}

// maxTokens bounds what is read of one text.
const maxTokens = 200_000

// tokens takes a text apart.
func tokens(s string) []token {
	var out []token
	for len(s) > 0 && len(out) < maxTokens {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(r):
		case digit(s[0]) || s[0] == '.' && len(s) > 1 && digit(s[1]):
			var t token
			t, n = figures(s)
			out = append(out, t)
		case unicode.IsLetter(r):
			n = strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if n < 0 {
				n = len(s)
			}
			out = append(out, token{word, s[:n]})
		default:
			out = append(out, token{mark, s[:n]})
		}
		s = s[n:]
	}
	return out
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// figures reads what begins with a digit, or with a dot before one.
func figures(s string) (token, int) {
	n, slashes, points := 0, 0, 0
	if s[0] == '.' {
		n = 1
	}
	for n < len(s) {
		joins := n+1 < len(s) && digit(s[n+1]) && n > 0
		switch {
		case digit(s[n]):
		case s[n] == '/' && joins:
			slashes++
		case (s[n] == '.' || s[n] == ',') && joins && digit(s[n-1]):
			if s[n] == ',' { // a list without blanks: 12,13
				return token{form(slashes, points), s[:n]}, n
			}
			points++
		default:
			r, _ := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsLetter(r) {
				return token{form(slashes, points), s[:n]}, n
			}
			for n < len(s) {
				r, size := utf8.DecodeRuneInString(s[n:])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					break
				}
				n += size
			}
			return token{other, s[:n]}, n
		}
		n++
	}
	return token{form(slashes, points), s[:n]}, n
}

func form(slashes, points int) kind {
	if slashes > 1 || points > 0 {
		return other
	}
	return number
}
