// Package serve is what the mains of the reading functions have in common: it opens the artefacts that
// MAPPE_STORE names, sizes the cache by the function's memory and serves one family of endpoints under its prefix.
package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"

	"mappe/artefacts/library"
	"mappe/functions/family"
	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/cloud/warmup"
	"mappe/shared/web/endpoint"
)

// Service runs until the environment is taken down. With MAPPE_WARMUP=1 it asks for warm-ups of the cold KGs that
// requests touch; the function needs the right to write below requests/warm/ of the store.
func Service(f family.Family, service func(*library.Library, *slog.Logger) *endpoint.Service) {
	funcurl.Main(func(ctx context.Context, log *slog.Logger) (http.Handler, error) {
		s, err := storeurl.Open(os.Getenv("MAPPE_STORE"))
		if err != nil {
			return nil, fmt.Errorf("MAPPE_STORE: %w", err)
		}
		opt := library.Options{BudgetBytes: cacheBudget(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")), Log: log}
		linger := func(h http.Handler) http.Handler { return h }
		if f.Needs.Warmup && os.Getenv("MAPPE_WARMUP") == "1" {
			requests := warmup.NewQueue(ctx, s, log)
			opt.Warmup, linger = requests.Ask, requests.Linger
		}
		lib, err := library.Open(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		svc := service(lib, log)
		svc.Build = buildid.Own() // new software answers anew
		h, err := svc.Handler()
		if err != nil {
			return nil, err
		}
		return linger(endpoint.Mount(f.Prefix, h)), nil
	})
}

// cacheBudget gives KG files half of the function's memory (in MiB) and keeps the collector below nine
// tenths of it; 0, the library's own default, where the memory is not known.
func cacheBudget(memory string) int64 {
	mib, err := strconv.ParseInt(memory, 10, 64)
	if err != nil || mib < 64 || mib > 1<<20 {
		return 0
	}
	debug.SetMemoryLimit(mib << 20 / 10 * 9)
	return mib << 20 / 2
}
