package pay

import (
	"context"
	"strings"
	"time"
)

// unrecorded says whether a payment that cannot be settled has been: by the chain, where there is one to ask. reason is the
// facilitator's; "" where the authorization has ended. Its claim is not in the ledger, which was put back to an earlier time: with a
// claim nobody comes here.
func (v *purchase) unrecorded(ctx context.Context, reason string) bool {
	c := &v.g.c
	end := time.Unix(v.p.validBefore, 0)
	if c.Proof == nil || unfit(reason) || !c.Now().Before(end.Add(c.Bounds.Keep)) {
		return false
	}
	// It was taken for at most so long before its end.
	since := end.Add(-time.Duration(c.MaxTimeoutSeconds)*time.Second - c.Bounds.Ahead).UTC()
	ctx, cancel := context.WithTimeout(ctx, c.Bounds.Chain)
	defer cancel()
	found, _, err := c.Proof.Find(ctx, Transfer{Asset: v.g.claims.asset, From: v.p.payer, To: v.p.to, Value: v.p.value, Nonce: v.p.nonce,
		Since: since})
	if err != nil {
		c.Log.Warn("the chain cannot be asked", "payment", v.p.hash[:16], "payer", v.p.payer, "nonce", v.p.nonce, "error", err)
	}
	if err != nil || found != FoundSettled {
		return false
	}
	v.verified, v.since = true, since
	return true
}

// unfit says whether a reason is one that no settled payment is refused for: the chain need not be asked.
func unfit(reason string) bool {
	for _, word := range []string{"signature", "mismatch", "network", "scheme", "x402_version", "eip712_domain", "payment_requirements"} {
		if strings.Contains(reason, word) {
			return true
		}
	}
	return false
}

// noRecord is the reason of a refusal as the buyer reads it: one that says that the payment is used means that somebody has used it, and
// nothing here says for what.
func noRecord(reason string) string {
	if !strings.Contains(reason, "nonce") {
		return reason
	}
	return reason + ": this payment was used or cancelled before, and there is no record here of what it paid for; if you were charged " +
		"and have no answer, ask the operator before you pay again"
}
