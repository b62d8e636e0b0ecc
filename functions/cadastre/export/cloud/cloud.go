// Package cloud opens the two functions of the exports from their environment: the one that answers requests and
// enqueues jobs, and the worker that writes the files.
//
//	MAPPE_STORE    s3://BUCKET/artefacts, a directory    artefacts; the worker writes exports/ of it
//	MAPPE_LEDGER   dynamodb://TABLE, sqlite:FILE         the jobs
//	MAPPE_WORKER   name of the worker's function         of the answering function only
//	MAPPE_WARMUP   1                                     KGs that are not built may be asked for
package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre"
	"mappe/functions/cadastre/export"
	"mappe/functions/serve"
	"mappe/shared/cloud/invoke"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

// event is what the worker is invoked with: a job to do, or nothing to look for jobs that nobody does.
type event struct {
	Job string `json:"job"`
}

// Service is the answering function.
func Service(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
	l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	worker, err := invoke.New(os.Getenv("MAPPE_WORKER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_WORKER: %w", err)
	}
	q, err := export.Orders(l, func(ctx context.Context, j jobs.Job) error {
		payload, err := json.Marshal(event{j.ID})
		if err != nil {
			return err
		}
		return worker.Event(ctx, payload)
	}, log)
	if err != nil {
		return nil, err
	}
	return export.New(export.Deps{Deps: cadastre.Deps{Library: lib, Log: log}, Queue: q}), nil
}

// Worker is the worker function's handler. What is left of its time for the last write is margin.
func Worker(ctx context.Context, log *slog.Logger) (func(context.Context, event) error, error) {
	s, lib, _, err := serve.Artefacts(ctx, true, log)
	if err != nil {
		return nil, err
	}
	l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	works := export.Works{Library: lib, Store: s, Log: log}
	q, err := works.NewQueue(l)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, e event) error {
		if end, ok := ctx.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end.Add(-margin))
			defer cancel()
		}
		if e.Job == "" {
			return sweep(ctx, q)
		}
		err := q.RunOne(ctx, e.Job)
		if errors.Is(err, jobs.ErrBusy) || errors.Is(err, jobs.ErrAgain) || errors.Is(err, jobs.ErrNotFound) {
			log.InfoContext(ctx, "nothing more to do", "job", e.Job, "outcome", err)
			return nil
		}
		return err
	}, nil
}

const (
	margin    = 25 * time.Second
	sweepTime = 2 * time.Second
)

// sweep does a job whose worker died or was never told.
func sweep(ctx context.Context, q *jobs.Queue) error {
	p := &jobs.Pool{Queue: q, Workers: 1, Poll: sweepTime}
	p.Start(ctx)
	t := time.NewTimer(sweepTime)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	p.Stop(ctx) // what was begun is ended
	return nil
}
