package pay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pause"
)

// purchase is one request with a payment on its way through the gate.
type purchase struct {
	g        *Gate
	next     http.Handler
	w        http.ResponseWriter
	r        *http.Request
	resource Resource
	body     []byte
	request  string   // fingerprint
	own      *payment // of this request
	p        *payment // the one that pays: own, or the first one of the same payment-identifier
	verified bool     // own was found good
	// since is set where the chain says that own moved its money, and the ledger has no record of it: it was not earlier.
	since  time.Time
	waited time.Duration
}

// errAgain: the claim has changed under us; look at it anew.
var errAgain = errors.New("again")

// maxRounds bounds how often a purchase starts over; each round means that another one made progress.
const maxRounds = 100

// run looks where the payment stands and does what comes next, until there is an answer.
func (v *purchase) run(ctx context.Context) error {
	for range maxRounds {
		c, err := v.g.claims.get(ctx, v.g.claims.key(v.p))
		if err != nil {
			return err
		}
		err = v.step(ctx, c)
		if errors.Is(err, errAgain) || errors.Is(err, ledger.ErrConflict) {
			continue
		}
		return err
	}
	return v.inProgress(ctx)
}

func (v *purchase) step(ctx context.Context, c *claim) error {
	s := v.g.claims
	switch {
	case c == nil && v.p != v.own: // the other payment was given up
		v.p = v.own
		return errAgain
	case c == nil:
		return v.begin(ctx, nil)
	case c.State == claimed && !s.live(c) && c.Payment == v.p.hash && s.now().Before(c.Until):
		v.g.count(ctx, Slowed)
		return &refusal{status: http.StatusTooManyRequests, code: "too_many_refused", retry: c.Until.Sub(s.now()) + time.Second,
			text: "requests with this payment were refused again and again: wait, and send it with a request that can be answered; nothing was charged"}
	case c.State == claimed && !s.live(c):
		// Nobody works on it and nothing was asked of the facilitator: it is as if it were not there.
		if v.p != v.own {
			if err := s.remove(ctx, c); err != nil {
				return err
			}
			v.p = v.own
			return errAgain
		}
		return v.begin(ctx, c)
	case c.Payment != v.p.hash:
		v.g.count(ctx, VerifyFailed)
		return v.refuse("invalid_exact_evm_nonce_already_used: another authorization with this nonce was given before")
	case c.Request != v.request:
		v.g.count(ctx, Mismatched)
		return &refusal{status: http.StatusConflict, code: "payment_used_for_other_request",
			text: "this payment was given for another request: send that request again to fetch its answer, or this one with a new payment; nothing was charged for this one"}
	case c.State == settled && !s.fresh(c):
		v.g.count(ctx, VerifyFailed)
		return v.refuse("invalid_exact_evm_nonce_already_used: this payment was used, and the time to fetch its answer again is over")
	case c.State == settled:
		v.g.count(ctx, Replayed)
		return v.replay(ctx, c)
	case s.live(c):
		return v.wait(ctx)
	}
	return v.resume(ctx, c)
}

// refuse asks for another payment.
func (v *purchase) refuse(reason string) error {
	return &refusal{status: http.StatusPaymentRequired, ask: true, text: reason}
}

// begin verifies the payment and claims it; stale is a claim that was left before anything was asked.
func (v *purchase) begin(ctx context.Context, stale *claim) error {
	s := v.g.claims
	if err := v.verify(ctx); err != nil {
		return v.overtaken(ctx, stale, err)
	}
	c := &claim{key: s.key(v.p), State: claimed, Payment: v.p.hash, Request: v.request, Version: v.p.version,
		Amount: v.p.value, ValidBefore: v.p.validBefore, ID: v.p.id, Lease: s.now().Add(v.g.c.Bounds.Lease)}
	if stale != nil {
		c.version = stale.version
	}
	if stale != nil && stale.Payment == c.Payment {
		c.Refused = stale.Refused
	}
	if err := s.put(ctx, c); err != nil {
		return err
	}
	if v.p.id != "" {
		if err := v.identify(ctx, c); err != nil {
			return err
		}
	}
	return v.work(ctx, c)
}

// overtaken is errAgain where another request has claimed the payment while ours was checked, and perhaps
// settled it: then the nonce is used, and by us. Otherwise the refusal stands.
func (v *purchase) overtaken(ctx context.Context, stale *claim, refused error) error {
	c, err := v.g.claims.get(ctx, v.g.claims.key(v.p))
	switch {
	case err != nil:
		return err
	case c == nil && stale == nil, c != nil && stale != nil && c.version == stale.version:
		if f, ok := refused.(*refusal); ok && f.ask {
			v.g.count(ctx, VerifyFailed)
		}
		return refused
	}
	return errAgain
}

// verify asks the facilitator once a purchase.
func (v *purchase) verify(ctx context.Context) error {
	if v.verified {
		return nil
	}
	now := v.g.c.Now()
	latest := now.Add(time.Duration(v.g.c.MaxTimeoutSeconds)*time.Second + v.g.c.Bounds.Ahead)
	switch {
	case v.p.validBefore <= now.Unix():
		if v.unrecorded(ctx, "") {
			return nil
		}
		return v.refuse("invalid_exact_evm_payload_authorization_valid_before: the authorization has ended")
	case v.p.validBefore > latest.Unix():
		return v.refuse(fmt.Sprintf("invalid_exact_evm_payload_authorization_valid_before: the authorization ends at %d, allowed is at most %d", v.p.validBefore, latest.Unix()))
	}
	verdict, err := v.g.facilitator.verify(ctx, v.p, v.resource)
	if err != nil {
		v.g.c.Log.Warn("verify", "payment", v.p.hash[:16], "payer", v.p.payer, "nonce", v.p.nonce, "error", err)
		return v.facilitatorFailed(err, "the payment could not be checked and nothing was charged: the same payment may be sent again")
	}
	if !verdict.Valid && v.unrecorded(ctx, verdict.Reason) {
		return nil
	}
	if !verdict.Valid {
		return v.refuse(noRecord(verdict.Reason))
	}
	v.g.count(ctx, Verified)
	v.verified = true
	return nil
}

// facilitatorFailed is 504 for a silent facilitator, 502 for every other failure of it.
func (v *purchase) facilitatorFailed(err error, text string) error {
	f := &refusal{status: http.StatusBadGateway, code: "facilitator_failed", text: text, retry: time.Second}
	if errors.Is(err, errSilent) {
		f.status, f.code = http.StatusGatewayTimeout, "facilitator_timeout"
	}
	return f
}

// identify ties the payment-identifier to this claim, or finds that another payment has it; then our
// claim is given up and the other payment is followed. Claims are written before identifiers, so an
// identifier whose claim is not there belongs to nobody.
func (v *purchase) identify(ctx context.Context, c *claim) error {
	s := v.g.claims
	key := s.idKey(v.p.payer, v.p.id)
	i, err := s.getID(ctx, key)
	if err != nil {
		return v.release(ctx, c, err)
	}
	if i == nil {
		if err := s.putID(ctx, key, c, ledger.Absent); err != nil {
			return v.release(ctx, c, err)
		}
		return nil
	}
	other, err := s.get(ctx, s.claimKey(i))
	if err != nil {
		return v.release(ctx, c, err)
	}
	if other != nil && other.key != c.key && (other.State == settling || s.live(other) || other.State == settled && s.fresh(other)) {
		if err := v.release(ctx, c, nil); err != nil {
			return err
		}
		return v.follow(ctx, other)
	}
	if other != nil && other.key != c.key && other.State == claimed {
		if err := s.remove(ctx, other); err != nil { // its request has stopped, or will find it gone
			return v.release(ctx, c, err)
		}
	}
	if s.claimKey(i) == c.key && i.Request == v.request {
		return nil
	}
	if err := s.putID(ctx, key, c, i.version); err != nil {
		return v.release(ctx, c, err)
	}
	return nil
}

// follow makes another payment the one that pays.
func (v *purchase) follow(ctx context.Context, other *claim) error {
	if other.Request != v.request {
		v.g.count(ctx, Mismatched)
		return &refusal{status: http.StatusConflict, code: "identifier_used_for_other_request",
			text: "payment-identifier " + v.own.id +
				" was used for another request: give this one an identifier of its own; nothing was charged"}
	}
	p, err := other.payment()
	if err != nil {
		return err
	}
	v.p = p
	return errAgain
}

// release gives a claim up and passes err on.
func (v *purchase) release(ctx context.Context, c *claim, err error) error {
	ctx, cancel := afterwards(ctx)
	defer cancel()
	if removed := v.g.claims.remove(ctx, c); removed != nil && !errors.Is(removed, ledger.ErrConflict) &&
		!errors.Is(removed, ledger.ErrNotFound) {
		v.g.c.Log.Warn("a claim could not be released; it ends with its lease", "nonce", v.p.nonce, "error", removed)
		if err == nil {
			return removed
		}
	}
	return err
}

// work runs the handler and has its answer settled.
func (v *purchase) work(ctx context.Context, c *claim) error {
	a, err := v.handle(ctx, c)
	if err != nil {
		return v.release(ctx, c, err)
	}
	if a.Status >= http.StatusBadRequest {
		v.g.count(ctx, RefusedUnsettled)
		v.giveBack(ctx, c)
		v.g.pass(v.w, v.r, a)
		return nil
	}
	a.pack()
	if err := v.keep(ctx, c, a); err != nil {
		return err
	}
	if err := v.g.claims.setMark(ctx, c); err != nil {
		return v.release(ctx, c, err)
	}
	c.State, c.Answer, c.Exact, c.Begun = settling, a.sum(), &v.p.exact, v.g.c.Now().UTC()
	if !v.since.IsZero() {
		c.Begun = v.since
		v.g.count(ctx, Unrecorded)
		v.g.c.Log.Warn("a payment that the chain has and the ledger has not is answered", "payment", v.p.hash[:16], "payer", v.p.payer,
			"nonce", v.p.nonce)
	}
	c.Lease = v.g.c.Now().Add(v.g.c.Bounds.Lease)
	if err := v.g.claims.put(ctx, c); err != nil {
		return err // whoever took the claim over goes on with it; nothing was asked by us
	}
	return v.settle(ctx, c, a, !v.since.IsZero())
}

// freeRefusals is how many refused requests a payment has before it is made to wait, twice as long each time.
const (
	freeRefusals = 5
	longestWait  = 5 * time.Minute
)

// giveBack leaves the claim of a refused request to the next with the same payment, and counts the refusal.
func (v *purchase) giveBack(ctx context.Context, c *claim) {
	ctx, cancel := afterwards(ctx)
	defer cancel()
	if c.Refused++; c.Refused >= freeRefusals {
		c.Until = v.g.c.Now().Add(min(time.Second<<min(c.Refused-freeRefusals, 20), longestWait))
	}
	c.Lease = time.Time{}
	if err := v.g.claims.put(ctx, c); err != nil {
		v.g.c.Log.Warn("a claim could not be given back; it ends with its lease", "nonce", v.p.nonce, "error", err)
	}
}

// keep stores the answer. Where that fails the answer can still be made again.
func (v *purchase) keep(ctx context.Context, c *claim, a *answer) error {
	if err := v.g.claims.keep(ctx, c, a); err != nil {
		v.g.c.Log.Warn("an answer could not be kept", "nonce", v.p.nonce, "error", err)
	}
	return ctx.Err()
}

// handle makes the answer. A handler that panics gives its claim back first.
func (v *purchase) handle(ctx context.Context, c *claim) (a *answer, err error) {
	done := false
	defer func() {
		if !done && c.State == claimed {
			_ = v.release(ctx, c, nil) // logged there
		}
	}()
	if c.State != settled {
		defer v.g.hold(ctx, c)() // ends before the claim is given back
	}
	a, err = v.g.serve(ctx, v.next, v.r, v.body)
	done = true
	if errors.Is(err, errAnswerTooLarge) {
		err = &refusal{status: http.StatusInternalServerError, code: "internal",
			text: "the answer is larger than can be sold in one call; nothing was charged"}
	}
	return a, err
}

// resume goes on with a payment whose settlement is open.
func (v *purchase) resume(ctx context.Context, c *claim) error {
	c.Lease = v.g.c.Now().Add(v.g.c.Bounds.Lease)
	if err := v.g.claims.put(ctx, c); err != nil {
		return err
	}
	a, err := v.recover(ctx, c)
	if err != nil {
		return v.leave(ctx, c, err)
	}
	return v.settle(ctx, c, a, true)
}

// replay answers a settled payment once more.
func (v *purchase) replay(ctx context.Context, c *claim) error {
	a, err := v.recover(ctx, c)
	if err != nil {
		return err
	}
	v.g.deliver(v.w, v.r, v.own.version, a, v.receipt(c.Transaction))
	return nil
}

func (v *purchase) receipt(transaction string) Settlement {
	return Settlement{Success: true, Payer: v.p.payer.Checksum(), Transaction: transaction, Network: v.g.network.ID}
}

// recover is the kept answer, or the same made again.
func (v *purchase) recover(ctx context.Context, c *claim) (*answer, error) {
	a, err := v.g.claims.kept(ctx, c)
	if a != nil || err != nil {
		return a, err
	}
	if a, err = v.handle(ctx, c); err != nil {
		return nil, err
	}
	if a.Status >= http.StatusBadRequest {
		v.g.c.Log.Error("a paid answer could not be made again", "nonce", v.p.nonce, "status", a.Status)
		return nil, unavailable("the answer of this payment cannot be made now: send the same payment again")
	}
	a.pack()
	if a.sum() != c.Answer {
		v.g.c.Log.Warn("a paid answer was made again with other bytes", "nonce", v.p.nonce)
	}
	return a, nil
}

// leave ends the lease on a claim that stays open, so that the next one can go on at once.
func (v *purchase) leave(ctx context.Context, c *claim, err error) error {
	if left := v.g.leave(ctx, c); left != nil {
		v.g.c.Log.Warn("a lease could not be ended", "nonce", v.p.nonce, "error", left)
	}
	return err
}

// wait gives the request that works on the payment some time.
func (v *purchase) wait(ctx context.Context) error {
	if v.waited >= v.g.c.Bounds.Wait {
		return v.inProgress(ctx)
	}
	d := min(20*time.Millisecond+v.waited/4, 500*time.Millisecond, v.g.c.Bounds.Wait-v.waited)
	v.waited += d
	if pause.For(ctx, d) != nil {
		return ctx.Err()
	}
	return errAgain
}

func (v *purchase) inProgress(ctx context.Context) error {
	v.g.count(ctx, InProgress)
	return &refusal{status: http.StatusConflict, code: "payment_in_progress", retry: time.Second,
		text: "another request with this payment is being answered: send the same payment again in a moment; it is charged once"}
}
