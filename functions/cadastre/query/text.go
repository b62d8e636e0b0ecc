package query

import (
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/columns"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/glob"
	"mappe/shared/spelling"
)

// words are a text that parcels are searched for.
type words struct {
	names   []string // folded, each in the name of the KG or its municipality
	numbers []string // parcel numbers or codes
	ids     []austria.ParcelID
	fit     []pattern  // of numbers, then of ids
	all     []*pattern // fit, for the KGs of which no number is a code or a name
}

func wordsOf(text string) words {
	var w words
	for _, token := range strings.Fields(text) {
		if id, err := austria.ParseParcelID(token); err == nil {
			w.ids = append(w.ids, id)
		} else if strings.Trim(token, "0123456789./*") == "" {
			w.numbers = append(w.numbers, token)
		} else {
			w.names = append(w.names, strings.Fields(spelling.Fold(token))...)
		}
	}
	for _, n := range w.numbers {
		w.fit = append(w.fit, patternOf(n))
	}
	for _, id := range w.ids {
		w.fit = append(w.fit, patternOf(string(id.GNR)))
	}
	for i := range w.fit {
		w.all = append(w.all, &w.fit[i])
	}
	return w
}

// none says that the text has neither letters nor digits: nothing fits it.
func (w *words) none() bool { return len(w.names)+len(w.numbers)+len(w.ids) == 0 }

// in says whether parcels of a KG may fit, and which patterns their number then has to.
func (w *words) in(k *register.KG, name string) (numbers []*pattern, ok bool) {
	if w.none() {
		return nil, false
	}
	for _, id := range w.ids {
		if id.KG != k.Code {
			return nil, false
		}
	}
	for _, n := range w.names {
		if !strings.Contains(name, n) {
			return nil, false
		}
	}
	names := func(n string) bool { return w.namesKG(k, name, n) }
	if !slices.ContainsFunc(w.numbers, names) {
		return w.all, true
	}
	for i, n := range w.numbers {
		if !names(n) {
			numbers = append(numbers, w.all[i])
		}
	}
	return append(numbers, w.all[len(w.numbers):]...), true
}

// namesKG says whether a number is a code of a KG or a word of its name, rather than a parcel number.
func (w *words) namesKG(k *register.KG, name, n string) bool {
	return isCode(n, string(k.Code)) || n == string(k.GemeindeCode) || strings.Contains(name, n) && slices.Contains(strings.Fields(name), n)
}

// isCode says whether a text is a code, zeros in front or not.
func isCode(text, code string) bool {
	head, ok := strings.CutSuffix(code, text)
	return ok && strings.Trim(head, "0") == ""
}

// pattern is what a parcel number has to be.
type pattern struct {
	prefix string               // the number begins so
	exact  bool                 // and ends there
	number columns.ParcelNumber // where it is exact
	wild   string               // what it has to fit beyond; "" nothing
}

// patternOf reads a number: exact, with * for any characters, or a leading dot for building plots whose number
// begins so, as in /search/gnr. Zeros in front do not count.
func patternOf(text string) pattern {
	prefix, rest, star := strings.Cut(text, "*")
	switch {
	case star && rest == "":
		return pattern{prefix: prefix}
	case star:
		return pattern{prefix: prefix, wild: text}
	case strings.HasPrefix(text, "."):
		return pattern{prefix: text}
	}
	n := columns.CanonicalNumber(austria.GNR(text))
	return pattern{prefix: n, exact: true, number: columns.NumberOf(austria.GNR(n))}
}

// rows are the rows from lo up to hi, of one KG, in which the numbers of the prefix stand.
func (p *pattern) rows(t *columns.Table, lo, hi int) (from, to int) {
	if p.exact {
		return t.Numbered(lo, hi, p.number)
	}
	from = t.NumberFrom(lo, hi, p.prefix)
	return from, t.NumberFrom(from, hi, p.prefix+"\xff")
}

func (p *pattern) matches(t *columns.Table, i int32) bool {
	return p.wild == "" || glob.Match(p.wild, t.Number(int(i)))
}

// fits says whether a number without zeros in front is what the pattern wants.
func (p *pattern) fits(number string) bool {
	if p.exact {
		return number == p.prefix
	}
	return strings.HasPrefix(number, p.prefix) && (p.wild == "" || glob.Match(p.wild, number))
}

// nameTables keeps the folded names of the registers that requests are answered from: the served one, and one
// that cursors still walk through.
type nameTables struct {
	mu   sync.Mutex
	kept []nameTable // last used first
}

type nameTable struct {
	reg   *register.Register
	names []string // of reg.KGs: words of the KG and its municipality, then both joined
}

const keptNames = 2

// of gives the names of a register.
func (n *nameTables) of(reg *register.Register) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.IndexFunc(n.kept, func(t nameTable) bool { return t.reg == reg })
	if i < 0 {
		t := nameTable{reg: reg}
		for i := range reg.KGs() {
			k := &reg.KGs()[i]
			a, b := spelling.Fold(k.Name), spelling.Fold(k.GemeindeName)
			t.names = append(t.names, a+" | "+b+" | "+spelling.Compact(a)+" | "+spelling.Compact(b))
		}
		n.kept = slices.Insert(n.kept[:min(len(n.kept), keptNames-1)], 0, t)
		return t.names
	}
	t := n.kept[i]
	n.kept = slices.Insert(slices.Delete(n.kept, i, i+1), 0, t)
	return t.names
}
