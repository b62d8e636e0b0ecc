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
	"fmt"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/export"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/cloud/invoke"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

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
	q, err := export.Orders(l, jobs.Tell(worker.Event), log)
	if err != nil {
		return nil, err
	}
	return export.New(export.Deps{Deps: core.Deps{Library: lib, Log: log}, Queue: q}), nil
}

// Worker is the worker function's handler.
func Worker(ctx context.Context, log *slog.Logger) (func(context.Context, jobs.Event) error, error) {
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
	return q.Handler(log), nil
}
