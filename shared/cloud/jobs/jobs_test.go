package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
)

// harness is a queue of one type, "build", over an empty ledger, with a clock that the test sets forward.
type harness struct {
	*jobs.Queue
	ledger ledger.Ledger
	clock  *ledgertest.Clock
	log    *strings.Builder
}

type option func(*jobs.Options)

func newHarness(t testing.TB, k jobs.Definition, options ...option) harness {
	t.Helper()
	clock := ledgertest.NewClock()
	l := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), clock.Now)
	r := harness{ledger: l, clock: clock, log: &strings.Builder{}}
	o := jobs.Options{Types: map[string]jobs.Definition{"build": k}, Now: clock.Now, Log: slog.New(slog.NewTextHandler(r.log, nil))}
	for _, set := range options {
		set(&o)
	}
	r.Queue = newQueue(t, l, o)
	return r
}

func openLedger(t testing.TB, path string, now func() time.Time) ledger.Ledger {
	t.Helper()
	l, err := sqlite.Open(context.Background(), path, sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func newQueue(t testing.TB, l ledger.Ledger, o jobs.Options) *jobs.Queue {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	q, err := jobs.New(l, o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (r harness) enqueue(t testing.TB, key string) jobs.Job {
	t.Helper()
	j, created, err := r.Enqueue(t.Context(), "build", key, []byte("payload of "+key))
	if err != nil || !created {
		t.Fatalf("enqueue %s: want a new job, got %+v, %v, %v", key, j, created, err)
	}
	return j
}

func (r harness) expect(t testing.TB, id string, want jobs.State) jobs.Job {
	t.Helper()
	j, err := r.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if j.State != want {
		t.Errorf("%s: want %s, got %+v", id, want, j)
	}
	return j
}

// open is how many entries the index has.
func (r harness) open(t testing.TB) int {
	t.Helper()
	entries, err := r.ledger.Query(t.Context(), ledger.Query{Partition: "jobs-open/build", Limit: ledger.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func succeed(context.Context, *jobs.Work) ([]byte, error) { return []byte("result"), nil }

func TestAJobIsDone(t *testing.T) {
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		j := w.Job()
		if j.State != jobs.Running || j.Attempt != 1 || string(j.Payload) != "payload of 01004" {
			t.Errorf("the handler sees %+v", j)
		}
		if err := w.Progress(ctx, "parcels", 0.5); err != nil {
			t.Error(err)
		}
		return []byte("result"), nil
	}})
	j := r.enqueue(t, "01004")
	if j.State != jobs.Queued || j.Attempt != 0 || j.Created.IsZero() {
		t.Errorf("want a queued job, got %+v", j)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	got := r.expect(t, j.ID, jobs.Done)
	if string(got.Result) != "result" || got.Progress != 1 || got.Error != "" || got.Attempt != 1 || got.Finished.IsZero() ||
		!got.Until.IsZero() {
		t.Errorf("want it done with its result, got %+v", got)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Errorf("a second notification finds it done: got %v", err)
	}
	if n := r.open(t); n != 0 {
		t.Errorf("want no entry left, got %d", n)
	}
}

func TestOneOpenJobPerKey(t *testing.T) {
	r := newHarness(t, jobs.Definition{Run: succeed})
	first := r.enqueue(t, "01004")
	same, created, err := r.Enqueue(t.Context(), "build", "01004", []byte("other"))
	if err != nil || created || same.ID != first.ID || string(same.Payload) != "payload of 01004" {
		t.Errorf("want the first job, got %+v, %v, %v", same, created, err)
	}
	if other := r.enqueue(t, "01005"); other.ID == first.ID {
		t.Error("two keys have one job")
	}
	if a, b := r.enqueue(t, ""), r.enqueue(t, ""); a.ID == b.ID {
		t.Error("jobs without a key are one")
	}
	if found, err := r.Find(t.Context(), "build", "01004"); err != nil || found.ID != first.ID {
		t.Errorf("find: want the first job, got %+v, %v", found, err)
	}
	if err := r.RunOne(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second := r.enqueue(t, "01004")
	if second.ID == first.ID || second.State != jobs.Queued || second.Result != nil {
		t.Errorf("want a new job after the first is done, got %+v", second)
	}
	if _, err := r.Get(t.Context(), first.ID); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("want ErrNotFound of the job whose key was taken, got %v", err)
	}
	if err := r.RunOne(t.Context(), first.ID); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("an old notification must not run the new job: got %v", err)
	}
}

func TestAKeyIsUsedOnce(t *testing.T) {
	r := newHarness(t, jobs.Definition{Run: succeed, Once: true, Keep: time.Hour})
	first := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	same, created, err := r.Enqueue(t.Context(), "build", "01004", nil)
	if err != nil || created || same.ID != first.ID || same.State != jobs.Done {
		t.Errorf("want the finished job, got %+v, %v, %v", same, created, err)
	}
	r.clock.Advance(time.Hour)
	if _, err := r.Get(t.Context(), first.ID); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("want it forgotten, got %v", err)
	}
	r.enqueue(t, "01004")
}

func TestManyEnqueueOne(t *testing.T) {
	r := newHarness(t, jobs.Definition{})
	var wait sync.WaitGroup
	var mu sync.Mutex
	ids, made := map[string]bool{}, 0
	for range 32 {
		wait.Go(func() {
			j, created, err := r.Enqueue(t.Context(), "build", "01004", nil)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if ids[j.ID] = true; created {
				made++
			}
		})
	}
	wait.Wait()
	if len(ids) != 1 || made != 1 {
		t.Errorf("want one job made once, got %d jobs made %d times", len(ids), made)
	}
}

func TestAFailedAttemptIsRepeated(t *testing.T) {
	attempts := 0
	r := newHarness(t, jobs.Definition{Backoff: time.Minute, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		if attempts++; attempts < 3 {
			return nil, fmt.Errorf("secret inner trouble %d", attempts)
		}
		return nil, nil
	}})
	j := r.enqueue(t, "01004")
	for _, wait := range []time.Duration{time.Minute, 2 * time.Minute} {
		if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
			t.Fatalf("want ErrAgain, got %v", err)
		}
		if got := r.expect(t, j.ID, jobs.Queued); got.Error != "" {
			t.Errorf("want no error while it is tried again, got %+v", got)
		}
		r.clock.Advance(wait - time.Second)
		if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrBusy) {
			t.Errorf("before the pause is over: want ErrBusy, got %v", err)
		}
		r.clock.Advance(time.Second)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got := r.expect(t, j.ID, jobs.Done); got.Attempt != 3 {
		t.Errorf("want the third attempt, got %+v", got)
	}
	if !strings.Contains(r.log.String(), "secret inner trouble 2") {
		t.Errorf("want inner errors logged, got %s", r.log)
	}
}

func TestAJobFailsForGood(t *testing.T) {
	for name, c := range map[string]struct {
		err      error
		attempts int
		text     string
	}{
		"told":       {fmt.Errorf("reading: %w", jobs.Fail("page %d has no text", 7)), 1, "page 7 has no text"},
		"used up":    {errors.New("inner"), 3, "The work could not be done because of an internal error."},
		"in a panic": {nil, 3, "The work could not be done because of an internal error."},
		"too large":  {jobs.Fail("%s", strings.Repeat("ä", 5000)), 1, strings.Repeat("ä", 1022) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			released := 0
			r := newHarness(t, jobs.Definition{
				Backoff: time.Second,
				Run: func(context.Context, *jobs.Work) ([]byte, error) {
					if c.err == nil {
						panic("inner")
					}
					return nil, c.err
				},
				Release: func(_ context.Context, j jobs.Job) error {
					if released++; j.State != jobs.Releasing || j.Error != c.text {
						t.Errorf("the hook sees %+v", j)
					}
					return nil
				},
			})
			j := r.enqueue(t, "01004")
			for range c.attempts - 1 {
				if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
					t.Fatalf("want ErrAgain, got %v", err)
				}
				r.clock.Advance(time.Minute)
			}
			for range 3 {
				if err := r.RunOne(t.Context(), j.ID); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.expect(t, j.ID, jobs.Failed); got.Error != c.text || got.Attempt != c.attempts || released != 1 ||
				got.Finished.IsZero() {
				t.Errorf("want it failed at attempt %d with %q and released once, got %+v, released %d times", c.attempts, c.text, got,
					released)
			}
			if n := r.open(t); n != 0 {
				t.Errorf("want no entry left, got %d", n)
			}
		})
	}
}

func TestAReleaseThatFailsIsRepeated(t *testing.T) {
	released, ran := 0, 0
	r := newHarness(t, jobs.Definition{
		Run: func(context.Context, *jobs.Work) ([]byte, error) { ran++; return nil, jobs.Fail("no") },
		Release: func(context.Context, jobs.Job) error {
			if released++; released == 1 {
				return errors.New("the credits cannot be reached")
			}
			return nil
		},
	})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Errorf("want ErrAgain, got %v", err)
	}
	r.expect(t, j.ID, jobs.Releasing)
	if _, created, err := r.Enqueue(t.Context(), "build", "01004", nil); created || err != nil {
		t.Errorf("it is not finished: want the same job, got %v, %v", created, err)
	}
	r.clock.Advance(time.Minute)
	for range 2 {
		if err := r.RunOne(t.Context(), j.ID); err != nil {
			t.Error(err)
		}
	}
	r.expect(t, j.ID, jobs.Failed)
	if released != 2 || ran != 1 {
		t.Errorf("want the work once and the hook twice, got %d and %d", ran, released)
	}
}

func TestAJobThatNobodyBeginsFails(t *testing.T) {
	released := 0
	r := newHarness(t, jobs.Definition{Wait: time.Hour, Run: succeed,
		Release: func(context.Context, jobs.Job) error { released++; return nil }})
	j := r.enqueue(t, "01004")
	r.clock.Advance(time.Hour)
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got := r.expect(t, j.ID, jobs.Failed); got.Error != "The work was not begun in time." || released != 1 || got.Attempt != 0 {
		t.Errorf("got %+v, released %d times", got, released)
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	r := newHarness(t, jobs.Definition{Run: succeed})
	for name, err := range map[string]error{
		"unknown type":  second(r.Enqueue(t.Context(), "other", "k", nil)),
		"large payload": second(r.Enqueue(t.Context(), "build", "k", make([]byte, jobs.MaxPayload+1))),
		"long key":      second(r.Enqueue(t.Context(), "build", strings.Repeat("k", 2000), nil)),
	} {
		if err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if _, _, err := r.Enqueue(t.Context(), "build", "k", make([]byte, jobs.MaxPayload)); err != nil {
		t.Errorf("the largest payload: %v", err)
	}
	for _, id := range []string{"", "x", "build", "build-1", "build--1", "build-aaaaaaaaaaaaaaaaaaaaaaaa-0",
		"build-aaaaaaaaaaaaaaaaaaaaaaaa-01", "build-AAAAAAAAAAAAAAAAAAAAAAAA-1",
		"build-zzzzzzzzzzzzzzzzzzzzzzzz-1", "Build-aaaaaaaaaaaaaaaaaaaaaaaa-1", "build-aaaaaaaaaaaaaaaaaaaaaaaa-1",
		"build-aaaaaaaaaaaaaaaaaaaaaaaa-1\x00", strings.Repeat("x", 1<<20)} {
		if _, err := r.Get(t.Context(), id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("get %.60q: want ErrNotFound, got %v", id, err)
		}
		if err := r.RunOne(t.Context(), id); !errors.Is(err, jobs.ErrNotFound) {
			t.Errorf("run %.60q: want ErrNotFound, got %v", id, err)
		}
	}
	if _, err := jobs.New(r.ledger, jobs.Options{Types: map[string]jobs.Definition{"No Type": {}}}); err == nil {
		t.Error("want an error of a type's name")
	}
}

func second(_ jobs.Job, _ bool, err error) error { return err }

func TestALargeResultIsAnError(t *testing.T) {
	r := newHarness(t, jobs.Definition{Attempts: 1, Run: func(context.Context, *jobs.Work) ([]byte, error) {
		return make([]byte, jobs.MaxResult+1), nil
	}})
	j := r.enqueue(t, "k")
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.expect(t, j.ID, jobs.Failed)
}
