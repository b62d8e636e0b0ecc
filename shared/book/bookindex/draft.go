package bookindex

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// Draft proposes an index: what the author has marked, then names and terms that stand in at least two
// paragraphs. A term that is on every other page is proposed with Keep false. The same book gives the same
// draft.
func Draft(b manuscript.Book) []Entry {
	b = Anchor(b)
	all := units(b)
	d := drafter{index: map[string]int{}, german: strings.HasPrefix(b.Meta.Language, "de")}
	d.marked(all)
	terms := d.collect(all)
	for _, t := range d.choose(terms, len(all)) {
		d.propose(t, len(all))
	}
	Sort(d.out)
	return d.out
}

type drafter struct {
	out    []Entry
	index  map[string]int // of out by id
	german bool
	total  int // words
}

// entry finds or makes the entry of a term.
func (d *drafter) entry(term, sub string) *Entry {
	term, sub = clip(term), clip(sub)
	id := entryID(term, sub)
	i, ok := d.index[id]
	if !ok {
		i = len(d.out)
		d.index[id] = i
		d.out = append(d.out, newEntry(term, sub))
	}
	return &d.out[i]
}

// clip keeps a text within what Validate allows.
func clip(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if manuscript.Unfit(c) || c == utf8.RuneError {
			return ' '
		}
		return c
	}, s)), " ")
	if r := []rune(s); len(r) > MaxText {
		s = strings.TrimSpace(string(r[:MaxText]))
	}
	if !manuscript.OneLine(s) { // nothing of it can be seen
		return ""
	}
	return s
}

// marked takes over the entries that stand in the text.
func (d *drafter) marked(all []unit) {
	ends := map[string]string{} // anchor a bookmark stands at
	var marks func(in []manuscript.Inline, do func(manuscript.Inline))
	marks = func(in []manuscript.Inline, do func(manuscript.Inline)) {
		for _, x := range in {
			if l, ok := x.(manuscript.Link); ok {
				marks(l.Inlines, do)
				continue
			}
			do(x)
		}
	}
	for _, u := range all {
		marks(u.inlines, func(x manuscript.Inline) {
			if t, ok := x.(manuscript.Target); ok {
				ends[t.Name] = u.anchor
			}
		})
	}
	orders := map[string]int{}
	for i, u := range all {
		if _, ok := orders[u.anchor]; !ok {
			orders[u.anchor] = i
		}
	}
	known := map[string]bool{}
	var after []func()
	for _, u := range all {
		marks(u.inlines, func(x manuscript.Inline) {
			m, ok := x.(manuscript.IndexMark)
			if !ok || clip(m.Term) == "" || len(d.out) >= MaxEntries {
				return
			}
			e := d.entry(m.Term, m.Sub)
			known[e.Term] = true
			switch {
			case m.See != "" || m.SeeAlso != "":
				id := e.ID
				after = append(after, func() { d.refer(id, m, known) })
			case u.anchor != "" && len(e.Locators) < MaxLocators:
				l := Locator{Anchor: u.anchor}
				if end := ends[m.EndOf]; m.EndOf != "" && end != "" && end != u.anchor && orders[end] > orders[u.anchor] {
					l.EndAnchor = end
				}
				if !slices.Contains(e.Locators, l) {
					e.Locators = append(e.Locators, l)
				}
			}
		})
	}
	for _, f := range after {
		f()
	}
}

// refer adds a reference of a mark; one to a term that is not there would be refused and is left out.
func (d *drafter) refer(id string, m manuscript.IndexMark, known map[string]bool) {
	e := &d.out[d.index[id]]
	add := func(to *[]string, target string) {
		target = clip(target)
		if target != "" && known[target] && target != e.name() && !slices.Contains(*to, target) && len(*to) < MaxTargets {
			*to = append(*to, target)
		}
	}
	if len(e.Locators) > 0 {
		add(&e.SeeAlso, m.See)
	} else {
		add(&e.See, m.See)
	}
	add(&e.SeeAlso, m.SeeAlso)
}

// term is a candidate and the units it stands in.
type term struct {
	s       string
	units   []int // indices, rising, each once
	anchors []string
	spread  int // sections it stands in
	count   int
}

// propose adds a term of the text.
func (d *drafter) propose(t *term, units int) {
	e := d.entry(t.s, "")
	had := map[string]bool{}
	for _, l := range e.Locators {
		had[l.Anchor] = true
	}
	for _, a := range t.anchors {
		if !had[a] && len(e.Locators) < MaxLocators && len(e.See) == 0 {
			had[a] = true
			e.Locators = append(e.Locators, Locator{Anchor: a})
		}
	}
	if len(e.Locators) > max(25, units/4) {
		e.Keep = false
	}
}

// choose keeps the terms that are worth an entry: about one for a hundred words of text, those that stand
// in more places first.
func (d *drafter) choose(terms []*term, units int) []*term {
	most := min(max(30, d.total/100), 3000)
	slices.SortFunc(terms, func(a, b *term) int {
		if len(a.units) != len(b.units) {
			return len(b.units) - len(a.units)
		}
		return strings.Compare(a.s, b.s)
	})
	return terms[:min(len(terms), most)]
}
