package pay_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
)

const id = "purchase-0123456789"

func TestAnIdentifierIsBoughtOnce(t *testing.T) {
	r := newHarness(t, nil, nil)
	first := r.post(request(1), r.payment(id))
	again := r.post(request(1), r.payment(id)) // with a fresh authorization
	if first.status != 200 || again.status != 200 || again.body != first.body || again.receipt(t) != first.receipt(t) {
		t.Errorf("got %d %s, then %d %s", first.status, first.body, again.status, again.body)
	}
	r.balanced(1)
	if a := r.post(request(2), r.payment(id)); a.status != 409 || a.code() != "identifier_used_for_other_request" {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	r.balanced(1)
	// Another payer's identifiers are his own.
	other, err := wallet.New()
	if err != nil {
		t.Fatal(err)
	}
	r.key = other
	if a := r.post(request(2), r.payment(id)); a.status != 200 || a.body != want(2) {
		t.Errorf("another payer: %d %s", a.status, a.body)
	}
	r.balanced(2)
	if r.served.Load() != 2 {
		t.Errorf("want 2 runs, got %d", r.served.Load())
	}
}

func TestParallelPaymentsOfOneIdentifierAreChargedOnce(t *testing.T) {
	r := newHarness(t, nil, nil)
	var wg sync.WaitGroup
	answers := make([]reply, 12)
	for i := range answers {
		payment := r.payment(id)
		wg.Go(func() { answers[i] = r.post(request(1), payment) })
	}
	wg.Wait()
	for _, a := range answers {
		if a.status != 200 || a.body != want(1) {
			t.Errorf("got %d %s", a.status, a.body)
		}
	}
	r.balanced(1)
}

func TestAnIdentifierWithAnOpenSettlementIsReconciled(t *testing.T) {
	for _, kind := range facilitator.AllFaults() {
		r := newHarness(t, nil, nil)
		r.fail(kind, "/settle")
		if a := r.post(request(1), r.payment(id)); a.status != 502 {
			t.Errorf("fault %d: got %d %s", kind, a.status, a.body)
		}
		r.heal()
		if a := r.post(request(2), r.payment(id)); a.status != 409 {
			t.Errorf("fault %d, another body: got %d %s", kind, a.status, a.body)
		}
		if a := r.post(request(1), r.payment(id)); a.status != 200 || a.body != want(1) {
			t.Errorf("fault %d, a fresh payment: got %d %s", kind, a.status, a.body)
		}
		r.balanced(1)
	}
}

func TestARefusedRequestFreesItsIdentifier(t *testing.T) {
	r := newHarness(t, nil, nil)
	if a := r.post("no JSON", r.payment(id)); a.status != 400 {
		t.Errorf("got %d", a.status)
	}
	if a := r.post(request(1), r.payment(id)); a.status != 200 {
		t.Errorf("got %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestTheFormOfIdentifiers(t *testing.T) {
	r := newHarness(t, nil, nil)
	for id, status := range map[string]int{
		"short": 400, strings.Repeat("a", 15): 400, strings.Repeat("a", 16): 200, strings.Repeat("b", 128): 200,
		strings.Repeat("a", 129): 400, "with space 0123456789": 400, "umlaut-ä-0123456789": 400, "pay_0123-456789ABCdef": 200,
	} {
		if a := r.post(request(1), r.payment(id)); a.status != status {
			t.Errorf("%q: want %d, got %d %s", id, status, a.status, a.body)
		}
	}
	q := r.gate.Requirements()
	v1 := http.Header{"X-Payment": {wallet.HeaderV1("base-sepolia", r.sign())}}
	if a := r.post(request(1), v1); a.status != 200 {
		t.Errorf("version 1 has none: %d %s (%+v)", a.status, a.body, q)
	}
}
