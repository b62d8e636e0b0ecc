package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

func withStore(s store.Store) option { return func(o *jobs.Options) { o.Store = s } }

func objects(t testing.TB, s store.Store) (n int) {
	t.Helper()
	for _, err := range s.List(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

var storedQuery = ledger.Query{Partition: "jobs-stored/build", Limit: 100}

var largePayload = bytes.Repeat([]byte("Grundstück "), 20<<10)

func TestALargePayloadStandsInTheStore(t *testing.T) {
	s := mem.New()
	r := harness{}
	r = newHarness(t, jobs.Definition{Keep: time.Hour, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		b, err := w.Payload(ctx)
		if err != nil || !bytes.Equal(b, largePayload) {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		return nil, jobs.Fail("no")
	}, Release: func(ctx context.Context, j jobs.Job) error {
		if b, err := r.Payload(ctx, j); err != nil || !bytes.Equal(b, largePayload) {
			t.Errorf("the hook reads %d bytes, %v", len(b), err)
		}
		return nil
	}}, withStore(s))
	j, created, err := r.Enqueue(t.Context(), "build", "01004", largePayload)
	if err != nil || !created || j.Payload != nil || j.Stored == "" || objects(t, s) != 1 {
		t.Fatalf("%+v, %v, %v, %d objects", j, created, err, objects(t, s))
	}
	if again, created, err := r.Enqueue(t.Context(), "build", "01004", largePayload); err != nil || created || again.Stored != j.Stored ||
		objects(t, s) != 1 {
		t.Errorf("the same again: %+v, %v, %v, %d objects", again, created, err, objects(t, s))
	}
	sweep := func(what string, want int) {
		t.Helper()
		if n, err := r.Sweep(t.Context()); err != nil || objects(t, s) != want {
			t.Errorf("%s: swept %d, %v, left %d, want %d", what, n, err, objects(t, s), want)
		}
	}
	for range 30 { // it waits for more than a day
		r.clock.Advance(50 * time.Minute)
		sweep("of an open job", 1)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.clock.Advance(59 * time.Minute)
	sweep("of a job that can be read", 1)
	r.clock.Advance(time.Hour)
	sweep("of a job that is forgotten", 0)
	sweep("again", 0)
	if rest, err := r.ledger.Query(t.Context(), storedQuery); err != nil || len(rest) != 0 {
		t.Errorf("entries are left: %v, %v", rest, err)
	}
}

func TestASmallPayloadStandsInTheRecord(t *testing.T) {
	s := mem.New()
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) { return w.Payload(ctx) }},
		withStore(s))
	j, _, err := r.Enqueue(t.Context(), "build", "k", largePayload[:jobs.MaxPayload])
	if err != nil || objects(t, s) != 0 {
		t.Fatalf("%v, %d objects", err, objects(t, s))
	}
	if _, _, err := r.Enqueue(t.Context(), "build", "l", make([]byte, jobs.MaxStored+1)); err == nil {
		t.Error("more than MaxStored is taken")
	}
	without := newQueue(t, r.ledger, jobs.Options{Types: map[string]jobs.Definition{"build": {}}, Now: r.clock.Now})
	if b, err := without.Payload(t.Context(), j); err != nil || !bytes.Equal(b, largePayload[:jobs.MaxPayload]) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := without.Payload(t.Context(), jobs.Job{Stored: "jobs/x/y"}); err == nil {
		t.Error("a payload in no store is read")
	}
}

// However an enqueuer dies, no object stays for ever.
func TestNoObjectIsLeftBehind(t *testing.T) {
	for name, cut := range map[string]struct {
		ledger string
		store  int64
	}{"before the entry": {"jobs-stored/", 0}, "before the object": {"", 1}, "before the index": {"jobs-open/",
		0}, "before the record": {"job/build/", 0}} {
		t.Run(name, func(t *testing.T) {
			files := &storetest.Faulty{Store: mem.New(), FailAt: cut.store, Stored: true}
			r := newHarness(t, jobs.Definition{Run: succeed}, withStore(files))
			broken := newQueue(t, &breaking{Ledger: r.ledger, fail: cut.ledger},
				jobs.Options{Types: map[string]jobs.Definition{"build": {}},
					Now: r.clock.Now, Store: files})
			if _, _, err := broken.Enqueue(t.Context(), "build", "k", largePayload); err == nil {
				t.Fatal("nothing broke")
			}
			r.clock.Advance(2 * time.Hour)
			if _, err := r.Sweep(t.Context()); err != nil || objects(t, files) != 0 {
				t.Errorf("%v, %d objects are left", err, objects(t, files))
			}
		})
	}
}

// Of two that enqueue one key, one object stays.
func TestTheLoserRemovesItsObject(t *testing.T) {
	s := mem.New()
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		b, err := w.Payload(ctx)
		if !bytes.Equal(b, largePayload) {
			err = errors.Join(err, errors.New("another payload"))
		}
		return nil, err
	}}, withStore(s))
	done := make(chan error)
	for range 16 {
		go func() {
			_, _, err := r.Enqueue(context.Background(), "build", "k", largePayload)
			done <- err
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := objects(t, s); n != 1 {
		t.Errorf("%d objects, want one", n)
	}
	if err := r.RunOne(t.Context(), r.find(t, "k").ID); err != nil {
		t.Error(err)
	}
}
