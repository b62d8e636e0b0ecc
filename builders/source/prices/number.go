package prices

import (
	"strconv"
	"strings"
)

// number reads a price as the offices and newspapers write it: 245.7 and 245,7 are the same, a comma before
// exactly three digits separates thousands ("9,369" is 9369), and where both signs stand the last one is the
// decimal one ("1.379,3", "1,379.3").
func number(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\u00a0", "")
	if s == "" || len(s) > 24 || strings.Trim(s, "0123456789.,") != "" {
		return 0, false
	}
	comma, point := strings.LastIndexByte(s, ','), strings.LastIndexByte(s, '.')
	whole, decimals := s, ""
	switch {
	case comma >= 0 && point >= 0:
		at := max(comma, point)
		whole, decimals = s[:at], s[at+1:]
		group := byte(',')
		if at == comma {
			group = '.'
		}
		if !grouped(whole, group) {
			return 0, false
		}
		whole = strings.ReplaceAll(whole, string(group), "")
	case comma >= 0 && grouped(s, ',') && s[0] != '0':
		whole = strings.ReplaceAll(s, ",", "")
	case point >= 0 && strings.Count(s, ".") > 1:
		if !grouped(s, '.') {
			return 0, false
		}
		whole = strings.ReplaceAll(s, ".", "")
	case comma >= 0:
		whole, decimals = s[:comma], s[comma+1:]
	case point >= 0:
		whole, decimals = s[:point], s[point+1:]
	}
	if whole == "" || strings.ContainsAny(whole+decimals, ".,") || (comma >= 0 || point >= 0) && decimals == "" &&
		whole == strings.TrimRight(s, ".,") {
		return 0, false
	}
	v, err := strconv.ParseFloat(whole+"."+decimals, 64)
	return v, err == nil
}

// sheetNumber is number for the sheets of the statistics office, which have at most two decimals: there a point
// before exactly three digits separates thousands too.
func sheetNumber(s string) (float64, bool) {
	if t := strings.TrimSpace(s); strings.Contains(t, ".") && grouped(t, '.') && t[0] != '0' {
		s = strings.ReplaceAll(t, ".", "")
	}
	return number(s)
}

// grouped says whether a number is written in groups of three digits behind the first.
func grouped(s string, sep byte) bool {
	groups := strings.Split(s, string(sep))
	for i, g := range groups {
		if g == "" || len(g) > 3 || i > 0 && len(g) != 3 || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return true
}
