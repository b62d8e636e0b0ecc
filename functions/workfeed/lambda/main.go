// Command lambda serves the work feed from a Function URL.
package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"

	"mappe/functions/serve/plain"
	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

func main() {
	plain.Service(workfeed.Family.Prefix, func(ctx context.Context, log *slog.Logger) (*endpoint.Service, error) {
		l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
		public := cmp.Or(os.Getenv("MAPPE_PUBLIC_URL"), workfeed.Family.Prefix)
		return workfeed.New(workfeed.Deps{Log: worklog.New(l, nil), PublicURL: public, Logger: log}), err
	})
}
