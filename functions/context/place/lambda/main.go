// Command lambda serves the place context from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/context/place"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(place.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return place.New(place.Deps{Library: lib, Log: log})
	})
}
