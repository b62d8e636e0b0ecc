// Command lambda serves the cadastre's documentation, licences and reports from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/info"
	"mappe/functions/cadastre/table"
	"mappe/functions/core"
	"mappe/functions/feedback"
	"mappe/functions/serve"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(info.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
		intake := feedback.NewIntake(l, info.Service, nil)
		return info.New(info.Deps{Deps: core.Deps{Library: lib, Log: log}, Intake: intake, Described: table.Endpoints()}), err
	})
}
