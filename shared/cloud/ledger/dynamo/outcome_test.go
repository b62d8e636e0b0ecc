package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
	"mappe/shared/cloud/ledger/ledgertest"
)

var a = ledger.Key{Partition: "p", Sort: "a"}

// harness is one table seen directly and through a bad network.
type harness struct {
	*network
	direct, far *dynamo.Ledger
}

func newHarness(t *testing.T, server string) harness {
	t.Helper()
	n := &network{server: server}
	far := fresh(t, n.start(t), nil)
	direct, err := dynamo.Open(fmt.Sprintf("ledger-%d", tables.Load()), dynamo.Options{Endpoint: server})
	if err != nil {
		t.Fatal(err)
	}
	return harness{n, direct, far}
}

// put writes directly.
func (r harness) put(t *testing.T, was int64) int64 {
	t.Helper()
	version, err := r.direct.Put(t.Context(), ledger.Record{Key: a, Value: []byte("theirs")}, was)
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// writes are the kinds of write on a record that is at version 3 (or, for Absent, deleted).
var writes = map[string]struct {
	do      func(ctx context.Context, l ledger.Ledger) (int64, error)
	deleted bool // before the write
	version int64
}{
	"put Absent":      {func(ctx context.Context, l ledger.Ledger) (int64, error) { return l.Put(ctx, ours, ledger.Absent) }, true, 5},
	"put a version":   {func(ctx context.Context, l ledger.Ledger) (int64, error) { return l.Put(ctx, ours, 3) }, false, 4},
	"put Any":         {func(ctx context.Context, l ledger.Ledger) (int64, error) { return l.Put(ctx, ours, ledger.Any) }, false, 4},
	"delete version":  {func(ctx context.Context, l ledger.Ledger) (int64, error) { return 0, l.Delete(ctx, a, 3) }, false, 0},
	"delete anything": {func(ctx context.Context, l ledger.Ledger) (int64, error) { return 0, l.Delete(ctx, a, ledger.Any) }, false, 0},
}

var ours = ledger.Record{Key: a, Value: []byte("ours")}

func TestAWriteWhoseAnswerIsLostSucceedsOnce(t *testing.T) {
	server := dynalite.Start(t)
	for name, w := range writes {
		for _, f := range []fault{lost, unanswered, failed, throttled} {
			for _, asAWS := range []bool{false, true} {
				r := newHarness(t, server)
				for range 3 {
					r.put(t, ledger.Any)
				}
				if w.deleted {
					if err := r.direct.Delete(t.Context(), a, 3); err != nil {
						t.Fatal(err)
					}
				}
				r.asAWS, r.next = asAWS, once(f)
				version, err := w.do(t.Context(), r.far)
				if err != nil || version != w.version {
					t.Errorf("%s, fault %d: want version %d, got %d, %v", name, f, w.version, version, err)
				}
				if got := r.count("UpdateItem"); got != 2 {
					t.Errorf("%s, fault %d: want two requests, got %d", name, f, got)
				}
				if asAWS && r.count("GetItem") != 0 {
					t.Errorf("%s, fault %d: the item came with the answer and was read all the same", name, f)
				}
				got, err := r.direct.Get(t.Context(), a)
				if w.version == 0 {
					if !errors.Is(err, ledger.ErrNotFound) {
						t.Errorf("%s, fault %d: want it deleted, got %+v, %v", name, f, got, err)
					}
				} else if err != nil || got.Version != w.version || string(got.Value) != "ours" {
					t.Errorf("%s, fault %d: want ours at version %d, got %+v, %v", name, f, w.version, got, err)
				}
			}
		}
	}
}

// TestOthersWriteBeforeTheRepetition: up to three further writes the item remembers ours; with more the
// outcome is unknown, which is no ErrConflict.
func TestOthersWriteBeforeTheRepetition(t *testing.T) {
	server := dynalite.Start(t)
	for others := 1; others <= 5; others++ {
		r := newHarness(t, server)
		r.put(t, ledger.Absent)
		r.next = once(unanswered)
		r.between = func() {
			for range others {
				r.put(t, ledger.Any)
			}
		}
		version, err := r.far.Put(t.Context(), ours, 1)
		if others <= 3 {
			if err != nil || version != 2 {
				t.Errorf("%d others: want version 2, got %d, %v", others, version, err)
			}
			continue
		}
		for _, sentinel := range []error{nil, ledger.ErrConflict, ledger.ErrNotFound, ledger.ErrTooLarge, ledger.ErrKey} {
			if errors.Is(err, sentinel) {
				t.Errorf("%d others: want an error of its own, got %v", others, err)
			}
		}
	}
}

func TestALostRequestThatOthersOvertookIsAConflict(t *testing.T) {
	server := dynalite.Start(t)
	for _, f := range []fault{lost, throttled} {
		r := newHarness(t, server)
		r.put(t, ledger.Absent)
		r.next = func() fault {
			if r.counts["UpdateItem"] == 1 {
				r.put(t, ledger.Any)
				return f
			}
			return none
		}
		if version, err := r.far.Put(t.Context(), ours, 1); !errors.Is(err, ledger.ErrConflict) {
			t.Errorf("fault %d: want ErrConflict, got %d, %v", f, version, err)
		}
	}
}

// TestPutAnyDoesNotComeBack: sent twice, it must not undo what others wrote over it.
func TestPutAnyDoesNotComeBack(t *testing.T) {
	r := newHarness(t, dynalite.Start(t))
	r.next, r.between = once(unanswered), func() { r.put(t, ledger.Any) }
	if version, err := r.far.Put(t.Context(), ours, ledger.Any); err != nil || version != 1 {
		t.Errorf("want version 1, got %d, %v", version, err)
	}
	if got, err := r.direct.Get(t.Context(), a); err != nil || string(got.Value) != "theirs" || got.Version != 2 {
		t.Errorf("want theirs at version 2, got %+v, %v", got, err)
	}
}

func TestWithoutCapacityItGivesUp(t *testing.T) {
	r := newHarness(t, dynalite.Start(t))
	r.next = func() fault { return throttled }
	if _, err := r.far.Put(t.Context(), ours, ledger.Absent); err == nil || errors.Is(err, ledger.ErrConflict) {
		t.Errorf("want an error, got %v", err)
	}
	if got := r.count("UpdateItem"); got != 8 {
		t.Errorf("want 8 tries, got %d", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := r.far.Put(ctx, ours, ledger.Absent); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("want the context's error, got %v", err)
	}
}

func TestAMissingTableIsNamedAtOnce(t *testing.T) {
	n := &network{server: dynalite.Start(t)}
	l, err := dynamo.Open("nowhere", dynamo.Options{Endpoint: n.start(t)})
	if err != nil {
		t.Fatal(err)
	}
	_, get := l.Get(t.Context(), a)
	_, put := l.Put(t.Context(), ours, ledger.Any)
	_, query := l.Query(t.Context(), ledger.Query{Partition: "p", Limit: 1})
	for method, err := range map[string]error{"Get": get, "Put": put, "Query": query} {
		if err == nil || errors.Is(err, ledger.ErrNotFound) || errors.Is(err, ledger.ErrConflict) {
			t.Errorf("%s: want an error of its own, got %v", method, err)
		}
	}
	if n.count("GetItem") != 1 || n.count("UpdateItem") != 1 || n.count("Query") != 1 {
		t.Errorf("want one request each, got %v", n.counts)
	}
}

// TestCountingOverABadNetwork: what was confirmed is counted once, what was refused not at all, and what
// is unknown at most once.
func TestCountingOverABadNetwork(t *testing.T) {
	r := newHarness(t, dynalite.Start(t))
	r.asAWS = true
	random := rand.New(rand.NewPCG(1, 2)) // used under the network's lock
	r.next = func() fault {
		if random.IntN(3) > 0 {
			return none
		}
		return fault(1 + random.IntN(4))
	}
	var mu sync.Mutex
	confirmed, unknown := 0, 0
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			for range 12 {
				err := ledgertest.Increment(t.Context(), r.far, a, 1)
				mu.Lock()
				if err == nil {
					confirmed++
				} else {
					unknown++
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	got, err := r.direct.Get(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	var have int
	fmt.Sscan(string(got.Value), &have)
	if have < confirmed || have > confirmed+unknown || confirmed < 40 {
		t.Errorf("%d confirmed, %d unknown, counted %d", confirmed, unknown, have)
	}
	if int64(have) != got.Version {
		t.Errorf("counted %d in %d writes", have, got.Version)
	}
	t.Logf("%d confirmed, %d unknown, counted %d, %d requests", confirmed, unknown, have, r.count("UpdateItem"))
}
