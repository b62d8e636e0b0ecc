// Command lambda serves the segments of the landscape from a Function URL; the worker's function answers what is asked in the
// background.
package main

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/segment"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(segment.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return segment.New(segment.Deps{Library: lib, Log: log, Started: time.Now(), Tasks: desk}), err
	})
}
