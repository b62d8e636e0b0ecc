// Package strays finds what the book service's store holds and its records do not name: manuscripts and files of books whose records
// were lost with a ledger that was put back to an earlier time, and what was written by a process that died before it could say so. It
// reads and, where it is told to, deletes; whom the files belong to the operator knows. The command `books strays` calls it.
package strays

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mappe/functions/books/records"
	"mappe/shared/cloud/store"
)

// Stray is what no record names of one book.
type Stray struct {
	Project, Book int64
	Unknown       bool     // there is no record of the book; else of these objects alone
	Keys          []string // in rising order
	Bytes         int64
	Newest        time.Time // of its objects
}

// Found are all strays, by project and book.
type Found struct {
	Strays  []Stray
	Project int64 // the highest number of a project in the store; 0: the store has no project
}

// place is a book by its numbers.
type place struct{ project, book int64 }

// Find lists the store. Drafts of an index and reports are kept with their book, whether a record names them or not.
func Find(ctx context.Context, r *records.Records, st store.Store) (Found, error) {
	var out Found
	books := map[place][]store.Info{}
	for info, err := range st.List(ctx, "projects/") {
		if err != nil {
			return out, err
		}
		var at place
		var rest string
		if n, _ := fmt.Sscanf(info.Key, "projects/%d/books/%d/%s", &at.project, &at.book, &rest); n != 3 {
			continue
		}
		out.Project = max(out.Project, at.project)
		books[at] = append(books[at], info)
	}
	order := func(a, b place) int { return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(a.book, b.book)) }
	for _, at := range slices.SortedFunc(maps.Keys(books), order) {
		s, err := of(ctx, r, at, books[at])
		if err != nil {
			return out, err
		}
		if len(s.Keys) > 0 {
			out.Strays = append(out.Strays, s)
		}
	}
	return out, nil
}

// maxOutputs of a book are read: as many as it lists.
const maxOutputs = 1000

// of are the strays among the objects of a book.
func of(ctx context.Context, r *records.Records, at place, objects []store.Info) (Stray, error) {
	s := Stray{Project: at.project, Book: at.book}
	b, err := r.Book(ctx, at.book)
	s.Unknown = errors.Is(err, records.ErrNotFound) || err == nil && b.Project != at.project
	if err != nil && !s.Unknown {
		return s, err
	}
	named := map[string]bool{}
	if !s.Unknown {
		rows, err := r.Outputs(ctx, at.book, maxOutputs)
		if err != nil {
			return s, err
		}
		for _, o := range append(rows, b.Outputs...) { // a book that was decided may not list its files yet
			named[o.Stem()] = true
		}
	}
	for _, info := range objects {
		_, made, _ := strings.Cut(info.Key, fmt.Sprintf("/books/%d/", at.book))
		folder, name, _ := strings.Cut(made, "/")
		stem, _, _ := strings.Cut(name, ".")
		if s.Unknown || (folder == "outputs" || folder == "previews") && !named[stem] {
			s.Keys, s.Bytes = append(s.Keys, info.Key), s.Bytes+info.Size
			if info.Modified.After(s.Newest) {
				s.Newest = info.Modified
			}
		}
	}
	return s, nil
}

// Remove deletes the objects of a stray.
func (s Stray) Remove(ctx context.Context, st store.Store) error {
	for _, key := range s.Keys {
		if err := st.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
