package kanban

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// first is the first member that is there and says something.
func first(o map[string]any, names ...string) any {
	for _, n := range names {
		switch v := o[n].(type) {
		case nil:
		case string:
			if strings.TrimSpace(v) != "" {
				return v
			}
		default:
			return v
		}
	}
	return nil
}

// named is a text, or the name of an object.
func named(v any) string {
	if o, ok := v.(map[string]any); ok {
		return scalar(first(o, "name", "fullName", "displayName", "title", "username", "login", "id"))
	}
	return scalar(v)
}

// scalar is a text or a number as text.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func listOf(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, one := range list {
		if o, ok := one.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// moment reads a time: RFC 3339, a date, Unix seconds or milliseconds.
func moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case string:
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			if t, err := time.Parse(layout, strings.TrimSpace(v)); err == nil && t.Unix() >= 0 {
				return t, true
			}
		}
	case float64:
		if v > 0 && v < 1e11 {
			return time.UnixMilli(int64(math.Round(v * 1000))), true
		}
		if v >= 1e11 && v < 1e14 {
			return time.UnixMilli(int64(v)), true
		}
	}
	return time.Time{}, false
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// oneLine puts a blank in the place of what a title cannot hold.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return allowed(r)
	}, s))
}

func lines(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return allowed(r)
	}, strings.ReplaceAll(s, "\r\n", "\n")))
}

// allowed leaves out what the feed refuses: marks that turn the direction of text, and no characters.
func allowed(r rune) rune {
	if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfffe || r == 0xffff {
		return -1
	}
	return r
}

// clip shortens a text to most characters, an ellipsis among them: boards hold longer ones than the feed.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}
