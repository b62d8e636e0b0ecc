// Package plain is what the mains of functions that read no artefacts have in common. It links none of their formats.
package plain

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"

	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/web/endpoint"
)

// collectRarely is the garbage collector's percentage for services that keep nothing between requests: at
// the usual 100 every large answer would cost a collection. Their live memory is a few megabytes.
const collectRarely = 800

// Service serves a service under its prefix. An error of service ends the function at its start.
func Service(prefix string, service func(context.Context, *slog.Logger) (*endpoint.Service, error)) {
	debug.SetGCPercent(collectRarely)
	funcurl.Main(func(ctx context.Context, log *slog.Logger) (http.Handler, error) {
		svc, err := service(ctx, log)
		if err != nil {
			return nil, err
		}
		svc.Build = buildid.Own()
		h, err := svc.Handler()
		if err != nil {
			return nil, err
		}
		return endpoint.Mount(prefix, h), nil
	})
}
