package pay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
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
// shard, payer and nonce. Records that cannot be read do not keep the others from being listed: they are the
// error at the end.
func (g *Gate) Books(ctx context.Context, visit func(Entry) error) error {
	var unreadable []error
	err := g.claims.each(ctx, "claim", func(r ledger.Record) error {
		c, err := readClaim(r)
		if err == nil && c.State == claimed {
			return nil
		}
		var p *payment
		if err == nil {
			p, err = c.payment()
		}
		if err != nil {
			unreadable = append(unreadable, err)
			return nil
		}
		e := Entry{Payer: p.payer, Nonce: p.nonce, Amount: c.Amount, Transaction: c.Transaction, At: c.Begun, Open: c.State == settling}
		if c.Settled != nil {
			e.At = *c.Settled
		}
		return visit(e)
	})
	if err == nil && len(unreadable) > 0 {
		n := len(unreadable)
		err = fmt.Errorf("%d records of payments cannot be read: %w", n, errors.Join(unreadable[:min(n, 10)]...))
	}
	return err
}

// page is how many records are read at a time.
const page = 500

// each gives every record of a kind to visit.
func (s claims) each(ctx context.Context, kind string, visit func(ledger.Record) error) error {
	for i := range len(shards) {
		q := ledger.Query{Partition: s.partition(kind, shards[i]), Limit: page}
		for {
			records, err := s.l.Query(ctx, q)
			if err != nil {
				return err
			}
			for _, r := range records {
				if err := visit(r); err != nil {
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
	Closed     int // found settled
	Dropped    int // found never to be settled
	Open       int // still unknown, or being worked on
	Unreadable int // records that cannot be read, logged
}

// Reconcile finishes settlements that a crash or a silent facilitator left open and whose buyers did not
// come back. It answers nobody; a buyer who comes back later gets the answer. Run it now and then: it reads
// the open settlements only, and once a day all claims, for those whose mark was lost.
func (g *Gate) Reconcile(ctx context.Context) (Reconciled, error) {
	var out Reconciled
	if err := g.markAll(ctx); err != nil {
		return out, err
	}
	err := g.claims.each(ctx, "open", func(r ledger.Record) error {
		key := ledger.Key{Partition: strings.Replace(r.Key.Partition, "pay/open/", "pay/claim/", 1), Sort: r.Key.Sort}
		if err := g.finish(ctx, key, r.Version, &out); err != nil {
			return fmt.Errorf("reconcile %s: %w", key.Sort, err)
		}
		return ctx.Err()
	})
	return out, err
}

// finish asks for the outcome of one settlement that is marked as open.
func (g *Gate) finish(ctx context.Context, key ledger.Key, mark int64, out *Reconciled) error {
	r, err := g.claims.l.Get(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		g.claims.unmark(ctx, &claim{key: key, mark: mark}, g.c.Log)
		return nil
	}
	if err != nil {
		return err
	}
	c, err := readClaim(r)
	var p *payment
	if err == nil {
		p, err = c.payment()
	}
	switch {
	case err != nil:
		out.Unreadable++
		g.c.Log.Error("a record of a payment cannot be read", "claim", key.Sort, "error", err)
		return nil
	case c.State == settled, c.State == claimed && g.c.Now().After(time.Unix(c.ValidBefore, 0).Add(g.c.Bounds.Ahead)):
		g.claims.unmark(ctx, &claim{key: key, mark: mark}, g.c.Log)
		return nil
	case c.State == claimed: // its request may be about to ask for settlement
		return nil
	case g.claims.live(c):
		out.Open++
		return nil
	}
	c.mark, c.Lease = mark, g.c.Now().Add(g.c.Bounds.Lease)
	if err := g.claims.put(ctx, c); errors.Is(err, ledger.ErrConflict) {
		out.Open++
		return nil
	} else if err != nil {
		return err
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
	return nil
}
