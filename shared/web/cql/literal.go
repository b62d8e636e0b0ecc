package cql

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/web/format"
)

// operator is a comparison.
type operator string

const (
	equal     operator = "="
	different operator = "<>"
	less      operator = "<"
	more      operator = ">"
	atMost    operator = "<="
	atLeast   operator = ">="
)

// holds says whether the comparison is true of how a value compares with another.
func (o operator) holds(c int) bool {
	switch o {
	case equal:
		return c == 0
	case different:
		return c != 0
	case less:
		return c < 0
	case more:
		return c > 0
	case atMost:
		return c <= 0
	}
	return c >= 0
}

// turned is the operator with its sides exchanged.
func (o operator) turned() operator {
	switch o {
	case less:
		return more
	case more:
		return less
	case atMost:
		return atLeast
	case atLeast:
		return atMost
	}
	return o
}

// literalKind is the type of a literal.
type literalKind uint8

const (
	number literalKind = iota
	text
	boolean
)

func (k literalKind) String() string {
	return [...]string{"a number", "a text in single quotes", "TRUE or FALSE"}[k]
}

// literal is a value as it is written in a filter.
type literal struct {
	kind  literalKind
	text  string
	value float64 // of a number; 1 and 0 of a boolean
}

// of is the literal's kind that goes with a column; false for columns that hold lists and objects.
func of(t format.Type) (literalKind, bool) {
	switch t {
	case format.TypeString:
		return text, true
	case format.TypeBool:
		return boolean, true
	case format.TypeJSON:
		return 0, false
	}
	return number, true
}

// compare says how a value compares with the literal; false where the value is unknown.
func (l *literal) compare(v format.Value) (int, bool) {
	if l.kind == text {
		s, ok := v.Str()
		return strings.Compare(s, l.text), ok
	}
	f, ok := v.Float64()
	return cmp.Compare(f, l.value), ok
}

// number reads a number.
func numberOf(s string) (literal, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return literal{kind: number, value: v}, err == nil
}

// pattern is the pattern of LIKE: % stands for any characters, _ for one, a backslash takes the next character as
// it is.
type pattern []element

// element is a character of a pattern, or one that stands for others.
type element struct {
	char rune
	any  bool // %
	one  bool // _
}

func patternOf(s string) pattern {
	var p pattern
	escaped := false
	for _, c := range s {
		switch {
		case escaped:
			p, escaped = append(p, element{char: c}), false
		case c == '\\':
			escaped = true
		case c == '%':
			if n := len(p); n == 0 || !p[n-1].any {
				p = append(p, element{any: true})
			}
		case c == '_':
			p = append(p, element{one: true})
		default:
			p = append(p, element{char: c})
		}
	}
	if escaped {
		p = append(p, element{char: '\\'})
	}
	return p
}

// matches goes through the text once, and back to behind the last % where the rest does not fit: at most the
// product of both lengths.
func (p pattern) matches(s string) bool {
	at, from, retry := 0, -1, 0 // from: behind the last %; retry: where its rest is tried in s
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case at < len(p) && p[at].any:
			at++
			from, retry = at, i
		case at < len(p) && (p[at].one || p[at].char == c):
			at++
			i += size
		case from >= 0:
			_, size = utf8.DecodeRuneInString(s[retry:])
			retry += size
			at, i = from, retry
		default:
			return false
		}
	}
	for at < len(p) && p[at].any {
		at++
	}
	return at == len(p)
}
