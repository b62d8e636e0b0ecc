// Command lambda serves the cadastre's versions from a Function URL.
package main

import (
	"log/slog"
	"os"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/versions"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Service(versions.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return versions.New(versions.Deps{Library: lib, BaseURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log,
			GeoPackage: gpkg.Form{Time: time.Now()}})
	})
}
