package forms

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/geo/geom"
)

// jsonReader reads a JSON text from front to back without building a tree. The first fault sticks;
// after it every call answers with zero values.
type jsonReader struct {
	b   []byte
	at  int
	err error
}

// maxDepth bounds nested values.
const maxDepth = 32

func (r *jsonReader) fail(want string) {
	if r.err == nil {
		end := min(len(r.b), r.at+20)
		r.err = fmt.Errorf("JSON at byte %d: %s expected, %q found", r.at, want, r.b[min(r.at, end):end])
	}
}

func (r *jsonReader) space() {
	for r.at < len(r.b) && (r.b[r.at] == ' ' || r.b[r.at] == '\n' || r.b[r.at] == '\t' || r.b[r.at] == '\r') {
		r.at++
	}
}

// peek is the next byte that is no space, 0 at the end or after a fault.
func (r *jsonReader) peek() byte {
	r.space()
	if r.err != nil || r.at >= len(r.b) {
		return 0
	}
	return r.b[r.at]
}

func (r *jsonReader) expect(c byte) {
	if r.peek() != c {
		r.fail(strconv.QuoteRune(rune(c)))
		return
	}
	r.at++
}

// more says whether another element of an array or object follows, and steps over the comma.
func (r *jsonReader) more(first bool, end byte) bool {
	if r.err != nil {
		return false
	}
	if r.peek() == end {
		r.at++
		return false
	}
	if !first {
		r.expect(',')
	}
	return r.err == nil
}

// members visits the members of an object; visit must read the value.
func (r *jsonReader) members(visit func(name string)) {
	r.expect('{')
	for first := true; r.more(first, '}'); first = false {
		name := r.str()
		r.expect(':')
		if r.err == nil {
			visit(name)
		}
	}
}

// str reads a string.
func (r *jsonReader) str() string {
	r.expect('"')
	if r.err != nil {
		return ""
	}
	start := r.at
	for r.at < len(r.b) && r.b[r.at] != '"' {
		if r.b[r.at] < ' ' {
			r.fail("a string")
			return ""
		}
		if r.b[r.at] == '\\' {
			r.at++
		}
		r.at++
	}
	if r.at >= len(r.b) {
		r.fail("the end of a string")
		return ""
	}
	raw := string(r.b[start:r.at])
	r.at++
	if !utf8.ValidString(raw) {
		r.fail("UTF-8")
		return ""
	}
	if !strings.Contains(raw, `\`) {
		return raw
	}
	return r.unescape(raw)
}

func (r *jsonReader) unescape(raw string) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		at := strings.IndexByte(`"\/bfnrt`, raw[i])
		if at >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[at])
			continue
		}
		if raw[i] != 'u' || i+4 >= len(raw) {
			r.fail("an escape")
			return ""
		}
		c, err := strconv.ParseUint(raw[i+1:i+5], 16, 32)
		if err != nil || c >= 0xD800 && c < 0xE000 { // the forms write other planes as UTF-8
			r.fail("an escape of the basic plane")
			return ""
		}
		out = utf8.AppendRune(out, rune(c))
		i += 4
	}
	return string(out)
}

// number reads the text of a number.
func (r *jsonReader) number() []byte {
	r.space()
	start := r.at
	for r.at < len(r.b) && strings.IndexByte("+-.eE0123456789", r.b[r.at]) >= 0 {
		r.at++
	}
	if start == r.at {
		r.fail("a number")
	}
	return r.b[start:r.at]
}

// degrees reads a number with at most 7 decimals as 1e-7 degrees, without rounding.
func (r *jsonReader) degrees() int32 {
	raw := r.number()
	v, decimals, digits := int64(0), -1, 0
	negative := len(raw) > 0 && raw[0] == '-'
	if negative {
		raw = raw[1:]
	}
	for _, c := range raw {
		switch {
		case c == '.' && decimals < 0:
			decimals = 0
		case c >= '0' && c <= '9' && decimals < 7 && digits < 11:
			v = v*10 + int64(c-'0')
			digits++
			if decimals >= 0 {
				decimals++
			}
		default:
			r.fail("degrees with at most 7 decimals")
			return 0
		}
	}
	for decimals = max(decimals, 0); decimals < 7; decimals++ {
		v *= 10
	}
	if digits == 0 || v > 180*geom.Scale {
		r.fail("degrees from -180 to 180")
		return 0
	}
	if negative {
		v = -v
	}
	return int32(v)
}

// cell reads a null, number, string or, as its own text, a nested value.
func (r *jsonReader) cell() cell {
	switch c := r.peek(); {
	case c == 'n':
		r.word("null")
		return cell{}
	case c == '"':
		return cell{kind: text, text: r.str()}
	case c == '{' || c == '[':
		start := r.at
		r.skip(0)
		return cell{kind: text, text: string(r.b[start:min(r.at, len(r.b))])}
	}
	v, err := strconv.ParseFloat(string(r.number()), 64)
	if err != nil {
		r.fail("a number")
	}
	return cell{kind: number, num: v}
}

func (r *jsonReader) word(w string) {
	if r.at+len(w) > len(r.b) || string(r.b[r.at:r.at+len(w)]) != w {
		r.fail(w)
		return
	}
	r.at += len(w)
}

// skip steps over one value and checks that it is one.
func (r *jsonReader) skip(depth int) {
	if depth > maxDepth {
		r.fail(fmt.Sprintf("at most %d nested values", maxDepth))
		return
	}
	switch r.peek() {
	case '{':
		r.members(func(string) { r.skip(depth + 1) })
	case '[':
		r.expect('[')
		for first := true; r.more(first, ']'); first = false {
			r.skip(depth + 1)
		}
	case '"':
		r.str()
	case 't':
		r.word("true")
	case 'f':
		r.word("false")
	case 'n':
		r.word("null")
	default:
		if _, err := strconv.ParseFloat(string(r.number()), 64); err != nil {
			r.fail("a number")
		}
	}
}
