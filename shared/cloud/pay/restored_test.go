package pay_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// behind is a ledger that is put back: the first n of its writes are in another one, too.
type behind struct {
	ledger.Ledger
	past ledger.Ledger
	n    int
	made int
}

func (b *behind) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	v, err := b.Ledger.Put(ctx, r, was)
	if b.made++; err == nil && b.made <= b.n {
		_, err = b.past.Put(ctx, r, ledger.Any)
	}
	return v, err
}

func (b *behind) Delete(ctx context.Context, k ledger.Key, was int64) error {
	err := b.Ledger.Delete(ctx, k, was)
	if b.made++; err == nil && b.made <= b.n {
		err = b.past.Delete(ctx, k, ledger.Any)
	}
	return err
}

// putBack sells one answer, then gives a gate over the ledger as it was after n writes; false: there were fewer.
func (r *harness) putBack(n int, payment http.Header) (*pay.Gate, bool) {
	r.t.Helper()
	b := &behind{Ledger: r.ledger, past: r.open("past.db"), n: n}
	if a := r.ask(r.newGate(b), request(1), payment); a.status != 200 || a.body != want(1) {
		r.t.Fatalf("got %d %s", a.status, a.body)
	}
	r.ledger = b.past
	r.clock.Store(int64(lease/time.Second) + 1) // the leases of that time are over
	r.gate = r.newGate(b.past)
	return r.gate, b.made >= n
}

// The ledger is put back to each step of a purchase whose money has moved. Where the chain can be asked the same payment is answered as
// before, soon and late, by facilitators that remember it and by others; it is charged once, pays for one request only, and the books
// are those of the chain again.
func TestDrillAPaymentThatTheLedgerLost(t *testing.T) {
	for later, forgetful := range map[time.Duration]bool{0: true, 20 * time.Minute: true, 20 * time.Hour: false} {
		for n := 0; ; n++ {
			r := newHarness(t, nil, func(o *facilitator.Options) { o.Forgetful = forgetful })
			withChain(r)
			payment := r.payment(id)
			g, there := r.putBack(n, payment)
			if !there {
				break
			}
			r.clock.Add(int64(later / time.Second))
			first, again, other := r.ask(g, request(1), payment), r.ask(g, request(1), payment), r.ask(g, request(2), payment)
			if first.status != 200 || first.body != want(1) || !first.receipt(t).Success || again.body != first.body {
				t.Errorf("%s later, after %d writes: got %d %s, then %d", later, n, first.status, first.body, again.status)
			}
			if other.status != 409 || strings.Contains(other.body, `"sum":`) {
				t.Errorf("another request: %d %s", other.status, other.body)
			}
			r.balanced(1)
			if n == 0 {
				said := strings.Contains(r.logs.String(), "the chain has and the ledger has not")
				if err := r.events.Flush(t.Context()); err != nil || r.counts()[pay.Unrecorded] != 1 || !said {
					t.Errorf("counted %d times, said %t (%v)", r.counts()[pay.Unrecorded], said, err)
				}
			}
		}
	}
}

// What cannot be known is said. Without a chain to ask a payment that is used is refused, and the buyer told that there is no record; he
// is not charged. A day after its end nobody answers it. A purchase that is sent again with a fresh payment is a new one: its identifier
// was in the ledger.
func TestDrillWhatTheLedgerLostForGood(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment(id)
	g, _ := r.putBack(0, payment)
	if a := r.ask(g, request(1), payment); a.status != 402 || !strings.Contains(a.body, "no record here of what it paid for") ||
		strings.Contains(a.body, `"sum":`) {
		t.Errorf("without a chain: %d %s", a.status, a.body)
	}
	if n := len(r.transfers()); n != 1 {
		t.Errorf("charged %d times", n)
	}
	if a := r.ask(g, request(1), r.payment(id)); a.status != 200 || len(r.transfers()) != 2 {
		t.Errorf("a fresh payment: %d, %d transfers", a.status, len(r.transfers()))
	}

	r = newHarness(t, nil, nil)
	withChain(r)
	payment = r.payment("")
	g, _ = r.putBack(0, payment)
	r.clock.Add(26 * 3600)
	if a := r.ask(g, request(1), payment); a.status != 402 || len(r.transfers()) != 1 {
		t.Errorf("a day later: %d %s", a.status, a.body)
	}
}

// A payment that was used for nothing, or paid somebody else, is answered by nobody; and a chain that does not answer is believed nothing.
func TestDrillOnlyWhatTheChainHas(t *testing.T) {
	for found, fails := range map[pay.Finding]error{pay.FoundSpent: nil, pay.FoundUnused: nil, pay.FoundSettled: errors.New("no answer")} {
		r := newHarness(t, func(c *pay.Config) { c.Proof = fixed{found, fails} }, nil)
		r.fail(facilitator.NoFault, "")
		inner := r.fac.Config.Handler
		r.fac.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path != "/verify" {
				inner.ServeHTTP(w, req)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"isValid":false,"invalidReason":"invalid_exact_evm_nonce_already_used"}`))
		})
		if a := r.post(request(1), r.payment("")); a.status != 402 || r.served.Load() != 0 {
			t.Errorf("%s: %d %s", found, a.status, a.body)
		}
	}
}

// fixed is a chain that says the same of every payment.
type fixed struct {
	found pay.Finding
	err   error
}

func (f fixed) Find(context.Context, pay.Transfer) (pay.Finding, string, error) {
	return f.found, "0x1", f.err
}
