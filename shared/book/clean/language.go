package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// lang is what the repairs need of a language.
type lang struct {
	tag        string
	german     bool
	french     bool
	quotes     quotes
	spacedDash bool // an en dash between spaces, not an em dash between letters
}

// language finds the book's language and writes it into its Meta.
func (r *repair) language(wanted string) {
	tag := wanted
	if tag == "" {
		tag = r.book.Meta.Language
	}
	v := r.voice()
	base := manuscript.Base(tag)
	if guess := v.language(); wanted == "" && guess != "" && guess != base && (base == "" || v.sure(guess, base)) {
		tag, base = guess, guess
	}
	if tag == "" {
		tag, base = "en", "en"
	}
	if base == "de" && v.old > 0 && v.old > 2*v.reformed && !strings.EqualFold(tag, "de-1996") {
		tag = "de-1901"
	}
	r.book.Meta.Language = tag
	r.lang = lang{tag: tag, german: base == "de", french: base == "fr", quotes: quotesEnglish}
	switch {
	case base == "de":
		r.lang.spacedDash = true
		r.lang.quotes = quotesGerman
		if strings.EqualFold(tag, "de-CH") {
			r.lang.quotes = quotesSwiss
		}
		switch {
		case v.inward > v.low && v.inward >= v.outward && v.inward > 0:
			r.lang.quotes = quotesGuillemets
		case v.outward > v.low && v.outward > 0:
			r.lang.quotes = quotesSwiss
		case v.low > 0:
			r.lang.quotes = quotesGerman
		}
	case base == "fr":
		r.lang.spacedDash = true
		r.lang.quotes = quotesSwiss
	case strings.EqualFold(tag, "en-GB"):
		r.lang.spacedDash = true
	}
	if v.spacedDashes+v.closedDashes > 4 && base == "en" { // as the author does it
		r.lang.spacedDash = v.spacedDashes > v.closedDashes
	}
}

// voice counts what tells a language and its spelling.
type voice struct {
	words                      int
	hits                       [3]int // of the common words, by voices
	old, reformed              int    // daß, muß against dass, muss
	low, inward, outward       int    // „ »x «x
	spacedDashes, closedDashes int
}

var voices = [...]string{"en", "de", "fr"}

// common maps frequent words to their language, as index in voices.
var common = func() map[string]int {
	all := map[string]int{}
	for i, words := range []string{
		"the and of to was that with his her had for you not this from have they were would which there their she been what who will when out into could than then them some said a at on he it is be by if we but about one all any before after nobody everyone",
		"der die und das den nicht ein eine ist sich mit dem sie von als auf auch aber noch nach wie zu im bei einen hatte war nur wenn oder aus über vor ihr ihm ich wir durch daß dass er es zum zur dem einer einem eines am um bis hat sind wird wo ohne niemand jemand wurde sagte mich dich mir dir uns einmal",
		"le les et des une est que qui dans pour pas sur avec ce il elle ne se au du mais plus nous vous son sa ses leur était comme tout sans on elles aux cette ces mes tes nos vos où mais puis encore",
	} {
		for _, w := range strings.Fields(words) {
			all[w] = i
		}
	}
	return all
}()

// spelling maps words to old (true) or reformed spelling.
var spelling = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(
		"daß muß mußte mußten müßte müßten wußte wußten wüßte läßt laß gewiß bißchen iß mißt faßt paßt haßt fluß schluß kuß riß entschluß bewußt bewußtsein eßt sodaß haß naß blaß baß prozeß") {
		all[w] = true
	}
	for _, w := range strings.Fields(
		"dass muss musste mussten müsste müssten wusste wussten wüsste lässt lass gewiss bisschen iss misst fasst passt hasst fluss schluss kuss riss entschluss bewusst bewusstsein esst sodass hass nass blass bass prozess") {
		all[w] = false
	}
	return all
}()

// maxHeard bounds how many bytes of a book are listened to.
const maxHeard = 400_000

func (r *repair) voice() voice {
	var v voice
	for i := range r.book.Sections {
		// A sample of each section where the book is long.
		left := max(4000, maxHeard/len(r.book.Sections))
		for _, b := range r.book.Sections[i].Blocks {
			p, ok := b.(*manuscript.Paragraph)
			if !ok {
				continue
			}
			texts(p.Inlines, func(t manuscript.Text) bool {
				v.hear(t.S)
				left -= len(t.S)
				return left > 0
			})
			if left <= 0 {
				break
			}
		}
	}
	return v
}

func (v *voice) hear(s string) {
	var word [24]byte
	n, long := 0, false
	end := func() {
		if n > 1 && !long {
			v.word(word[:n])
		}
		if n > 0 {
			v.words++
		}
		n, long = 0, false
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
				if n < len(word) {
					word[n] = c | 0x20
					n++
				} else {
					long = true
				}
			default:
				end()
			}
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r):
			if n+3 < len(word) {
				n += utf8.EncodeRune(word[n:], unicode.ToLower(r))
			} else {
				long = true
			}
		default:
			end()
			next, _ := utf8.DecodeRuneInString(s[i+w:])
			switch {
			case r == '„':
				v.low++
			case r == '»' && unicode.IsLetter(next):
				v.inward++
			case r == '«' && unicode.IsLetter(next):
				v.outward++
			case r == '–' || r == '—':
				if i > 0 && s[i-1] == ' ' {
					v.spacedDashes++
				} else {
					v.closedDashes++
				}
			}
		}
		i += w
	}
	end()
}

func (v *voice) word(w []byte) {
	if i, ok := common[string(w)]; ok {
		v.hits[i]++
	}
	if len(w) > 3 || w[0] == 'i' {
		if old, ok := spelling[string(w)]; ok {
			if old {
				v.old++
			} else {
				v.reformed++
			}
		}
	}
}

// language is the language the text reads like, "" where too little is said.
func (v *voice) language() string {
	best := 0
	for i := range v.hits {
		if v.hits[i] > v.hits[best] {
			best = i
		}
	}
	if v.hits[best] < 5 || v.hits[best]*10 < v.words {
		return ""
	}
	return voices[best]
}

// sure says whether the text reads like a language far more than like another.
func (v *voice) sure(this, than string) bool {
	a, b := 0, 0
	for i, name := range voices {
		switch name {
		case this:
			a = v.hits[i]
		case than:
			b = v.hits[i]
		}
	}
	return a >= 40 && a > 8*b
}

// Guess is the language a text reads like (en, de or fr), "" where it says too little, and how many of its
// words are common ones of that language.
func Guess(text string) (string, int) {
	var v voice
	v.hear(text)
	tag := v.language()
	if tag == "" {
		return "", 0
	}
	for i, name := range voices {
		if name == tag {
			return tag, v.hits[i]
		}
	}
	return "", 0
}
