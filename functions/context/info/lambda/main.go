// Command lambda serves the place context's documentation, licences and reports from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/context/info"
	"mappe/functions/context/table"
	"mappe/functions/feedback"
	"mappe/functions/serve"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(info.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
		return info.New(info.Deps{Library: lib, Log: log, Intake: feedback.NewIntake(l, info.Service, nil), Described: table.Endpoints()}),
			err
	})
}
