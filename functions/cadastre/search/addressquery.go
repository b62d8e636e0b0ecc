package search

import (
	"slices"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// reading is one way to understand the text of an address.
type reading struct {
	words []string // folded, of street and place
	plz   austria.PLZ
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
var units = map[string]bool{"stiege": true, "stg": true, "stock": false, "top": false, "tuer": false, "tür": false, "tur": false, "apt": false, "wohnung": false}

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
		switch {
		case unit && i+1 < len(fields) && isHouse(fields[i+1]):
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

// addressFields are the parts of a text in small letters. A stop behind a letter ends one: Hauptstr.5.
func addressFields(text string) []string {
	var b strings.Builder
	runes := []rune(strings.ToLower(text))
	for i, r := range runes {
		b.WriteRune(r)
		if r == '.' && i > 0 && (runes[i-1] < '0' || runes[i-1] > '9') {
			b.WriteByte(' ')
		}
	}
	fields := strings.FieldsFunc(b.String(), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;:()\"'\u00a0", r) })
	for i, f := range fields {
		if t := strings.TrimRight(f, "."); isHouse(t) || units[t] || isUnit(t) {
			fields[i] = t
		}
	}
	return slices.DeleteFunc(fields, func(f string) bool { return f == "" })
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

// isHouse says whether a part reads as a house number: 12, 12a, 12-14, 12/3/4.
func isHouse(f string) bool {
	if f == "" || f[0] < '0' || f[0] > '9' || len(f) > 16 || strings.Trim(f, "0123456789abcdefghijklmnopqrstuvwxyz/-") != "" {
		return false
	}
	h, ok := austria.ParseHouseNumber(f)
	return ok && (len(h.Letter) <= 1 || strings.Contains(h.Letter, "-"))
}

func isLetter(f string) bool { return len(f) == 1 && f[0] >= 'a' && f[0] <= 'z' }
