// Command lambda serves the changes of the landscape from a Function URL.
package main

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/landscape/changes"
	"mappe/functions/serve"
	"mappe/shared/web/endpoint"
)

func main() {
	serve.Service(changes.Family, func(lib *library.Library, log *slog.Logger) *endpoint.Service {
		return changes.New(changes.Deps{Library: lib, Log: log, Started: time.Now()})
	})
}
