// Package serve is what the mains of the reading functions have in common: it opens the artefacts that
// MAPPE_STORE names, sizes the cache by the function's memory and serves one family of endpoints under its prefix.
package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/family"
	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/memlimit"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/cloud/warmup"
	"mappe/shared/web/endpoint"
)

// Service runs until the environment is taken down. With MAPPE_WARMUP=1 it asks for warm-ups of the cold KGs that
// requests touch; the function needs the right to write below requests/warm/ of the store.
func Service(f family.Family, service func(*library.Library, *slog.Logger) *endpoint.Service) {
	Opened(f, func(_ context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
		return service(lib, log), nil
	})
}

// Opened is Service for one that opens more than the artefacts.
func Opened(f family.Family, service func(context.Context, *library.Library, *slog.Logger) (*endpoint.Service, error)) {
	funcurl.Main(func(ctx context.Context, log *slog.Logger) (http.Handler, error) {
		memlimit.Serving(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
		linger := func(h http.Handler) http.Handler { return h }
		_, lib, requests, err := artefacts(ctx, f.Needs.Warmup, openWithin, log)
		if err != nil {
			return nil, err
		}
		if requests != nil {
			linger = requests.Linger
		}
		svc, err := service(ctx, lib, log)
		if err != nil {
			return nil, err
		}
		svc.Build = buildid.Own() // new software answers anew
		h, err := svc.Handler()
		if err != nil {
			return nil, err
		}
		return linger(endpoint.Mount(f.Prefix, h)), nil
	})
}

// openWithin bounds how long a function waits for its store before it begins to serve: a function that has not begun after 10 s
// is ended, and its client is told nothing of a later time.
const openWithin = 5 * time.Second

// Artefacts opens the artefacts that the environment names, and the queue of warm-up requests where they may be
// asked for; else that is nil. A worker that cannot read them does not begin: its event comes again, and costs no attempt.
func Artefacts(ctx context.Context, warms bool, log *slog.Logger) (store.Store, *library.Library, *warmup.Queue, error) {
	return artefacts(ctx, warms, 0, log)
}

func artefacts(ctx context.Context, warms bool, within time.Duration, log *slog.Logger) (store.Store, *library.Library, *warmup.Queue,
	error) {
	s, err := storeurl.Open(os.Getenv("MAPPE_STORE"))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("MAPPE_STORE: %w", err)
	}
	// KG files take half of the function's memory; 0, where it is not known, is the library's own budget.
	opt := library.Options{BudgetBytes: memlimit.Function(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")) / 2, OpenWithin: within, Log: log}
	var requests *warmup.Queue
	if warms && os.Getenv("MAPPE_WARMUP") == "1" {
		requests = warmup.NewQueue(ctx, s, log)
		opt.Warmup = requests.Ask
	}
	lib, err := library.Open(ctx, s, opt)
	return s, lib, requests, err
}
