package zones

import (
	"strings"
	"unicode/utf8"
)

const (
	maxNearestBytes = 64 // a longer text is no zone name: the longest has 32
	minTypoBytes    = 5  // a shorter last part (PST, Wien) is near to several names by chance
)

var folder = strings.NewReplacer(" ", "_", "-", "_")

func fold(s string) string { return folder.Replace(strings.ToLower(strings.TrimSpace(s))) }

// Nearest is the present name most like a wrong one: equal but for case, spaces and hyphens, or with the
// same last part, or a typing error away (two where the last part is long); "" if there is none. It is never an alias.
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
			if have := distance(fold(part(n)), want, best); have < best {
				best, nearest = have, d.entries[n].canonical
			}
		}
	}
	if closest(want, strings.Clone); nearest == "" {
		closest(last(want), last)
	}
	return nearest
}

// distance counts the letters to insert, leave out, replace or swap with their neighbour between two texts,
// or gives bound where they are at least so many.
func distance(a, b string, bound int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= bound {
		return bound
	}
	var rows [3][maxNearestBytes + 1]int
	older, old, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return min(old[len(b)], bound)
}
