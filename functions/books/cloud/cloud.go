// Package cloud opens the book service's two functions from their environment: the one that answers
// requests and enqueues builds, and the worker that makes them.
//
//	MAPPE_LEDGER        dynamodb://TABLE, sqlite:FILE       records
//	MAPPE_BOOKS         s3://BUCKET/books, a directory      manuscripts and books
//	MAPPE_BOOKS_ORIGIN  https://BUCKET.s3...                where browsers send large manuscripts
//	MAPPE_WORKER        name of the worker's function       of the answering function only
//	MAPPE_PUBLIC_URL    https://HOST/books                  the service as its clients know it
package cloud

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/press"
	"mappe/shared/cloud/invoke"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/web/endpoint"
)

// maxAnswer is what a function sends itself; larger files are fetched from the bucket.
const maxAnswer = 5 << 20

// place is where the records and files of a function are.
type place struct {
	ledger  ledgerurl.Ledger
	records *records.Records
	files   store.Store
	public  string
}

func open(ctx context.Context, getenv func(string) string) (place, error) {
	l, err := ledgerurl.Open(ctx, getenv("MAPPE_LEDGER"))
	if err != nil {
		return place{}, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	files, err := storeurl.Open(getenv("MAPPE_BOOKS"))
	if err != nil {
		return place{}, fmt.Errorf("MAPPE_BOOKS: %w", err)
	}
	return place{l, records.New(l, nil), files, cmp.Or(getenv("MAPPE_PUBLIC_URL"), "/books")}, nil
}

// Service is the answering function. It examines manuscripts and builds none.
func Service(ctx context.Context, getenv func(string) string, log *slog.Logger) (*endpoint.Service, error) {
	at, err := open(ctx, getenv)
	if err != nil {
		return nil, err
	}
	worker, err := invoke.New(getenv("MAPPE_WORKER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_WORKER: %w", err)
	}
	q, err := build.Orders(at.ledger, jobs.Tell(worker.Event), log)
	if err != nil {
		return nil, err
	}
	return books.New(books.Deps{
		Records: at.records, Store: at.files, Queue: q, Press: press.Reading(), PublicURL: at.public, MaxAnswer: maxAnswer,
		FilesOrigin: getenv("MAPPE_BOOKS_ORIGIN"), Logger: log,
	}), nil
}

// Reading is what a function needs that says how far books are: it writes nothing and orders nothing.
func Reading(ctx context.Context, getenv func(string) string, log *slog.Logger) (books.Deps, error) {
	at, err := open(ctx, getenv)
	if err != nil {
		return books.Deps{}, err
	}
	q, err := build.Orders(at.ledger, nil, log)
	if err != nil {
		return books.Deps{}, err
	}
	return books.Deps{Records: at.records, Store: at.files, Queue: q, Logger: log}, nil
}

// Worker is the worker function's handler.
func Worker(ctx context.Context, getenv func(string) string, log *slog.Logger) (func(context.Context, jobs.Event) error, error) {
	at, err := open(ctx, getenv)
	if err != nil {
		return nil, err
	}
	w := &build.Works{Records: at.records, Store: at.files, Press: press.Standard(), Public: at.public, Log: log}
	q, err := w.NewQueue(at.ledger)
	if err != nil {
		return nil, err
	}
	return q.Handler(log), nil
}
