package endpoint

import (
	"net/url"
	"strings"
)

// PlainPath is an escaped path without the escapes that say nothing: letters, digits and -._~ stand for themselves, other
// escapes have capitals (RFC 3986 6.2.2). %2F stays what it is, a slash within a value. The CDN chooses functions by this
// form of the path, and hands them the path as it was sent.
func PlainPath(escaped string) string {
	if strings.IndexByte(escaped, '%') < 0 {
		return escaped
	}
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		if escaped[i] != '%' || i+2 >= len(escaped) {
			b.WriteByte(escaped[i])
			continue
		}
		code := strings.ToUpper(escaped[i : i+3])
		c, err := url.PathUnescape(code)
		if err == nil && len(c) == 1 && unreserved(c[0]) {
			b.WriteString(c)
		} else {
			b.WriteString(code)
		}
		i += 2
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// plainURL is an address with PlainPath; the same one where it has it already.
func plainURL(u *url.URL) *url.URL {
	if u.RawPath == "" {
		return u
	}
	plain := *u
	plain.RawPath = PlainPath(u.RawPath)
	if (&url.URL{Path: u.Path}).EscapedPath() == plain.RawPath {
		plain.RawPath = ""
	}
	return &plain
}
