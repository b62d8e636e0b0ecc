package census

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// HTML gives the text of a page.
func HTML(b []byte, _ source.Limits) ([]Passage, error) { return page(xmlpart.Decode(b)), nil }

// silent are the elements whose text no page shows. A reading above a line (rt) is set by nothing and told.
var silent = map[string]bool{"head": true, "script": true, "style": true, "template": true, "noscript": true, "title": true, "svg": true,
	"math": true, "select": true, "textarea": true, "button": true, "rt": true, "rp": true, "rtc": true}

// inline are the elements that end no paragraph.
var inline = map[string]bool{
	"a": true, "abbr": true, "b": true, "bdi": true, "bdo": true, "big": true, "cite": true, "code": true, "data": true, "del": true,
	"dfn": true, "em": true,
	"font": true, "i": true, "ins": true, "kbd": true, "mark": true, "q": true, "ruby": true, "rb": true, "s": true, "samp": true,
	"small": true, "span": true,
	"strike": true, "strong": true, "sub": true, "sup": true, "time": true, "tt": true, "u": true, "var": true, "wbr": true,
}

// page gives the text of a page, by its tags alone.
func page(s string) []Passage {
	var p passages
	z := html.NewTokenizer(strings.NewReader(s))
	quiet := "" // the element whose end is waited for
	depth := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.end()
			return p.out
		case html.TextToken:
			if quiet == "" {
				p.b.WriteString(html.UnescapeString(string(z.Raw())))
			}
		case html.StartTagToken:
			name, more := z.TagName()
			switch n := string(name); {
			case quiet == n:
				depth++
			case quiet != "":
			case silent[n], n == "a" && more && backlink(z):
				quiet, depth = n, 1
			case !inline[n]:
				p.end()
			}
		case html.SelfClosingTagToken:
			if name, _ := z.TagName(); quiet == "" && !inline[string(name)] {
				p.end()
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch n := string(name); {
			case quiet == n:
				if depth--; depth == 0 {
					quiet = ""
				}
			case quiet == "" && !inline[n]:
				p.end()
			}
		}
	}
}

// backlink says whether a link leads from a note back to its reference, by its attributes.
func backlink(z *html.Tokenizer) bool {
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "epub:type", "role", "class":
			if s := string(value); strings.Contains(s, "backlink") || strings.Contains(s, "referrer") ||
				strings.Contains(s, "footnote-back") {
				return true
			}
		}
	}
	return false
}

// Markdown gives the lines of a Markdown text without what its marks say: the fields before it, addresses,
// tags, names of notes and of languages.
func Markdown(s string) []Passage {
	s = fields.ReplaceAllString(s, "")
	return Plain(signs.ReplaceAllString(s, " "))
}

var (
	fields = regexp.MustCompile(`(?s)\A\x{feff}?---\r?\n.*?\n(---|\.\.\.)\r?\n`)
	signs  = regexp.MustCompile("(?s)<!--.*?-->|<[a-zA-Z/!?][^>]*>|!\\[[^\\]]*\\]\\([^)]*\\)|\\]\\([^)\\s]*(\\s+\"[^\"]*\")?\\)|(?m:^ {0,3}\\[[^\\]\\n]+\\]:[^\\n]*$)|\\[\\^[^\\]\\n]+\\]:?|&#?\\w+;|\\{[#.][^}\\n]*\\}|(?m:^ {0,3}(```|~~~)[^\\n]*$)")
)

// Plain gives the lines of a text.
func Plain(s string) []Passage { return strings.Split(s, "\n") }
