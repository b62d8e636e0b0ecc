// Command lambda serves the cadastre's searches from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/search"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(search.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return search.New(search.Deps{Library: lib, Log: log, GeoPackage: gpkg.Form{Time: time.Now()}})
	})
}
