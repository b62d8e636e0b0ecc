// Command lambda serves the cadastre's searches from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/search"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
)

func main() {
	serve.Opened(search.Family, func(_ context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		up, err := nominatim.FromEnvironment(os.Getenv)
		return search.New(core.Deps{Library: lib, Log: log, Geocoder: up, GeoPackage: gpkg.Form{Time: time.Now()}}), err
	})
}
