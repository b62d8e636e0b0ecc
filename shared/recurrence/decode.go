package recurrence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Decode reads a request's JSON. Unknown members, members given twice, other types and a second value are
// refused, each with the index of its rule.
func Decode(body []byte) (Request, error) {
	if len(body) > MaxBody {
		return Request{}, refuse("body", fmt.Sprintf("%d bytes", len(body)), fmt.Sprintf("a body of at most %d bytes", MaxBody))
	}
	return DecodeUnbounded(body)
}

// DecodeUnbounded is Decode for bodies of one's own, of any size.
func DecodeUnbounded(body []byte) (Request, error) {
	var r Request
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if err := checkBody(body); err != nil {
		return r, err
	}
	if err := json.Unmarshal(body, &r); err != nil { // checkBody has looked at all there is
		return r, refuse("body", "", wholeBody)
	}
	return r, nil
}

var requestMembers, ruleMembers = membersOf[Request](), membersOf[Rule]()

// member is a written member of the body: its name and the sort of Go value it is read into.
type member struct {
	name string
	kind reflect.Kind // String, Pointer (to a number) or Slice (of texts)
}

func membersOf[T any]() []member {
	var list []member
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, member{name, t.Field(i).Type.Kind()})
	}
	return list
}

func checkBody(body []byte) error {
	if !json.Valid(body) {
		return noJSON(body)
	}
	c := checker{}
	c.object((&cursor{s: body}).value(), "body", requestMembers, c.request)
	if len(c.list) > 0 {
		return c.list
	}
	return nil
}

// wholeBody is what a body is.
const wholeBody = "an object of rules and limit, in JSON"

// noJSON says where a body stops being JSON, counting bytes from 0, and what stands there.
func noJSON(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return refuse("body", "", wholeBody+"; it is empty")
	}
	at := broken(body)
	if broken(append(slices.Clone(body), ' ')) >= len(body) { // what follows would be wrong, all before is right
		return refuse("body", "", fmt.Sprintf("%s; it ends early, at byte %d", wholeBody, len(body)))
	}
	end := at + 1
	for end < len(body) && end < at+40 && strings.IndexByte(",]} \n\r\t", body[end]) < 0 {
		end++
	}
	return refuse("body", strings.ToValidUTF8(string(body[at:end]), "\uFFFD"), fmt.Sprintf("%s; the fault is at byte %d", wholeBody, at))
}

// broken is the index of the first byte that cannot stand in a JSON text; that of the last one where the text ends early.
func broken(body []byte) int {
	if s, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(body, new(any))); ok {
		return max(int(s.Offset)-1, 0)
	}
	return 0
}

// checker gathers what is wrong with the form of a body, at most maxFaults. Rules are told by their index.
type checker struct {
	ruleFaults
	rule []byte // the one that is looked at, nil outside of rules
}

func (c *checker) full() bool { return len(c.list) >= maxFaults }

func (c *checker) fault(field string, value []byte, allowed string) {
	if c.rule == nil {
		c.list = append(c.list, newFault(field, string(value), allowed))
		return
	}
	var r struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(c.rule, &r) // an id that cannot be read is empty
	c.id = strings.ToValidUTF8(r.ID[:min(len(r.ID), maxIDBytes)], "")
	c.add(field, string(value), allowed)
}

// object walks an object and gives each of its known members to visit.
func (c *checker) object(raw []byte, field string, known []member, visit func(member, []byte)) {
	if raw[0] != '{' {
		c.fault(field, raw, "an object of "+names(known))
		return
	}
	var seen uint64 // a bit for each known member
	in := cursor{s: raw, at: 1}
	for in.more('}') && !c.full() {
		key, value := in.value(), in.value()
		name := unquote(key)
		at := slices.IndexFunc(known, func(m member) bool { return m.name == name })
		switch {
		case at < 0:
			c.fault(name, value, "no member of this name; there are "+names(known))
		case seen&(1<<at) != 0:
			c.fault(name, value, "the member once")
		case value[0] != 'n': // null is as if it were absent
			visit(known[at], value)
		}
		if at >= 0 {
			seen |= 1 << at
		}
	}
}

func unquote(key []byte) string {
	name := string(key[1 : len(key)-1])
	if strings.Contains(name, `\`) {
		_ = json.Unmarshal(key, &name) // the body is good JSON
	}
	return name
}

func (c *checker) request(m member, raw []byte) {
	if m.name != "rules" {
		c.value(m, raw)
		return
	}
	if raw[0] != '[' {
		c.fault(m.name, raw, "an array of rules")
		return
	}
	in := cursor{s: raw, at: 1}
	for c.index = 0; in.more(']') && !c.full(); c.index++ {
		c.rule = in.value()
		c.object(c.rule, m.name, ruleMembers, c.value)
	}
	c.rule = nil
}

func (c *checker) value(m member, raw []byte) {
	ok, allowed := raw[0] == '"', "a text"
	switch m.kind {
	case reflect.Slice:
		ok, allowed = isTexts(raw), "an array of texts"
	case reflect.Pointer:
		_, ok = parseWhole(string(raw))
		allowed = "a whole number, 1 to " + strconv.Itoa(MaxCount)
	}
	if !ok {
		c.fault(m.name, raw, allowed)
	}
}

func isTexts(raw []byte) bool {
	if raw[0] != '[' {
		return false
	}
	for in := (cursor{s: raw, at: 1}); in.more(']'); {
		if in.value()[0] != '"' {
			return false
		}
	}
	return true
}

// cursor walks JSON that has been found good: nothing is looked at twice, nothing is copied.
type cursor struct {
	s  []byte
	at int
}

// more goes to the next value and says whether there is one before the end of the list.
func (c *cursor) more(end byte) bool {
	c.skip()
	return c.s[c.at] != end
}

func (c *cursor) skip() {
	for c.at < len(c.s) && strings.IndexByte(" \t\r\n,:", c.s[c.at]) >= 0 {
		c.at++
	}
}

// value is the next value, or the next name of a member.
func (c *cursor) value() []byte {
	c.skip()
	from, depth := c.at, 0
	for {
		switch c.s[c.at] {
		case '"':
			c.text()
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			depth--
			c.at++
		default:
			for c.at++; c.at < len(c.s) && depth == 0 && strings.IndexByte(" \t\r\n,]}", c.s[c.at]) < 0; c.at++ {
			}
		}
		if depth == 0 {
			return c.s[from:c.at]
		}
	}
}

func (c *cursor) text() {
	for c.at++; c.s[c.at] != '"'; c.at++ {
		if c.s[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
}

func names(list []member) string {
	var b strings.Builder
	for i, m := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(m.name)
	}
	return b.String()
}
