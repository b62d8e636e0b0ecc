package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// asking is a request that a tool makes of its endpoint.
type asking struct {
	call   *call
	target string // path and query, behind the service's prefix
	body   []byte // nil: none
	bound  int    // of the answer in bytes
	words  string // what is looked for by name; "" where nothing is
	most   int    // bytes that the endpoint may answer; 0: maxAnswer
}

// read makes a request of the arguments. What it refuses is a fault that names the argument; the values themselves the
// endpoint checks.
func (t *tool) read(raw json.RawMessage) (asking, error) {
	if c := &t.calls[0]; c.endpoint.Body != nil && c.written == nil {
		if isNull(raw) {
			raw = json.RawMessage("{}")
		}
		return asking{call: c, target: c.endpoint.Path, body: raw, bound: maxAnswer}, nil
	}
	given, err := readArguments(raw)
	if err != nil {
		return asking{}, err
	}
	most, err := bound(given)
	if err != nil {
		return asking{}, err
	}
	known := t.names()
	names := slices.Sorted(maps.Keys(given))
	for _, name := range names {
		if !slices.Contains(known, name) {
			return asking{}, fault.UnknownName(name, text(given[name]), known)
		}
	}
	c := t.chosen(given)
	var body json.RawMessage
	if c.written != nil {
		if body, err = c.written.body(given); err != nil {
			return asking{}, err
		}
		names = slices.Sorted(maps.Keys(given))
	}
	for _, name := range names {
		if _, ok := c.inputs[name]; !ok {
			return asking{}, fault.Of(fault.Conflict, name, text(given[name]),
				"not beside "+strings.Join(c.required, ", ")+" (give "+t.groups()+")")
		}
	}
	for _, name := range c.required {
		if _, ok := given[name]; !ok {
			return asking{}, fault.Of(fault.Missing, name, "", t.groups())
		}
	}
	target, err := c.target(names, given)
	return asking{call: c, target: target, body: body, bound: most, words: text(given["q"])}, err
}

// readArguments are the arguments of a tool by their names. One that is null is not given: models write null for what they leave
// out.
func readArguments(raw json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if isNull(raw) {
		return given, nil
	}
	if bytes.TrimSpace(raw)[0] != '{' {
		return nil, fault.BadValue("arguments", string(raw), "a JSON object with the arguments of the tool")
	}
	err := jsonin.Decode(raw, &given)
	maps.DeleteFunc(given, func(_ string, value json.RawMessage) bool { return isNull(value) })
	return given, err
}

// isNull says whether a value is null or not there at all.
func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// target is the path and the query of a request with arguments that the call offers.
func (c *call) target(names []string, given map[string]json.RawMessage) (string, error) {
	values, path := url.Values{}, c.endpoint.Path
	for name, value := range c.fixed {
		values.Set(name, value)
	}
	if c.fields != "" {
		values.Set("fields", c.fields)
	}
	if c.pages {
		values.Set("limit", strconv.Itoa(usualRows))
	}
	for _, name := range names {
		in := c.inputs[name]
		v, err := valueOf(name, in, given[name])
		if err != nil {
			return "", err
		}
		if in.InPath {
			if strings.Trim(v, ".") == "" { // no segment of a path
				return "", fault.BadValue(name, v, kindOf(in))
			}
			path = strings.ReplaceAll(path, "{"+in.Name+"}", url.PathEscape(v))
			continue
		}
		values.Set(in.Name, v)
	}
	if n, err := strconv.Atoi(values.Get("limit")); c.pages && (err != nil || n < 1 || n > mostRows) {
		return "", fault.Of(fault.OutOfRange, "limit", values.Get("limit"), fmt.Sprintf("a whole number from 1 to %d", mostRows))
	}
	if len(values) == 0 {
		return path, nil
	}
	return path + "?" + values.Encode(), nil
}

// valueOf is an argument as a query writes it. Numbers and texts stand for each other, as models write them; the endpoint
// reads the text.
func valueOf(name string, in endpoint.Input, raw json.RawMessage) (string, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", fault.BadValue(name, text(raw), "a JSON value")
	}
	if list, ok := v.([]any); ok && in.List {
		items := make([]string, len(list))
		for i, item := range list {
			s, ok := scalar(item)
			if !ok || strings.Contains(s, ",") {
				return "", fault.BadValue(name, text(raw), "a list of values without commas")
			}
			items[i] = s
		}
		return strings.Join(items, ","), nil
	}
	s, ok := scalar(v)
	if !ok {
		return "", fault.BadValue(name, text(raw), kindOf(in))
	}
	return s, nil
}

// kindOf is what an argument is, in words.
func kindOf(in endpoint.Input) string {
	switch {
	case in.List:
		return "a list of values"
	case in.Type == "integer":
		return "a whole number"
	}
	return "a " + in.Type
}

// scalar is a text, a number or a truth value as text.
func scalar(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case json.Number:
		return x.String(), true
	case bool:
		return strconv.FormatBool(x), true
	}
	return "", false
}

// text is a value as a fault repeats it.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
