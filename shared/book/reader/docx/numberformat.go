package docx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// format writes a number in one of the formats of ECMA-376 part 1, 17.18.59; what has no form of its own here is
// in figures. A legal number is in figures whatever its level's format is.
func (n *numbering) format(v int, format string, legal bool) string {
	if legal && format != "decimalZero" {
		return strconv.Itoa(v)
	}
	switch format {
	case "lowerRoman":
		return strings.ToLower(roman(v))
	case "upperRoman":
		return roman(v)
	case "lowerLetter", "upperLetter":
		if v < 1 || v > 26*20 {
			break
		}
		s := strings.Repeat(string(rune('A'+(v-1)%26)), (v-1)/26+1)
		if format == "lowerLetter" {
			s = strings.ToLower(s)
		}
		return s
	case "decimalZero":
		return fmt.Sprintf("%02d", v)
	case "ordinal":
		if n.german {
			return strconv.Itoa(v) + "."
		}
		return strconv.Itoa(v) + ordinalEnd(v)
	case "cardinalText", "ordinalText":
		if v < 1 || v > 99 {
			break
		}
		words := englishNumber
		if n.german {
			words = germanNumber
		}
		s := words(v, format == "ordinalText")
		return strings.ToUpper(s[:1]) + s[1:] // all begin with a letter of ASCII
	}
	return strconv.Itoa(v)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, r := range []struct {
		n int
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4,
		"IV"}, {1, "I"}} {
		for n >= r.n {
			n -= r.n
			b.WriteString(r.s)
		}
	}
	return b.String()
}

// ordinalEnd is what an English ordinal number in figures ends in: 1st, 12th, 23rd.
func ordinalEnd(n int) string {
	if n%100/10 != 1 && n%10 >= 1 && n%10 <= 3 {
		return []string{"st", "nd", "rd"}[n%10-1]
	}
	return "th"
}

var (
	englishOnes = strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	englishTens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
	germanOnes  = strings.Fields("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
	germanTens  = strings.Fields("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
	// irregular are the ordinal numbers that are not made of the cardinal ones, from one on.
	irregularEnglish = map[int]string{1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"}
	irregularGerman  = map[int]string{1: "erste", 3: "dritte", 7: "siebte", 8: "achte"}
)

// englishNumber is a number from 1 to 99 in English words.
func englishNumber(n int, ordinal bool) string {
	lead := ""
	if n > 20 && n%10 != 0 {
		lead, n = englishTens[n/10-2]+"-", n%10
	}
	word := slices.Concat(englishOnes, englishTens)[index(n)]
	switch {
	case !ordinal:
	case irregularEnglish[n] != "":
		word = irregularEnglish[n]
	case strings.HasSuffix(word, "y"):
		word = strings.TrimSuffix(word, "y") + "ieth"
	default:
		word += "th"
	}
	return lead + word
}

// germanNumber is a number from 1 to 99 in German words.
func germanNumber(n int, ordinal bool) string {
	word := ""
	if n > 20 && n%10 != 0 {
		word = strings.TrimSuffix(germanOnes[n%10-1], "s")
		if n%10 == 6 {
			word = "sechs"
		}
		word += "und" + germanTens[n/10-2]
	} else {
		word = slices.Concat(germanOnes, germanTens)[index(n)]
	}
	switch {
	case !ordinal:
	case irregularGerman[n] != "":
		word = irregularGerman[n]
	case n < 20:
		word += "te"
	default:
		word += "ste"
	}
	return word
}

// index is where a number below twenty or a whole ten stands in the words of ones and tens.
func index(n int) int {
	if n < 20 {
		return n - 1
	}
	return 19 + n/10 - 2
}
