package pay_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// withChain has the harness's gate ask the chain stand-in of its facilitator, with time enough on the slowest machine.
func withChain(r *harness) *pay.Gate {
	r.config = func(c *pay.Config) { c.Proof, c.Bounds.Chain = chainOf(r.fac.URL), 10*time.Second }
	return r.newGate(r.ledger)
}

// A facilitator that moves the money and then says no is not believed: the chain is asked, and the answer given.
func TestWhatTheChainSaysIsAnswered(t *testing.T) {
	for _, kind := range facilitator.AllFaults() {
		r := newHarness(t, nil, func(o *facilitator.Options) { o.Forgetful = true })
		g, payment := withChain(r), r.payment("")
		r.fail(kind, "/settle")
		a := r.ask(g, request(1), payment)
		done := kind != facilitator.DropBefore && kind != facilitator.ErrorBefore
		if done && (a.status != 200 || a.body != want(1) || !a.receipt(t).Success) ||
			!done && (a.status != 502 || strings.Contains(a.body, `"sum":`)) {
			t.Errorf("fault %d: got %d %s", kind, a.status, a.body)
		}
		r.heal()
		if a := r.ask(g, request(1), payment); a.status != 200 || a.body != want(1) {
			t.Errorf("fault %d, healed: got %d %s", kind, a.status, a.body)
		}
		r.balanced(1)
	}
}

// Without a chain to ask the same payment stays open, and is answered once the facilitator says that it is settled.
func TestWithoutAChainSuchARefusalStaysOpen(t *testing.T) {
	for _, kind := range []facilitator.FaultKind{facilitator.UsedAfter, facilitator.RefusedAfter} {
		r := newHarness(t, nil, nil)
		payment := r.payment("")
		r.fail(kind, "/settle")
		if a := r.post(request(1), payment); a.status != 502 || a.code() != "settlement_unknown" {
			t.Errorf("fault %d: got %d %s", kind, a.status, a.body)
		}
		r.heal()
		if out, err := r.gate.Reconcile(t.Context()); err != nil || out != (pay.Reconciled{Closed: 1}) {
			t.Errorf("fault %d: %+v, %v", kind, out, err)
		}
		if a := r.post(request(1), payment); a.status != 200 || a.body != want(1) {
			t.Errorf("fault %d, reconciled: got %d %s", kind, a.status, a.body)
		}
		r.balanced(1)
	}
}

// A success that no chain knows of is not believed: the answer waits for the receipt.
func TestSuccessIsBelievedWithItsReceiptOnly(t *testing.T) {
	r := newHarness(t, nil, nil)
	withChain(r)
	payment, asks := r.payment(""), r.config
	r.config = func(c *pay.Config) { asks(c); c.Bounds.Chain = 100 * time.Millisecond } // it has nothing to find
	g := r.newGate(r.ledger)
	r.fail(facilitator.MadeUp, "/settle")
	for range 2 {
		if a := r.ask(g, request(1), payment); a.status != 502 || a.code() != "settlement_unknown" || strings.Contains(a.body, `"sum":`) {
			t.Errorf("got %d %s", a.status, a.body)
		}
	}
	r.heal()
	if a := r.ask(withChain(r), request(1), payment); a.status != 200 || a.body != want(1) {
		t.Errorf("healed: got %d %s", a.status, a.body)
	}
	r.balanced(1)
}

// An honest refusal costs nothing, and the same payment is good once its reason is gone.
func TestARefusalThatTheChainConfirms(t *testing.T) {
	r := newHarness(t, nil, nil)
	g, payment := withChain(r), r.payment("")
	refused := func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"success":false,"errorReason":"insufficient_funds","transaction":"","network":""}`)
	}
	var fails atomic.Bool
	fails.Store(true)
	inner := r.fac.Config.Handler
	r.fac.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if fails.Load() && req.URL.Path == "/settle" {
			refused(w, req)
			return
		}
		inner.ServeHTTP(w, req)
	})
	if a := r.ask(g, request(1), payment); a.status != 402 || a.receipt(t).ErrorReason != "insufficient_funds" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	fails.Store(false)
	if a := r.ask(g, request(1), payment); a.status != 200 {
		t.Errorf("then got %d %s", a.status, a.body)
	}
	r.balanced(1)
}

// A process that is killed while it settles keeps the payment waiting for its lease only, which is short; one that
// works for longer than a lease keeps it.
func TestTheLeaseOfTheDeadIsShort(t *testing.T) {
	r := newHarness(t, func(c *pay.Config) { c.Bounds.Lease, c.Bounds.Wait = 800*time.Millisecond, 10*time.Second }, nil)
	payment := r.payment("")
	var slow atomic.Bool
	slow.Store(true)
	inner := r.fac.Config.Handler
	r.fac.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/settle" && slow.CompareAndSwap(true, false) {
			time.Sleep(1800 * time.Millisecond)
		}
		inner.ServeHTTP(w, req)
	})
	first := make(chan reply)
	go func() { first <- r.ask(r.gate, request(1), payment) }()
	time.Sleep(300 * time.Millisecond)
	second := r.ask(r.gate, request(1), payment) // waits until the first is done: its lease is renewed
	if a := <-first; a.status != 200 || second.status != 200 || a.receipt(t) != second.receipt(t) || r.called("/settle") != 1 {
		t.Errorf("got %d and %d after %d settlements", a.status, second.status, r.called("/settle"))
	}

	payment = r.payment("")
	d := &dying{Ledger: r.ledger, n: 5} // dies with the write after settling was written
	r.ask(r.newGate(d), request(2), payment)
	begun := time.Now()
	if a := r.ask(r.gate, request(2), payment); a.status != 200 || time.Since(begun) > 8*time.Second {
		t.Errorf("got %d %s after %s", a.status, a.body, time.Since(begun))
	}
	if d := (pay.Bounds{}).Effective(); d.Lease+d.Lease/2 > 10*time.Second || d.Wait < d.Lease {
		t.Errorf("lease %s, wait %s", d.Lease, d.Wait)
	}
	r.balanced(2)
}

// A payer who sends refused bodies with one payment is made to wait; a good one is answered afterwards.
func TestRefusedBodiesAreSlowed(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	statuses := map[int]int{}
	for range 12 {
		a := r.post("no JSON", payment)
		statuses[a.status]++
		if a.status == 429 && (a.header.Get("Retry-After") == "" || a.code() != "too_many_refused") {
			t.Errorf("got %v %s", a.header, a.body)
		}
	}
	if statuses[400] != 5 || statuses[429] != 7 || r.served.Load() != 5 {
		t.Errorf("got %v, the handler ran %d times", statuses, r.served.Load())
	}
	if c := r.counts(); c[pay.Slowed] != 7 {
		t.Errorf("counts %v", c)
	}
	r.clock.Add(3)
	if a := r.post("no JSON", payment); a.status != 400 {
		t.Errorf("after the wait: %d %s", a.status, a.body)
	}
	if a := r.post(request(1), payment); a.status != 429 {
		t.Errorf("a good one too early: %d %s", a.status, a.body)
	}
	r.clock.Add(5)
	if a := r.post(request(1), payment); a.status != 200 || a.body != want(1) {
		t.Errorf("a good one: %d %s", a.status, a.body)
	}
	if a := r.post("no JSON", r.payment("")); a.status != 400 {
		t.Errorf("another payment: %d %s", a.status, a.body)
	}
	r.balanced(1)
}

// counting counts what is read of a ledger.
type counting struct {
	ledger.Ledger
	records atomic.Int64
}

func (c *counting) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	list, err := c.Ledger.Query(ctx, q)
	c.records.Add(int64(len(list)))
	return list, err
}

// Reconcile reads what is open, not what was settled in the last 400 days; a record that cannot be read stops
// neither it nor the books.
func TestReconcileReadsWhatIsOpen(t *testing.T) {
	r := newHarness(t, nil, nil)
	for n := range 20 {
		r.post(request(n), r.payment(""))
	}
	r.fail(facilitator.DropAfter, "/settle")
	r.post(request(20), r.payment(""))
	broken := r.payment("")
	r.post(request(21), broken)
	r.heal()
	counter := &counting{Ledger: r.ledger}
	g := r.newGate(counter)
	if _, err := g.Reconcile(t.Context()); err != nil { // the first looks at everything
		t.Fatal(err)
	}
	r.fail(facilitator.DropAfter, "/settle")
	r.post(request(22), r.payment(""))
	open := r.payment("")
	r.post(request(23), open)
	r.heal()
	spoil(t, r, 23)
	counter.records.Store(0)
	out, err := g.Reconcile(t.Context())
	if err != nil || out != (pay.Reconciled{Closed: 1, Unreadable: 1}) || counter.records.Load() != 2 {
		t.Errorf("%+v, %v, %d records read", out, err, counter.records.Load())
	}
	lines := 0
	if err := g.Books(t.Context(), func(pay.Entry) error { lines++; return nil }); err == nil || lines != 23 ||
		!strings.Contains(err.Error(), "1 records") {
		t.Errorf("%d lines of the books, %v", lines, err)
	}
	// A ledger of before the marks: a day later all claims are looked through.
	r.fail(facilitator.DropAfter, "/settle")
	r.post(request(24), r.payment(""))
	r.heal()
	unmark(t, r)
	if out, err := g.Reconcile(t.Context()); err != nil || out.Closed != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	r.clock.Add(25 * 3600)
	if out, err := g.Reconcile(t.Context()); err != nil || out.Closed != 1 {
		t.Errorf("a day later: %+v, %v", out, err)
	}
}

// spoil makes the open claim of a request unreadable.
func spoil(t *testing.T, r *harness, n int) {
	t.Helper()
	for key := range openClaims(t, r) {
		record, err := r.ledger.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(record.Value), `"request":"`) && len(openClaims(t, r)) == 2 {
			record.Value = []byte("not JSON " + fmt.Sprint(n))
			if _, err := r.ledger.Put(t.Context(), record, ledger.Any); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("no open claim")
}

// openClaims are the keys of the claims that are marked.
func openClaims(t *testing.T, r *harness) map[ledger.Key]ledger.Key {
	t.Helper()
	keys := map[ledger.Key]ledger.Key{}
	for _, shard := range "0123456789abcdef" {
		partition := "/" + r.gate.Network().ID + "/" + string(r.gate.Network().USDC) + "/" + string(shard)
		list, err := r.ledger.Query(t.Context(), ledger.Query{Partition: "pay/open" + partition, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, mark := range list {
			keys[ledger.Key{Partition: "pay/claim" + partition, Sort: mark.Key.Sort}] = mark.Key
		}
	}
	return keys
}

// unmark removes every mark.
func unmark(t *testing.T, r *harness) {
	t.Helper()
	for _, mark := range openClaims(t, r) {
		if err := r.ledger.Delete(t.Context(), mark, ledger.Any); err != nil {
			t.Fatal(err)
		}
	}
}
