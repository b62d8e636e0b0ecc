package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// object is a JSON object with its members in their order.
type object []member

// get is a member, nil if the value has no such member.
func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// readObject reads an object; nil is another value.
func readObject(raw json.RawMessage) (object, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("the answer is no JSON: %w", err)
	}
	if t != json.Delim('{') {
		return nil, nil
	}
	o := object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, member{name.(string), value})
	}
	return o, nil
}

// rowsOf reads an array of objects; ok is false for any other value. An empty array is no rows.
func rowsOf(raw json.RawMessage) (rows []object, ok bool) {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, item := range list {
		o, err := readObject(item)
		if err != nil || o == nil {
			return nil, false
		}
		rows = append(rows, o)
	}
	return rows, true
}

// page is what an answer shows: its rows, or its facts where it lists none, and what stands beside them.
type page struct {
	rows   []object
	listed bool // the answer is a list, of no rows too
	facts  []fact
	meta   object
}

// fact is a value with the names that lead to it: "summary.added".
type fact struct{ name, text string }

// readPage finds the rows of an answer: the member data, or the answer itself, or its longest list.
func readPage(body []byte) (page, error) {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return page{}, errors.New("the answer is no JSON, or ends before its end")
	}
	if rows, ok := rowsOf(body); ok {
		return page{rows: rows, listed: true}, nil
	}
	whole, err := readObject(body)
	if err != nil {
		return page{}, err
	}
	if whole == nil {
		return page{}, errors.New("the answer is neither an object nor a list: --json shows it")
	}
	var p page
	p.meta, _ = readObject(orNull(whole.get("meta")))
	at := -1
	for i, m := range whole {
		rows, ok := rowsOf(m.value)
		if ok && (m.name == "data" || at < 0 && whole.get("data") == nil || len(rows) > len(p.rows) && whole[max(at, 0)].name != "data") {
			p.rows, p.listed, at = rows, true, i
		}
	}
	for i, m := range whole {
		if i == at || m.name == "meta" || m.name == "type" && at >= 0 {
			continue
		}
		prefix := m.name
		if m.name == "data" {
			prefix = ""
		}
		p.facts = facts(p.facts, prefix, m.value)
	}
	return p, nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// maxFacts bounds what stands beside rows.
const maxFacts = 400

// facts adds the values of an object, each with the names that lead to it; lists are one value each.
func facts(all []fact, name string, raw json.RawMessage) []fact {
	if len(all) >= maxFacts {
		return all
	}
	o, err := readObject(raw)
	if err != nil || o == nil || len(o) == 0 {
		return append(all, fact{name, cell(raw)})
	}
	for _, m := range o {
		below := m.name
		if name != "" {
			below = name + "." + m.name
		}
		all = facts(all, below, m.value)
	}
	return all
}

// cell is a value as a table shows it: texts without quotes, null as nothing, what is nested as JSON.
func cell(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	case raw[0] == '[':
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			return strings.Join(list, ", ")
		}
	}
	return string(raw)
}
