package pay

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pause"
)

// settle asks for the money of a claim in the state settling and delivers the answer when it has moved.
// open says that it was asked before and the outcome is not known.
func (v *purchase) settle(ctx context.Context, c *claim, a *answer, open bool) error {
	receipt, err := v.g.collect(ctx, c, v.p, v.resource, open)
	if err == nil {
		v.g.deliver(v.w, v.r, v.own.version, a, receipt)
		return nil
	}
	var f *refusal
	if errors.As(err, &f) {
		f.version = v.own.version
	}
	return err
}

// collect moves a claim from settling to settled, or gives it up, or leaves it open. The error is a
// refusal for the buyer, or errAgain when another request has moved the claim meanwhile.
func (g *Gate) collect(ctx context.Context, c *claim, p *payment, r Resource, open bool) (Settlement, error) {
	if err := g.claims.findMark(ctx, c); err != nil {
		return Settlement{}, err
	}
	stop := g.hold(ctx, c)
	s, err := g.facilitator.settle(ctx, p, r)
	if worthAsking(s, err) && pause.For(ctx, g.c.Bounds.Pause) == nil {
		open = true
		s, err = g.facilitator.settle(ctx, p, r)
	}
	if errors.Is(err, errUnreachable) && !open {
		stop()
		return s, g.giveUp(ctx, c, p, err, &refusal{status: http.StatusBadGateway, code: "facilitator_unreachable", retry: time.Second,
			text: "the facilitator cannot be reached and nothing was charged: the same payment may be sent again"})
	}
	refused := err == nil && !open && proves(s)
	f := g.ofChain(ctx, c, p, s)
	stop()
	ctx, cancel := afterwards(ctx)
	defer cancel()
	failed := &refusal{status: http.StatusPaymentRequired, ask: true, text: "settlement failed: " + s.ErrorReason, receipt: &s}
	switch {
	case f.found == FoundSettled:
		s = Settlement{Success: true, Payer: p.payer.Checksum(), Transaction: f.transaction, Network: g.network.ID}
		g.close(ctx, c, p, f.transaction)
		return s, nil
	case f.found == "" && g.c.Proof == nil && err == nil && s.Success:
		g.close(ctx, c, p, s.Transaction)
		return s, nil
	case refused && g.c.Proof == nil:
		g.count(ctx, SettleFailed)
		return s, g.giveUp(ctx, c, p, errors.New(s.ErrorReason), failed)
	case refused && f.found == FoundUnused:
		// The claim stays: should the money move all the same, this payment is answered.
		g.count(ctx, SettleFailed)
		if err := g.leave(ctx, c); errors.Is(err, ledger.ErrConflict) {
			return s, errAgain
		}
		return s, failed
	case f.found == FoundSpent, f.found == FoundUnused && g.c.Now().After(time.Unix(p.validBefore, 0).Add(afterEnd)):
		g.count(ctx, SettleFailed)
		none := Settlement{Payer: p.payer.Checksum(), Network: g.network.ID, ErrorReason: "invalid_transaction_state"}
		return none, g.giveUp(ctx, c, p, errors.New(s.ErrorReason), &refusal{status: http.StatusPaymentRequired, ask: true, receipt: &none,
			text: "settlement failed: the authorization moved no money and cannot any more; nothing was charged"})
	}
	if err == nil {
		err = errors.New(s.ErrorReason)
	}
	return s, g.unknown(ctx, c, p, err)
}

// worthAsking says whether a second question soon after may bring the answer that the first did not: the
// connection broke, or the transaction is under way. A facilitator that used up its time gets no more.
func worthAsking(s Settlement, err error) bool {
	return errors.Is(err, errGarbled) || err == nil && !s.Success && !proves(s)
}

// afterwards is the time for the records of something that has happened already.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}

// ofChain asks the chain what became of a payment, where there is one to ask. A node may be some seconds behind
// the facilitator: where that says or suggests that the money moved, the node is asked for a while.
func (g *Gate) ofChain(ctx context.Context, c *claim, p *payment, s Settlement) (f finding) {
	if g.c.Proof == nil {
		return f
	}
	announced := s.Success || s.Transaction != "" || strings.Contains(s.ErrorReason, "nonce_already_used")
	for until := g.c.Now().Add(g.c.Bounds.Chain); ; {
		var err error
		f.found, f.transaction, err = g.c.Proof.Find(ctx, Transfer{
			Asset: g.claims.asset, From: p.payer, To: p.to, Value: p.value, Nonce: p.nonce, Since: c.Begun, Transaction: s.Transaction,
		})
		if err != nil {
			g.c.Log.Warn("the chain cannot be asked", "payment", p.hash[:16], "payer", p.payer, "nonce", p.nonce, "error", err)
			f = finding{}
		}
		f.transaction = strings.ToLower(f.transaction)
		if f.found == FoundSettled || f.found == FoundSpent || !announced || !g.c.Now().Before(until) ||
			pause.For(ctx, g.c.Bounds.Chain/10) != nil {
			return f
		}
	}
}

// finding is what the chain says; found is "" where it was not asked or did not answer.
type finding struct {
	found       Finding
	transaction string
}

// unknown leaves a claim open whose outcome nobody tells.
func (g *Gate) unknown(ctx context.Context, c *claim, p *payment, cause error) error {
	g.c.Log.Warn("settlement unknown", "payment", p.hash[:16], "payer", p.payer, "nonce", p.nonce, "error", cause)
	if err := g.leave(ctx, c); errors.Is(err, ledger.ErrConflict) {
		return errAgain
	} else if err != nil {
		g.c.Log.Warn("a lease could not be ended", "nonce", p.nonce, "error", err)
	}
	g.count(ctx, Indeterminate)
	f := &refusal{status: http.StatusBadGateway, code: "settlement_unknown", retry: time.Second,
		text: "whether this payment was settled is not known yet: send the same payment with the same request again; it is charged once, and answered once it is settled"}
	if errors.Is(cause, errSilent) {
		f.status = http.StatusGatewayTimeout
	}
	return f
}

// afterEnd is how long after its end an authorization cannot appear in a block any more: the clocks of
// chains and ours differ by seconds, blocks may be reordered for a few minutes.
const afterEnd = 15 * time.Minute

// leave ends the lease on a claim that stays open.
func (g *Gate) leave(ctx context.Context, c *claim) error {
	c.Lease = time.Time{}
	return g.claims.put(ctx, c)
}

// close records that the money moved, whatever others wrote meanwhile. Where the ledger fails, the answer
// is given all the same: it is paid, and Reconcile closes the books.
func (g *Gate) close(ctx context.Context, c *claim, p *payment, transaction string) {
	now := g.c.Now().UTC()
	done := *c
	done.State, done.Transaction, done.Settled, done.Exact, done.Lease = settled, transaction, &now, nil, time.Time{}
	for range maxRounds {
		err := g.claims.put(ctx, &done)
		if err == nil {
			g.claims.unmark(ctx, c, g.c.Log)
			g.count(ctx, Settled)
			g.c.Recorder.Record(ctx, Revenue, units(c.Amount))
			g.c.Log.Info("settled", "payment", p.hash[:16], "payer", p.payer, "nonce", p.nonce, "transaction", transaction)
			return
		}
		var at *claim
		if errors.Is(err, ledger.ErrConflict) {
			at, err = g.claims.get(ctx, c.key)
		}
		if err != nil {
			g.c.Log.Error("a settlement could not be recorded; reconciling will find it", "nonce", p.nonce, "transaction", transaction,
				"error", err)
			return
		}
		switch {
		case at == nil:
			done.version = ledger.Absent
		case at.State == settled:
			return
		default:
			done.version = at.version
		}
	}
}

// giveUp removes a claim that no money will come for, and passes the refusal on.
func (g *Gate) giveUp(ctx context.Context, c *claim, p *payment, cause error, f *refusal) error {
	g.c.Log.Info("payment refused", "payment", p.hash[:16], "payer", p.payer, "nonce", p.nonce, "error", cause)
	switch err := g.claims.remove(ctx, c); {
	case errors.Is(err, ledger.ErrConflict), errors.Is(err, ledger.ErrNotFound):
		return errAgain
	case err != nil:
		g.c.Log.Warn("a claim could not be removed", "nonce", p.nonce, "error", err)
	default:
		g.claims.unmark(ctx, c, g.c.Log)
	}
	return f
}

// units is an amount of at most 15 digits, as New checks them.
func units(amount string) int64 {
	n, _ := strconv.ParseInt(amount, 10, 64)
	return n
}
