// Command lambda serves the cadastre's OGC API from a Function URL.
package main

import (
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/cadastre"
	"mappe/functions/cadastre/ogc"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(ogc.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return ogc.New(cadastre.Deps{Library: lib, BaseURL: os.Getenv("MAPPE_PUBLIC_URL"), Log: log})
	})
}
