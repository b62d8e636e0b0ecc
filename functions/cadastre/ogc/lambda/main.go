// Command lambda serves the cadastre's OGC API from a Function URL.
package main

import (
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/ogc"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(ogc.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return ogc.New(core.Deps{Library: lib, BaseURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log})
	})
}
