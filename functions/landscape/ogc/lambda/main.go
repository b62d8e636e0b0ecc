// Command lambda serves the landscape's OGC API from a Function URL; the worker's function runs the processes.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/landscape/ogc"
	"mappe/functions/landscape/ogc/table"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(ogc.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		if err != nil {
			return nil, err
		}
		return ogc.Open(ogc.Deps{Library: lib, Families: table.Families(lib, desk, log), Desk: desk, Log: log}, os.Getenv)
	})
}
