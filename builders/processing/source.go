package processing

import (
	"context"
	"sync"
	"time"

	"mappe/builders/national"
)

// sourceFor is how long an opened source is taken to be the newest: a process outlives many jobs, and the files of a
// source may be replaced.
const sourceFor = time.Hour

// Hourly opens a source when it is needed, and anew when it is older than an hour. Builds that are under way keep theirs.
func Hourly(open func(context.Context) (*national.Source, error)) func(context.Context) (*national.Source, error) {
	var mu sync.Mutex
	var held *national.Source
	var since time.Time
	return func(ctx context.Context) (*national.Source, error) {
		mu.Lock()
		defer mu.Unlock()
		if held != nil && time.Since(since) < sourceFor {
			return held, nil
		}
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		held, since = s, time.Now()
		return s, nil
	}
}
