// Command lambda serves the cadastre's maps from a Function URL.
package main

import (
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/maps"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(maps.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return maps.New(core.Deps{Library: lib, BaseURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log})
	})
}
