// Command lambda takes the reports of observers from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/context/contrib"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/serve"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(contrib.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
		return contrib.New(contrib.Deps{Library: lib, Records: observers.New(l, nil), Log: log}), err
	})
}
