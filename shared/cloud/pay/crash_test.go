package pay_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// dying is a ledger of a process that dies at its nth operation: that one fails, before or after it was
// done, and so does everything afterwards.
type dying struct {
	ledger.Ledger
	n      int64
	stored bool // the nth operation is done all the same
	count  atomic.Int64
}

var errDead = errors.New("the process is dead")

// alive says whether to do an operation, and whether to tell of it.
func (d *dying) alive() (do, tell bool) {
	switch n := d.count.Add(1); {
	case n < d.n:
		return true, true
	case n == d.n:
		return d.stored, false
	}
	return false, false
}

func (d *dying) Get(ctx context.Context, k ledger.Key) (ledger.Record, error) {
	do, tell := d.alive()
	if !do || !tell {
		return ledger.Record{}, errDead
	}
	return d.Ledger.Get(ctx, k)
}

func (d *dying) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	do, tell := d.alive()
	if !do {
		return 0, errDead
	}
	v, err := d.Ledger.Put(ctx, r, was)
	if !tell {
		return 0, errDead
	}
	return v, err
}

func (d *dying) Delete(ctx context.Context, k ledger.Key, was int64) error {
	do, tell := d.alive()
	if !do {
		return errDead
	}
	err := d.Ledger.Delete(ctx, k, was)
	if !tell {
		return errDead
	}
	return err
}

// TestACrashAtEveryStep lets the process die at each of its operations on the ledger in turn, the request
// lost with it, and sends the same payment to the next process: answered once it is settled, charged once.
func TestACrashAtEveryStep(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  string
		id    string
		kind  facilitator.FaultKind // of the first process' facilitator
		fresh bool                  // the second process is sent a fresh payment of the same identifier
	}{
		{"plain", request(1), "", facilitator.NoFault, false},
		{"the answer of settle is lost", request(1), "", facilitator.DropAfter, false},
		{"settle was never asked", request(1), "", facilitator.DropBefore, false},
		{"with an identifier", request(1), id, facilitator.NoFault, false},
		{"a fresh payment of the same identifier", request(1), id, facilitator.NoFault, true},
		{"a fresh payment, the answer of settle lost", request(1), id, facilitator.DropAfter, true},
		{"refused by the handler", "no JSON", id, facilitator.NoFault, false},
	} {
		for _, stored := range []bool{false, true} {
			for n := int64(1); ; n++ {
				r := newHarness(t, nil, nil)
				payment := r.payment(c.id)
				r.fail(c.kind, "/settle")
				d := &dying{Ledger: r.ledger, n: n, stored: stored}
				first := r.ask(r.newGate(d), c.body, payment)
				if paid := len(r.transfers()) == 1; first.status == http.StatusOK && !paid {
					t.Fatalf("%s, operation %d: answered without settlement: %s", c.name, n, first.body)
				}
				if first.status != http.StatusOK && strings.Contains(first.body, `"sum":`) {
					t.Fatalf("%s, operation %d: an answer with status %d", c.name, n, first.status)
				}
				r.heal()
				r.clock.Store(int64(lease/time.Second) + 1) // the leases of the dead are over
				if c.fresh {
					payment = r.payment(c.id)
				}
				second := r.ask(r.gate, c.body, payment)
				third := r.ask(r.gate, c.body, payment)
				if c.body == "no JSON" {
					if second.status != 400 || third.status != 400 {
						t.Errorf("%s, operation %d: want 400, got %d and %d", c.name, n, second.status, third.status)
					}
					r.balanced(0)
				} else {
					if second.status != 200 || second.body != want(1) || third.body != second.body ||
						third.receipt(t) != second.receipt(t) {
						t.Errorf("%s, operation %d (stored %t): got %d %s, then %d %s", c.name, n, stored, second.status, second.body,
							third.status, third.body)
					}
					r.balanced(1)
				}
				if d.count.Load() < n {
					break // the process ended before it could die
				}
			}
		}
	}
}

// TestALostAnswerIsMadeAgain: an answer too large to keep, and one whose record is gone.
func TestALostAnswerIsMadeAgain(t *testing.T) {
	r := newHarness(t, nil, nil)
	noise := make([]byte, 600<<10)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	r.handle = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(noise)
	}
	payment := r.payment("")
	for range 3 {
		if a := r.post(request(1), payment); a.status != 200 || a.body != string(noise) {
			t.Fatalf("got %d, %d bytes", a.status, len(a.body))
		}
	}
	if r.served.Load() != 3 {
		t.Errorf("the answer was made %d times, want 3", r.served.Load())
	}
	r.balanced(1)

	r.handle = func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 9<<20)) }
	if a := r.post(request(2), r.payment("")); a.status != 500 || a.code() != "internal" {
		t.Errorf("an answer without bound: %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestAnswersAreKeptPackedAndGivenAsTheClientTakesThem(t *testing.T) {
	r := newHarness(t, nil, nil)
	long := strings.Repeat(`{"utc":"2026-10-01T00:00:00Z"},`, 20000)
	r.handle = func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Payment-Signature")+req.Header.Get("X-Payment") != "" {
			t.Error("the handler sees the payment header")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(long))
	}
	payment := r.payment("")
	for _, encoding := range []string{"gzip", "identity", "gzip;q=0", "br, gzip;q=0.5"} {
		req := httptest.NewRequest(http.MethodPost, "/v1/expand", strings.NewReader(request(1)))
		req.Header = payment.Clone()
		req.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		r.gate.Wrap(http.HandlerFunc(r.serve)).ServeHTTP(w, req)
		packed := strings.Contains(encoding, "gzip") && encoding != "gzip;q=0"
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != packed || w.Code != 200 {
			t.Errorf("%s: packed %t, status %d", encoding, got, w.Code)
		}
		if !packed && w.Body.String() != long {
			t.Errorf("%s: got %d bytes", encoding, w.Body.Len())
		}
	}
	if r.served.Load() != 1 {
		t.Errorf("the answer was made %d times: it is not kept", r.served.Load())
	}
}

func TestBodiesAreBounded(t *testing.T) {
	r := newHarness(t, func(c *pay.Config) { c.Bounds.Body = 100 }, nil)
	if a := r.post(strings.Repeat(" ", 101), r.payment("")); a.status != 413 || r.served.Load() != 0 {
		t.Errorf("got %d %s", a.status, a.body)
	}
	r.balanced(0)
}
