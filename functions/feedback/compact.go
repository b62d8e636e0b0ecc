package feedback

import (
	"bytes"
	"encoding/json"
)

// compact is JSON without spaces between its parts, and how deep it nests.
func compact(raw json.RawMessage) (json.RawMessage, int, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, 0, err
	}
	depth, most, text := 0, 0, false
	for i := 0; i < b.Len(); i++ {
		switch c := b.Bytes()[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case !text && (c == '{' || c == '['):
			depth++
			most = max(most, depth)
		case !text && (c == '}' || c == ']'):
			depth--
		}
	}
	return b.Bytes(), most, nil
}
