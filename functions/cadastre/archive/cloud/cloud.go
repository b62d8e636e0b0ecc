// Package cloud opens the function of processing and archive from its environment.
//
//	MAPPE_STORE             s3://BUCKET/artefacts, a directory    artefacts
//	MAPPE_LEDGER            dynamodb://TABLE, sqlite:FILE         the jobs
//	MAPPE_WORKER            name of the worker's function
//	MAPPE_WARMUP            1                                     KGs may be asked for
//	MAPPE_REPOSITORY        address of the research repository; empty without one
//	MAPPE_OPERATOR_SECRETS  the operator's token; empty: nobody needs one
package cloud

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/archive"
	"mappe/functions/core"
	"mappe/shared/cloud/admintoken"
	"mappe/shared/cloud/invoke"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store/storeurl"
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
	q, err := processing.NewQueue(l, processing.Options{Notify: jobs.Tell(worker.Event), Log: log})
	if err != nil {
		return nil, err
	}
	st, err := storeurl.Open(os.Getenv("MAPPE_STORE"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_STORE: %w", err)
	}
	d := archive.Deps{Deps: core.Deps{Library: lib, Log: log}, Queue: q, Ledger: l, Store: st}
	mirror, err := repository.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	if mirror != nil {
		d.Mirror = mirror
	}
	tokens, err := admintoken.FromEnvironment(os.Getenv, log)
	if err != nil {
		return nil, err
	}
	if tokens != nil {
		d.Operator = tokens.Check
	}
	return archive.New(d), nil
}
