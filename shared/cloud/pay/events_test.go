package pay_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

func TestEventsOfManyProcessesAndDays(t *testing.T) {
	r := newRig(t, nil, nil)
	day := time.Date(2026, 10, 1, 23, 0, 0, 0, time.UTC)
	now := func() time.Time { return day }
	processes := []*pay.Events{pay.NewEvents(r.ledger, "x", now, nil), pay.NewEvents(r.ledger, "x", now, nil)}
	var wg sync.WaitGroup
	for _, p := range processes {
		for range 50 {
			wg.Go(func() {
				p.Record(t.Context(), pay.Settled, 1)
				p.Record(t.Context(), pay.Revenue, 20000)
			})
		}
	}
	wg.Wait()
	if err := processes[0].Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := processes[1].Read(t.Context(), "")
	want := pay.Counts{pay.Settled: 100, pay.Revenue: 2000000}
	if err != nil || len(got) != 1 || got[0].Day != "2026-10-01" || !maps.Equal(got[0].Counts, want) {
		t.Errorf("got %v, %v", got, err)
	}
	day = day.Add(2 * time.Hour)
	processes[0].Record(t.Context(), pay.Settled, 5)
	got, err = processes[0].Read(t.Context(), "")
	if err != nil || len(got) != 2 || got[0].Counts[pay.Settled] != 100 || got[1].Day != "2026-10-02" || got[1].Counts[pay.Settled] != 5 {
		t.Errorf("the day after: %v, %v", got, err)
	}
	if got, err = processes[1].Read(t.Context(), "2026-10-02"); err != nil || len(got) != 1 {
		t.Errorf("from the second day: %v, %v", got, err)
	}
	if other, err := pay.NewEvents(r.ledger, "y", now, nil).Read(t.Context(), ""); err != nil || len(other) != 0 {
		t.Errorf("another service: %v, %v", other, err)
	}
}

func TestEventsAreWrittenWithinASecondOrTwo(t *testing.T) {
	r := newRig(t, nil, nil)
	writes, reads := pay.NewEvents(r.ledger, "x", nil, nil), pay.NewEvents(r.ledger, "x", nil, nil)
	writes.Record(t.Context(), pay.ProbeUnpaid, 3)
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		days, err := reads.Read(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(days) == 1 && days[0].Counts[pay.ProbeUnpaid] == 3 {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("not written: %v", days)
		}
	}
}

// deaf is a ledger that takes nothing while it is deaf.
type deaf struct {
	ledger.Ledger
	now bool
}

func (d *deaf) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if d.now {
		return 0, errors.New("the line is cut")
	}
	return d.Ledger.Put(ctx, r, was)
}

// The counts of a day that could not be written at midnight are written later, and not over those before.
func TestCountsOutliveALedgerThatFails(t *testing.T) {
	day := time.Date(2026, 10, 1, 23, 59, 0, 0, time.UTC)
	l := &deaf{Ledger: newRig(t, nil, nil).ledger}
	e := pay.NewEvents(l, "x", func() time.Time { return day }, nil)
	e.Record(t.Context(), pay.Settled, 3)
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.Record(t.Context(), pay.Settled, 4)
	day, l.now = day.Add(time.Hour), true
	for range 2 {
		if err := e.Flush(t.Context()); err == nil {
			t.Fatal("a flush that wrote nothing succeeds")
		}
	}
	l.now = false
	if got, err := e.Read(t.Context(), ""); err != nil || len(got) != 1 || got[0].Counts[pay.Settled] != 7 {
		t.Errorf("want 7 settlements, got %v, %v", got, err)
	}
}
