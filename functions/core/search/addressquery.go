package search

import (
	"maps"
	"slices"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// reading is one way to understand the text of an address.
type reading struct {
	words []string // folded, of street and place
	plz   austria.PLZ
	state austria.StateCode   // "": of any state
	house austria.HouseNumber // zero: none
}

// empty says that the reading asks for nothing that streets are found by.
func (r *reading) empty() bool { return len(r.words) == 0 && r.plz == "" }

// addressItem is a part of the text: words, or a number that may be that of a house or a word of a name.
type addressItem struct {
	words []string
	house austria.HouseNumber
}

// units are the words before the number of a stair or a door; true: a stair, which is the first of the units.
var units = map[string]bool{"stiege": true, "stg": true, "stock": false, "top": false, "tuer": false, "tür": false, "tur": false,
	"apt": false, "wohnung": false, "whg": false}

// numberSigns are the words before a house number that only say so: Nr. 33.
var numberSigns = map[string]bool{"nr": true, "no": true, "hnr": true, "hausnr": true, "hausnummer": true, "nummer": true}

// storeys are the words of a storey: true where its number stands before it, as in 2. Stock.
var storeys = map[string]bool{"stock": true, "og": true, "ug": true, "obergeschoss": true, "obergeschoß": true, "untergeschoss": true,
	"untergeschoß": true, "etage": true,
	"eg": false, "dg": false, "erdgeschoss": false, "erdgeschoß": false, "dachgeschoss": false, "dachgeschoß": false, "parterre": false,
	"hochparterre": false,
	"mezzanin":     false, "souterrain": false}

// maxWords bounds the words of an address, as they are combined in a row.
const maxWords = 24

// readings are the ways to understand a text, the likeliest first: a number belongs to the name of the street
// where one has it (Straße des 12. Februar), else the last one is that of the house. Four digits that isPLZ
// knows are a postal code, wherever they stand.
func readings(text string, isPLZ func(string) bool) []reading {
	var plain reading
	items := addressItems(text, isPLZ, &plain.plz)
	last := -1
	for i := range items {
		if plain.words = append(plain.words, items[i].words...); items[i].house.Low > 0 {
			last = i
		}
	}
	plain.words = plain.words[:min(len(plain.words), maxWords)]
	if last < 0 {
		return []reading{plain}
	}
	numbered := reading{plz: plain.plz, house: items[last].house}
	for i := range items {
		if i != last {
			numbered.words = append(numbered.words, items[i].words...)
		}
	}
	numbered.words = numbered.words[:min(len(numbered.words), maxWords)]
	return []reading{plain, numbered}
}

// addressItems takes a text apart.
func addressItems(text string, isPLZ func(string) bool, plz *austria.PLZ) []addressItem {
	fields := addressFields(text)
	var items []addressItem
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		stair, unit := units[f]
		behind := len(items) > 0 && items[len(items)-1].house.Low > 0 // a house number stands before this part
		if skip := storeyParts(fields[i:]); behind && skip > 0 {
			i += skip - 1
			continue
		}
		switch {
		case signsNumber(fields[i:]):
		case unit && (behind || f != "stock") && i+1 < len(fields) && isHouse(fields[i+1]): // Stock is a place too
			i++
			if n := len(items); n > 0 && items[n-1].house.Low > 0 {
				items[n-1].house.Units = withUnit(items[n-1].house.Units, fields[i], stair)
			}
		case *plz == "" && isPLZ(postal(f)):
			*plz = austria.PLZ(postal(f))
		case isHouse(f):
			if i+1 < len(fields) && isLetter(fields[i+1]) {
				i++
				f += fields[i]
			}
			house, _ := austria.ParseHouseNumber(f)
			items = append(items, addressItem{strings.Fields(spelling.Fold(f)), house})
		default:
			if words := strings.Fields(spelling.Fold(f)); len(words) > 0 {
				items = append(items, addressItem{words: words})
			}
		}
	}
	return items
}

// storeyParts is how many of the parts in front say a storey: 2. Stock, EG; 0: none.
func storeyParts(fields []string) int {
	if numbered, ok := storeys[fields[0]]; ok && !numbered {
		return 1
	}
	if len(fields) > 1 && storeys[fields[1]] && strings.Trim(fields[0], "0123456789") == "" && (len(fields) < 3 || !isHouse(fields[2])) {
		return 2
	}
	return 0
}

// signsNumber says whether the part in front only says that a house number follows: Nr. 33, Haus Nr. 33.
func signsNumber(fields []string) bool {
	if len(fields) > 1 && fields[0] == "haus" && numberSigns[fields[1]] {
		fields = fields[1:]
	}
	return len(fields) > 1 && numberSigns[fields[0]] && isHouse(fields[1])
}

// apart parts a unit or a sign from its number: Top5, Nr33.
func apart(fields []string) []string {
	var out []string
	for _, f := range fields {
		word := strings.TrimRight(f, "0123456789abcdefghijklmnopqrstuvwxyz/-")
		for i := len(word); i < len(f); i++ {
			if f[i] >= '0' && f[i] <= '9' {
				word = f[:i]
				break
			}
		}
		if rest := f[len(word):]; (isUnit(word) || numberSigns[word]) && isHouse(rest) {
			out = append(out, word, rest)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// unitSlash parts a unit from the number before it: 12/Top 5.
var unitSlash = func() *strings.Replacer {
	var pairs []string
	for _, u := range slices.Sorted(maps.Keys(units)) {
		pairs = append(pairs, "/"+u, " "+u)
	}
	return strings.NewReplacer(pairs...)
}()

// addressFields are the parts of a text in small letters. A stop behind a letter ends one: Hauptstr.5.
func addressFields(text string) []string {
	var b strings.Builder
	runes := []rune(unitSlash.Replace(strings.ToLower(text)))
	for i, r := range runes {
		b.WriteRune(r)
		if r == '.' && i > 0 && (runes[i-1] < '0' || runes[i-1] > '9') {
			b.WriteByte(' ')
		}
	}
	fields := strings.FieldsFunc(b.String(), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;:()\"'\u00a0", r) })
	for i, f := range fields {
		if t := strings.TrimRight(f, "."); isHouse(t) || isUnit(t) || numberSigns[t] || t == "og" || t == "ug" || t == "eg" || t == "dg" {
			fields[i] = t
		}
	}
	return apart(slices.DeleteFunc(fields, func(f string) bool { return f == "" }))
}

func isUnit(f string) bool {
	_, ok := units[f]
	return ok
}

// withUnit puts a stair or a door behind a house number. A door alone chooses nothing: the register has houses.
func withUnit(given, number string, stair bool) string {
	switch {
	case given != "":
		return given + "/" + number
	case stair:
		return number
	}
	return ""
}

// postal is a postal code without the sign of the country: A-5020, AT-5020.
func postal(f string) string {
	for _, sign := range []string{"a-", "at-"} {
		if rest, ok := strings.CutPrefix(f, sign); ok {
			return rest
		}
	}
	return f
}

// isHouse says whether a part reads as a house number: 12, 12a, 12-14, 5-7a, 12/3/4.
func isHouse(f string) bool {
	if f == "" || f[0] < '0' || f[0] > '9' || len(f) > 16 || strings.Trim(f, "0123456789abcdefghijklmnopqrstuvwxyz/-") != "" {
		return false
	}
	h, ok := austria.ParseHouseNumber(f)
	for i := 1; i < len(h.Letter); i++ {
		if isLetter(h.Letter[i-1:i]) && isLetter(h.Letter[i:i+1]) {
			return false // a word
		}
	}
	return ok
}

func isLetter(f string) bool { return len(f) == 1 && f[0] >= 'a' && f[0] <= 'z' }
