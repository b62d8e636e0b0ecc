package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
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

// request makes the n-th request of a load.
type request func(n int) (method, url string, body []byte)

// load sends requests from some clients, each on one kept-alive connection, for some seconds. Every
// answer is read to its end; a status other than 200 ends the load.
func load(ctx context.Context, clients int, d time.Duration, next request) (result, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	took := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var size int64
	var wg sync.WaitGroup
	start := time.Now()
	for c := range clients {
		wg.Go(func() {
			for n := c; time.Since(start) < d && ctx.Err() == nil; n += clients {
				t := time.Now()
				k, err := once(ctx, client, next, n)
				if err != nil {
					errs[c] = err
					return
				}
				took[c] = append(took[c], time.Since(t))
				if c == 0 {
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
	all := slices.Concat(took...)
	if len(all) == 0 {
		return result{}, fmt.Errorf("no request ended within %s", d)
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

func once(ctx context.Context, client *http.Client, next request, n int) (int64, error) {
	method, url, body := next(n)
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	reply, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	k, err := io.Copy(io.Discard, reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: status %d", method, url, reply.StatusCode)
	}
	return k, err
}
