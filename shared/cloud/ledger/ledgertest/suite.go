// Package ledgertest is the one contract suite of ledger.Ledger. Every implementation runs it.
package ledgertest

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

// Open gives an empty ledger that holds Expires against the clock now. All ledgers of one test may share
// what they stand on; what they hold must not.
type Open func(t *testing.T, now func() time.Time) ledger.Ledger

// Clock is a time that tests set forward.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock starts at the present: a server with a clock of its own must not find everything overdue.
func NewClock() *Clock { return NewClockAt(time.Now().UTC()) }

// NewClockAt starts at a time.
func NewClockAt(at time.Time) *Clock { return &Clock{at: at} }

func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// bench is what each part of the suite works with.
type bench struct {
	ledger.Ledger
	clock *Clock
}

// Run holds an implementation to the contract.
func Run(t *testing.T, open Open) {
	for _, p := range []struct {
		name string
		run  func(t *testing.T, b bench)
	}{
		{"what is put is read", putGet},
		{"a missing record is ErrNotFound", missing},
		{"any bytes are a value", values},
		{"any text is a key", keysOfText},
		{"versions count", versionsCount},
		{"Absent writes only where nothing is", putAbsent},
		{"a version writes only over itself", putVersion},
		{"Any writes over everything", putAny},
		{"a refused write leaves the record", refusedLeaves},
		{"a record is deleted at its version", deleteVersion},
		{"deleting Any is repeatable", deleteAny},
		{"versions go on after a delete", versionsAfterDelete},
		{"an expired record is not there", expired},
		{"an expiry can be moved and taken away", expiryMoves},
		{"versions go on after an expiry", versionsAfterExpiry},
		{"a query gives a range in byte order", queryRange},
		{"a query stops at its limit", queryLimit},
		{"a query leaves out what is not there", queryGone},
		{"a query has bounds of any bytes", queryBounds},
		{"large records come back from a query", queryLarge},
		{"a query outside the limits is refused", queryRefused},
		{"values have a limit", valueLimit},
		{"keys outside the grammar are ErrKey", keyLimits},
		{"arguments that mean nothing are refused", argumentsRefused},
		{"32 writers lose no increment", increments},
		{"of 32 writers one creates", oneCreates},
		{"of 32 writers one deletes", oneDeletes},
		{"32 debits take no more than there is", debits},
		{"a cancelled context stops everything", cancelled},
	} {
		t.Run(p.name, func(t *testing.T) {
			clock := NewClock()
			p.run(t, bench{open(t, clock.Now), clock})
		})
	}
}

func key(sort string) ledger.Key { return ledger.Key{Partition: "contract", Sort: sort} }

func (b bench) put(t *testing.T, r ledger.Record, was int64) int64 {
	t.Helper()
	version, err := b.Put(t.Context(), r, was)
	if err != nil {
		t.Fatalf("put %s at %d: %v", r.Key, was, err)
	}
	return version
}

// expect reads the record and compares; it gives what was read.
func (b bench) expect(t *testing.T, want ledger.Record) ledger.Record {
	t.Helper()
	got, err := b.Get(t.Context(), want.Key)
	if err != nil {
		t.Fatalf("get %s: %v", want.Key, err)
	}
	same(t, want, got)
	return got
}

func (b bench) expectMissing(t *testing.T, k ledger.Key) {
	t.Helper()
	if got, err := b.Get(t.Context(), k); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("get %s: want ErrNotFound, got %+v, %v", k, got, err)
	}
}

// refused wants ErrConflict.
func (b bench) refused(t *testing.T, r ledger.Record, was int64) {
	t.Helper()
	if version, err := b.Put(t.Context(), r, was); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("put %s at %d: want ErrConflict, got version %d, %v", r.Key, was, version, err)
	}
}

func same(t *testing.T, want, got ledger.Record) {
	t.Helper()
	if got.Key != want.Key || got.Version != want.Version || !bytes.Equal(got.Value, want.Value) || !got.Expires.Equal(want.Expires) ||
		got.Expires.IsZero() != want.Expires.IsZero() {
		t.Errorf("want %s version %d, %d bytes %.40q, expires %v; got %s version %d, %d bytes %.40q, expires %v",
			want.Key, want.Version, len(want.Value), want.Value, want.Expires, got.Key, got.Version, len(got.Value), got.Value, got.Expires)
	}
}
