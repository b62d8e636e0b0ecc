package bookindex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a run of letters and digits of a text.
type word struct {
	s       string
	upper   bool // begins with a capital letter
	start   bool // begins a sentence, or may
	joined  bool // only one space lies between it and the word before
	initial bool // a single capital letter with a full stop, as in H. G. Wells
}

// words appends the words of a text to dst.
func words(dst []word, text string) []word {
	start, joined := true, false
	last := -1 // where the word before ended
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		if !letter(c) {
			switch c {
			case ' ', '\u00a0':
				joined = i == last
			case '.', '!', '?', ':', '…', '“', '„', '"', '»', '«', '—', '–', '‘', '(', '*':
				// Behind "Mr." no sentence begins.
				start, joined = c != '.' || !abbreviatedTitle(dst, text[:i]), false
			case '”', '’', ',', ';':
				joined = false
			default:
				joined = false
			}
			i += n
			continue
		}
		end := i
		for end < len(text) {
			d, m := utf8.DecodeRuneInString(text[end:])
			if letter(d) || d >= utf8.RuneSelf && unicode.Is(unicode.Mn, d) {
				end += m
				continue
			}
			if d == '\'' || d == '’' || d == '-' { // inside a word only
				if e, _ := utf8.DecodeRuneInString(text[end+m:]); unicode.IsLetter(e) {
					end += m
					continue
				}
			}
			break
		}
		w := word{s: text[i:end], upper: unicode.IsUpper(c), start: start, joined: joined}
		if w.upper && end-i == n && end < len(text) && text[end] == '.' {
			w.initial = true
			end++
		}
		dst = append(dst, w)
		start, joined = false, false
		i, last = end, end
	}
	return dst
}

// abbreviatedTitle says whether a text ends with a title, which is the last of its words.
func abbreviatedTitle(of []word, text string) bool {
	if len(of) == 0 {
		return false
	}
	last := of[len(of)-1].s
	return titles[last] && len(last) <= 4 && strings.HasSuffix(text, last)
}

// letter says whether a character is a letter or a digit.
func letter(c rune) bool {
	if c < utf8.RuneSelf {
		return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
	}
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// stem takes the genitive s off a word.
func stem(s string) string {
	if strings.HasSuffix(s, "s") {
		if t, ok := strings.CutSuffix(s, "'s"); ok {
			return t
		}
		return strings.TrimSuffix(s, "’s")
	}
	if t, ok := strings.CutSuffix(s, "'"); ok {
		return t
	}
	return strings.TrimSuffix(s, "’")
}
