// Package membudget is one budget of bytes for the requests that a process answers: a request takes its share before it
// makes room, waits in line where others hold the rest, and gives it back when it is answered. It owns the line, its
// bounds; what a request needs, and what a client is told, is its service's. The caches of a process have budgets of
// their own (artefacts/library), as has the heap as a whole (shared/cloud/memlimit).
package membudget

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"mappe/shared/cloud/memlimit"
)

const (
	// share is the part of the memory limit that requests may hold together: caches take up to half of it, and the
	// collector needs room.
	share = 4
	// unlimited stands for the limit where neither GOMEMLIMIT nor the system tells one.
	unlimited = 4 << 30
	// maxWait is how long a request waits for its share: well below the time that a function has.
	maxWait = 10 * time.Second
	// maxLine bounds the requests that wait; each of them holds its body.
	maxLine = 64
	// Retry is when a request that got no share is worth another try.
	Retry = 5 * time.Second
)

// The errors of Take.
var (
	ErrTooLarge = errors.New("the request needs more memory than all requests are given together")
	ErrBusy     = errors.New("other requests hold the memory")
)

// Budget is shared by the requests of a process and safe for concurrent use.
type Budget struct {
	total   int64
	wait    time.Duration
	free    *semaphore.Weighted
	waiting atomic.Int64
}

// New is a budget of so many bytes.
func New(bytes int64) *Budget {
	return &Budget{total: bytes, wait: maxWait, free: semaphore.NewWeighted(bytes)}
}

// Process is the budget of this process: a quarter of its memory limit (GOMEMLIMIT, or that of the function), else of
// the memory that the machine or the container has.
var Process = sync.OnceValue(func() *Budget { return New(sized(debug.SetMemoryLimit(-1), memlimit.Memory())) })

// sized is the budget of a process with a limit (math.MaxInt64: none) on a machine with so much memory (0: not known).
func sized(limit, memory int64) int64 {
	if limit == math.MaxInt64 {
		limit = memory
	}
	if limit <= 0 {
		limit = unlimited
	}
	return limit / share
}

// Total is the size of the budget in bytes.
func (b *Budget) Total() int64 { return b.total }

// Take waits for so many bytes, first come first served, and gives back what releases them; it may be called more than
// once. What no wait can bring, more bytes than there are, is ErrTooLarge; no share in time, or too long a line, is
// ErrBusy. A client that leaves ends the wait with the error of its context.
func (b *Budget) Take(ctx context.Context, bytes int64) (release func(), err error) {
	if bytes <= 0 {
		return func() {}, nil
	}
	if bytes > b.total {
		return nil, ErrTooLarge
	}
	if !b.free.TryAcquire(bytes) {
		if err := b.queue(ctx, bytes); err != nil {
			return nil, err
		}
	}
	return sync.OnceFunc(func() { b.free.Release(bytes) }), nil
}

// TakeParts is Take of several shares at once, each of which is given back by itself: what an answer is made in, and what is held
// until it is written.
func (b *Budget) TakeParts(ctx context.Context, parts ...int64) (release []func(), err error) {
	total := int64(0)
	for _, n := range parts {
		total += max(n, 0)
	}
	if _, err := b.Take(ctx, total); err != nil {
		return nil, err
	}
	for _, n := range parts {
		release = append(release, sync.OnceFunc(func() { b.free.Release(max(n, 0)) }))
	}
	return release, nil
}

// queue waits in line.
func (b *Budget) queue(ctx context.Context, bytes int64) error {
	defer b.waiting.Add(-1)
	if b.waiting.Add(1) > maxLine {
		return ErrBusy
	}
	within, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	if err := b.free.Acquire(within, bytes); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrBusy
	}
	return nil
}
