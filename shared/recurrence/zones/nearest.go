package zones

import (
	"strings"
	"unicode/utf8"

	"mappe/shared/spelling"
)

const (
	maxNearestBytes = 64 // a longer text is no zone name: the longest has 32
	minTypoBytes    = 5  // a shorter last part (PST, Wien) is near to several names by chance
)

var folder = strings.NewReplacer(" ", "_", "-", "_")

func fold(s string) string { return folder.Replace(strings.ToLower(strings.TrimSpace(s))) }

// Nearest is the present name most like a wrong one: equal but for case, spaces and hyphens, or with the
// same last part, or a typing error away (two where the last part is long); "" if no zone is near. It is never an alias.
func Nearest(name string) string {
	want := fold(name)
	if len(name) > maxNearestBytes || want == "" || !utf8.ValidString(want) {
		return ""
	}
	d := open()
	last := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	for _, n := range d.names {
		if fold(n) == want {
			return d.entries[n].canonical
		}
	}
	for _, n := range d.names {
		if fold(last(n)) == last(want) {
			return d.entries[n].canonical
		}
	}
	errors := 2
	switch n := len(last(want)); {
	case n < minTypoBytes:
		return ""
	case n < 8:
		errors = 1
	}
	nearest := ""
	closest := func(want string, part func(string) string) {
		best := errors + 1
		for _, n := range d.names {
			if have := spelling.Distance(fold(part(n)), want, best); have < best {
				best, nearest = have, d.entries[n].canonical
			}
		}
	}
	if closest(want, strings.Clone); nearest == "" {
		closest(last(want), last)
	}
	return nearest
}
