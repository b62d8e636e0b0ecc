// Package tokens cuts a text into words in the one way that does not depend on how it is set: without signs,
// digits, accents and letter case. What left a file and what arrived in a book are compared by it. It owns no text.
package tokens

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// minLetters is the length of the shortest word that is counted. Single letters number lists and pages, stand
// apart as drop caps, and are made into other things in good faith.
const minLetters = 2

// Word is a row of letters: how many, and a hash of them in lower case and without accents (FNV-1a).
type Word struct {
	Hash    uint64
	Letters int
}

// Count is how many words a text has.
func Count(s string) int {
	n := 0
	Each(s, func(Word) { n++ })
	return n
}

// Each calls f for every word. What has no width stands in no word's way.
func Each(s string, f func(Word)) {
	const offset, prime = 14695981039346656037, 1099511628211
	w := Word{Hash: offset}
	for i := 0; i < len(s); {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case c < utf8.RuneSelf && (c|0x20 >= 'a' && c|0x20 <= 'z'):
			w.Hash = (w.Hash ^ uint64(c|0x20)) * prime
			w.Letters++
		case c < utf8.RuneSelf:
			if w.Letters >= minLetters {
				f(w)
			}
			w = Word{Hash: offset}
		// accents may be composed or not
		case unicode.IsMark(c), c == '\u00ad', c >= '\u200b' && c <= '\u200f', c == '\u2060', c == '\ufeff':
		case unicode.IsLetter(c):
			w.Hash = (w.Hash ^ uint64(unicode.ToLower(base(c)))) * prime
			w.Letters++
		default:
			if w.Letters >= minLetters {
				f(w)
			}
			w = Word{Hash: offset}
		}
	}
	if w.Letters >= minLetters {
		f(w)
	}
}

// base is a letter without the accents it is composed with: files write ä as one character or as two.
func base(c rune) rune {
	var b [utf8.UTFMax]byte
	d := norm.NFKD.Properties(b[:utf8.EncodeRune(b[:], c)]).Decomposition()
	if len(d) == 0 {
		return c
	}
	first, _ := utf8.DecodeRune(d)
	return first
}
