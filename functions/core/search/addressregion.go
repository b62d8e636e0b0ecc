package search

import (
	"strings"

	"mappe/shared/austria"
)

// regional is the text of an address without the country, or without the state, that stands behind it.
type regional struct {
	text  string
	state austria.StateCode // "": of any state
}

// countries are the names of the country, folded, as they stand behind an address.
var countries = map[string]bool{"osterreich": true, "austria": true, "autriche": true, "at": true, "aut": true}

// regionals are the texts that an address may be, the likeliest first. A country behind a comma is one; behind a blank it
// may be a word of the place, as a state may be the name of a town: the address as it was typed comes first.
func regionals(text string) []regional {
	list := []regional{{text: text}}
	if rest, last, comma := cutLast(text); countries[last] && rest != "" {
		if text = rest; comma {
			list = []regional{{text: rest}, list[0]}
		} else {
			list = append(list, regional{text: rest})
		}
	}
	if rest, last, _ := cutLast(text); rest != "" {
		for _, s := range austria.AllStates() {
			if fold(s.Name()).joined == last {
				list = append(list, regional{rest, s})
			}
		}
	}
	return list
}

// cutLast cuts the last word off, folded, and says whether a comma stood before it.
func cutLast(text string) (rest, last string, comma bool) {
	const between = " ,;.()\t\r\n"
	text = strings.TrimRight(text, between)
	at := strings.LastIndexAny(text, between)
	if at < 0 {
		return "", fold(text).joined, false
	}
	rest = strings.TrimRight(text[:at+1], between)
	return rest, fold(text[at+1:]).joined, strings.ContainsAny(text[len(rest):at+1], ",;")
}
