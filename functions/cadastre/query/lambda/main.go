// Command lambda serves the cadastre's queries and statistics from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/query"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(query.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return query.New(query.Deps{Library: lib, Log: log, GeoPackage: gpkg.Form{Time: time.Now()}})
	})
}
