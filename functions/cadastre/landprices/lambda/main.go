// Command lambda serves the land prices from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/landprices"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(landprices.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return landprices.New(core.Deps{Library: lib, Log: log, GeoPackage: gpkg.Form{Time: time.Now()}})
	})
}
