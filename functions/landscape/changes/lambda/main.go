// Command lambda serves the changes of the landscape from a Function URL; the worker's function answers what is asked in the
// background.
package main

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/changes"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(changes.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return changes.New(changes.Deps{Library: lib, Log: log, Started: time.Now(), Tasks: desk}), err
	})
}
