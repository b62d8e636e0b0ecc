package clean

import (
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// log gathers findings; of each type the first limit one by one, the rest as the count of the last.
type log struct {
	found   []finding.Finding
	limit   int
	section string // title of the section that is worked on
	of      [256]struct{ n, last int }
}

// full says whether no more places of a type are kept, so that nobody needs to make an excerpt.
func (g *log) full(t finding.Type) bool { return g.of[t].n >= g.limit }

func (g *log) put(f finding.Finding) {
	if f.Place.Section == "" {
		f.Place.Section = g.section
	}
	seen := &g.of[f.Type]
	if seen.n >= g.limit && f.Left == "" { // what is left out is told place by place
		g.found[seen.last].Count += f.Count
		return
	}
	seen.n++
	seen.last = len(g.found)
	g.found = append(g.found, f)
}

func (g *log) add(t finding.Type, place manuscript.Place, excerpt string) {
	g.put(finding.New(t, place, excerpt))
}

func (g *log) detail(t finding.Type, place manuscript.Place, excerpt, detail string) {
	f := finding.New(t, place, excerpt)
	f.Detail = detail
	g.put(f)
}

// Around is the text beside a byte position: some fifty bytes on each side, cut at words.
func Around(s string, at int) string {
	const side = 50
	at = max(0, min(at, len(s)-1)) // of s in lower case, which may be longer: Ⱥ has two bytes and ⱥ three
	from, to := max(at-side, 0), min(at+side, len(s))
	for from > 0 && from < at && s[from-1] != ' ' {
		from++
	}
	for to < len(s) && to > at+1 && s[to] != ' ' {
		to--
	}
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	e := oneLine(s[from:to])
	if from > 0 {
		e = "…" + e
	}
	if to < len(s) {
		e += "…"
	}
	return e
}
