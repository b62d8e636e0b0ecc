package siblingcheck

import "encoding/json"

// codesIn finds the list of codes in a coverage: an array, or the first member of an object that is an array of codes
// or of objects with kg_code.
func codesIn(body []byte) ([]string, bool) {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return nil, false
	}
	if list, ok := v.([]any); ok {
		return codesOf(list)
	}
	m, _ := v.(map[string]any)
	for _, name := range []string{"kg_codes", "codes", "kgs", "covered_kgs", "results", "data"} {
		if list, ok := m[name].([]any); ok {
			return codesOf(list)
		}
	}
	return nil, false
}

func codesOf(list []any) ([]string, bool) {
	out := make([]string, 0, len(list))
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			e = m["kg_code"]
		}
		if !isCode(e) {
			return nil, false
		}
		out = append(out, e.(string))
	}
	return out, true
}
