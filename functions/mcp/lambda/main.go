// Command lambda serves the Model Context Protocol endpoint from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/mcp"
	"mappe/functions/mcp/table"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(mcp.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		desk, err := cloud.Desk(ctx, log)
		return mcp.New(mcp.Deps{Library: lib, Families: table.Families(lib, desk, nil, log), PublicURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log}), err
	})
}
