package clean

import "strings"

// maxSpelled is the length of the longest number in words with room to spare, in bytes.
const maxSpelled = 48

// inWords is a number written in words.
type inWords struct {
	value    int
	cardinal bool // it may stand alone above a chapter: "Three", not "Third"
}

// spelled are the numbers from one to a hundred in English, German and French as bare gives them: cardinals
// and ordinals, with the spellings of older books (Siebentes, Eilftes, Dreyzehntes, One and Twentieth).
var spelled = func() map[string]inWords {
	all := map[string]inWords{}
	for _, add := range []func(func(words string, value int, cardinal bool)){english, german, french} {
		add(func(words string, value int, cardinal bool) {
			if old, there := all[bare(words)]; !there || !old.cardinal {
				all[bare(words)] = inWords{value, cardinal}
			}
		})
	}
	return all
}()

// bare takes out of a number in words what is written in several ways: capitals, spaces, hyphens, accents,
// ß and umlauts.
func bare(s string) string { return bareSigns.Replace(strings.ToLower(s)) }

var bareSigns = strings.NewReplacer(" ", "", "\t", "", "\u00a0", "", "-", "", "\u2010", "", "\u2011", "", "\u00ad", "",
	"ß", "ss", "ä", "ae", "ö", "oe", "ü", "ue", "é", "e", "è", "e", "y", "i")

func english(add func(string, int, bool)) {
	small := strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	nth := strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
	for i := range small {
		add(small[i], i+1, true)
		add(nth[i], i+1, false)
	}
	for t, ten := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		v := 20 + 10*t
		tenth := strings.TrimSuffix(ten, "y") + "ieth"
		add(ten, v, true)
		add(tenth, v, false)
		for i := range 9 {
			add(ten+small[i], v+i+1, true)
			add(ten+nth[i], v+i+1, false)
			add(small[i]+"and"+ten, v+i+1, true)
			add(small[i]+"and"+tenth, v+i+1, false)
		}
	}
	for _, lead := range []string{"", "one", "a"} {
		add(lead+"hundred", 100, lead != "a")
		add(lead+"hundredth", 100, false)
	}
}

func german(add func(string, int, bool)) {
	// Each with its older spellings; an ordinal adds t, or st from twenty on, and an ending.
	ones := []string{"ein", "zwei|zwo", "drei", "vier", "fünf|funf", "sechs", "sieben", "acht", "neun"}
	teens := []string{"zehn|zehen", "elf|eilf", "zwölf|zwolf", "dreizehn", "vierzehn", "fünfzehn|funfzehn|fuffzehn", "sechzehn|sechszehn",
		"siebzehn|siebenzehn", "achtzehn", "neunzehn"}
	tens := []string{"zwanzig", "dreißig|dreizig", "vierzig", "fünfzig|funfzig", "sechzig|sechszig", "siebzig|siebenzig", "achtzig",
		"neunzig"}
	ordinal := func(stem string, v int) {
		for _, end := range []string{"e", "er", "es", "en", "em"} {
			add(stem+end, v, false)
		}
	}
	each := func(spellings string, f func(string)) {
		for _, s := range strings.Split(spellings, "|") {
			f(s)
		}
	}
	add("eins", 1, true)
	for i, s := range ones {
		each(s, func(s string) {
			add(s, i+1, i > 0)
			ordinal(s+"t", i+1)
		})
	}
	for v, stems := range map[int]string{1: "erst", 3: "dritt", 7: "siebt|siebent", 8: "acht"} {
		each(stems, func(s string) { ordinal(s, v) })
	}
	for i, s := range teens {
		each(s, func(s string) {
			add(s, 10+i, true)
			ordinal(s+"t", 10+i)
		})
	}
	for t, s := range tens {
		each(s, func(ten string) {
			v := 20 + 10*t
			add(ten, v, true)
			ordinal(ten+"st", v)
			for i, s := range ones {
				each(s, func(one string) {
					add(one+"und"+ten, v+i+1, true)
					ordinal(one+"und"+ten+"st", v+i+1)
				})
			}
		})
	}
	for _, lead := range []string{"", "ein"} {
		add(lead+"hundert", 100, true)
		ordinal(lead+"hundertst", 100)
	}
}

func french(add func(string, int, bool)) {
	small := strings.Fields("un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf")
	nth := func(cardinal string) string {
		switch {
		case strings.HasSuffix(cardinal, "cinq"):
			return cardinal + "uième"
		case strings.HasSuffix(cardinal, "neuf"):
			return strings.TrimSuffix(cardinal, "f") + "vième"
		}
		return strings.TrimSuffix(cardinal, "e") + "ième"
	}
	number := func(words string, v int) {
		add(words, v, true)
		add(nth(words), v, false)
	}
	for i, s := range small {
		number(s, i+1)
	}
	for _, s := range []string{"premier", "première"} {
		add(s, 1, false)
	}
	add("second", 2, false)
	add("seconde", 2, false)
	for ten, v := range map[string]int{"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
		"huitante": 80, "octante": 80, "quatre-vingt": 80, "nonante": 90} {
		number(ten, v)
		most := 9
		if v == 60 || ten == "quatre-vingt" { // soixante-dix-neuf, quatre-vingt-dix-neuf
			most = 19
		}
		for i := range most {
			number(ten+small[i], v+i+1)
			number(ten+"et"+small[i], v+i+1)
		}
	}
	add("quatre-vingts", 80, true)
	number("cent", 100)
}

// mostWords is how many words a number has at most, "vingt et un" or "ein und zwanzigstes".
const mostWords = 4

// numberAt is the number that begins at byte i or after the spaces there, in digits, roman digits or as many
// words as belong to it, and where it ends; "" where none does. The marks behind it are not part of it.
func numberAt(s string, i int) (number string, end int) {
	w, to := word(s, i)
	from := to - len(w)
	for range mostWords {
		if w == "" {
			break
		}
		plain := strings.TrimRight(w, ".:)")
		if so := s[from : to-len(w)+len(plain)]; value(so) > 0 {
			number, end = so, to-len(w)+len(plain)
		}
		if plain != w {
			break
		}
		w, to = word(s, to)
	}
	return number, end
}
