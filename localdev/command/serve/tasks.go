package serve

import (
	"context"
	"errors"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	landtable "mappe/functions/landscape/table"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/storeurl"
)

const (
	// taskCache is what the worker of tasks keeps of rasters; the server has a cache of its own.
	taskCache = 256 << 20
	// taskWorkers are how many tasks run at once.
	taskWorkers = 2
	// sweepShares is how often results are looked for whose week is over.
	sweepShares = time.Hour
)

// startTasks answers what is asked in the background in this process, as the template's worker does, until stop is called;
// a task under way then goes back into the queue. It sets the desk of the server.
func (s *serving) startTasks(ctx context.Context, config *server.Config) (stop func(), err error) {
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	files, err := storeurl.Open(state.Shares(s.state))
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	lib, err := library.Open(ctx, config.Store, library.Options{Refresh: 2 * time.Second, BudgetBytes: taskCache, Log: config.Log})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	p := tasks.Place{Ledger: l, Files: files}
	works := tasks.Works{Place: p, Runners: landtable.Tasks(landtable.Deps{Library: lib, Log: config.Log}), Pin: generation.Pin(lib),
		Repin: generation.Repin(lib), Notice: scans.Notice, Log: config.Log}
	q, err := works.NewQueue()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	config.Tasks = &tasks.Desk{Queue: q, Place: p, Version: buildid.Own()}
	sweeping, end := context.WithCancel(ctx)
	go sweep(sweeping, config)
	working := work(ctx, q, taskWorkers, l, config.Log)
	return func() { end(); working() }, nil
}

// sweep removes the results whose week is over, which the bucket of the template does itself.
func sweep(ctx context.Context, config *server.Config) {
	t := time.NewTicker(sweepShares)
	defer t.Stop()
	for {
		if _, err := config.Tasks.Shares().Sweep(ctx); err != nil && ctx.Err() == nil {
			config.Log.Error("results that are over were not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}
