package check

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The objects of a PDF: nil, bool, float64, str, name, []any, dict, ref, *stream, and op for the operators of
// page contents.
type (
	name string
	str  []byte
	dict map[name]any
	ref  int
	op   string
)

type stream struct {
	dict dict
	raw  []byte
}

// maxNesting bounds arrays and dictionaries in each other.
const maxNesting = 64

// maxNumber is more than any number of a file that has fewer bytes.
const maxNumber = 1 << 40

var errSyntax = errors.New("not the syntax of PDF")

// lexer reads objects one behind the other.
type lexer struct {
	b     []byte
	at    int
	depth int
}

func white(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func (l *lexer) space() {
	for l.at < len(l.b) {
		if c := l.b[l.at]; c == '%' {
			for l.at < len(l.b) && l.b[l.at] != '\n' && l.b[l.at] != '\r' {
				l.at++
			}
		} else if !white(c) {
			return
		} else {
			l.at++
		}
	}
}

func (l *lexer) ended() bool {
	l.space()
	return l.at >= len(l.b)
}

// object reads the next object or operator.
func (l *lexer) object() (any, error) {
	if l.ended() {
		return nil, fmt.Errorf("%w: it ends early", errSyntax)
	}
	switch c := l.b[l.at]; {
	case c == '/':
		return l.name()
	case c == '(':
		return l.literal()
	case c == '<' && l.at+1 < len(l.b) && l.b[l.at+1] == '<':
		l.at += 2
		return l.dict()
	case c == '<':
		return l.hex()
	case c == '[':
		l.at++
		return l.array()
	case delimiter(c):
		return nil, fmt.Errorf("%w: %q at byte %d", errSyntax, c, l.at)
	}
	w := l.word()
	switch w {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		n, err := strconv.ParseFloat(w, 64)
		if err != nil || len(w) > 32 || strings.Trim(w, "+-.0123456789") != "" || math.Abs(n) > maxNumber {
			return nil, fmt.Errorf("%w: the number %.40q", errSyntax, w)
		}
		return n, nil
	}
	return op(w), nil
}

func (l *lexer) word() string {
	start := l.at
	for l.at < len(l.b) && !white(l.b[l.at]) && !delimiter(l.b[l.at]) {
		l.at++
	}
	return string(l.b[start:l.at])
}

func (l *lexer) name() (any, error) {
	l.at++
	w := []byte(l.word())
	for i := 0; i+2 < len(w); i++ {
		if w[i] == '#' {
			n, err := strconv.ParseUint(string(w[i+1:i+3]), 16, 8)
			if err != nil {
				return nil, fmt.Errorf("%w: the name %.40q", errSyntax, w)
			}
			w = append(append(w[:i:i], byte(n)), w[i+3:]...)
		}
	}
	return name(w), nil
}

// literal reads a string in parentheses.
func (l *lexer) literal() (any, error) {
	l.at++
	if end := bytes.IndexAny(l.b[l.at:min(l.at+1<<10, len(l.b))], `()\`); end >= 0 && l.b[l.at+end] == ')' { // most are so
		out := str(l.b[l.at : l.at+end : l.at+end])
		l.at += end + 1
		return out, nil
	}
	out := str{}
	for level := 1; l.at < len(l.b); l.at++ {
		c := l.b[l.at]
		switch {
		case c == '(':
			level++
		case c == ')':
			if level--; level == 0 {
				l.at++
				return out, nil
			}
		case c == '\\' && l.at+1 < len(l.b):
			l.at++
			c = l.b[l.at]
			if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
				c = "\n\r\t\b\f"[i]
			} else if c >= '0' && c <= '7' {
				n := 0
				for k := 0; k < 3 && l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '7'; k++ {
					n = n*8 + int(l.b[l.at]-'0')
					l.at++
				}
				l.at--
				c = byte(n)
			}
		}
		out = append(out, c)
	}
	return nil, fmt.Errorf("%w: a string without its end", errSyntax)
}

func (l *lexer) hex() (any, error) {
	l.at++
	end := bytes.IndexByte(l.b[l.at:], '>')
	if end < 0 {
		return nil, fmt.Errorf("%w: a string without its end", errSyntax)
	}
	out, n, half := make(str, 0, (end+1)/2), byte(0), false
	for ; l.at < len(l.b); l.at++ {
		c := l.b[l.at]
		switch {
		case c == '>':
			if half {
				out = append(out, n<<4)
			}
			l.at++
			return out, nil
		case white(c):
			continue
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return nil, fmt.Errorf("%w: %q in a string of digits", errSyntax, c)
		}
		if half {
			out = append(out, n<<4|c)
		}
		n, half = c, !half
	}
	return nil, fmt.Errorf("%w: a string without its end", errSyntax)
}

func (l *lexer) enter() error {
	if l.depth++; l.depth > maxNesting {
		return fmt.Errorf("%w: more than %d objects in each other", errSyntax, maxNesting)
	}
	return nil
}

// array reads up to ]; two numbers and R become a reference.
func (l *lexer) array() (any, error) {
	out, err := l.until(']')
	return out, err
}

func (l *lexer) until(end byte) ([]any, error) {
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer func() { l.depth-- }()
	out := make([]any, 0, 16)
	for {
		if l.ended() {
			return nil, fmt.Errorf("%w: it ends early", errSyntax)
		}
		if l.b[l.at] == end {
			l.at++
			return out, nil
		}
		o, err := l.object()
		if err != nil {
			return nil, err
		}
		if o == op("R") {
			r, ok := reference(out)
			if !ok {
				return nil, fmt.Errorf("%w: a reference", errSyntax)
			}
			out = append(out[:len(out)-2], r)
			continue
		}
		if w, ok := o.(op); ok {
			return nil, fmt.Errorf("%w: %.40q", errSyntax, string(w))
		}
		out = append(out, o)
	}
}

// reference is what the last two of the objects mean before an R.
func reference(out []any) (ref, bool) {
	if len(out) < 2 {
		return 0, false
	}
	n, ok1 := out[len(out)-2].(float64)
	g, ok2 := out[len(out)-1].(float64)
	return ref(n), ok1 && ok2 && g == 0 && n >= 1 && n < maxObjects && n == float64(int(n))
}

func (l *lexer) dict() (any, error) {
	list, err := l.until('>')
	if err != nil {
		return nil, err
	}
	if l.at >= len(l.b) || l.b[l.at] != '>' || len(list)%2 != 0 {
		return nil, fmt.Errorf("%w: a dictionary", errSyntax)
	}
	l.at++
	out := dict{}
	for i := 0; i < len(list); i += 2 {
		k, ok := list[i].(name)
		if _, double := out[k]; !ok || double {
			return nil, fmt.Errorf("%w: the key %.40q of a dictionary", errSyntax, fmt.Sprint(list[i]))
		}
		out[k] = list[i+1]
	}
	return out, nil
}
