// Command lambda serves the Model Context Protocol endpoint from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/mcp"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(mcp.Family, func(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		all, err := families(ctx, lib, log)
		if err != nil {
			return nil, err
		}
		return mcp.New(mcp.Deps{Library: lib, Families: all, PublicURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log}), nil
	})
}
