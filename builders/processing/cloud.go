package processing

import (
	"context"
	"fmt"
	"log/slog"

	"mappe/builders/national"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// Handler is the worker's function, from its environment:
//
//	MAPPE_STORE, MAPPE_SOURCE, MAPPE_TILES   as national.OpenCloud has them; without a source nothing is built
//	MAPPE_LEDGER                             the jobs
func Handler(ctx context.Context, getenv func(string) string, log *slog.Logger) (func(context.Context, jobs.Event) error, error) {
	st, err := national.OpenCloudStore(getenv)
	if err != nil {
		return nil, err
	}
	l, err := ledgerurl.Open(ctx, getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	w := &Worker{Store: st, Log: log}
	if getenv("MAPPE_SOURCE") != "" {
		w.Source = Hourly(func(ctx context.Context) (*national.Source, error) { return national.OpenCloudSource(ctx, getenv) })
	}
	q, err := w.NewQueue(l)
	if err != nil {
		return nil, err
	}
	return q.Handler(log), nil
}
