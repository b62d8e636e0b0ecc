package markdown

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// maxMeta bounds the block of metadata in bytes.
const maxMeta = 1 << 16

// metaLine is a line of such a block, as YAML has it: a key, what goes on with the key before, a remark or nothing.
// Prose between two rules is not metadata.
var metaLine = regexp.MustCompile(`^(?:[\w-]+:(?:\s.*)?|[ \t-].*|#.*|)$`)

// frontMatter takes the block of metadata between a line --- and a line --- or ... off the top of a text.
func frontMatter(s string, m *manuscript.Meta) string {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s
	}
	values, key := map[string][]string{}, ""
	for len(s)-len(rest) < maxMeta {
		line, after, more := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t")
		switch {
		case line == "---" || line == "...":
			if len(values) == 0 {
				return s
			}
			setMeta(m, values)
			return after
		case !more || !metaLine.MatchString(line):
			return s
		}
		rest = after
		name, value, named := strings.Cut(line, ":")
		if named = named && !strings.ContainsAny(line[:1], " \t-#"); named {
			key, line = strings.ToLower(name), value
		}
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-"))
		if line = source.Line(source.Clean(strings.Trim(line, `"'[]|>`))); key != "" &&
			(named || line != "" && !strings.HasPrefix(line, "#")) {
			values[key] = append(values[key], line)
		}
	}
	return s
}

// setMeta takes over what is known of the values of a block.
func setMeta(m *manuscript.Meta, values map[string][]string) {
	said := func(key, between string) string {
		return strings.Join(slices.DeleteFunc(values[key], func(v string) bool { return v == "" }), between)
	}
	m.Title, m.Subtitle, m.Author = said("title", " "), said("subtitle", " "), said("author", ", ")
	m.Language = source.Tag(cmp.Or(said("lang", ""), said("language", "")))
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
