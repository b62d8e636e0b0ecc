package weblink

import (
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org":                      "https://example.org",
		"HTTP://example.org/a b":                   "http://example.org/a%20b",
		"https://example.org/ä?q=%zz#a#b":          "https://example.org/%C3%A4?q=%25zz#a%23b",
		"https://münchen.example/Öl":               "https://xn--mnchen-3ya.example/%C3%96l",
		"https://de.wikipedia.org/wiki/Österreich": "https://de.wikipedia.org/wiki/%C3%96sterreich",
		"https://192.0.2.1:8080/x":                 "https://192.0.2.1:8080/x",
		"mailto:a@example.org?subject=x y":         "mailto:a@example.org?subject=x%20y",
		"https://user:pw@example.org/":             "", "https:///x": "", "https://a..b/": "", "https://exa mple/": "",
		"https://1.2.3.999/": "", "https://": "",
		"mailto:": "", "mailto:nobody": "", "javascript:alert(1)": "", "data:text/html,x": "", "file:///etc/passwd": "",
		"//example.org": "", "ftp://example.org": "", "": "",
		"https://example.org/" + strings.Repeat("a", maxLength): "",
	} {
		if got := Address(in); got != want {
			t.Errorf("%.60q is %q, want %q", in, got, want)
		}
		if want != "" && Address(want) != want {
			t.Errorf("%q is changed again, to %q", want, Address(want))
		}
	}
}
