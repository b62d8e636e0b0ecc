package recurrence

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// whole is a whole number in any of the spellings JSON has for it: 100, 1e2, 100.0.
type whole int

var errWhole = errors.New("no whole number")

func (n *whole) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	v, ok := parseWhole(string(b))
	if !ok {
		return errWhole
	}
	*n = whole(v)
	return nil
}

// parseWhole reads a JSON number that has no fraction, of at most nine digits.
func parseWhole(s string) (int, bool) {
	digits, minus := strings.CutPrefix(s, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(digits[i+1:]); err != nil || exponent > 100 || exponent < -100 {
			return 0, false
		}
		digits = digits[:i]
	}
	before, after, _ := strings.Cut(digits, ".")
	if len(before)+len(after) > 100 || before == "" {
		return 0, false
	}
	digits, exponent = before+after, exponent-len(after)
	for ; exponent < 0 && strings.HasSuffix(digits, "0"); exponent++ {
		digits = digits[:len(digits)-1]
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return 0, true
	}
	if exponent < 0 || len(digits)+exponent > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(digits + strings.Repeat("0", exponent))
	if minus {
		n = -n
	}
	return n, err == nil
}

// UnmarshalJSON reads count in every spelling of a whole number.
func (r *Rule) UnmarshalJSON(b []byte) error {
	type plain Rule
	in := struct {
		*plain
		Count *whole `json:"count"`
	}{plain: (*plain)(r)}
	err := json.Unmarshal(b, &in)
	r.Count = (*int)(in.Count)
	return err
}

// UnmarshalJSON reads limit in every spelling of a whole number.
func (r *Request) UnmarshalJSON(b []byte) error {
	type plain Request
	in := struct {
		*plain
		Limit *whole `json:"limit"`
	}{plain: (*plain)(r)}
	err := json.Unmarshal(b, &in)
	r.Limit = (*int)(in.Limit)
	return err
}
