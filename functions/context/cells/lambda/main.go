// Command lambda serves the land statistics of cells from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/context/cells"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(cells.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return cells.New(cells.Deps{Library: lib, Log: log})
	})
}
