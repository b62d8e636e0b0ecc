package command

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// openRecords is the book service's records in a ledger that has to be closed.
type openRecords struct {
	*records.Records
	ledgerurl.Ledger
}

func openRecordsAt(ctx context.Context, address string) (openRecords, error) {
	l, err := ledgerurl.Open(ctx, address)
	if err != nil {
		return openRecords{}, fmt.Errorf("ledger of the book service: %w", err)
	}
	return openRecords{records.New(l, nil), l}, nil
}

// bookFiles is the folder of manuscripts and books beside published artefacts: the one that stands for the
// template's bucket with --exact.
func bookFiles(data string) string {
	if strings.Contains(data, "://") {
		data = ".localdev"
	}
	return filepath.Join(data, ".exact", "books")
}

// booksService is the book service of this machine: its records, its files and the pool that builds.
type booksService struct {
	openRecords
	store store.Store
	queue *jobs.Queue
	pool  *jobs.Pool
}

// openBooks opens what the book service needs, which clients know under public; start begins to build what
// is ordered.
func openBooks(ctx context.Context, data, public string, log *slog.Logger) (*booksService, error) {
	s, err := openRecordsAt(ctx, workLedger(data))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(bookFiles(data), 0o700); err != nil {
		return nil, err
	}
	files, err := storeurl.Open(bookFiles(data))
	if err != nil {
		return nil, err
	}
	d := &booksService{openRecords: s, store: files}
	works := build.Works{Records: s.Records, Store: files, Press: press.Standard(), Public: public, Log: log}
	if d.queue, err = works.NewQueue(s.Ledger); err != nil {
		return nil, err
	}
	return d, nil
}

// deps are what the service is given.
func (d *booksService) deps() books.Deps {
	return books.Deps{Records: d.Records, Store: d.store, Queue: d.queue, Press: press.Standard()}
}

// start builds in this process until stop is called; a build under way then ends first, or goes back into
// the queue.
func (d *booksService) start(ctx context.Context) (stop func()) {
	d.pool = &jobs.Pool{Queue: d.queue, Workers: 1}
	d.pool.Start(ctx)
	return func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		d.pool.Stop(grace)
	}
}
