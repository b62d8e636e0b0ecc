package processing

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/processing"
)

// Handler is the worker's function, from its environment:
//
//	MAPPE_STORE, MAPPE_SOURCE, MAPPE_TILES   as national.OpenCloud has them; without a source nothing is built
//	MAPPE_LEDGER                             the jobs
//	MAPPE_STORE_BUDGET                       bytes of the served snapshots in the store; empty: nothing is evicted
//	MAPPE_REPOSITORY, _SECRET, _CREATOR      as package repository has them; without an address nothing is archived
func Handler(ctx context.Context, getenv func(string) string, log *slog.Logger) (func(context.Context, jobs.Event) error, error) {
	st, err := national.OpenCloudStore(getenv)
	if err != nil {
		return nil, err
	}
	l, err := ledgerurl.Open(ctx, getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	w := &Worker{Store: st, Log: log}
	if getenv("MAPPE_SOURCE") != "" {
		w.Source = Hourly(func(ctx context.Context) (*national.Source, error) { return national.OpenCloudSource(ctx, getenv) })
	}
	if w.Archive, err = archive.FromEnvironment(st, getenv); err != nil {
		return nil, err
	}
	if text := getenv("MAPPE_STORE_BUDGET"); text != "" {
		if w.Budget, err = strconv.ParseInt(text, 10, 64); err != nil || w.Budget < 0 {
			return nil, fmt.Errorf("MAPPE_STORE_BUDGET: %q: want a number of bytes", text)
		}
	}
	q, err := w.NewQueue(l)
	if err != nil {
		return nil, err
	}
	return w.handler(q), nil
}

// evictEvery is how often a process looks whether the store is within its budget, beside after each archiving: that lists
// the snapshots, some 50 requests for the whole country.
const evictEvery = time.Hour

// handler does the job of an event, and what that has ordered.
func (w *Worker) handler(q *jobs.Queue) func(context.Context, jobs.Event) error {
	do := q.Handler(w.Log)
	var evicted time.Time // KGs are loaded by others too
	return func(ctx context.Context, e jobs.Event) error {
		if e.Job == "" && w.Budget > 0 && time.Since(evicted) > evictEvery {
			evicted = time.Now()
			if live, err := national.ReadLive(ctx, w.Store); err == nil {
				w.evict(ctx, live)
			}
		}
		if err := do(ctx, e); err != nil || e.Job == "" || w.Archive == nil {
			return err
		}
		j, err := q.Get(ctx, e.Job)
		if err != nil || j.State != jobs.Done || j.Type == processing.Archive {
			return nil // what is left of it a later event finds
		}
		if o, err := processing.ReadOrder(j.Payload); err == nil {
			if next, err := processing.Find(ctx, q, processing.Archive, o.KG); err == nil && next.State == jobs.Queued {
				return do(ctx, jobs.Event{Job: next.ID})
			}
		}
		return nil
	}
}
