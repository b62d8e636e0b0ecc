package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/export"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// exportCache is what the worker of exports keeps of KGs; the server has a cache of its own.
const exportCache = 128 << 20

// startExports writes exports in this process, as the template's worker does, until stop is called; one under way then
// goes back into the queue. It sets the queue of the server.
func (s *serving) startExports(ctx context.Context, config *server.Config) (stop func(), err error) {
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	lib, err := library.Open(ctx, config.Store, library.Options{Refresh: 2 * time.Second, BudgetBytes: exportCache, Warmup: config.Warmup,
		RestoreOnly: config.RestoreOnly, Log: config.Log})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	works := export.Works{Library: lib, Store: config.Store, Log: config.Log}
	if config.Exports, err = works.NewQueue(l); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return work(ctx, config.Exports, 1, l, config.Log), nil
}

// work runs the jobs of a queue until stop is called, which waits a little for those under way and closes the ledger.
func work(ctx context.Context, q *jobs.Queue, workers int, l io.Closer, log *slog.Logger) (stop func()) {
	takeBack(ctx, q, log)
	pool := &jobs.Pool{Queue: q, Workers: workers}
	pool.Start(ctx)
	return func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		pool.Stop(grace)
		l.Close()
	}
}

// takeBack takes back the jobs of a process that died: one process at a time holds the directory of the ledger.
func takeBack(ctx context.Context, q *jobs.Queue, log *slog.Logger) {
	if n, err := q.Reclaim(ctx); err != nil {
		log.Warn("jobs of a process that died are taken back when their leases run out", "error", err)
	} else if n > 0 {
		log.Info("jobs of a process that died are taken back", "jobs", n)
	}
}
