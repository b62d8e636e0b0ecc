// Command lambda serves the recurrence expander from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/functions/expander"
	"mappe/functions/expander/paygate"
	"mappe/functions/serve/plain"
	"mappe/shared/web/endpoint"
)

func main() {
	plain.Service(expander.Prefix(os.Getenv("MAPPE_PUBLIC_URL")), func(ctx context.Context, log *slog.Logger) (*endpoint.Service, error) {
		settings, err := paygate.FromEnvironment(os.Getenv)
		if err != nil {
			return nil, err
		}
		t, err := paygate.Open(ctx, settings, log)
		return expander.New(t.Deps(expander.Deps{PublicURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log})), err
	})
}
