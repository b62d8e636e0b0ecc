package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
)

// finished waits until all jobs are.
func (r harness) finished(t testing.TB, ids []string) {
	t.Helper()
	deadline := time.Now().Add(4 * time.Minute)
	for _, id := range ids {
		for {
			j, err := r.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if j.State.Final() {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("not finished in time: %+v", j)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// TestThirtyTwoWorkers: every job is run once, by one worker at a time.
func TestThirtyTwoWorkers(t *testing.T) {
	var mu sync.Mutex
	runs, active := map[string]int{}, map[string]bool{}
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		id := w.Job().ID
		mu.Lock()
		if active[id] {
			t.Errorf("%s runs twice at a time", id)
		}
		active[id] = true
		runs[id]++
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		active[id] = false
		return nil, nil
	}})
	var ids []string
	for i := range 60 {
		ids = append(ids, r.enqueue(t, fmt.Sprint(i)).ID)
	}
	p := &jobs.Pool{Queue: r.Queue, Workers: 32, Poll: 10 * time.Millisecond}
	p.Start(t.Context())
	for i := range 20 { // while they work
		ids = append(ids, r.enqueue(t, fmt.Sprint("late", i)).ID)
	}
	r.finished(t, ids)
	p.Stop(t.Context())
	for _, id := range ids {
		if got := r.expect(t, id, jobs.Done); got.Attempt != 1 || runs[id] != 1 {
			t.Errorf("%s: want one run, got %d at attempt %d", id, runs[id], got.Attempt)
		}
	}
	if n := r.open(t); n != 0 {
		t.Errorf("want no entry left, got %d", n)
	}
}

func TestStopWaitsForWorkUnderWay(t *testing.T) {
	begun := make(chan struct{}, 10)
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		begun <- struct{}{}
		select {
		case <-time.After(100 * time.Millisecond):
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}})
	var ids []string
	for i := range 5 {
		ids = append(ids, r.enqueue(t, fmt.Sprint(i)).ID)
	}
	p := &jobs.Pool{Queue: r.Queue, Workers: 1}
	p.Start(t.Context())
	<-begun
	p.Stop(t.Context())
	if done, queued := r.count(t, ids, jobs.Done), r.count(t, ids, jobs.Queued); done != 1 || queued != 4 {
		t.Errorf("want one done and four queued, got %d and %d", done, queued)
	}
}

func TestStopGivesBackWhatTakesTooLong(t *testing.T) {
	begun := make(chan struct{})
	var stopped atomic.Bool
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		stopped.Store(true)
		return nil, ctx.Err()
	}})
	j := r.enqueue(t, "01004")
	p := &jobs.Pool{Queue: r.Queue, Workers: 3}
	p.Start(t.Context())
	<-begun
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	p.Stop(soon)
	if got := r.expect(t, j.ID, jobs.Queued); got.Attempt != 0 || !stopped.Load() {
		t.Errorf("want it back in the queue, got %+v", got)
	}
	new(jobs.Pool).Stop(t.Context()) // one that never started
}

func (r harness) count(t *testing.T, ids []string, s jobs.State) int {
	t.Helper()
	n := 0
	for _, id := range ids {
		j, err := r.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if j.State == s {
			n++
		}
	}
	return n
}

// BenchmarkJob is a job's whole life: enqueue, lease, done.
func BenchmarkJob(b *testing.B) {
	r := newHarness(b, jobs.Definition{Run: succeed})
	for i := 0; b.Loop(); i++ {
		if err := r.RunOne(b.Context(), r.enqueue(b, fmt.Sprint(i)).ID); err != nil {
			b.Fatal(err)
		}
	}
}
