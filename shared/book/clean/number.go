package clean

import (
	"strconv"
	"strings"
	"unicode"
)

// maxNumber is the highest number a chapter or part may have; above it a number is a year or a title.
const maxNumber = 199

// value is what a chapter number counts: digits, roman digits in capitals, or words of the three
// languages (spelled). 0 for other words.
func value(s string) int {
	if s == "" || len(s) > maxSpelled {
		return 0
	}
	if s[0] >= '0' && s[0] <= '9' {
		n, err := strconv.Atoi(s)
		if err != nil || n > maxNumber {
			return 0
		}
		return n
	}
	if n := roman(s); n > 0 {
		return n
	}
	return spelled[bare(s)].value
}

// Value is what the number of a section counts, 0 for anything else.
func Value(number string) int { return value(number) }

// roman reads roman digits in capitals (or all small) in their one right spelling.
func roman(s string) int {
	upper := strings.ToUpper(s)
	if s != upper && s != strings.ToLower(s) {
		return 0
	}
	n, rest := 0, upper
	for _, d := range romanDigits {
		for i := 0; strings.HasPrefix(rest, d.s) && i < 3; i++ {
			n += d.value
			rest = rest[len(d.s):]
		}
	}
	if rest != "" || n == 0 || n > maxNumber || toRoman(n) != upper {
		return 0
	}
	return n
}

var romanDigits = []struct {
	value int
	s     string
}{{100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

func toRoman(n int) string {
	var b strings.Builder
	for _, d := range romanDigits {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.s)
		}
	}
	return b.String()
}

// chapterLine is what a line says of a section: "Chapter 3: The Storm", "III", "Drittes Kapitel".
type chapterLine struct {
	part   bool   // a part, not a chapter
	word   bool   // the line says "chapter" or "part"
	number string // as written
	label  int    // byte where what numbers the section ends
	title  int    // byte where the title begins in the line; len(line) where the line has no title
	loose  bool   // nothing but a space stands between number and title ("3 The Storm")
}

var chapterWords = map[string]bool{ // true: part
	"chapter": false, "kapitel": false, "capitel": false, "capittel": false, "chapitre": false, "ch.": false, "chap.": false, "kap.": false,
	"cap.": false,
	"part": true, "teil": true, "theil": true, "partie": true, "book": true, "buch": true, "livre": true,
}

// articles may stand before a number in words: Chapter the First, Das dritte Kapitel.
var articles = map[string]bool{"the": true, "das": true, "der": true, "le": true, "la": true}

// parseChapterLine reads a line that may begin a section; false where it says nothing of the kind.
func parseChapterLine(s string) (chapterLine, bool) {
	if len(s) == 0 || len(s) > 200 {
		return chapterLine{}, false
	}
	first, after := word(s, 0)
	if part, known := chapterWords[strings.ToLower(first)]; known {
		return numberBehind(s, after, part)
	}
	if l, ok := numberBefore(s); ok {
		return l, true
	}
	return numberAlone(s)
}

// numberBehind reads what follows a word such as Chapter.
func numberBehind(s string, at int, part bool) (chapterLine, bool) {
	if the, end := word(s, at); articles[strings.ToLower(the)] {
		at = end
	}
	number, end := numberAt(s, at)
	if number == "" {
		return chapterLine{}, false
	}
	t, tight := titleAt(s, end)
	figures := unicode.IsDigit(rune(number[0])) || roman(number) > 0 && number == strings.ToUpper(number)
	if !tight && t < len(s) && !(figures && startsBig(s[t:])) {
		return chapterLine{}, false
	}
	return chapterLine{part: part, word: true, number: number, label: end, title: t}, true
}

// numberBefore reads a line in which the number comes first: 3. Kapitel, Drittes Kapitel, The Second Chapter.
func numberBefore(s string) (chapterLine, bool) {
	at := 0
	if the, end := word(s, 0); articles[strings.ToLower(the)] {
		at = end
	}
	number, end := numberAt(s, at)
	if number == "" {
		return chapterLine{}, false
	}
	for end < len(s) && strings.IndexByte(".:)", s[end]) >= 0 {
		end++
	}
	second, end := word(s, end)
	w := strings.TrimRight(second, ".:")
	part, known := chapterWords[strings.ToLower(w)]
	if !known {
		return chapterLine{}, false
	}
	end -= len(second) - len(w)
	t, tight := titleAt(s, end)
	return chapterLine{part: part, word: true, number: number, label: end, title: t}, tight || t == len(s)
}

// numberAlone reads a line that begins with a number and says nothing of chapters: III, Three, 3. The Storm.
func numberAlone(s string) (chapterLine, bool) {
	number, end := numberAt(s, 0)
	if number == "" {
		return chapterLine{}, false
	}
	if isDate(s) {
		return chapterLine{}, false
	}
	digits := number[0] >= '0' && number[0] <= '9'
	if !digits && (roman(number) == 0 || number != strings.ToUpper(number)) {
		if end == len(strings.TrimRight(s, ". ")) && startsBig(number) && spelled[bare(number)].cardinal { // "Three" alone
			return chapterLine{number: number, label: end, title: len(s)}, true
		}
		return chapterLine{}, false
	}
	t, tight := titleAt(s, end)
	if t == len(s) || tight {
		return chapterLine{number: number, label: end, title: t}, true
	}
	return chapterLine{number: number, label: end, title: t, loose: true}, digits
}

// Counts says whether a title speaks of a chapter or a part by a number that is not understood ("Zwote
// Kapitel", "Chapter Eleventy"): nothing can be said of the row of numbers then.
func Counts(title string) bool {
	words := strings.Fields(strings.ToLower(title))
	for i := range words {
		if _, known := chapterWords[strings.TrimRight(words[i], ".:,")]; known && (i == 0 && len(words) > 1 || i == 1) {
			return true
		}
	}
	return false
}

// word is the word at or after byte i and where it ends.
func word(s string, i int) (string, int) {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
		i++
	}
	for strings.HasPrefix(s[i:], "\u00a0") {
		i += 2
	}
	end := strings.IndexFunc(s[i:], func(c rune) bool { return c == ' ' || c == '\t' || c == '\n' || c == nbsp || c == '—' || c == '–' })
	if end < 0 {
		return s[i:], len(s)
	}
	return s[i : i+end], i + end
}

// titleAt skips what stands between a number and a title; tight says whether it was more than a space.
func titleAt(s string, i int) (at int, tight bool) {
	for i < len(s) {
		switch {
		case s[i] == ' ':
			i++
		case strings.IndexByte("\t\n.:)-|", s[i]) >= 0:
			tight = true
			i++
		case strings.HasPrefix(s[i:], "–"), strings.HasPrefix(s[i:], "—"):
			tight = true
			i += 3
		case strings.HasPrefix(s[i:], "\u00a0"):
			i += 2
		default:
			return i, tight
		}
	}
	return len(s), tight
}

// startsBig says whether a text begins with a capital, a digit or a quotation.
func startsBig(s string) bool {
	for _, c := range s {
		if strings.ContainsRune("“„»«‘‚\"'", c) {
			continue
		}
		return unicode.IsUpper(c) || unicode.IsDigit(c)
	}
	return false
}
