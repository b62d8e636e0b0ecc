package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
)

// indexLine is a line of the index before it has a place.
type indexLine struct {
	runs  []line.Run
	gap   bool   // a free line above, unless it begins a column
	keep  bool   // the next line stands in the same column
	entry int    // entries count up; the lines of one are kept from leaving one alone
	term  string // of the main entry it belongs to
	sub   bool   // below a term: a column that begins with it says the term again on a new verso
}

// indexSet is how an index is set: small type on its own grid, two columns.
type indexSet struct {
	s             *setter
	size, leading Unit
	width, gutter Unit
	german        bool
}

// index sets the entries behind the body. before are the parts of front and body, whose anchors tell the
// pages; first is the number of pages in front of the index.
func (w *work) index(before []part, first int) ([]part, error) {
	entries := slices.DeleteFunc(slices.Clone(w.o.Index), func(e bookindex.Entry) bool { return !e.Keep })
	if len(entries) == 0 {
		return nil, nil
	}
	s := w.s
	d := s.d
	x := indexSet{s: s, size: d.noteSize, leading: d.noteLeading, gutter: d.size * 3 / 2, german: strings.HasPrefix(d.spec.Language, "de")}
	x.width = (d.measure - x.gutter) / 2
	lines, err := x.lines(w.references(before))
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	s.lang = d.spec.Language
	g := &galley{s: s, after: true, source: -1}
	heading := map[bool]string{true: "Register", false: "Index"}[x.german]
	if err := g.opener(&manuscript.Section{Title: []manuscript.Inline{manuscript.Text{S: heading}}}); err != nil {
		return nil, err
	}
	var parts []part
	if first%2 == 1 {
		parts = append(parts, blank())
	}
	p, err := x.pages(g, lines)
	if err != nil {
		return nil, err
	}
	p.kind, p.title, p.opener, p.level = manuscript.KindIndex, heading, true, 1
	return append(parts, p), nil
}

// reference is an entry with the pages it refers to.
type reference struct {
	bookindex.Entry
	locales []bookindex.Locale
	targets map[int]string // a place on each page
}

// references finds the pages of all entries that have any, or refer to others.
func (w *work) references(before []part) []reference {
	at := map[string]int{}
	var folios []string
	for _, p := range before {
		for name, i := range p.anchors {
			at[name] = len(folios) + i
		}
		for i := range p.pages {
			folios = append(folios, p.pages[i].Folio)
		}
	}
	folio := func(i int) string {
		if i < 0 || i >= len(folios) {
			return ""
		}
		return folios[i]
	}
	var out []reference
	for i, e := range w.o.Index {
		if !e.Keep {
			continue
		}
		r := reference{Entry: e, targets: map[int]string{}}
		var places []bookindex.Place
		for k, l := range e.Locators {
			name := placeName(i, k, false)
			from, ok := at[name]
			if !ok {
				continue
			}
			pl := bookindex.Place{From: from, To: from, Note: w.s.noted[name]}
			if to, ok := at[placeName(i, k, true)]; ok && l.EndAnchor != "" {
				pl.To = max(from, to)
			}
			places = append(places, pl)
			if _, ok := r.targets[from]; !ok {
				r.targets[from] = name
			}
		}
		r.locales = bookindex.Pages(places, folio)
		if len(r.locales) > 0 || len(r.See) > 0 || len(r.SeeAlso) > 0 {
			out = append(out, r)
		}
	}
	order := make([]bookindex.Entry, len(out))
	for i, r := range out {
		order[i] = r.Entry
		order[i].ID = fmt.Sprintf("%06d", i)
	}
	bookindex.Sort(order)
	in := make([]reference, len(out))
	for i, e := range order {
		k, err := strconv.Atoi(e.ID)
		if err != nil {
			continue
		}
		in[i] = out[k]
	}
	return in
}

// lines sets all entries.
func (x *indexSet) lines(refs []reference) ([]indexLine, error) {
	var out []indexLine
	group, term, first := "", "", true
	for i, r := range refs {
		gap := false
		if g := bookindex.Group(r.Term); g != group || first {
			gap = !first
			group, first = g, false
		}
		if r.Sub != "" && r.Term != term {
			head, err := x.entry(reference{Entry: bookindex.Entry{Term: r.Term}}, false)
			if err != nil {
				return nil, err
			}
			out, gap = add(out, head, gap, len(refs)+i), false
			out[len(out)-1].keep = true
		}
		lines, err := x.entry(r, r.Sub != "")
		if err != nil {
			return nil, err
		}
		term = r.Term
		out = add(out, lines, gap, i)
		if r.Sub == "" && i+1 < len(refs) && refs[i+1].Term == r.Term {
			out[len(out)-1].keep = true
		}
	}
	return out, nil
}

func add(out, lines []indexLine, gap bool, entry int) []indexLine {
	for i := range lines {
		lines[i].entry = entry
		lines[i].gap = gap && i == 0
	}
	return append(out, lines...)
}

// pieces is the text of an entry: the term, where it stands, and what else to look under.
func (x *indexSet) pieces(r reference, sub bool) ([]line.Piece, error) {
	text := r.Term
	if sub {
		text = r.Sub
	}
	plain := styleKey{size: x.size, solid: true}
	italic := plain
	italic.style = manuscript.Italic
	var pieces []line.Piece
	put := func(t string, k styleKey) error { return x.s.text(&pieces, manuscript.Text{S: t}, k) }
	words := plain
	words.solid = false // a long word of a term may be divided
	if err := put(text, words); err != nil {
		return nil, err
	}
	for _, l := range r.locales {
		if err := put(", ", plain); err != nil {
			return nil, err
		}
		k := plain
		if t := r.targets[l.Page]; t != "" {
			x.s.links = append(x.s.links, "#"+t)
			k.link = len(x.s.links)
		}
		if err := put(l.Text, k); err != nil {
			return nil, err
		}
	}
	for i, to := range [][]string{r.See, r.SeeAlso} {
		if len(to) == 0 {
			continue
		}
		word := [2][2]string{{"See", "See also"}, {"Siehe", "Siehe auch"}}[map[bool]int{true: 1}[x.german]][i]
		if err := put(". ", plain); err != nil {
			return nil, err
		}
		if err := put(word, italic); err != nil {
			return nil, err
		}
		if err := put(" "+strings.Join(to, "; "), words); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// entry sets an entry flush and hang: its first line at the edge, the others moved in; a subject is moved
// in by one step, what it runs over by two.
func (x *indexSet) entry(r reference, sub bool) ([]indexLine, error) {
	pieces, err := x.pieces(r, sub)
	if err != nil {
		return nil, err
	}
	step := x.size
	hang := func(n int) Unit {
		in := Unit(0)
		if sub {
			in += step
		}
		if n > 0 {
			in += 2 * step
		}
		return min(in, x.width/2)
	}
	p := x.s.shaper.Paragraph(pieces, line.Shape{
		Measure: func(n int) Unit { return x.width - hang(n) }, Offset: hang, Align: line.Left, NoHang: true,
	})
	var out []indexLine
	for _, l := range p.Lines(p.Break(0)[0]) {
		out = append(out, indexLine{runs: l.Runs, term: r.Term, sub: sub})
	}
	return out, nil
}
