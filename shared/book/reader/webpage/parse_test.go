package webpage

import (
	"strings"
	"testing"
	"unicode/utf16"

	. "mappe/infra/readertest"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// wide is a text in UTF-16, little endian, behind its byte order mark.
func wide(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// TestEncodings: the letters of a page by its byte order mark, as UTF-8 where it is that, else as Windows-1252 (HTML
// standard, 13.2.3), and by the declaration of XML.
func TestEncodings(t *testing.T) {
	const want = "§other |\np Häuser – für 5 €\n"
	const utf8, western = "<p>Häuser – für 5 €</p>", "<p>H\xe4user \x96 f\xfcr 5 \x80</p>"
	meta := func(s string) string { return "<html><head><meta " + s + "></head><body>" }
	for name, s := range map[string]string{
		"UTF-8 that declares nothing":   utf8,
		"UTF-8 that declares itself":    meta(`charset="utf-8"`) + utf8,
		"UTF-8 that says it is Western": meta(`charset="iso-8859-1"`) + utf8,
		"UTF-8 behind its mark":         "\xef\xbb\xbf" + utf8,
		"UTF-16":                        wide(utf8),
		"Western that declares nothing": western,
		"Western by its declaration":    meta(`charset="windows-1252"`) + western,
		"Western by an old declaration": meta(`http-equiv="Content-Type" content="text/html; charset=ISO-8859-1"`) + western,
		"Western in single quotes":      meta(`charset='windows-1252'`) + western,
		"Western as XML": `<?xml version="1.0" encoding="ISO-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><body>` +
			western + `</body></html>`,
		"UTF-8 as XML": `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body>` +
			utf8 + `</body></html>`,
		"UTF-8 as XML that is not well-formed":   `<html xmlns="http://www.w3.org/1999/xhtml"><body><br>` + utf8,
		"Western as XML that is not well-formed": `<html xmlns="http://www.w3.org/1999/xhtml"><body><br>` + western,
	} {
		b, _, err := Read([]byte(s), source.Default())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Replace(Outline(b), "p ⏎\n", "", 1); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	// One broken letter in a page of UTF-8 is one broken letter.
	b, _, err := Read([]byte("<p>Häuser, Gärten, Büsche, Bäume und \xe4hnliches über Öl</p>"), source.Default())
	if err != nil || !strings.Contains(Outline(b), "Häuser, Gärten, Büsche, Bäume und \ufffdhnliches über Öl") {
		t.Errorf("a broken letter: %v %s", err, Outline(b))
	}
}

// TestWhatAPageSaysOfItself: title, author and language of its head.
func TestWhatAPageSaysOfItself(t *testing.T) {
	for _, c := range []struct {
		page string
		want manuscript.Meta
	}{
		{`<html lang="de-AT"><head><title> Die  Mappe </title><meta name="author" content="Anna &amp; Ben"></head><p>x`,
			manuscript.Meta{Title: "Die Mappe", Author: "Anna & Ben", Language: "de-AT"}},
		{`<html xml:lang="fr" lang="de"><p>x`, manuscript.Meta{Language: "fr"}},
		{`<html lang="no language"><p>x`, manuscript.Meta{}},
		{`<head><title>One</title><title>Two</title></head><p>x<svg><title>A drawing</title></svg>`, manuscript.Meta{Title: "One"}},
		{`<p>x<svg><title>A drawing</title></svg>`, manuscript.Meta{}},
	} {
		b, _, err := Read([]byte(c.page), source.Default())
		if err != nil || b.Meta != c.want {
			t.Errorf("%s: %+v, %v", c.page, b.Meta, err)
		}
	}
}

// TestPagesBeyondTheLimits: a page that is too large, too deep or of too many elements is refused.
func TestPagesBeyondTheLimits(t *testing.T) {
	tight := source.Default()
	tight.Part, tight.Nesting, tight.Nodes = 4000, 30, 200
	for name, c := range map[string]struct{ page, code string }{
		"too large":          {strings.Repeat("x", 4001), source.TooLarge},
		"too deep":           {strings.Repeat("<div>", 40) + "x", source.TooComplex},
		"as deep as allowed": {strings.Repeat("<div>", 20) + "x" + strings.Repeat("</div>", 20), ""},
		"too deep as XML": {`<html xmlns="http://www.w3.org/1999/xhtml"><body>` + strings.Repeat("<div>",
			40) + "x" + strings.Repeat("</div>", 40) + "</body></html>", source.TooComplex},
	} {
		_, _, err := Read([]byte(c.page), tight)
		r, refused := err.(source.Refused)
		if refused != (c.code != "") || r.Code != c.code {
			t.Errorf("%s: %v, want %q", name, err, c.code)
		}
	}
}
