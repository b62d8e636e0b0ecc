// Command lambda serves the landscape service from a Function URL; the worker's function answers what is asked in the
// background.
package main

import (
	"context"
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/analysis"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(analysis.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return analysis.New(analysis.Deps{Library: lib, Log: log, Tasks: desk}), err
	})
}
