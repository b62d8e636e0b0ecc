// Package weblink turns what authors write as the address of a link into an address that may stand in a file: in
// ASCII, as PDF (32000-1, 12.6.4.7) and RFC 3986 want it. It opens none.
package weblink

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxLength bounds the address of a link in bytes.
const maxLength = 2048

// Address gives an outside address as it may stand in a file, "" for any other: only http, https and
// mailto, with what no address may hold escaped and letters beyond ASCII in their own escapes (%C3%96 in a path,
// xn-- in a host). An address of Address stays as it is.
func Address(to string) string {
	to = strings.TrimSpace(to)
	if len(to) > maxLength {
		return ""
	}
	scheme, rest, ok := strings.Cut(to, ":")
	if !ok {
		return ""
	}
	scheme = strings.ToLower(scheme)
	switch scheme {
	case "mailto":
		if name, host, ok := strings.Cut(rest, "@"); !ok || name == "" || host == "" {
			return ""
		}
		return "mailto:" + escape(rest)
	case "http", "https":
	default:
		return ""
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return ""
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	place, err := ascii(rest[:end])
	if err != nil {
		return ""
	}
	out := scheme + "://" + place + escape(rest[end:])
	if u, err := url.Parse(out); err != nil || u.User != nil || !host(u.Hostname()) {
		return ""
	}
	return out
}

// ascii writes the letters of a host in ASCII (RFC 5891).
func ascii(place string) (string, error) {
	for i := range len(place) {
		if place[i] >= utf8.RuneSelf {
			return idna.Lookup.ToASCII(place)
		}
	}
	return place, nil
}

// host says whether a name or an address can be one.
func host(h string) bool {
	if _, err := netip.ParseAddr(h); err == nil {
		return true
	}
	if len(h) > 253 {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(h, "."), ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") || strings.HasPrefix(l, "xn--") && len(l) < 6 {
			return false
		}
		for _, c := range l {
			if c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				return false
			}
		}
	}
	last := labels[len(labels)-1]
	return strings.Trim(last, "0123456789") != "" // a number at the end asks for an IPv4 address
}

// escape writes as % and two digits what may not stand behind the host of an address.
func escape(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	fragment := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		bad := c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}[]", c) >= 0
		switch c {
		case '%':
			bad = i+2 >= len(s) || !hex(s[i+1]) || !hex(s[i+2])
		case '#':
			bad, fragment = fragment, true
		}
		if bad {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
