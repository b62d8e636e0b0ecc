package books

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/bookindex"
	"mappe/shared/book/manuscript"
)

// lookedBack is how many earlier books of the same title are looked through for an index.
const lookedBack = 20

// edited finds the newest earlier upload of a book, the same title in the same project, whose index its
// author has saved.
func (s *service) edited(ctx context.Context, b records.Book) (records.Book, records.IndexState, error) {
	all, err := s.Records.Books(ctx, b.Project, maxBooks)
	if err != nil {
		return b, records.IndexState{}, unavailable(err)
	}
	looked := 0
	for _, earlier := range all {
		if earlier.ID == b.ID || earlier.Created.After(b.Created) || !sameTitle(earlier.Title, b.Title) {
			continue
		}
		if looked++; looked > lookedBack {
			break
		}
		state, err := s.Records.Index(ctx, earlier.ID)
		if errors.Is(err, records.ErrNotFound) || err == nil && state.Status != records.IndexReviewed {
			continue
		}
		return earlier, state, unavailable(err)
	}
	return b, records.IndexState{}, records.ErrNotFound
}

func sameTitle(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// carry brings the edited index of an earlier upload over to a book that has none; records.ErrNotFound if
// no earlier upload has one.
func (s *service) carry(ctx context.Context, b records.Book, m manuscript.Book) ([]bookindex.Entry, *records.Carried, error) {
	if _, err := s.Records.Index(ctx, b.ID); !errors.Is(err, records.ErrNotFound) {
		if err == nil {
			err = records.ErrNotFound // it has one of its own
		}
		return nil, nil, unavailableBut(err)
	}
	earlier, state, err := s.edited(ctx, b)
	if err != nil {
		return nil, nil, unavailableBut(err)
	}
	before, err := build.ReadEntries(ctx, s.Store, state.Key)
	if err != nil {
		return nil, nil, gone(err, fmt.Sprintf("the index of book %d, which the draft takes over,", earlier.ID),
			"draft with from=manuscript, or ask the studio, which can bring it back for 30 days")
	}
	entries, lost := bookindex.Carry(before, m)
	c := &records.Carried{Book: earlier.ID, Revision: state.Revision, Entries: len(entries), Lost: lost}
	for _, e := range entries {
		c.Places += len(e.Locators)
	}
	return entries, c, nil
}

// unavailableBut leaves the outcome that a caller decides on as it is.
func unavailableBut(err error) error {
	if errors.Is(err, records.ErrNotFound) {
		return err
	}
	return unavailable(err)
}
