package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/shared/cloud/gauge"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/storeurl"
)

// margin is how long before the end of a function no square is begun: it takes seconds to some minutes.
const margin = 3 * time.Minute

// ending is how long before the end of a function the square that is worked on is given up and its KG let go, so that the next one
// goes on at once: noting it takes a second or two.
const ending = 20 * time.Second

// Handler is the worker's function, from its environment: MAPPE_STORE as national.OpenCloudStore has it, MAPPE_LEDGER the state,
// MAPPE_RUNS where the lists of runs of the state machine are written (optional), MAPPE_STACK the name that figures are told under in
// the function's log (optional), MAPPE_REPOSITORY and what goes with it the research
// repository, without which no products are made. An invocation works on KGs until its time is nearly over, or does a step of a run.
// A KG that is not done by then keeps the squares that are.
func Handler(ctx context.Context, getenv func(string) string, log *slog.Logger) (func(context.Context, Task) (Answer, error), error) {
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
	if at := getenv("MAPPE_RUNS"); at != "" {
		if w.Runs, err = storeurl.Open(at); err != nil {
			return nil, fmt.Errorf("MAPPE_RUNS: %w", err)
		}
	}
	if stack := getenv("MAPPE_STACK"); stack != "" {
		w.Gauges = func(figures map[string]gauge.Figure) error { return gauge.Tell(os.Stdout, stack, time.Now(), figures) }
	}
	return w.Do, nil
}

// Figures are the names of what gauges tells.
var Figures = []string{"DataAgeDays", "LandscapeFailed", "LandscapeQueue", "LandscapeRetrying"}

// gauges tells how old the data is and how much work waits: the look once a minute is what runs in every stack.
func (w *Worker) gauges(ctx context.Context) error {
	if w.Gauges == nil {
		return nil
	}
	v, err := w.Library.View(ctx)
	if err != nil {
		return err
	}
	s, err := w.Records.State(ctx)
	if err != nil {
		return err
	}
	count := func(n int) gauge.Figure { return gauge.Figure{Value: float64(n), Unit: "Count"} }
	figures := map[string]gauge.Figure{"LandscapeQueue": count(len(s.Queue)), "LandscapeRetrying": count(len(s.Retry)),
		"LandscapeFailed": count(len(s.Failed))}
	if at, err := time.Parse(time.DateOnly, v.Register().Stichtag()); err == nil {
		figures["DataAgeDays"] = gauge.Figure{Value: math.Floor(w.now().Sub(at).Hours() / 24), Unit: "None"}
	}
	return w.Gauges(figures)
}

// within is the context of a function that ends before the function does, and the slice of it that squares are begun in.
func (w *Worker) within(ctx context.Context, margin, ending time.Duration) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	w.Slice = max(time.Until(end)-margin, time.Nanosecond)
	return context.WithDeadline(ctx, end.Add(-ending))
}

// until works until the time of a function is nearly over. It makes the index first where it is time: that may take minutes.
func (w *Worker) until(ctx context.Context, margin, ending time.Duration) error {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-ending))
		defer cancel()
	}
	if err := w.gauges(ctx); err != nil && w.Log != nil {
		w.Log.WarnContext(ctx, "figures of the processor", "error", err) // not worth a KG
	}
	if err := w.IndexInTime(ctx); err != nil {
		return err
	}
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
		case errors.Is(err, landprocess.ErrBusy), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
	}
}
