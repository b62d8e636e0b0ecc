package pay_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

func TestEventsOfManyProcessesAndDays(t *testing.T) {
	r := newHarness(t, nil, nil)
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

// notes is a ledger in memory, which goroutines of a bubble may wait for. It notes when it was asked to
// write, and takes nothing while it is deaf.
type notes struct {
	ledger.Ledger
	meanwhile func() // happens while it is deaf and asked to write
	mu        sync.Mutex
	deaf      bool
	puts      []time.Time
	last      map[string]string // values by day
}

func (n *notes) Put(_ context.Context, r ledger.Record, _ int64) (int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.puts = append(n.puts, time.Now())
	if n.deaf {
		n.meanwhile()
		return 0, errors.New("the line is cut")
	}
	n.last[r.Key.Sort[:len(time.DateOnly)]] = string(r.Value)
	return 1, nil
}

// seconds are the times of the writes, from the beginning of the test on.
func (n *notes) seconds(begun time.Time) []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []int
	for _, at := range n.puts {
		out = append(out, int(at.Sub(begun)/time.Second))
	}
	return out
}

func TestEventsAreWrittenWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &notes{last: map[string]string{}}
		begun, e := time.Now(), pay.NewEvents(l, "x", nil, nil)
		for range 3 {
			e.Record(t.Context(), pay.ProbeUnpaid, 1)
		}
		time.Sleep(time.Hour)
		if at, day := l.seconds(begun), begun.UTC().Format(time.DateOnly); !slices.Equal(at, []int{1}) ||
			l.last[day] != `{"probes_unpaid":3}` {
			t.Errorf("want one write after a second, got %v of %v", at, l.last)
		}
	})
}

// Nothing else happens: the counts are tried again all the same, and not more often than once a minute.
func TestCountsThatWereNotWrittenAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &notes{deaf: true, meanwhile: func() {}, last: map[string]string{}}
		begun, e := time.Now(), pay.NewEvents(l, "x", nil, nil)
		l.meanwhile = func() { e.Record(t.Context(), pay.Settled, 1) } // does not hasten the next try
		e.Record(t.Context(), pay.Settled, 2)
		time.Sleep(210 * time.Second)
		if want, got := []int{1, 2, 4, 8, 16, 32, 64, 124, 184}, l.seconds(begun); !slices.Equal(got, want) {
			t.Errorf("want a try in the seconds %v, got %v", want, got)
		}
		l.mu.Lock()
		l.deaf, l.puts = false, nil
		l.mu.Unlock()
		time.Sleep(time.Hour)
		if at, day := l.seconds(begun), begun.UTC().Format(time.DateOnly); !slices.Equal(at, []int{244}) ||
			l.last[day] != `{"settled":11}` {
			t.Errorf("want one write at 244 s, got %v of %v", at, l.last)
		}
		e.Record(t.Context(), pay.Settled, 1)
		at := time.Now()
		time.Sleep(time.Hour)
		if got := l.seconds(at); len(got) != 2 || got[1] != 1 {
			t.Errorf("after the fault: want a write after a second, got %v", got)
		}
	})
}

func TestCloseWritesALastTime(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := &notes{deaf: deaf, meanwhile: func() {}, last: map[string]string{}}
			begun, e := time.Now(), pay.NewEvents(l, "x", nil, nil)
			e.Record(t.Context(), pay.Settled, 2)
			if err := e.Close(t.Context()); (err != nil) != deaf {
				t.Errorf("deaf %v: got %v", deaf, err)
			}
			e.Record(t.Context(), pay.Settled, 1)
			time.Sleep(time.Hour)
			if at := l.seconds(begun); !slices.Equal(at, []int{0}) || len(l.last) == 0 != deaf {
				t.Errorf("deaf %v: want one write, at the end, got %v of %v", deaf, at, l.last)
			}
		})
	}
}

// A year without a ledger: what it would not keep any more is not kept here either, the rest is.
func TestCountsThatCannotBeWrittenAreBounded(t *testing.T) {
	day := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	l := &notes{deaf: true, meanwhile: func() {}, last: map[string]string{}}
	e := pay.NewEvents(l, "x", func() time.Time { return day }, nil)
	defer e.Close(t.Context())
	for range 500 {
		e.Record(t.Context(), pay.Settled, 1)
		if err := e.Flush(t.Context()); err == nil {
			t.Fatal("a flush that wrote nothing succeeds")
		}
		day = day.AddDate(0, 0, 1)
	}
	l.deaf = false
	if err := e.Flush(t.Context()); err != nil || len(l.last) != 401 {
		t.Errorf("want 401 days written, got %d, %v", len(l.last), err)
	}
}

// A clock that goes back over midnight adds to the day before and does not begin it anew.
func TestCountsOfAClockThatIsSetBack(t *testing.T) {
	day := time.Date(2026, 10, 1, 23, 59, 59, 0, time.UTC)
	l := &notes{last: map[string]string{}}
	e := pay.NewEvents(l, "x", func() time.Time { return day }, nil)
	defer e.Close(t.Context())
	for i, to := range []time.Duration{0, 2 * time.Second, -2 * time.Second} {
		day = day.Add(to)
		e.Record(t.Context(), pay.Settled, 1)
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(i, err)
		}
	}
	if got := l.last["2026-10-01"]; got != `{"settled":2}` {
		t.Errorf("want 2 settlements on the first day, got %s", got)
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
	l := &deaf{Ledger: newHarness(t, nil, nil).ledger}
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
