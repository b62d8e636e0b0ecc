// Command lambda serves the place context from a Function URL.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/context/place"
	"mappe/functions/serve"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Opened(place.Family, func(_ context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		up, err := nominatim.FromEnvironment(os.Getenv)
		return place.New(place.Deps{Library: lib, Log: log, Geocoder: up}), err
	})
}
