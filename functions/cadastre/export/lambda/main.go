// Command lambda serves the cadastre's exports from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/cadastre"
	"mappe/functions/cadastre/export"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(export.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return export.New(export.Deps{Deps: cadastre.Deps{Library: lib, Log: log}})
	})
}
