// Command lambda serves the landscape service from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/landscape/analysis"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(analysis.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return analysis.New(analysis.Deps{Library: lib, Log: log})
	})
}
