package clean

import (
	"strconv"
	"strings"
	"unicode"
)

// maxNumber is the highest number a chapter or part may have; above it a number is a year or a title.
const maxNumber = 199

// value is what a chapter number counts: digits, roman digits in capitals, or a word of the three
// languages. 0 where it is none.
func value(s string) int {
	if s == "" || len(s) > 24 {
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
	return numberWords[strings.ToLower(s)]
}

// Value is what the number of a section counts, 0 where it is none.
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

// numberWords are cardinals and ordinals in words, in lower case.
var numberWords = func() map[string]int {
	all := map[string]int{}
	add := func(from int, words string) {
		for i, w := range strings.Fields(words) {
			all[w] = from + i
		}
	}
	add(1, "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	add(1, "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
	add(1, "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig")
	add(1, "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt")
	add(1, "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième")
	all["première"], all["seconde"] = 1, 2
	for i, stem := range strings.Fields("erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte dreizehnte vierzehnte fünfzehnte sechzehnte siebzehnte achtzehnte neunzehnte zwanzigste") {
		for _, end := range []string{"", "r", "s"} {
			all[stem+end] = i + 1
		}
	}
	ones := strings.Fields("one two three four five six seven eight nine")
	german := strings.Fields("ein zwei drei vier fünf sechs sieben acht neun")
	for t, ten := range strings.Fields("twenty thirty forty fifty") {
		all[ten] = 20 + 10*t
		for i, w := range ones {
			all[ten+"-"+w] = 20 + 10*t + i + 1
		}
	}
	for t, ten := range strings.Fields("zwanzig dreißig vierzig fünfzig") {
		all[ten] = 20 + 10*t
		for i, w := range german {
			all[w+"und"+ten] = 20 + 10*t + i + 1
		}
	}
	return all
}()

// cardinals are the numbers that stand alone above a chapter.
var cardinals = func() map[string]bool {
	all := map[string]bool{}
	for w := range numberWords {
		all[w] = !strings.HasSuffix(w, "th") && !strings.HasSuffix(w, "te") && !strings.HasSuffix(w, "ter") && !strings.HasSuffix(w, "tes") && !strings.HasSuffix(w, "ième")
	}
	for _, w := range strings.Fields("first second third premier première seconde") {
		all[w] = false
	}
	return all
}()

// chapterLine is what a line says of a section: "Chapter 3: The Storm", "III", "Drittes Kapitel".
type chapterLine struct {
	part   bool   // a part, not a chapter
	word   bool   // the line says "chapter" or "part"
	number string // as written
	title  int    // byte where the title begins in the line; len(line) where there is none
	loose  bool   // nothing but a space stands between number and title ("3 The Storm")
}

var chapterWords = map[string]bool{ // true: part
	"chapter": false, "kapitel": false, "chapitre": false, "ch.": false, "chap.": false, "kap.": false,
	"part": true, "teil": true, "partie": true, "book": true, "buch": true, "livre": true,
}

// parseChapterLine reads a line that may begin a section; false where it says nothing of the kind.
func parseChapterLine(s string) (chapterLine, bool) {
	none := chapterLine{}
	if len(s) == 0 || len(s) > 200 {
		return none, false
	}
	first, after := word(s, 0)
	part, known := chapterWords[strings.ToLower(first)]
	if known { // Chapter 3
		second, end := word(s, after)
		number := strings.TrimRight(second, ".:")
		if value(number) == 0 {
			return none, false
		}
		end -= len(second) - len(number)
		if t, tight := titleAt(s, end); tight || t == len(s) || value(number) > 0 && (unicode.IsDigit(rune(number[0])) || roman(number) > 0 && number == strings.ToUpper(number)) && startsBig(s[t:]) {
			return chapterLine{part: part, word: true, number: number, title: t}, true
		}
		return none, false
	}
	number := strings.TrimRight(first, ".:)")
	n := value(number)
	if n == 0 {
		return none, false
	}
	if second, end := word(s, after); second != "" { // 3. Kapitel, Drittes Kapitel
		w := strings.TrimRight(second, ".:")
		if part, known := chapterWords[strings.ToLower(w)]; known {
			if t, tight := titleAt(s, end-(len(second)-len(w))); tight || t == len(s) {
				number = strings.TrimSuffix(number, ".")
				return chapterLine{part: part, word: true, number: number, title: t}, true
			}
			return none, false
		}
	}
	digits := number[0] >= '0' && number[0] <= '9'
	if !digits && roman(number) == 0 || number != strings.ToUpper(number) {
		if len(number) == len(strings.TrimRight(s, ". ")) && startsBig(number) && cardinals[strings.ToLower(number)] { // "Three" alone
			return chapterLine{number: number, title: len(s)}, true
		}
		return none, false
	}
	t, tight := titleAt(s, len(number))
	if t == len(s) || tight {
		return chapterLine{number: number, title: t}, true
	}
	if digits {
		return chapterLine{number: number, title: t, loose: true}, true
	}
	return none, false
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
