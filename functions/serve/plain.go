package serve

import (
	"context"
	"log/slog"
	"net/http"

	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/web/endpoint"
)

// Plain is Service for one that reads no artefacts.
func Plain(prefix string, service func(context.Context, *slog.Logger) (*endpoint.Service, error)) {
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
