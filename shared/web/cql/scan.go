package cql

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/web/fault"
)

// tokenKind tells tokens apart.
type tokenKind uint8

const (
	end tokenKind = iota
	word
	quoted // a column in double quotes
	textual
	numeric
	sign // an operator, a parenthesis, a comma
)

// token is a word of a filter.
type token struct {
	kind tokenKind
	text string // without quotes
	at   int    // where it begins in the filter
}

// is says whether the token is this keyword, in any case.
func (t token) is(keyword string) bool { return t.kind == word && strings.EqualFold(t.text, keyword) }

// scanner cuts a filter into tokens.
type scanner struct {
	text string
	at   int
}

func (s *scanner) next() (token, error) {
	s.at += len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], " \t\r\n"))
	t := token{at: s.at}
	if s.at == len(s.text) {
		return t, nil
	}
	c, _ := utf8.DecodeRuneInString(s.text[s.at:])
	switch {
	case c == '\'':
		t.kind = textual
		return t, s.quote(&t, '\'')
	case c == '"':
		t.kind = quoted
		return t, s.quote(&t, '"')
	case unicode.IsDigit(c), c == '.', c == '-', c == '+':
		t.kind, t.text = numeric, s.while(func(i int, c rune) bool {
			sign := c == '-' || c == '+'
			return unicode.IsDigit(c) || c == '.' || c == 'e' || c == 'E' ||
				sign && (i == 0 || strings.ContainsRune("eE", rune(s.text[s.at+i-1])))
		})
	case unicode.IsLetter(c), c == '_':
		t.kind, t.text = word, s.while(func(_ int, c rune) bool {
			return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("_.", c)
		})
	case strings.ContainsRune("<>=(),", c):
		t.kind, t.text = sign, s.text[s.at:s.at+1]
		if two := s.text[s.at:min(s.at+2, len(s.text))]; two == "<>" || two == "<=" || two == ">=" {
			t.text = two
		}
		s.at += len(t.text)
	default:
		return t, s.wrong(s.at, "a column, a value, a keyword, one of = <> < > <= >= ( ) and the comma")
	}
	return t, nil
}

// while takes characters as long as they belong together.
func (s *scanner) while(belongs func(i int, c rune) bool) string {
	from := s.at
	for i, c := range s.text[from:] {
		if !belongs(i, c) {
			s.at = from + i
			return s.text[from:s.at]
		}
	}
	s.at = len(s.text)
	return s.text[from:]
}

// quote takes a text in quotes; a quote in it is doubled, or has a backslash before it.
func (s *scanner) quote(t *token, mark byte) error {
	var b strings.Builder
	for i := s.at + 1; i < len(s.text); i++ {
		c := s.text[i]
		following := byte(0)
		if i+1 < len(s.text) {
			following = s.text[i+1]
		}
		switch {
		case c == '\\' && following == mark, c == mark && following == mark:
			b.WriteByte(mark)
			i++
		case c == mark:
			t.text, s.at = b.String(), i+1
			return nil
		default:
			b.WriteByte(c)
		}
	}
	return s.wrong(s.at, fmt.Sprintf("a closing %c", mark))
}

// shown is how much of a filter is quoted in a fault.
const shown = 30

// wrong is the fault of what stands at a byte of the filter.
func (s *scanner) wrong(at int, expected string) error {
	rest := s.text[at:]
	if len(rest) > shown {
		n := shown
		for !utf8.RuneStart(rest[n]) {
			n--
		}
		rest = rest[:n] + "…"
	}
	if rest == "" {
		rest = "its end"
	}
	return fault.BadValue("filter", fmt.Sprintf("%s (at character %d)", rest, utf8.RuneCountInString(s.text[:at])+1), expected)
}
