// Command lambda serves the cadastre's spatial queries from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/spatial"
	"mappe/functions/serve"
	"mappe/shared/book/sheet/print"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(spatial.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return spatial.New(spatial.Deps{Library: lib, Log: log, GeoPackage: gpkg.Form{Time: time.Now()}, Sheet: print.PDF})
	})
}
