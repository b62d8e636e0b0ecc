// Package load asks an HTTP server the same kind of question from several clients at once and says how long the answers
// took. Its clients are as lean as PostgreSQL's own, so that two servers can be compared side by side.
package load

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Result is what a load of some seconds measured.
type Result struct {
	Mean, P50, P99 time.Duration // P50 and P99 are zero where the client does not report them
	PerSecond      float64
	Answers        int
	Bytes          int64 // of one answer
}

// Request makes the n-th request of a load: method, path with query, body.
type Request func(n int) (method, path string, body []byte)

// Check looks at the answer to the n-th request; an error ends the load.
type Check func(n int, body []byte) error

// Load is what is asked of a server, by how many clients and for how long.
type Load struct {
	Host     string
	Clients  int
	Duration time.Duration
	Next     Request
	Check    Check // of Polled alone; nil: no answer is looked at
}

// Run sends requests from some clients, each on one kept-alive connection, for some seconds. Every
// answer is read to its end; a status other than 200 ends the load.
func (l Load) Run(ctx context.Context) (Result, error) {
	took := make([][]time.Duration, l.Clients)
	errs := make([]error, l.Clients)
	var size int64
	// A client that waits in a system call holds its thread: one processor each, so that none waits for
	// another's turn inside this program.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.Clients + 1))
	var wg sync.WaitGroup
	start := time.Now()
	for i := range l.Clients {
		wg.Go(func() {
			c, err := Dial(l.Host)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.Close()
			for n := i; time.Since(start) < l.Duration && ctx.Err() == nil; n += l.Clients {
				method, path, body := l.Next(n)
				t := time.Now()
				k, err := c.Do(method, l.Host, path, body)
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
			return Result{}, err
		}
	}
	return summary(slices.Concat(took...), elapsed, size)
}

// summary takes the times of all answers together.
func summary(all []time.Duration, elapsed time.Duration, size int64) (Result, error) {
	if len(all) == 0 {
		return Result{}, fmt.Errorf("no request ended within %s", elapsed)
	}
	slices.Sort(all)
	var sum time.Duration
	for _, t := range all {
		sum += t
	}
	return Result{
		Mean: sum / time.Duration(len(all)), P50: all[len(all)/2], P99: all[len(all)*99/100],
		PerSecond: float64(len(all)) / elapsed.Seconds(), Answers: len(all), Bytes: size,
	}, nil
}
