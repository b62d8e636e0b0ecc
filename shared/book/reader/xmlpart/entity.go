package xmlpart

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

func newlines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// unescape resolves the five entities and characters by number.
func (x *Scanner) unescape(s string) (string, error) {
	s = newlines(s)
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		b = append(b, s[:i]...)
		n := strings.IndexByte(s[i:min(len(s), i+40)], ';')
		if n < 0 {
			return "", x.fail("an entity is not closed")
		}
		c, ok := entity(s[i+1 : i+n])
		if !ok && x.Web {
			if t := html.UnescapeString(s[i : i+n+1]); !strings.HasPrefix(t, "&") {
				b = append(b, t...)
				s = s[i+n+1:]
				continue
			}
		}
		if !ok {
			return "", x.fail("the entity %q is unknown", s[i:i+n+1])
		}
		b = utf8.AppendRune(b, c)
		s = s[i+n+1:]
	}
	return string(append(b, s...)), nil
}

func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, number := strings.CutPrefix(name, "#")
	if !number {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, false
	}
	return rune(n), true
}
