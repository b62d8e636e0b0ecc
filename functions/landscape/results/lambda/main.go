// Command lambda serves progress, results and shares of the landscape's tasks from a Function URL.
package main

import (
	"context"
	"log/slog"

	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/results"
	"mappe/functions/serve/plain"
	"mappe/shared/web/endpoint"
)

func main() {
	plain.Service(results.Family.Prefix, func(ctx context.Context, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return results.New(results.Deps{Desk: desk, Log: log}), err
	})
}
