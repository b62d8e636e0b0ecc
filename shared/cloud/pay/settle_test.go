package pay_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/shared/cloud/pay"
)

func TestASettlementOfUnknownOutcomeIsSettledOnce(t *testing.T) {
	for _, kind := range facilitator.AllFaults() {
		r := newHarness(t, nil, nil)
		payment := r.payment("")
		r.fail(kind, "/settle")
		for range 2 {
			if a := r.post(request(1), payment); a.status != 502 || a.code() != "settlement_unknown" ||
				strings.Contains(a.body, `"sum":`) || a.header.Get("PAYMENT-RESPONSE") != "" {
				t.Errorf("fault %d: got %d %s", kind, a.status, a.body)
			}
		}
		r.heal()
		if a := r.post(request(2), payment); a.status != 409 {
			t.Errorf("fault %d, another body meanwhile: got %d %s", kind, a.status, a.body)
		}
		if a := r.post(request(1), payment); a.status != 200 || a.body != want(1) || !a.receipt(t).Success {
			t.Errorf("fault %d, healed: got %d %s", kind, a.status, a.body)
		}
		if r.served.Load() != 1 {
			t.Errorf("fault %d: the handler ran %d times", kind, r.served.Load())
		}
		r.balanced(1)
	}
}

func TestASilentFacilitator(t *testing.T) {
	r := newHarness(t, nil, nil)
	// Only the question that stays unanswered has little time.
	impatient := func(change func(*pay.Config)) *pay.Gate {
		r.config = change
		return r.newGate(r.ledger)
	}
	const short = 500 * time.Millisecond
	payment := r.payment("")
	r.fail(facilitator.Silent, "/verify")
	if a := r.ask(impatient(func(c *pay.Config) { c.Bounds.Verify = short }), request(1), payment); a.status != 504 ||
		a.code() != "facilitator_timeout" || r.served.Load() != 0 {
		t.Errorf("verify: got %d %s", a.status, a.body)
	}
	r.balanced(0)
	r.fail(facilitator.Silent, "/settle")
	if a := r.ask(impatient(func(c *pay.Config) { c.Bounds.Settle = short }), request(1), payment); a.status != 504 ||
		a.code() != "settlement_unknown" || strings.Contains(a.body, `"sum":`) {
		t.Errorf("settle: got %d %s", a.status, a.body)
	}
	r.heal()
	if a := r.post(request(1), payment); a.status != 200 {
		t.Errorf("healed: got %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestAFailedCheckClaimsNothing(t *testing.T) {
	for _, kind := range facilitator.AllFaults() {
		r := newHarness(t, nil, nil)
		payment := r.payment("")
		r.fail(kind, "/verify")
		a := r.post(request(1), payment)
		if wantStatus := map[bool]int{true: 402, false: 502}[kind == facilitator.Unproven || kind == facilitator.UsedAfter ||
			kind == facilitator.RefusedAfter]; a.status != wantStatus || r.served.Load() != 0 {
			t.Errorf("fault %d: got %d %s", kind, a.status, a.body)
		}
		r.balanced(0)
		r.heal()
		if a := r.post(request(1), payment); a.status != 200 {
			t.Errorf("fault %d, healed: got %d %s", kind, a.status, a.body)
		}
	}
}

func TestAnUnreachableFacilitatorChargesNothing(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	r.fac.Close()
	if a := r.post(request(1), payment); a.status != 502 || r.served.Load() != 0 {
		t.Errorf("got %d %s", a.status, a.body)
	}
	r.balanced(0)
}

func TestARefusedSettlementIsGivenUp(t *testing.T) {
	r := newHarness(t, nil, nil)
	// Between verify and settle the payer spends everything: the handler takes that long.
	payment := r.payment("")
	r.handle = nil
	first := atomic.Bool{}
	f := func(path string) facilitator.Fault {
		if path == "/settle" && first.CompareAndSwap(false, true) {
			r.clock.Store(119) // six seconds are left for a settlement at least
		}
		return facilitator.Fault{}
	}
	r.fault.Store(&f)
	a := r.post(request(1), payment)
	if a.status != 402 || strings.Contains(a.body, `"sum":`) || a.receipt(t).Success ||
		a.receipt(t).ErrorReason != "invalid_exact_evm_payload_authorization_valid_before" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	r.balanced(0)
	if c := r.counts(); c[pay.SettleFailed] != 1 || c[pay.Settled] != 0 {
		t.Errorf("counts %v", c)
	}
}

// proof is a chain that is asked by a test.
type proof struct {
	found pay.Finding
	tx    string
	err   error
	asked pay.Transfer
}

func (p *proof) Find(_ context.Context, t pay.Transfer) (pay.Finding, string, error) {
	p.asked = t
	return p.found, p.tx, p.err
}

// A facilitator that forgets says that the nonce is used, and does not say by what.
func TestAForgetfulFacilitatorIsNotBelieved(t *testing.T) {
	tx := "0x" + strings.Repeat("ab", 32)
	for _, c := range []struct {
		name   string
		proof  *proof
		late   int64
		status int
	}{
		{"no chain to ask", nil, 0, 502},
		{"the chain does not answer", &proof{err: errors.New("down")}, 0, 502},
		{"the chain has the transfer", &proof{found: pay.FoundSettled, tx: tx}, 0, 200},
		{"the nonce was spent elsewhere", &proof{found: pay.FoundSpent}, 0, 402},
		{"the nonce is free, the authorization lives", &proof{found: pay.FoundUnused}, 0, 502},
		{"the nonce is free, the authorization has ended", &proof{found: pay.FoundUnused}, 3600, 402},
	} {
		r := newHarness(t, func(config *pay.Config) {
			if c.proof != nil {
				config.Proof = c.proof
			}
		}, func(o *facilitator.Options) { o.Forgetful = true })
		payment := r.payment("")
		r.fail(facilitator.DropAfter, "/settle")
		first := r.post(request(1), payment)
		if c.status == 502 && first.status != 502 {
			t.Errorf("%s: first got %d %s", c.name, first.status, first.body)
		}
		r.heal()
		r.clock.Store(c.late)
		a := r.post(request(1), payment)
		if a.status != c.status || strings.Contains(a.body, `"sum":`) != (c.status == 200) {
			t.Errorf("%s: want %d, got %d %s", c.name, c.status, a.status, a.body)
		}
		if c.status == 200 && a.receipt(t).Transaction != tx {
			t.Errorf("%s: receipt %+v", c.name, a.receipt(t))
		}
		if c.proof != nil && (c.proof.asked.Value != "20000" || !strings.EqualFold(string(c.proof.asked.To), payee)) {
			t.Errorf("%s: the chain was asked for %+v", c.name, c.proof.asked)
		}
	}
}

func TestALostAnswerOfSettleIsAskedForAgain(t *testing.T) {
	for _, kind := range facilitator.AllFaults() {
		r := newHarness(t, nil, nil)
		first := atomic.Bool{}
		f := func(path string) facilitator.Fault {
			if path == "/settle" && first.CompareAndSwap(false, true) {
				return facilitator.Fault{Kind: kind}
			}
			return facilitator.Fault{}
		}
		r.fault.Store(&f)
		if a := r.post(request(1), r.payment("")); a.status != 200 || a.body != want(1) || r.called("/settle") != 2 {
			t.Errorf("fault %d: got %d %s after %d questions", kind, a.status, a.body, r.called("/settle"))
		}
		r.balanced(1)
	}
}

func TestAPaymentOutlivesAChangeOfPrice(t *testing.T) {
	r := newHarness(t, nil, nil)
	paid, open := r.payment(""), r.payment("")
	r.post(request(1), paid)
	r.fail(facilitator.DropBefore, "/settle")
	r.post(request(2), open)
	r.heal()
	fresh := r.payment("")
	r.config = func(c *pay.Config) { c.Price = "30000" }
	dearer := r.newGate(r.ledger)
	for n, payment := range map[int]http.Header{1: paid, 2: open} {
		if a := r.ask(dearer, request(n), payment); a.status != 200 || a.body != want(n) {
			t.Errorf("request %d: got %d %s", n, a.status, a.body)
		}
	}
	if a := r.ask(dearer, request(3), fresh); a.status != 402 {
		t.Errorf("a fresh payment of the old price: %d %s", a.status, a.body)
	}
	r.balanced(2)
}

func TestReconcileClosesTheBooks(t *testing.T) {
	r := newHarness(t, nil, nil)
	r.fail(facilitator.DropAfter, "/settle")
	for n := range 3 {
		r.post(request(n), r.payment(""))
	}
	r.fail(facilitator.DropBefore, "/settle")
	r.post(request(4), r.payment(""))
	r.heal()
	out, err := r.gate.Reconcile(t.Context())
	if err != nil || out != (pay.Reconciled{Closed: 4}) {
		t.Errorf("got %+v, %v", out, err)
	}
	r.balanced(4)
}
