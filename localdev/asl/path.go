package asl

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// scope is what paths are looked up in: the input of the state by $, the context object by $$.
type scope struct {
	input   any
	context map[string]any
}

// step of a path: a member, or an element of a list.
type step struct {
	member string
	index  int // -1: a member
}

// parsePath reads a reference path: $ or $$, then members and indices. Filters, wildcards and slices are not known.
func parsePath(text string) (steps []step, err error) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "$"), "$")
	if !ok && !strings.HasPrefix(text, "$") {
		return nil, fmt.Errorf("path %q: want one that begins with $", text)
	}
	for rest != "" {
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			name := rest[1 : 1+end]
			if name == "" || strings.ContainsAny(name, "*?@()'\" ") {
				return nil, fmt.Errorf("path %q is not known", text)
			}
			steps, rest = append(steps, step{name, -1}), rest[1+end:]
		case '[':
			inside, after, ok := strings.Cut(rest[1:], "]")
			i, err := strconv.Atoi(inside)
			if !ok || err != nil || i < 0 {
				return nil, fmt.Errorf("path %q is not known", text)
			}
			steps, rest = append(steps, step{"", i}), after
		default:
			return nil, fmt.Errorf("path %q is not known", text)
		}
	}
	return steps, nil
}

// get looks a path up. What is not there is an error that a machine may catch.
func (s scope) get(text string) (any, error) {
	steps, err := parsePath(text)
	if err != nil {
		return nil, err
	}
	v := s.input
	if strings.HasPrefix(text, "$$") {
		v = any(s.context)
	}
	for _, st := range steps {
		if st.index < 0 {
			m, _ := v.(map[string]any)
			found, ok := m[st.member]
			if !ok {
				return nil, &Error{"States.Runtime", fmt.Sprintf("the path %s leads to nothing", text)}
			}
			v = found
			continue
		}
		list, _ := v.([]any)
		if st.index >= len(list) {
			return nil, &Error{"States.Runtime", fmt.Sprintf("the path %s leads to nothing", text)}
		}
		v = list[st.index]
	}
	return v, nil
}

// put gives the input with a result at a path, as ResultPath has it: what is not there is made. The input itself stays as it is.
func put(input any, text string, result any) (any, error) {
	steps, err := parsePath(text)
	if err != nil || strings.HasPrefix(text, "$$") {
		return nil, fmt.Errorf("ResultPath %q is not known", text)
	}
	return putAt(input, steps, text, result)
}

func putAt(v any, steps []step, text string, result any) (any, error) {
	if len(steps) == 0 {
		return result, nil
	}
	if steps[0].index >= 0 {
		return nil, fmt.Errorf("ResultPath %q is not known", text)
	}
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		return nil, &Error{"States.ResultPathMatchFailure", "the result has no place at " + text}
	}
	out := make(map[string]any, len(m)+1)
	for k, e := range m {
		out[k] = e
	}
	var err error
	out[steps[0].member], err = putAt(m[steps[0].member], steps[1:], text, result)
	return out, err
}

// checkTemplate says whether a payload template can be filled.
func checkTemplate(raw json.RawMessage) error {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return walkTemplate(v)
}

func walkTemplate(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if !strings.HasSuffix(k, ".$") {
				if err := walkTemplate(e); err != nil {
					return err
				}
				continue
			}
			text, ok := e.(string)
			if !ok {
				return fmt.Errorf("%s: want a path", k)
			}
			if err := checkExpression(text); err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
	case []any:
		for _, e := range v {
			if err := walkTemplate(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill fills a payload template; without one it gives the input.
func (s scope) fill(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return s.input, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	return s.filled(v)
}

func (s scope) filled(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			var err error
			if name, ok := strings.CutSuffix(k, ".$"); ok {
				out[name], err = s.expression(e.(string))
			} else {
				out[k], err = s.filled(e)
			}
			if err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			var err error
			if out[i], err = s.filled(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// call is an intrinsic function with its arguments.
func call(text string) (name string, args []string, ok bool, err error) {
	name, inside, found := strings.Cut(text, "(")
	if !strings.HasPrefix(text, "States.") {
		return "", nil, false, nil
	}
	inside, closed := strings.CutSuffix(inside, ")")
	if !found || !closed {
		return "", nil, false, fmt.Errorf("%q is no call", text)
	}
	depth, quoted, from := 0, false, 0
	for i := 0; i <= len(inside); i++ {
		if i == len(inside) || inside[i] == ',' && depth == 0 && !quoted {
			if a := strings.TrimSpace(inside[from:i]); a != "" {
				args = append(args, a)
			}
			from = i + 1
			continue
		}
		switch c := inside[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '(' && !quoted:
			depth++
		case c == ')' && !quoted:
			depth--
		case c == '\\':
			return "", nil, false, fmt.Errorf("%q: escapes are not known", text)
		}
	}
	return name, args, true, nil
}

// intrinsics are the functions that are known.
var intrinsics = map[string]func(args []any) (any, error){"States.Format": format, "States.StringToJson": stringToJSON}

func checkExpression(text string) error {
	name, args, isCall, err := call(text)
	if err != nil {
		return err
	}
	if !isCall {
		_, err := parsePath(text)
		return err
	}
	if intrinsics[name] == nil {
		return fmt.Errorf("the function %s is not known", name)
	}
	for _, a := range args {
		if strings.HasPrefix(a, "$") || strings.HasPrefix(a, "States.") {
			if err := checkExpression(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// expression is a path or a call.
func (s scope) expression(text string) (any, error) {
	name, args, isCall, err := call(text)
	if err != nil {
		return nil, err
	}
	if !isCall {
		return s.get(text)
	}
	values := make([]any, len(args))
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "$"), strings.HasPrefix(a, "States."):
			values[i], err = s.expression(a)
		case strings.HasPrefix(a, "'"):
			values[i] = strings.Trim(a, "'")
		default:
			err = json.Unmarshal([]byte(a), &values[i])
		}
		if err != nil {
			return nil, err
		}
	}
	v, err := intrinsics[name](values)
	if err != nil {
		return nil, &Error{"States.IntrinsicFailure", name + ": " + err.Error()}
	}
	return v, nil
}

func format(args []any) (any, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("want a template")
	}
	template, ok := args[0].(string)
	parts := strings.Split(template, "{}")
	if !ok || len(parts) != len(args) {
		return nil, fmt.Errorf("%d values for %d places", len(args)-1, len(parts)-1)
	}
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i+1 == len(parts) {
			break
		}
		switch v := args[i+1].(type) {
		case string:
			b.WriteString(v)
		case map[string]any, []any:
			return nil, fmt.Errorf("want a string, a number, true, false or null")
		default:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	return b.String(), nil
}

func stringToJSON(args []any) (v any, err error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("want one string")
	}
	text, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("want a string")
	}
	return v, json.Unmarshal([]byte(text), &v)
}
