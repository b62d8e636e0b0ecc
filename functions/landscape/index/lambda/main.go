// Command lambda serves the search index of the landscape from a Function URL.
package main

import (
	"context"
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/index"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(index.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return index.New(index.Deps{Library: lib, Log: log, Tasks: desk}), err
	})
}
