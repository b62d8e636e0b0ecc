// Package cloud opens what functions need of tasks from their environment: those that take questions, and the one that says
// what has become of them. It links no artefact; the worker's is functions/core/tasks/worker.
//
//	MAPPE_LEDGER   dynamodb://TABLE, sqlite:FILE          the tasks and the names of shares
//	MAPPE_SHARES   s3://BUCKET/shares, a directory        results, and questions that are too large for a record
//	MAPPE_WORKER   name of the worker's function
package cloud

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"mappe/functions/core/tasks"
	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/invoke"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/storeurl"
)

// Place opens where tasks are kept.
func Place(ctx context.Context) (tasks.Place, error) {
	l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
	if err != nil {
		return tasks.Place{}, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	files, err := storeurl.Open(os.Getenv("MAPPE_SHARES"))
	if err != nil {
		return tasks.Place{}, fmt.Errorf("MAPPE_SHARES: %w", err)
	}
	return tasks.Place{Ledger: l, Files: files}, nil
}

// Desk is that of a function that takes questions or says what has become of them.
func Desk(ctx context.Context, log *slog.Logger) (*tasks.Desk, error) {
	worker, err := invoke.New(os.Getenv("MAPPE_WORKER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_WORKER: %w", err)
	}
	p, err := Place(ctx)
	if err != nil {
		return nil, err
	}
	q, err := tasks.Orders(p, jobs.Tell(worker.Event), log)
	if err != nil {
		return nil, err
	}
	return &tasks.Desk{Queue: q, Place: p, Version: buildid.Own()}, nil
}
