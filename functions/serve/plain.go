package serve

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

// Plain is Service for one that reads no artefacts.
func Plain(prefix string, service func(context.Context, *slog.Logger) (*endpoint.Service, error)) {
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
