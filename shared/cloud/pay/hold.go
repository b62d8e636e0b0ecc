package pay

import (
	"context"
	"errors"
	"sync"
	"time"

	"mappe/shared/cloud/ledger"
)

// hold keeps a claim's lease alive while this request works on it: leases are short, so that a payment whose
// process was killed is soon taken up by the next. The claim belongs to hold until stop returns. A lease that is
// lost (the process stood still for longer) is not taken back: whoever has the claim goes on with it, and the
// next write of this request fails as a conflict.
func (g *Gate) hold(ctx context.Context, c *claim) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(g.c.Bounds.Lease / 4)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if lost := g.renew(ctx, c); lost {
				return
			}
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// renew writes the lease anew; it says whether the claim is another's now. A renewal that has begun is ended,
// else nobody would know which version the claim has.
func (g *Gate) renew(ctx context.Context, c *claim) (lost bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.c.Bounds.Lease/2)
	defer cancel()
	c.Lease = g.c.Now().Add(g.c.Bounds.Lease)
	err := g.claims.put(ctx, c)
	if err != nil {
		g.c.Log.Warn("a lease could not be renewed", "claim", c.key.Sort, "error", err)
	}
	return errors.Is(err, ledger.ErrConflict) || errors.Is(err, ledger.ErrNotFound)
}
