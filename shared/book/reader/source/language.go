package source

import (
	"strings"
	"unicode"

	"mappe/shared/book/manuscript"
)

// Languages counts letters by the language they are marked as.
type Languages map[string]int

// Count counts the letters of a text.
func (l Languages) Count(language, s string) {
	n := 0
	for _, c := range s {
		if unicode.IsLetter(c) {
			n++
		}
	}
	if n > 0 {
		l[language] += n
	}
}

// Main is the language of most letters, "" where nothing says it: first the language, then its variant.
func (l Languages) Main() string {
	base, tags := map[string]int{}, map[string]int{}
	for t, n := range l {
		t = Tag(t)
		tags[t] += n
		base[primary(t)] += n
	}
	best := most(base, func(string) bool { return true })
	return most(tags, func(t string) bool { return primary(t) == best })
}

// most is the key of the largest count, the first by name of equals.
func most(m map[string]int, of func(string) bool) string {
	best, n := "", -1
	for k, c := range m {
		if of(k) && (c > n || c == n && k < best) {
			best, n = k, c
		}
	}
	return best
}

// Tag brings a language tag into the form de-AT; any other text becomes "".
func Tag(s string) string {
	s = strings.ReplaceAll(s, "_", "-")
	if len(s) < 2 || len(s) > 35 || strings.HasPrefix(s, "x-") {
		return ""
	}
	parts := strings.Split(s, "-")
	for i, p := range parts {
		if p == "" || strings.IndexFunc(p, func(c rune) bool { return c > 127 || !unicode.IsLetter(c) && !unicode.IsDigit(c) }) >= 0 {
			return ""
		}
		switch {
		case i == 0 || len(p) > 4:
			parts[i] = strings.ToLower(p)
		case len(p) == 2:
			parts[i] = strings.ToUpper(p)
		case len(p) == 4:
			parts[i] = strings.ToUpper(p[:1]) + strings.ToLower(p[1:])
		}
	}
	if n := len(parts[0]); n < 2 || n > 3 || parts[0] == "und" || parts[0] == "zxx" {
		return ""
	}
	return strings.Join(parts, "-")
}

func primary(t string) string {
	p, _, _ := strings.Cut(t, "-")
	return p
}

// Differs is the tag where it is another language than main, "" where it is the same or none. Variants
// of one language (en-US, en-GB) are the same: word processors mix them by chance.
func Differs(tag, main string) string {
	tag = Tag(tag)
	if tag == "" || primary(tag) == primary(main) {
		return ""
	}
	return tag
}

// SettleLanguages makes the languages of texts those that differ from the book's, which is the one that
// Meta says or, where it says none, the one of most letters.
func SettleLanguages(b *manuscript.Book) {
	if b.Meta.Language == "" {
		l := Languages{}
		Walk(b, func(in []manuscript.Inline) []manuscript.Inline {
			for _, i := range in {
				if t, ok := i.(manuscript.Text); ok {
					l.Count(t.Language, t.S)
				}
			}
			return in
		})
		b.Meta.Language = l.Main()
	}
	Walk(b, func(in []manuscript.Inline) []manuscript.Inline {
		tagged := false
		for _, i := range in {
			t, ok := i.(manuscript.Text)
			tagged = tagged || ok && t.Language != ""
		}
		if !tagged {
			return in
		}
		var out Inlines
		for _, i := range in {
			t, ok := i.(manuscript.Text)
			if !ok {
				out.Add(i)
				continue
			}
			language := Differs(t.Language, b.Meta.Language)
			if strings.IndexFunc(t.S, unicode.IsLetter) < 0 {
				language = ""
			}
			out.Text(t.S, t.Style, language)
		}
		return out.Take()
	})
}
