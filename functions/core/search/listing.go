package search

import (
	"slices"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var text = endpoint.String("q",
	"Name, or a part of it, or a code. Umlauts and ß may be written with two letters or without marks; St. is Sankt, Gr. is Groß, hyphens and blanks are the same. Every word has to be in the name.", endpoint.Between(1, 200), endpoint.Example("Lorfach"))

// suggestionsMeta is what meta of a search by name holds beside the common, for the description of the service.
type suggestionsMeta struct {
	Suggestions []string `json:"suggestions,omitempty"`
}

const suggestionsDoc = `
Where q finds nothing, meta.suggestions lists up to five names that are one typing error away.`

// listing answers with a page of rows of the register: n of them, the i-th set by set.
func listing[T any](r *endpoint.Request, s *format.Schema[T], n int, set func(item *T, i int)) *reply.Rows {
	lo, hi := r.Span(n)
	return &reply.Rows{
		Total: n, RowTypes: []*format.RowType{s.RowType}, Geometry: !plain(r),
		Rows: func(yield func(format.Row, error) bool) {
			row := s.Record()
			for i := lo; i < hi; i++ {
				set(&row.Item, i)
				if !yield(row, nil) {
					return
				}
			}
		},
	}
}

// searched are the rows of a table of n that pass, ranked where q= is given; near are the names that q= may
// have meant where no row passes.
type searched struct {
	rows []int
	near []string
}

// table is a table of the register as q= searches it.
type table struct {
	n      int
	corpus *corpus
	name   func(i int) (written string, name folded)
	code   func(i int) string
}

// search finds the rows of a table that pass and answer q=.
func (t *table) search(r *endpoint.Request, passes func(i int) bool) searched {
	var s searched
	if !text.Given(r) {
		for i := range t.n {
			if passes(i) {
				s.rows = append(s.rows, i)
			}
		}
		return s
	}
	q := queryOf(text.Of(r))
	var hits []hit
	for _, i := range t.corpus.candidates(&q) {
		written, name := t.name(i)
		if c := q.of(t.code(i), name); c != none && passes(i) {
			hits = append(hits, hit{i, c, q.whole(written, name), written, 0, t.code(i)})
		}
	}
	slices.SortFunc(hits, byRank)
	for _, h := range hits {
		s.rows = append(s.rows, h.row)
	}
	if len(hits) == 0 {
		near := suggestions{q: &q}
		for i := range t.n {
			near.look(t.name(i))
		}
		s.near = near.list()
	}
	return s
}

// meta are the suggestions, where there is something to suggest for.
func (s *searched) meta() []reply.Member {
	if s.near == nil {
		return nil
	}
	return []reply.Member{{Name: "suggestions", Value: s.near}}
}
