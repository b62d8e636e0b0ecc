package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// result is what a load of some seconds measured.
type result struct {
	mean, p50, p99 time.Duration // p50 and p99 are zero where the client does not report them
	perSecond      float64
	bytes          int64 // of one answer
}

// request makes the n-th request of a load: method, path with query, body.
type request func(n int) (method, path string, body []byte)

// load sends requests from some clients, each on one kept-alive connection, for some seconds. Every
// answer is read to its end; a status other than 200 ends the load.
func load(ctx context.Context, host string, clients int, d time.Duration, next request) (result, error) {
	took := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var size int64
	// A client that waits in a system call holds its thread: one processor each, so that none waits for
	// another's turn inside this program.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(clients + 1))
	var wg sync.WaitGroup
	start := time.Now()
	for i := range clients {
		wg.Go(func() {
			c, err := dial(host)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.c.Close()
			for n := i; time.Since(start) < d && ctx.Err() == nil; n += clients {
				method, path, body := next(n)
				t := time.Now()
				k, err := c.do(method, host, path, body)
				if err != nil {
					errs[i] = err
					return
				}
				took[i] = append(took[i], time.Since(t))
				if i == 0 {
					size = k
				}
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(start)
	for _, err := range errs {
		if err != nil {
			return result{}, err
		}
	}
	return summary(slices.Concat(took...), elapsed, size)
}

// summary takes the times of all answers together.
func summary(all []time.Duration, elapsed time.Duration, size int64) (result, error) {
	if len(all) == 0 {
		return result{}, fmt.Errorf("no request ended within %s", elapsed)
	}
	slices.Sort(all)
	var sum time.Duration
	for _, t := range all {
		sum += t
	}
	return result{
		mean: sum / time.Duration(len(all)), p50: all[len(all)/2], p99: all[len(all)*99/100],
		perSecond: float64(len(all)) / elapsed.Seconds(), bytes: size,
	}, nil
}
