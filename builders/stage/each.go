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

// Width is how many things are worked on at once, and how many may have been begun before the first of them is handed on.
type Width struct{ Workers, Begun int }

// InOrder works on n things at most workers at a time and gives the results to then in their order, one at a
// time. At most workers results wait, so that memory does not grow with n. The first error ends it.
func InOrder[T any](ctx context.Context, n, workers int, work func(ctx context.Context, i int) (T, error),
	then func(i int, result T) error) error {
	workers = max(workers, 1)
	return InOrderOf(ctx, n, Width{workers, 2 * workers}, work, then)
}

// InOrderOf is InOrder where more results may wait, because they are small: when one thing takes as long as hundreds of others, these
// are worked on meanwhile.
func InOrderOf[T any](ctx context.Context, n int, w Width, work func(ctx context.Context, i int) (T, error),
	then func(i int, result T) error) error {
	workers := max(w.Workers, 1)
	g, ctx := errgroup.WithContext(ctx)
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1)
	}
	room := make(chan struct{}, max(w.Begun, workers)) // results that were begun and not handed on
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
