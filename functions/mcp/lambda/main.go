// Command lambda serves the Model Context Protocol endpoint from a Function URL.
package main

import (
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/mcp"
	"mappe/functions/mcp/table"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(mcp.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return mcp.New(mcp.Deps{Library: lib, Families: table.Families(lib, nil, log), PublicURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log})
	})
}
