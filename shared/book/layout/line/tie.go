package line

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a line end costs between two words that a compositor keeps together, and in front of a dash that has
// spaces around it, which rather ends a line than begins one. Both are taken before a wide space.
const (
	tieCost  = 500
	dashCost = 150
)

// rangeCost is that of a line end inside 1914–1918.
const rangeCost = 300

// inRange says whether the dash that ends at a byte stands between digits.
func inRange(s string, at int) bool {
	_, n := utf8.DecodeLastRuneInString(s[:at])
	before, _ := utf8.DecodeLastRuneInString(s[:at-n])
	behind, _ := utf8.DecodeRuneInString(s[at:])
	return unicode.IsDigit(before) && unicode.IsDigit(behind)
}

// together is the cost of a line end at the space between two words; 0 where any line may end.
func together(before, behind, language string) int32 {
	switch {
	case behind == "–" || behind == "—":
		return dashCost
	case before != "" && tied(before, behind, language):
		return tieCost
	}
	return 0
}

// tied says whether two words are read as one: an initial or a title and its name, a number and what it
// counts or is the number of, a month and its day, the parts of an abbreviation.
func tied(before, behind, language string) bool {
	before = strings.TrimLeft(before, "“„»«‘‚›‹\"'([—–")
	next, _ := utf8.DecodeRuneInString(behind)
	abbreviated, stop := strings.CutSuffix(before, ".")
	switch {
	case before == "":
	case numbered[before]:
		return unicode.IsDigit(next)
	case stop && oneLetter(abbreviated): // H. G. Wells, z. B., e. g.
		r, _ := utf8.DecodeLastRuneInString(abbreviated)
		return unicode.IsUpper(next) && unicode.IsUpper(r) || unicode.IsLower(r) && abbreviation(behind)
	case titles[before]:
		return unicode.IsUpper(next)
	case number(before) || stop && number(abbreviated):
		return !stop && units[bare(behind)] || months[bare(behind)]
	case months[before]: // May 12
		return number(bare(behind)) && len(bare(behind)) <= 2
	case roman(behind): // Franz II.
		r, _ := utf8.DecodeRuneInString(before)
		last, _ := utf8.DecodeLastRuneInString(before)
		return unicode.IsUpper(r) && unicode.IsLetter(last)
	}
	return lettersGoOn(language) && utf8.RuneCountInString(before) == 1 && unicode.IsLetter([]rune(before)[0])
}

// bare is a word without the marks that stand behind it.
func bare(s string) string { return strings.TrimRight(s, ".,;:!?…)]”“»«’‘\"'") }

// lettersGoOn says whether a word of one letter ends no line in a language.
func lettersGoOn(language string) bool {
	if len(language) < 2 {
		return false
	}
	switch strings.ToLower(language[:2]) {
	case "cs", "sk", "pl", "sl", "hr", "ru", "uk":
		return true
	}
	return false
}

// oneLetter says whether a text is a letter, or letters with full stops between them: J.R.R
func oneLetter(s string) bool {
	for {
		c, n := utf8.DecodeRuneInString(s)
		if !unicode.IsLetter(c) {
			return false
		}
		if s = s[n:]; s == "" {
			return true
		}
		if s[0] != '.' {
			return false
		}
		s = s[1:]
	}
}

// abbreviation says whether a word is at most two letters and a full stop, whatever stands behind it.
func abbreviation(s string) bool {
	at := strings.IndexByte(s, '.')
	return at > 0 && utf8.RuneCountInString(s[:at]) <= 2 && !strings.ContainsFunc(s[:at], func(c rune) bool { return !unicode.IsLetter(c) })
}

// number says whether a text is digits, with points, commas and the like between them.
func number(s string) bool {
	c, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsDigit(c) && !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsDigit(c) && !strings.ContainsRune(".,'’/–-−½\u202f", c)
	})
}

// roman says whether a word is a Roman number behind a name; "I" alone is a word.
func roman(s string) bool {
	n := 0
	for n < len(s) && strings.IndexByte("IVXLC", s[n]) >= 0 {
		n++
	}
	return n > 0 && (n > 1 || n < len(s) && s[n] == '.') && strings.Trim(s[n:], ".,;:!?’s”“»«)") == ""
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

var (
	titles   = words("Mr. Mrs. Ms. Messrs. Dr. Prof. St. Hr. Hrn. Frl. Fr. Rev. Capt. Col. Gen. Lt. Sgt. Mme. Mlle. M. Mr Mrs Ms Dr")
	numbered = words("No. no. Nos. nos. Nr. S. p. pp. vol. Vol. Bd. Kap. Abb. Tab. fig. Fig. figs. Figs. ch. chap. Art. Abs. ca. c. Bl. Sp. Z. Anm. Ziff. Vers § §§ € $ £ ×")
	units    = words("km m dm cm mm µm km² m² cm² ha m³ cm³ l ml hl kg g mg h min s W kW kWh V Hz °C °F ° % ‰ € $ £ Uhr Mio Mrd Fl fl kr Kr lb oz ft Grad Prozent Meter Kilometer Euro Gulden Kronen percent o’clock o'clock a.m p.m v n")
	months   = words("Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember January February March May June July October December")
)
