// Package hyphen finds where words may be divided, by Liang's method (the one of TeX) over the patterns
// of hyph-utf8: German in the new and the old spelling, British and American English. The patterns are
// embedded with their licences; a language is read when it is first used. It knows words, not lines.
package hyphen

import (
	"embed"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed patterns
var files embed.FS

// Language divides the words of one language. It is safe for concurrent use.
type Language struct {
	trie  trie
	known map[string][]int // exceptions: runes before each division
	left  int              // runes that stay before the first division and after the last
	right int
}

// MaxWord is the longest word in runes that is looked at; in a longer one no division is found.
const MaxWord = 200

var loaded = map[string]func() *Language{
	"de-1996": sync.OnceValue(func() *Language { return read("de-1996", 2, 3) }),
	"de-1901": sync.OnceValue(func() *Language { return read("de-1901", 2, 3) }),
	"en-gb":   sync.OnceValue(func() *Language { return read("en-gb", 2, 3) }),
	"en-us":   sync.OnceValue(func() *Language { return read("en-us", 2, 3) }),
}

// For gives the language of a BCP 47 tag (en, en-GB, de-AT, de-1901), false where there are no patterns.
// English without a region is American as in TeX; English of any other region is British.
func For(tag string) (*Language, bool) {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	name := ""
	switch parts[0] {
	case "de":
		name = "de-1996"
		for _, p := range parts[1:] {
			if p == "1901" {
				name = "de-1901"
			}
		}
	case "en":
		name = "en-us"
		if len(parts) > 1 && len(parts[1]) == 2 && parts[1] != "us" && parts[1] != "ca" {
			name = "en-gb"
		}
	default:
		return nil, false
	}
	return loaded[name](), true
}

// read takes the embedded patterns; they are part of the program, so a fault in them is one of it.
func read(name string, left, right int) *Language {
	l := &Language{known: map[string][]int{}, left: left, right: right}
	b, err := files.ReadFile("patterns/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	for pattern := range entries(b) {
		l.trie.add(pattern)
	}
	b, err = files.ReadFile("patterns/" + name + ".exceptions.txt")
	if err != nil {
		return l // German has none
	}
	for word := range entries(b) {
		at, n := []int{}, 0
		for _, c := range word {
			if c == '-' {
				at = append(at, n)
			} else {
				n++
			}
		}
		l.known[strings.ReplaceAll(word, "-", "")] = at
	}
	return l
}

// entries are the lines of a file of patterns that are neither empty nor comments.
func entries(b []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(b)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '%' && !yield(line) {
				return
			}
		}
	}
}

// Points appends to dst the byte offsets in word at which it may be divided. A word is letters; with
// anything else in it (a digit, a hyphen) only the runs of letters are divided, and apostrophes belong to
// the letters around them.
func (l *Language) Points(dst []int, word string) []int {
	for start := 0; start < len(word); {
		c, n := utf8.DecodeRuneInString(word[start:])
		if !letter(c) {
			start += n
			continue
		}
		end := start
		for end < len(word) {
			c, n := utf8.DecodeRuneInString(word[end:])
			if !letter(c) {
				break
			}
			end += n
		}
		dst = l.run(dst, word[start:end], start)
		start = end
	}
	return dst
}

func letter(c rune) bool {
	return unicode.IsLetter(c) || unicode.Is(unicode.Mn, c) || c == '\'' || c == '’'
}

// run divides one run of letters that begins at offset base.
func (l *Language) run(dst []int, word string, base int) []int {
	var text [MaxWord + 2]rune // the word in lower case between two full stops
	var offsets [MaxWord + 2]int
	text[0] = '.'
	n := 1
	for i, c := range word {
		if n > MaxWord {
			return dst
		}
		text[n], offsets[n] = unicode.ToLower(c), base+i
		n++
	}
	letters := n - 1
	if letters < l.left+l.right {
		return dst
	}
	if len(l.known) > 0 {
		if at, ok := l.known[string(text[1:n])]; ok {
			for _, k := range at {
				if k >= l.left && k <= letters-l.right {
					dst = append(dst, offsets[k+1])
				}
			}
			return dst
		}
	}
	text[n] = '.'
	var values [MaxWord + 3]uint8 // values[i]: between text[i-1] and text[i]
	for i := range n + 1 {
		l.trie.apply(text[i:n+1], values[i:])
	}
	for i := 1 + l.left; i <= n-l.right; i++ {
		if values[i]%2 == 1 {
			dst = append(dst, offsets[i])
		}
	}
	return dst
}
