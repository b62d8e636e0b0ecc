// Command lambda serves the landscape's documentation and its lists of rasters and credits from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/landscape/info"
	"mappe/functions/landscape/table"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(info.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return info.New(info.Deps{Library: lib, Log: log, Described: table.Endpoints()})
	})
}
