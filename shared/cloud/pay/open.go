package pay

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// Open settlements are marked, so that Reconcile need not read the claims of 400 days to find them. The mark is
// written before its claim becomes settling and removed after it is settled or gone: a crash between the two
// leaves a mark too many, never one too few. Ledgers of before the marks get theirs from markAll.

// openKey names the mark of a claim.
func openKey(claim ledger.Key) ledger.Key {
	return ledger.Key{Partition: strings.Replace(claim.Partition, "pay/claim/", "pay/open/", 1), Sort: claim.Sort}
}

// setMark says that the settlement of a claim is open.
func (s claims) setMark(ctx context.Context, c *claim) (err error) {
	c.mark, err = s.l.Put(ctx, ledger.Record{Key: openKey(c.key), Value: []byte("{}"), Expires: s.now().Add(s.bounds.Books)}, ledger.Any)
	return err
}

// findMark reads which mark a claim has: only that one is removed with it, never that of a later purchase.
func (s claims) findMark(ctx context.Context, c *claim) error {
	if c.mark != 0 {
		return nil
	}
	r, err := s.l.Get(ctx, openKey(c.key))
	if errors.Is(err, ledger.ErrNotFound) {
		return s.setMark(ctx, c)
	}
	c.mark = r.Version
	return err
}

// unmark says that the settlement is open no more. A mark that stays costs a look and is removed by it.
func (s claims) unmark(ctx context.Context, c *claim, log *slog.Logger) {
	err := s.l.Delete(ctx, openKey(c.key), c.mark)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) && !errors.Is(err, ledger.ErrConflict) {
		log.Warn("the mark of an open settlement could not be removed", "claim", c.key.Sort, "error", err)
	}
}

// markEvery is how often all claims are looked through for marks that are missing.
const markEvery = 24 * time.Hour

// marked is the record of the last time.
type marked struct {
	At time.Time `json:"at"`
}

// markAll marks every claim whose settlement is open, at most once in markEvery.
func (g *Gate) markAll(ctx context.Context) error {
	key := ledger.Key{Partition: "pay/marked/" + g.claims.network, Sort: string(g.claims.asset)}
	var last marked
	switch r, err := g.claims.l.Get(ctx, key); {
	case errors.Is(err, ledger.ErrNotFound):
	case err != nil:
		return err
	default:
		_ = json.Unmarshal(r.Value, &last) // what cannot be read is as if it were not there
	}
	if age := g.c.Now().Sub(last.At); age >= 0 && age < markEvery {
		return nil
	}
	now := g.c.Now().UTC()
	err := g.claims.each(ctx, "claim", func(r ledger.Record) error {
		c, err := readClaim(r)
		if err == nil && c.State != settling {
			return nil
		}
		return g.claims.findMark(ctx, &claim{key: r.Key}) // one that cannot be read is told of by each Reconcile
	})
	if err != nil {
		return err
	}
	b, err := json.Marshal(marked{now})
	if err != nil {
		return err
	}
	_, err = g.claims.l.Put(ctx, ledger.Record{Key: key, Value: b, Expires: now.Add(g.c.Bounds.Books)}, ledger.Any)
	return err
}
