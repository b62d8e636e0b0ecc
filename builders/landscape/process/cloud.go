package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// margin is how long before the end of a function a KG is let go: a square takes seconds to some minutes.
const margin = 3 * time.Minute

// Handler is the worker's function, from its environment: MAPPE_STORE as national.OpenCloudStore has it, MAPPE_LEDGER the state,
// MAPPE_REPOSITORY and what goes with it the research repository, without which no products are made. An
// invocation works on KGs until its time is nearly over. A KG that is not done by then keeps the squares that are.
func Handler(ctx context.Context, getenv func(string) string, log *slog.Logger) (func(context.Context) error, error) {
	st, err := national.OpenCloudStore(getenv)
	if err != nil {
		return nil, err
	}
	l, err := ledgerurl.Open(ctx, getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	lib, err := library.Open(ctx, st, library.Options{Log: log})
	if err != nil {
		return nil, err
	}
	w := &Worker{Library: lib, Store: st, Records: landprocess.Records{Ledger: l}, Log: log}
	if w.Archive, err = archive.FromEnvironment(st, getenv); err != nil {
		return nil, err
	}
	w.Products = w.Archive != nil
	return func(ctx context.Context) error {
		for {
			if end, ok := ctx.Deadline(); ok {
				if w.Slice = time.Until(end) - margin; w.Slice <= 0 {
					return nil
				}
			}
			_, err := w.One(ctx)
			switch {
			case errors.Is(err, landprocess.ErrIdle):
				return w.Index(ctx)
			case errors.Is(err, landprocess.ErrBusy):
				return nil
			case err != nil:
				return err
			}
		}
	}, nil
}
