package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	shelf "mappe/functions/books/cloud"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/family"
	"mappe/functions/mcp/table"
	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// families are what mcp.Deps takes: those of functions/mcp/table with the desk of the landscape's tasks, the records of the
// book service, which it only reads, and the log of the work feed.
//
//	MAPPE_LEDGER   dynamodb://TABLE, sqlite:FILE     records of tasks, books and the work feed
//	MAPPE_SHARES   s3://BUCKET/shares, a directory   results of tasks
//	MAPPE_WORKER   name of the landscape's worker
//	MAPPE_BOOKS    s3://BUCKET/books, a directory    reports on manuscripts
func families(ctx context.Context, lib *library.Library, log *slog.Logger) ([]family.Member, error) {
	desk, err := cloud.Desk(ctx, log)
	if err != nil {
		return nil, err
	}
	books, failed := shelf.Reading(ctx, os.Getenv, log)
	l, closed := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
	if err := errors.Join(failed, closed); err != nil {
		return nil, err
	}
	work := workfeed.Deps{Log: worklog.New(l, nil), Logger: log}
	return table.Families(table.Deps{Library: lib, Tasks: desk, Books: books, Work: work, Log: log}), nil
}
