package serve

import (
	"context"
	"log/slog"
	"os"
	"time"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/localdev/state"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// booksService is the book service of this machine: its records, its files and the pool that builds.
type booksService struct {
	state.BookRecords
	store store.Store
	queue *jobs.Queue
	pool  *jobs.Pool
}

// openBooks opens what the book service needs, which clients know under public; start begins to build what
// is ordered.
func openBooks(ctx context.Context, data, public string, log *slog.Logger) (*booksService, error) {
	s, err := state.OpenBookRecords(ctx, state.Ledger(data))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(state.BookFiles(data), 0o700); err != nil {
		return nil, err
	}
	files, err := storeurl.Open(state.BookFiles(data))
	if err != nil {
		return nil, err
	}
	d := &booksService{BookRecords: s, store: files}
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
func (d *booksService) start(ctx context.Context, log *slog.Logger) (stop func()) {
	takeBack(ctx, d.queue, log)
	d.pool = &jobs.Pool{Queue: d.queue, Workers: 1}
	d.pool.Start(ctx)
	return func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		d.pool.Stop(grace)
	}
}
