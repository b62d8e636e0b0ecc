package epub

import (
	"regexp"
	"unicode/utf8"
)

// markup writes XML: what is opened is closed in order, everything from outside is escaped.
type markup struct {
	b    []byte
	open []string
}

// start opens an element. Attributes are pairs of name and value; one without a value is left out, unless
// it is alt, whose emptiness says something.
func (m *markup) start(name string, attrs ...string) {
	m.tag(name, attrs)
	m.b = append(m.b, '>')
	m.open = append(m.open, name)
}

// empty writes an element without content.
func (m *markup) empty(name string, attrs ...string) {
	m.tag(name, attrs)
	m.b = append(m.b, "/>"...)
}

func (m *markup) tag(name string, attrs []string) {
	m.b = append(append(m.b, '<'), name...)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" && attrs[i] != "alt" {
			continue
		}
		m.b = append(append(append(m.b, ' '), attrs[i]...), `="`...)
		m.text(attrs[i+1])
		m.b = append(m.b, '"')
	}
}

// end closes the element opened last.
func (m *markup) end() {
	last := len(m.open) - 1
	m.b = append(append(append(m.b, "</"...), m.open[last]...), '>')
	m.open = m.open[:last]
}

// line closes the element opened last and begins a line.
func (m *markup) line() {
	m.end()
	m.b = append(m.b, '\n')
}

// text escapes characters; those that XML does not have are left out.
func (m *markup) text(s string) {
	for i := 0; i < len(s); {
		c, w := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && w == 1:
			m.b = append(m.b, "\uFFFD"...)
		case c == '&':
			m.b = append(m.b, "&amp;"...)
		case c == '<':
			m.b = append(m.b, "&lt;"...)
		case c == '>':
			m.b = append(m.b, "&gt;"...)
		case c == '"':
			m.b = append(m.b, "&quot;"...)
		case c < 0x20 && c != '\t' && c != '\n', c >= 0x7f && c <= 0x9f, c == 0xfffe, c == 0xffff:
		default:
			m.b = append(m.b, s[i:i+w]...)
		}
		i += w
	}
}

// element writes an element that holds only text.
func (m *markup) element(name, text string, attrs ...string) {
	m.start(name, attrs...)
	m.text(text)
	m.line()
}

// tagShape is what a language tag has to look like: language, script, region, variants (RFC 5646).
var tagShape = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*$`)

// language gives a tag that may stand in a file, "" for anything else.
func language(tag string) string {
	if len(tag) > 35 || !tagShape.MatchString(tag) {
		return ""
	}
	return tag
}
