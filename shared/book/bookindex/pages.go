package bookindex

import (
	"slices"
	"strings"
)

// Place is where a locator came to stand: a page, or pages From to To. Pages are counted from the first
// of the book, as the list of pages does.
type Place struct {
	From, To int
	Note     bool // in a note on that page
}

// Locale is a page reference as it is printed ("12", "12–15", "12n") and the page it leads to.
type Locale struct {
	Text string
	Page int
}

// Pages writes the places of an entry: in order, each page once, pages that follow each other as a range
// with an en dash. A note on a page the text refers to is not told apart. folio gives the printed number;
// a page without one is passed over.
func Pages(places []Place, folio func(page int) string) []Locale {
	texts, notes := map[int]bool{}, map[int]bool{}
	for _, p := range places {
		for i := p.From; i <= max(p.From, p.To) && i-p.From < 10_000; i++ {
			if folio(i) == "" {
				continue
			}
			if p.Note {
				notes[i] = true
			} else {
				texts[i] = true
			}
		}
	}
	type span struct {
		from, to int
		note     bool
	}
	var spans []span
	for _, i := range sorted(texts) {
		if n := len(spans); n > 0 && spans[n-1].to == i-1 && roman(folio(i)) == roman(folio(i-1)) {
			spans[n-1].to = i
			continue
		}
		spans = append(spans, span{from: i, to: i})
	}
	for _, i := range sorted(notes) {
		if !texts[i] {
			spans = append(spans, span{from: i, to: i, note: true})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	out := make([]Locale, 0, len(spans))
	for _, s := range spans {
		l := Locale{Text: folio(s.from), Page: s.from}
		switch {
		case s.note:
			l.Text += "n"
		case s.to > s.from:
			l.Text += "–" + folio(s.to)
		}
		out = append(out, l)
	}
	return out
}

func roman(folio string) bool { return strings.Trim(folio, "0123456789") != "" }

func sorted(set map[int]bool) []int {
	out := make([]int, 0, len(set))
	for i := range set {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
