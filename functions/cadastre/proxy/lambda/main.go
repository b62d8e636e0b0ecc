// Command lambda serves what the cadastre answers under the landscape service's prefix from a Function URL.
package main

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/proxy"
	"mappe/functions/core"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(proxy.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return proxy.New(core.Deps{Library: lib, Log: log})
	})
}
