package stage

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

func sortDistricts(list []District) {
	slices.SortFunc(list, func(a, b District) int { return cmp.Compare(a.Code, b.Code) })
}

// InOrder works on n things at most workers at a time and gives the results to then in their order, one at a
// time. At most workers results wait, so that memory does not grow with n. The first error ends it.
func InOrder[T any](ctx context.Context, n, workers int, work func(ctx context.Context, i int) (T, error),
	then func(i int, result T) error) error {
	workers = max(workers, 1)
	g, ctx := errgroup.WithContext(ctx)
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1)
	}
	room := make(chan struct{}, 2*workers) // results that were begun and not handed on
	next := make(chan int)
	g.Go(func() error {
		defer close(next)
		for i := range n {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		g.Go(func() error {
			for i := range next {
				r, err := work(ctx, i)
				if err != nil {
					return err
				}
				results[i] <- r
			}
			return nil
		})
	}
	g.Go(func() error {
		for i := range n {
			select {
			case r := <-results[i]:
				if err := then(i, r); err != nil {
					return err
				}
				<-room
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}
