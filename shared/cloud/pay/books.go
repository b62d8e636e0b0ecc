package pay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mappe/shared/cloud/ledger"
)

// Entry is a line of the books: a payment that was settled, or whose settlement is open.
type Entry struct {
	Payer       Address
	Nonce       string
	Amount      string
	Transaction string    // "" while the settlement is open
	At          time.Time // settled, or first asked for
	Open        bool
}

// Books lists every payment that settlement was asked for and that the ledger still holds, ordered by
// shard, payer and nonce.
func (g *Gate) Books(ctx context.Context, visit func(Entry) error) error {
	return g.claims.each(ctx, func(c *claim) error {
		if c.State == claimed {
			return nil
		}
		p, err := c.payment()
		if err != nil {
			return err
		}
		e := Entry{Payer: p.payer, Nonce: p.nonce, Amount: c.Amount, Transaction: c.Transaction, At: c.Begun, Open: c.State == settling}
		if c.Settled != nil {
			e.At = *c.Settled
		}
		return visit(e)
	})
}

// page is how many claims are read at a time.
const page = 500

func (s claims) each(ctx context.Context, visit func(*claim) error) error {
	for i := range len(shards) {
		q := ledger.Query{Partition: s.partition("claim", shards[i]), Limit: page}
		for {
			records, err := s.l.Query(ctx, q)
			if err != nil {
				return err
			}
			for _, r := range records {
				c, err := readClaim(r)
				if err == nil {
					err = visit(c)
				}
				if err != nil {
					return err
				}
			}
			if len(records) < page {
				break
			}
			q.From = records[len(records)-1].Key.Sort + "\x00"
		}
	}
	return nil
}

// Reconciled is the outcome of Reconcile.
type Reconciled struct {
	Closed  int // found settled
	Dropped int // found never to be settled
	Open    int // still unknown, or being worked on
}

// Reconcile finishes settlements that a crash or a silent facilitator left open and whose buyers did not
// come back. It answers nobody; a buyer who comes back later gets the answer. Run it now and then.
func (g *Gate) Reconcile(ctx context.Context) (Reconciled, error) {
	var out Reconciled
	err := g.claims.each(ctx, func(c *claim) error {
		if c.State != settling {
			return nil
		}
		if g.claims.live(c) {
			out.Open++
			return nil
		}
		p, err := c.payment()
		if err != nil {
			return err
		}
		c.Lease = g.c.Now().Add(g.c.Bounds.settling())
		if err := g.claims.put(ctx, c); errors.Is(err, ledger.ErrConflict) {
			out.Open++
			return nil
		} else if err != nil {
			return fmt.Errorf("reconcile %s: %w", p.nonce, err)
		}
		var f *refusal
		switch _, err := g.collect(ctx, c, p, g.c.Resource, true); {
		case err == nil:
			out.Closed++
		case errors.As(err, &f) && f.status == http.StatusPaymentRequired:
			out.Dropped++
		default:
			out.Open++
		}
		return ctx.Err()
	})
	return out, err
}
