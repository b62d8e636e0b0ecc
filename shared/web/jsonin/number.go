package jsonin

import (
	"math"
	"strconv"
)

// number finds the text of a number by JSON's grammar.
func (r *Reader) number(member, expected string) ([]byte, error) {
	r.ws()
	b, i := r.b, r.i
	digits := func() bool {
		from := i
		for i < len(b) && b[i]-'0' < 10 {
			i++
		}
		return i > from
	}
	ok := true
	if i < len(b) && b[i] == '-' {
		i++
	}
	lead := i
	ok = digits() && (b[lead] != '0' || i == lead+1)
	if ok && i < len(b) && b[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		ok = digits()
	}
	if !ok || i < len(b) && !ends(b[i]) {
		return nil, r.Bad(member, expected)
	}
	s := b[r.i:i]
	r.i = i
	return s, nil
}

// ends says whether a byte may follow a number or a word.
func ends(c byte) bool {
	switch c {
	case ',', ']', '}', ' ', '\n', '\r', '\t':
		return true
	}
	return false
}

// Float reads a finite number.
func (r *Reader) Float(member, expected string) (float64, error) {
	at := r.i
	s, err := r.number(member, expected)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(string(s), 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, bad(member, r.show(at), expected)
	}
	return v, nil
}

// Degrees reads a number as 1e-7 degrees, rounded half away from zero; it must lie within ±limit degrees.
func (r *Reader) Degrees(member string, limit int, expected string) (int32, error) {
	s, err := r.number(member, expected)
	if err != nil {
		return 0, err
	}
	if e7, ok := shortDegrees(s); ok {
		if e7 <= int64(limit)*1e7 && e7 >= -int64(limit)*1e7 {
			return int32(e7), nil
		}
	} else if v, err := strconv.ParseFloat(string(s), 64); err == nil && math.Abs(v) <= float64(limit) {
		return int32(math.Round(v * 1e7)), nil
	}
	return 0, bad(member, string(s[:min(len(s), 40)]), expected)
}

// shortDegrees reads a number without exponent and with few digits before the point.
func shortDegrees(s []byte) (int64, bool) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		s = s[1:]
	}
	v, i := int64(0), 0
	for ; i < len(s) && s[i] != '.'; i++ {
		if s[i]-'0' > 9 || i > 8 {
			return 0, false
		}
		v = v*10 + int64(s[i]-'0')
	}
	i++
	for n := range 7 {
		d := byte(0)
		if i+n < len(s) {
			if d = s[i+n] - '0'; d > 9 {
				return 0, false
			}
		}
		v = v*10 + int64(d)
	}
	for k := i + 7; k < len(s); k++ {
		if s[k]-'0' > 9 {
			return 0, false
		}
	}
	if i+7 < len(s) && s[i+7] >= '5' {
		v++
	}
	if neg {
		v = -v
	}
	return v, true
}
