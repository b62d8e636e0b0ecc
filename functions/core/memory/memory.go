// Package memory gives requests their share of the memory of a process: what is large waits its turn, what never fits is
// refused. The sentences that clients are told stand here.
package memory

import (
	"context"
	"errors"

	"mappe/shared/cloud/membudget"
	"mappe/shared/web/fault"
)

// Shares are those of a budget.
type Shares struct{ *membudget.Budget }

// Of are the shares of a budget; of the process's where it is nil.
func Of(b *membudget.Budget) Shares {
	if b == nil {
		b = membudget.Process()
	}
	return Shares{b}
}

// Take waits for bytes, until the context ends. What is larger than one request may take is a fault, and so, with
// Retry-After, is a budget that others hold.
func (s Shares) Take(ctx context.Context, bytes int64) (release func(), err error) {
	release, err = s.Budget.Take(ctx, bytes)
	return release, s.told(err, bytes)
}

// TakeParts is Take of several shares at once, each of which is given back by itself.
func (s Shares) TakeParts(ctx context.Context, parts ...int64) (release []func(), err error) {
	total := int64(0)
	for _, n := range parts {
		total += n
	}
	release, err = s.Budget.TakeParts(ctx, parts...)
	return release, s.told(err, total)
}

// told is what a client is told of why there is no share.
func (s Shares) told(err error, bytes int64) error {
	switch {
	case errors.Is(err, membudget.ErrTooLarge):
		return fault.New(fault.TooLarge, "the request needs about %d MB of memory: at most %d MB are given to one; ask for smaller parts",
			bytes>>20, s.Total()>>20)
	case errors.Is(err, membudget.ErrBusy):
		return fault.Retry(fault.Unavailable, membudget.Retry,
			"other large requests hold the memory of this service at the moment").Because(err)
	}
	return err
}
