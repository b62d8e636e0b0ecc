package endpoint

import (
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Span is the page of a list of n rows that a request asks for: rows from to to-1, both within the list.
func (r *Request) Span(n int) (from, to int) {
	from = min(r.Offset, n)
	return from, from + min(r.Limit, n-from)
}

// Whole makes the answer one page of n rows where the client chose no limit; done says that it did so.
func (r *Request) Whole(n int) (done bool) {
	if r.GivesLimit() {
		return false
	}
	r.Limit = max(n, 1)
	return true
}

// Paged is the page of a list that a request asks for.
func Paged[T any](r *Request, list []T) []T {
	from, to := r.Span(len(list))
	return list[from:to]
}

// Listed answers with the page of a list: a row of the type for each of its items, set by set.
func Listed[I, T any](r *Request, s *format.Schema[I], list []T, set func(item *I, of *T)) *reply.Rows {
	page := Paged(r, list)
	return &reply.Rows{Total: len(list), Rows: func(yield func(format.Row, error) bool) {
		row := s.Record()
		for i := range page {
			set(&row.Item, &page[i])
			if !yield(row, nil) {
				return
			}
		}
	}}
}
