package clean

import (
	"strings"
	"unicode"
)

// months are the names of months in the three languages, with their short forms and the Austrian and older ones.
var months = func() map[string]bool {
	all := map[string]bool{}
	for _, m := range strings.Fields(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec
		januar jänner februar feber märz maerz mai juni juno juli julei oktober dezember mär okt dez
		janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre janv févr avr juil déc
		hornung lenzmonat heuert christmonat brumaire`) {
		all[m] = true
	}
	return all
}()

// isDate says whether a line begins with a day: "24. Dezember", "3 March 1914", "1. 5. 1945". The day is no number of a
// chapter.
func isDate(s string) bool {
	t := strings.TrimLeftFunc(s, blank)
	end := strings.IndexFunc(t, func(c rune) bool { return c < '0' || c > '9' })
	if end < 1 || end > 2 {
		return false
	}
	rest := t[end:]
	for _, nth := range []string{"st", "nd", "rd", "th", "er"} { // 1st March, 1er mars
		if after, ok := strings.CutPrefix(rest, nth); ok && strings.HasPrefix(after, " ") {
			rest = after
		}
	}
	rest = strings.TrimLeftFunc(strings.TrimPrefix(rest, "."), blank)
	rest = strings.TrimPrefix(rest, "of ")
	name := rest
	if i := strings.IndexFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) }); i >= 0 {
		name = rest[:i]
	}
	if months[strings.ToLower(name)] {
		return true
	}
	month := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
	return month > 0 && month <= 2 && (rest[month] == '.' || rest[month] == '/') && value(rest[:month]) <= 12
}
