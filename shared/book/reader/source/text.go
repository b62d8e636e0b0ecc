package source

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"mappe/shared/book/manuscript"
)

// Clean brings a text into the form of the model: valid UTF-8, NFC, without control characters except the
// tab, which package clean reports. Line ends become spaces; soft hyphens, hard spaces and characters
// without width stay, because package clean counts them.
func Clean(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			ascii = false
		} else if c < ' ' && c != '\t' || c == 0x7f {
			return cleanSlow(s)
		}
	}
	if ascii {
		return s
	}
	return cleanSlow(s)
}

func cleanSlow(s string) string {
	dirty := !utf8.ValidString(s)
	if !dirty {
		for _, c := range s {
			if control(c) || c == '\n' || c == '\r' {
				dirty = true
				break
			}
		}
	}
	if dirty {
		s = strings.Map(func(c rune) rune {
			switch {
			case c == '\n' || c == '\r':
				return ' '
			case control(c):
				return -1
			}
			return c
		}, strings.ToValidUTF8(s, "�"))
	}
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

func control(c rune) bool {
	switch {
	case c == '\t', c == '\n', c == '\r':
		return false
	case c < ' ', c >= 0x7f && c < 0xa0, c == 0xfffe, c == 0xffff, c == 0x2028, c == 0x2029:
		return true
	}
	return false
}

// Line is a text in one line, with single spaces.
func Line(s string) string { return strings.Join(strings.Fields(s), " ") }

// CodeLines are the lines of a paragraph of code: a line break ends one, pictures are left out.
func CodeLines(in []manuscript.Inline) []string {
	text := strings.ReplaceAll(manuscript.Flow(in), string(manuscript.PictureRune), "")
	return strings.Split(text, "\n")
}

// Blank says whether inlines leave nothing on paper and hold no mark that must not be lost.
func Blank(in []manuscript.Inline) bool {
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if strings.TrimSpace(i.S) != "" {
				return false
			}
		case manuscript.LineBreak:
		case manuscript.Link:
			if !Blank(i.Inlines) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Trim takes the spaces from both ends of inlines.
func Trim(in []manuscript.Inline) []manuscript.Inline {
	const space = " \t"
	for len(in) > 0 {
		t, ok := in[0].(manuscript.Text)
		if !ok {
			break
		}
		if t.S = strings.TrimLeft(t.S, space); t.S != "" {
			in[0] = t
			break
		}
		in = in[1:]
	}
	for len(in) > 0 {
		t, ok := in[len(in)-1].(manuscript.Text)
		if !ok {
			break
		}
		if t.S = strings.TrimRight(t.S, space); t.S != "" {
			in[len(in)-1] = t
			break
		}
		in = in[:len(in)-1]
	}
	return in
}
