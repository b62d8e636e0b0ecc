package manuscript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unfit are characters that no line has: breaks, what turns the direction of others (a mark of direction is
// fit), and what is no character.
var unfit = []*unicode.RangeTable{
	unicode.Cc, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
	{R16: []unicode.Range16{{Lo: 0x202A, Hi: 0x202E, Stride: 1}, {Lo: 0x2066, Hi: 0x2069, Stride: 1}}},
}

// Unfit says whether a character has no place in a line: a title, a name, a term.
func Unfit(c rune) bool { return unicode.In(c, unfit...) }

// OneLine says whether a text is one line of which something can be seen.
func OneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, Unfit) &&
		strings.ContainsFunc(s, func(c rune) bool { return unicode.In(c, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Co) })
}
