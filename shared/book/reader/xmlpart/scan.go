// Package xmlpart reads the XML parts of documents: strictly well-formed, namespaces resolved, no document
// type, bounded in depth and number of elements. A part is read as small trees (a paragraph, a table), each
// in the memory of the one before; texts are parts of the input and copied only where they hold entities.
//
// It reads what encoding/xml reads and is some ten times faster, which a book of Word's runs needs;
// the tests hold it against encoding/xml.
package xmlpart

import (
	"fmt"
	"strings"

	"mappe/shared/book/reader/source"
)

// NS is a namespace a reader knows. None is the empty one, Foreign all others.
type NS uint8

// The namespaces that need no table.
const (
	None    NS = 0
	Foreign NS = 255
)

// Names are the namespaces a reader knows, by address.
type Names map[string]NS

// TokenKind is a kind of token.
type TokenKind uint8

// The kinds.
const (
	EOF TokenKind = iota
	Start
	End
	Text
)

// Attr is an attribute.
type Attr struct {
	NS          NS
	Name, Value string
}

// maxAttrs bounds the attributes of an element and the namespaces in force.
const maxAttrs = 1000

type binding struct {
	prefix string
	ns     NS
	depth  int
}

// Scanner reads tokens.
type Scanner struct {
	// Of the token that Next gave.
	NS    NS
	Name  string // of an element
	Text  string
	Attrs []Attr // valid until Next

	// Web lets through what pages for the web have: a document type without declarations, and the
	// entities of HTML.
	Web bool

	s        string
	at       int
	names    Names
	nesting  int
	open     []string // names with prefixes of the elements that are open
	bindings []binding
	pending  bool // the end of an empty element follows
	rooted   bool
}

// NewScanner reads s, as Decode gives it.
func NewScanner(s string, names Names, l source.Limits) *Scanner {
	return &Scanner{s: s, names: names, nesting: l.Nesting}
}

// Depth is the number of elements that are open.
func (x *Scanner) Depth() int { return len(x.open) }

func (x *Scanner) fail(format string, args ...any) error {
	return fmt.Errorf("xml: byte %d: %s", x.at, fmt.Sprintf(format, args...))
}

// text reads the text up to the next tag. Outside of the root only white space may stand.
func (x *Scanner) text() error {
	n := strings.IndexByte(x.s[x.at:], '<')
	if n < 0 {
		n = len(x.s) - x.at
	}
	raw := x.s[x.at : x.at+n]
	if len(x.open) == 0 {
		if strings.TrimSpace(raw) != "" {
			return x.fail("there is text outside of the root")
		}
		x.at += n
		return nil
	}
	t, err := x.unescape(raw)
	if err != nil {
		return err
	}
	x.at += n
	x.Text = t
	return nil
}

// Next reads a token; EOF after the end of the root.
func (x *Scanner) Next() (TokenKind, error) {
	if x.pending {
		x.pending = false
		return x.end()
	}
	for {
		if x.at >= len(x.s) {
			if len(x.open) > 0 {
				return EOF, x.fail("the element %s is not closed", x.open[len(x.open)-1])
			}
			if !x.rooted {
				return EOF, x.fail("there is no element")
			}
			return EOF, nil
		}
		if x.s[x.at] != '<' {
			if err := x.text(); err != nil {
				return EOF, err
			}
			if len(x.open) == 0 {
				continue
			}
			return Text, nil
		}
		rest := x.s[x.at:]
		switch {
		case len(rest) < 2:
			return EOF, x.fail("the text ends in a tag")
		case rest[1] == '/':
			return x.endTag()
		case rest[1] == '?':
			n := strings.Index(rest, "?>")
			if n < 0 {
				return EOF, x.fail("an instruction is not closed")
			}
			x.at += n + 2
		case strings.HasPrefix(rest, "<!--"):
			n := strings.Index(rest[4:], "-->")
			if n < 0 {
				return EOF, x.fail("a comment is not closed")
			}
			x.at += n + 7
		case strings.HasPrefix(rest, "<![CDATA["):
			n := strings.Index(rest, "]]>")
			if n < 0 || len(x.open) == 0 {
				return EOF, x.fail("a CDATA section is not closed or outside of the root")
			}
			x.Text = newlines(rest[9:n])
			x.at += n + 3
			return Text, nil
		case rest[1] == '!' && x.Web && len(x.open) == 0 && plainDoctype(rest) > 0:
			x.at += plainDoctype(rest)
		case rest[1] == '!':
			return EOF, source.Refuse(source.DocType,
				"The file holds a document type declaration, which no word processor writes. Open it in your word processor and save it as .docx.")
		default:
			return x.startTag()
		}
	}
}

// plainDoctype is the length of a document type that declares nothing, 0 of others.
func plainDoctype(s string) int {
	end := strings.IndexByte(s, '>')
	if len(s) < 9 || !strings.EqualFold(s[:9], "<!DOCTYPE") || end < 0 || strings.IndexByte(s[:end], '[') >= 0 {
		return 0
	}
	return end + 1
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (x *Scanner) skipSpace() {
	for x.at < len(x.s) && space(x.s[x.at]) {
		x.at++
	}
}

// name reads a name with its prefix.
func (x *Scanner) name() (string, error) {
	from := x.at
	for x.at < len(x.s) {
		switch c := x.s[x.at]; {
		case space(c), c == '/', c == '>', c == '=', c == '<', c == '"', c == '\'', c == '&':
		default:
			x.at++
			continue
		}
		break
	}
	if x.at == from {
		return "", x.fail("a name is missing")
	}
	return x.s[from:x.at], nil
}

func (x *Scanner) startTag() (TokenKind, error) {
	x.at++
	name, err := x.name()
	if err != nil {
		return EOF, err
	}
	if len(x.open) == 0 && x.rooted {
		return EOF, x.fail("there is a second root")
	}
	if len(x.open) >= x.nesting {
		return EOF, source.Refuse(source.TooComplex,
			"The file nests its elements more than %d deep. Save it anew from your word processor.", x.nesting)
	}
	x.rooted = true
	x.open = append(x.open, name)
	x.Attrs = x.Attrs[:0]
	prefixed := false
	for {
		x.skipSpace()
		if x.at >= len(x.s) {
			return EOF, x.fail("the tag %s is not closed", name)
		}
		switch x.s[x.at] {
		case '>':
			x.at++
		case '/':
			if x.at+1 >= len(x.s) || x.s[x.at+1] != '>' {
				return EOF, x.fail("a / stands in the tag %s", name)
			}
			x.at += 2
			x.pending = true
		default:
			p, err := x.attribute()
			if err != nil {
				return EOF, err
			}
			prefixed = prefixed || p
			continue
		}
		break
	}
	if prefixed {
		for i := range x.Attrs {
			a := &x.Attrs[i]
			if c := strings.IndexByte(a.Name, ':'); c > 0 && c < len(a.Name)-1 {
				a.NS = x.resolve(a.Name[:c])
				a.Name = a.Name[c+1:]
			}
		}
	}
	x.NS, x.Name = x.split(name)
	return Start, nil
}

// attribute reads one attribute; declarations of namespaces are bound and left out.
func (x *Scanner) attribute() (prefixed bool, err error) {
	name, err := x.name()
	if err != nil {
		return false, err
	}
	x.skipSpace()
	if x.at >= len(x.s) || x.s[x.at] != '=' {
		return false, x.fail("the attribute %s has no value", name)
	}
	x.at++
	x.skipSpace()
	if x.at >= len(x.s) || x.s[x.at] != '"' && x.s[x.at] != '\'' {
		return false, x.fail("the value of %s is not quoted", name)
	}
	q := x.s[x.at]
	x.at++
	n := strings.IndexByte(x.s[x.at:], q)
	if n < 0 {
		return false, x.fail("the value of %s is not closed", name)
	}
	raw := x.s[x.at : x.at+n]
	if strings.IndexByte(raw, '<') >= 0 {
		return false, x.fail("a < stands in the value of %s", name)
	}
	value, err := x.unescape(raw)
	if err != nil {
		return false, err
	}
	x.at += n + 1
	if len(x.Attrs) >= maxAttrs || len(x.bindings) >= maxAttrs {
		return false, x.fail("an element has more than %d attributes", maxAttrs)
	}
	if prefix, ok := strings.CutPrefix(name, "xmlns"); ok && (prefix == "" || prefix[0] == ':' && len(prefix) > 1) {
		ns, known := x.names[value]
		if !known && value != "" {
			ns = Foreign
		}
		x.bindings = append(x.bindings, binding{strings.TrimPrefix(prefix, ":"), ns, len(x.open)})
		return false, nil
	}
	x.Attrs = append(x.Attrs, Attr{Name: name, Value: value})
	return strings.IndexByte(name, ':') > 0, nil
}

func (x *Scanner) split(name string) (NS, string) {
	if c := strings.IndexByte(name, ':'); c > 0 && c < len(name)-1 {
		return x.resolve(name[:c]), name[c+1:]
	}
	return x.resolve(""), name
}

func (x *Scanner) resolve(prefix string) NS {
	for i := len(x.bindings) - 1; i >= 0; i-- {
		if x.bindings[i].prefix == prefix {
			return x.bindings[i].ns
		}
	}
	if prefix == "" {
		return None
	}
	return Foreign
}

func (x *Scanner) endTag() (TokenKind, error) {
	x.at += 2
	name, err := x.name()
	if err != nil {
		return EOF, err
	}
	x.skipSpace()
	if x.at >= len(x.s) || x.s[x.at] != '>' {
		return EOF, x.fail("the end of %s is not closed", name)
	}
	x.at++
	if len(x.open) == 0 || x.open[len(x.open)-1] != name {
		return EOF, x.fail("the end of %s has no beginning", name)
	}
	return x.end()
}

func (x *Scanner) end() (TokenKind, error) {
	d := len(x.open)
	x.NS, x.Name = x.split(x.open[d-1])
	for n := len(x.bindings); n > 0 && x.bindings[n-1].depth >= d; n-- {
		x.bindings = x.bindings[:n-1]
	}
	x.open = x.open[:d-1]
	return End, nil
}
