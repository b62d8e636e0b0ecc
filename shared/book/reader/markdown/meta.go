package markdown

import (
	"html"
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// frontMatter takes the block of metadata between two lines --- off the top of a text.
func frontMatter(s string, m *manuscript.Meta) string {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s
	}
	block, rest, ok := strings.Cut(rest, "\n---")
	if !ok || len(block) > 1<<16 || strings.Contains(block, "\n\n") {
		if block, rest, ok = strings.Cut(s[4:], "\n...\n"); !ok || len(block) > 1<<16 {
			return s
		}
	}
	known := false
	for _, line := range strings.Split(block, "\n") {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		known = true
		value = source.Line(source.Clean(strings.Trim(strings.TrimSpace(value), `"'`)))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			m.Title = value
		case "subtitle":
			m.Subtitle = value
		case "author":
			m.Author = strings.Trim(value, "[]")
		case "lang", "language":
			m.Language = source.Tag(value)
		}
	}
	if !known {
		return s
	}
	_, rest, _ = strings.Cut(rest, "\n")
	return rest
}

// unescape resolves backslashes and entities of Markdown text.
func unescape(s string, raw bool) string {
	if raw || !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
			if s[i] == '&' {
				b.WriteString("&amp;")
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return html.UnescapeString(b.String())
}
