// Package records is the records of the book service in a ledger: clients, projects, their tokens, passes and
// transmittals, books and the files that were made of them. It owns what changes under which condition;
// the HTTP side is functions/books, the work of a build functions/books/build.
//
//	books/counter            project                  the last project number
//	books/clients            {slug}                   a client
//	books/client/{slug}      {project slug}           number of a project
//	books/project/{id}       project                  client, slug, title, token ids
//	books/project/{id}       desk                     pass, running build, proofs of 24 hours, specification
//	books/project/{id}       transmittal              status and data
//	books/project/{id}       book/{time}/{book}       the books of the project, in order
//	books/token/{token id}   token                    project and hash of the secret
//	books/book/{id}          book                     title, file, status, error
//	books/book/{id}          output/{number}          a file that was made
//	books/book/{id}          preflight, index         the newest report, the state of the index
//	books/book/{id}          callback/{build}         the one message of a build was sent
//
// The account is the one record that money and order depend on: whether a build is accepted, what it costs
// and that no other runs is one conditional write of it. What became of a build is decided by one
// conditional write of its book (Book.Last), by the worker that claimed it last (Book.Hold); the account
// follows it.
package records

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// The outcomes that callers tell apart; everything else is the ledger's error.
var (
	ErrNotFound = errors.New("there is no such record")
	ErrExists   = errors.New("there is one already")
	ErrToken    = errors.New("no such token")
	ErrHeld     = errors.New("a later worker has the build")
)

// Records is the records over a ledger. It is safe for concurrent use, by several processes too.
type Records struct {
	ledger ledger.Ledger
	now    func() time.Time
}

// New is the records in a ledger; a nil clock is the system's.
func New(l ledger.Ledger, now func() time.Time) *Records {
	if now == nil {
		now = time.Now
	}
	return &Records{l, now}
}

// Now is the clock of the records, to the second.
func (s *Records) Now() time.Time { return s.now().UTC().Truncate(time.Second) }

func projectPartition(id int64) string { return fmt.Sprintf("books/project/%d", id) }
func bookPartition(id int64) string    { return fmt.Sprintf("books/book/%d", id) }

// read gives the record under a key; ErrNotFound.
func read[T any](ctx context.Context, s *Records, key ledger.Key) (v T, err error) {
	r, err := s.ledger.Get(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return v, ErrNotFound
	}
	if err != nil {
		return v, err
	}
	return v, decode(r, &v)
}

func decode(r ledger.Record, v any) error {
	if err := json.Unmarshal(r.Value, v); err != nil {
		return fmt.Errorf("record %v: %w", r.Key, err)
	}
	return nil
}

// create writes a record that must not be there yet; ErrExists.
func create(ctx context.Context, s *Records, key ledger.Key, v any) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.ledger.Put(ctx, ledger.Record{Key: key, Value: value}, ledger.Absent)
	if errors.Is(err, ledger.ErrConflict) {
		return ErrExists
	}
	return err
}

// put writes a record whatever is there.
func put(ctx context.Context, s *Records, key ledger.Key, v any) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.ledger.Put(ctx, ledger.Record{Key: key, Value: value}, ledger.Any)
	return err
}

// change writes a record that is there (ErrNotFound) under the condition that nobody has changed it since
// it was read. apply returns false to leave it; it may run several times.
func change[T any](ctx context.Context, s *Records, key ledger.Key, apply func(v *T) (bool, error)) (v T, err error) {
	_, err = ledger.Update(ctx, s.ledger, key, func(r *ledger.Record) (bool, error) {
		if r.Version == ledger.Absent {
			return false, ErrNotFound
		}
		v = *new(T)
		if err := decode(*r, &v); err != nil {
			return false, err
		}
		write, err := apply(&v)
		if err != nil || !write {
			return false, err
		}
		r.Value, err = json.Marshal(v)
		return true, err
	})
	return v, err
}

// scan is what list reads.
type scan struct {
	partition, prefix string // the records whose sort begins with prefix
	falling           bool   // the greatest sort first
	most              int
}

// list gives the records of a scan.
func list[T any](ctx context.Context, s *Records, q scan) ([]T, error) {
	all := []T{}
	from, to := q.prefix, q.prefix+"\xff"
	if q.prefix == "" {
		to = ""
	}
	for len(all) < q.most {
		rows, err := s.ledger.Query(ctx, ledger.Query{Partition: q.partition, From: from, To: to, Descending: q.falling,
			Limit: min(q.most-len(all), pageOfRows)})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			var v T
			if err := decode(r, &v); err != nil {
				return nil, err
			}
			all = append(all, v)
			if q.falling {
				to = r.Key.Sort
			} else {
				from = r.Key.Sort + "\x01"
			}
		}
		if len(rows) < pageOfRows {
			break
		}
	}
	return all, nil
}

const pageOfRows = 500
