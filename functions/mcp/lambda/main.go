// Command lambda serves the Model Context Protocol endpoint from a Function URL.
package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	shelf "mappe/functions/books/cloud"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/mcp"
	"mappe/functions/mcp/table"
	"mappe/functions/serve"
	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(mcp.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		public := os.Getenv("MAPPE_PUBLIC_URL")
		desk, err := cloud.Desk(ctx, log)
		read, failed := shelf.Reading(ctx, os.Getenv, log)
		l, closed := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
		all := table.Families(table.Deps{Library: lib, Tasks: desk, Books: read, Work: workfeed.Deps{Log: worklog.New(l, nil)}, Log: log})
		return mcp.New(mcp.Deps{Library: lib, Families: all, PublicURL: public, Log: log}), errors.Join(err, failed, closed)
	})
}
