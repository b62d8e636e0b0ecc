// Command lambda serves what lies over the cadastre from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/overlays"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(overlays.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return overlays.New(core.Deps{Library: lib, Log: log, GeoPackage: gpkg.Form{Time: time.Now()}})
	})
}
