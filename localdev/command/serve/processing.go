package serve

import (
	"context"
	"time"

	"mappe/builders/national"
	"mappe/builders/processing"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// startProcessing does the work on KGs that requests order in this process, as the template's worker does, until stop is
// called; a job under way then goes back into the queue. It sets the queue of the server.
// source is nil where there is none: then nothing is built.
func (s *serving) startProcessing(ctx context.Context, source *national.Source, config *server.Config) (stop func(), err error) {
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	worker := &processing.Worker{Store: config.Store, Log: config.Log}
	if source != nil {
		worker.Source = func(context.Context) (*national.Source, error) { return source, nil }
	}
	if config.Processing, err = worker.NewQueue(l); err != nil {
		l.Close()
		return nil, err
	}
	pool := &jobs.Pool{Queue: config.Processing, Workers: 2}
	pool.Start(ctx)
	return func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		pool.Stop(grace)
		l.Close()
	}, nil
}
