package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/spelling"
)

// query is a text that names are searched for.
type query struct {
	folded
	tokens []string
	code   string // the text where it is a number, for codes; else ""
	lower  string // the text as it is written but for capitals
}

func queryOf(text string) query {
	f := fold(text)
	text = strings.TrimSpace(text)
	q := query{f, strings.Fields(f.words), text, strings.ToLower(strings.Join(strings.Fields(text), " "))}
	if strings.Trim(q.code, "0123456789") != "" {
		q.code = ""
	}
	return q
}

// class is how well a name answers a query; the least is best.
type class int8

// The classes, as the specification ranks them; none is no match.
const (
	exactCode class = iota
	namePrefix
	within
	none
)

// of says how well a row answers: its code ("" none), its name, and further text that tokens may be in (the
// municipality, postal codes), of which one at least has to be in the name.
func (q *query) of(code string, name folded, further ...string) class {
	switch {
	case code != "" && q.isCode(code):
		return exactCode
	case q.joined == "":
		return none
	case strings.HasPrefix(name.joined, q.joined):
		return namePrefix
	case strings.Contains(name.joined, q.joined):
		return within
	}
	own := false
	for _, t := range q.tokens {
		switch {
		case strings.Contains(name.words, t):
			own = true
		case !slices.ContainsFunc(further, func(f string) bool { return strings.Contains(f, t) }):
			return none
		}
	}
	if !own {
		return none
	}
	return within
}

// isCode says whether the query is a code, zeros in front or not.
func (q *query) isCode(code string) bool {
	if q.code == "" || len(q.code) > len(code) {
		return false
	}
	head, ok := strings.CutSuffix(code, q.code)
	return ok && strings.Trim(head, "0") == ""
}

// wholeness says whether a query is the whole name; the least is best.
type wholeness int8

// The degrees: the name as it is written, the name in another spelling, a part of it.
const (
	wholeAsWritten wholeness = iota
	wholeFolded
	notWhole
)

// whole compares the query with a name. Gössendorf is Gossendorf when folded: what is typed with its umlauts means
// the one that has them.
func (q *query) whole(written string, name folded) wholeness {
	switch {
	case strings.ToLower(written) == q.lower:
		return wholeAsWritten
	case q.joined != "" && name.joined == q.joined:
		return wholeFolded
	}
	return notWhole
}

// hit is a row that answers, with what orders it.
type hit struct {
	row    int
	class  class
	whole  wholeness
	name   string // as it is written
	behind int    // kind of row, in the order of the kinds
	code   string
}

// byRank is the order of hits: exact code, name prefix, the whole name as it is written, shortest name, then name,
// kind and code.
func byRank(a, b hit) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.whole, b.whole),
		cmp.Compare(utf8.RuneCountInString(a.name), utf8.RuneCountInString(b.name)),
		cmp.Compare(a.name, b.name), cmp.Compare(a.behind, b.behind), cmp.Compare(a.code, b.code))
}

// maxSuggestions bounds the names that are offered for one that nothing has.
const maxSuggestions = 5

// suggestions are names that are one typing error from the query, or begin so.
type suggestions struct {
	q     *query
	names []string
}

func (s *suggestions) look(written string, name folded) {
	if len(s.q.joined) < 3 { // of two letters everything is near
		return
	}
	if spelling.OneError(s.q.joined, name.joined) || spelling.OneError(s.q.words, leading(name.words, len(s.q.tokens))) ||
		s.mistyped(written) {
		if slices.Contains(s.names, written) {
			return
		}
		s.names = append(s.names, written)
	}
}

// mistyped says whether the query is one error from a name as it is written. Folding can make two of one:
// Passaerhof, of Passauerhof, is folded as if it had an umlaut, and
// Gromotten lacks both letters that the ß of Großmotten is folded to.
func (s *suggestions) mistyped(written string) bool {
	d := len(written) - len(s.q.lower)
	return max(d, -d) <= utf8.UTFMax && spelling.OneError(s.q.lower, strings.ToLower(written))
}

// leading are the first n words, or all.
func leading(words string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(words[at:], ' ')
		if i < 0 {
			return words
		}
		at += i + 1
	}
	return words[:max(at-1, 0)]
}

// list are the best names: shortest first is what people meant most often, then the alphabet.
func (s *suggestions) list() []string {
	slices.SortFunc(s.names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return append([]string{}, s.names[:min(len(s.names), maxSuggestions)]...)
}
