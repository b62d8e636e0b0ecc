package jobs_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// TestASilentWorkerLosesTheJob: another takes it, and what the first writes is refused.
func TestASilentWorkerLosesTheJob(t *testing.T) {
	begun, wake := make(chan *jobs.Work), make(chan struct{})
	r := newHarness(t, jobs.Definition{Lease: time.Minute, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		if w.Job().Attempt == 1 {
			begun <- w
			<-wake
			return []byte("late"), nil
		}
		return []byte("second"), nil
	}})
	j := r.enqueue(t, "01004")
	first := make(chan error)
	go func() { first <- r.RunOne(t.Context(), j.ID) }()
	w := <-begun
	r.clock.Advance(time.Minute - time.Second)
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrBusy) {
		t.Errorf("while the lease lasts: want ErrBusy, got %v", err)
	}
	r.clock.Advance(time.Second)
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"Renew": w.Renew(t.Context()), "Progress": w.Progress(t.Context(), "step", 0.9)} {
		if !errors.Is(err, jobs.ErrLost) {
			t.Errorf("%s of the first worker: want ErrLost, got %v", name, err)
		}
	}
	close(wake)
	if err := <-first; !errors.Is(err, jobs.ErrLost) {
		t.Errorf("want ErrLost, got %v", err)
	}
	if got := r.expect(t, j.ID, jobs.Done); string(got.Result) != "second" || got.Attempt != 2 {
		t.Errorf("want the second worker's result, got %+v", got)
	}
}

func TestWorkThatIsInterruptedTooOftenFails(t *testing.T) {
	hang := make(chan struct{})
	released := 0
	r := newHarness(t, jobs.Definition{Attempts: 2, Lease: time.Minute,
		Run:     func(context.Context, *jobs.Work) ([]byte, error) { <-hang; return nil, nil },
		Release: func(context.Context, jobs.Job) error { released++; return nil }})
	j := r.enqueue(t, "01004")
	var wait sync.WaitGroup
	for attempt := 1; attempt <= 2; attempt++ {
		wait.Go(func() {
			if err := r.RunOne(context.Background(), j.ID); !errors.Is(err, jobs.ErrLost) {
				t.Errorf("want ErrLost, got %v", err)
			}
		})
		for {
			if got, err := r.Get(t.Context(), j.ID); err != nil {
				t.Fatal(err)
			} else if got.Attempt == attempt {
				break
			}
			time.Sleep(time.Millisecond)
		}
		r.clock.Advance(time.Minute)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	close(hang)
	wait.Wait()
	if got := r.expect(t, j.ID, jobs.Failed); got.Error != "The work was interrupted and could not be finished." || got.Attempt != 2 ||
		released != 1 {
		t.Errorf("got %+v, released %d times", got, released)
	}
}

// TestASignOfLifeKeepsTheJob runs for several leases' time.
func TestASignOfLifeKeepsTheJob(t *testing.T) {
	const lease = 3 * time.Second
	r := newHarness(t, jobs.Definition{Lease: lease, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(3 * lease):
			return nil, nil
		}
	}}, func(o *jobs.Options) { o.Now = time.Now })
	j := r.enqueue(t, "01004")
	done := make(chan error)
	go func() { done <- r.RunOne(t.Context(), j.ID) }()
	for busy := 0; ; busy++ {
		select {
		case err := <-done:
			if err != nil || busy < 3 {
				t.Errorf("want it done in peace, got %v after %d looks", err, busy)
			}
			if got := r.expect(t, j.ID, jobs.Done); got.Attempt != 1 {
				t.Errorf("want one attempt, got %+v", got)
			}
			return
		case <-time.After(lease / 4):
			if err := r.RunOne(t.Context(), j.ID); err != nil && !errors.Is(err, jobs.ErrBusy) {
				t.Errorf("want ErrBusy, got %v", err)
			}
		}
	}
}

func TestAWorkerThatIsToldToStopGivesTheJobBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := newHarness(t, jobs.Definition{Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(ctx, j.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Errorf("want ErrAgain, got %v", err)
	}
	if got := r.expect(t, j.ID, jobs.Queued); got.Attempt != 0 || !got.Until.IsZero() {
		t.Errorf("want it as if it had not begun, got %+v", got)
	}
}

func TestProgressIsRead(t *testing.T) {
	r := newHarness(t, jobs.Definition{})
	var own *jobs.Queue
	var id string
	own = newQueue(t, r.ledger, jobs.Options{Now: r.clock.Now,
		Types: map[string]jobs.Definition{"build": {Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
			for i, step := range []string{"read", "assemble", "write"} {
				if err := w.Progress(ctx, step, float64(i)/3); err != nil {
					t.Error(err)
				}
				if got := r.expect(t, id, jobs.Running); got.Step != step || got.Progress != float64(i)/3 {
					t.Errorf("want %s at %v, got %+v", step, float64(i)/3, got)
				}
			}
			for _, bad := range []float64{-0.1, 1.1, nan()} {
				if err := w.Progress(ctx, "write", bad); err == nil || errors.Is(err, jobs.ErrLost) {
					t.Errorf("progress %v: want an error, got %v", bad, err)
				}
			}
			return nil, nil
		}}}})
	id = r.enqueue(t, "01004").ID
	if err := r.RunOne(t.Context(), id); err == nil {
		t.Error("a process without a handler ran the job")
	}
	if err := own.RunOne(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// unsure is a ledger that carries out some writes of jobs and says it does not know.
type unsure struct {
	ledger.Ledger
	calls atomic.Int64
	done  bool // the doubtful writes are carried out
}

var errUnsure = errors.New("the answer was lost")

func (u *unsure) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if r.Key.Sort != "job" || was == ledger.Absent || u.calls.Add(1)%2 == 0 {
		return u.Ledger.Put(ctx, r, was)
	}
	if u.done {
		if _, err := u.Ledger.Put(ctx, r, was); err != nil {
			return 0, err
		}
	}
	return 0, errUnsure
}

// TestWritesOfUnknownOutcomeAreLookedUp: half of the answers are lost, and nothing is done twice.
func TestWritesOfUnknownOutcomeAreLookedUp(t *testing.T) {
	r := newHarness(t, jobs.Definition{})
	var ran atomic.Int64
	q := newQueue(t, &unsure{Ledger: r.ledger, done: true}, jobs.Options{Now: r.clock.Now, Types: map[string]jobs.Definition{"build": {
		Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
			ran.Add(1)
			for _, step := range []string{"a", "b", "c", "d", "e"} {
				if err := w.Progress(ctx, step, 0.5); err != nil {
					t.Error(err)
				}
			}
			return nil, nil
		}}}})
	j := r.enqueue(t, "01004")
	if err := q.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got := r.expect(t, j.ID, jobs.Done); got.Attempt != 1 || ran.Load() != 1 {
		t.Errorf("want one attempt, got %+v", got)
	}
}

// TestALedgerThatDoesNotWriteEndsTheWork: without a sign of life in time the handler is told.
func TestALedgerThatDoesNotWriteEndsTheWork(t *testing.T) {
	r := newHarness(t, jobs.Definition{})
	broken := &switched{Ledger: r.ledger}
	q := newQueue(t, broken, jobs.Options{Types: map[string]jobs.Definition{"build": {Lease: 200 * time.Millisecond,
		Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
			broken.off.Store(true)
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(10 * time.Second):
				t.Error("the work goes on without a lease")
				return nil, nil
			}
		}}}})
	j := r.enqueue(t, "01004")
	if err := q.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrLost) {
		t.Errorf("want ErrLost, got %v", err)
	}
}

// TestALedgerThatDoesNotAnswerEndsTheWork: the lease ends the work by itself, before another may begin.
func TestALedgerThatDoesNotAnswerEndsTheWork(t *testing.T) {
	const lease = 3 * time.Second
	r := newHarness(t, jobs.Definition{})
	silent := &hanging{Ledger: r.ledger}
	var until, ended time.Time
	q := newQueue(t, silent, jobs.Options{Types: map[string]jobs.Definition{"build": {Lease: lease,
		Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
			until = w.Job().Until
			silent.on.Store(true)
			<-ctx.Done()
			ended = time.Now()
			if cause := context.Cause(ctx); !errors.Is(cause, jobs.ErrLost) {
				t.Errorf("want ErrLost, got %v", cause)
			}
			return nil, ctx.Err()
		}}}})
	j := r.enqueue(t, "01004")
	if err := q.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrLost) {
		t.Errorf("want ErrLost, got %v", err)
	}
	if !ended.Before(until) {
		t.Errorf("the lease ended at %v, the work at %v", until, ended)
	}
}

// hanging answers no write while on, until the caller gives up.
type hanging struct {
	ledger.Ledger
	on atomic.Bool
}

func (h *hanging) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if h.on.Load() {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return h.Ledger.Put(ctx, r, was)
}

// TestAWorkerThatStoodStill knows by the clock alone that its lease is over, also when nobody has taken it,
// and each lease of a job has a higher fence.
func TestAWorkerThatStoodStill(t *testing.T) {
	var r harness
	fences := []int64{}
	r = newHarness(t, jobs.Definition{Lease: time.Minute, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		fences = append(fences, w.Job().Fence)
		if err := w.Held(); err != nil {
			t.Errorf("at the beginning: %v", err)
		}
		if len(fences) == 2 {
			return nil, nil
		}
		r.clock.Advance(50*time.Second - time.Nanosecond)
		if err := w.Held(); err != nil {
			t.Errorf("after five sixths of the lease: %v", err)
		}
		r.clock.Advance(time.Nanosecond)
		for name, err := range map[string]error{"Held": w.Held(), "Renew": w.Renew(t.Context()),
			"Progress": w.Progress(t.Context(), "step", 0.9)} {
			if !errors.Is(err, jobs.ErrLost) {
				t.Errorf("%s: want ErrLost, got %v", name, err)
			}
		}
		if ctx.Err() == nil {
			t.Error("the context goes on")
		}
		return nil, nil
	}})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrLost) {
		t.Errorf("want ErrLost, got %v", err)
	}
	r.clock.Advance(10 * time.Second)
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if len(fences) != 2 || fences[0] >= fences[1] {
		t.Errorf("fences %v: want the second higher", fences)
	}
}

// switched refuses all writes while off.
type switched struct {
	ledger.Ledger
	off atomic.Bool
}

func (s *switched) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if s.off.Load() {
		return 0, errUnsure
	}
	return s.Ledger.Put(ctx, r, was)
}

// The only worker on a ledger takes the job of the process that died before it back at once; what waits and what is
// finished stays as it is.
func TestTheOnlyWorkerTakesItsJobsBack(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	r := newHarness(t, jobs.Definition{Lease: time.Hour, Run: func(_ context.Context, w *jobs.Work) ([]byte, error) {
		if string(w.Job().Payload) == "payload of 01004" && w.Job().Attempt == 1 {
			close(begun)
			<-hang
		}
		return []byte("done"), nil
	}})
	done, running, waiting := r.enqueue(t, "01001"), r.enqueue(t, "01004"), r.enqueue(t, "01005")
	if err := r.RunOne(t.Context(), done.ID); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- r.RunOne(t.Context(), running.ID) }()
	<-begun
	if n, err := r.Reclaim(t.Context()); n != 1 || err != nil {
		t.Fatalf("want one lease ended, got %d, %v", n, err)
	}
	if err := r.RunOne(t.Context(), running.ID); err != nil {
		t.Errorf("the job is not taken back: %v", err)
	}
	if j := r.expect(t, running.ID, jobs.Done); j.Attempt != 2 {
		t.Errorf("attempt %d, want the second", j.Attempt)
	}
	close(hang)
	if err := <-ended; !errors.Is(err, jobs.ErrLost) {
		t.Errorf("what the dead worker writes: want ErrLost, got %v", err)
	}
	r.expect(t, done.ID, jobs.Done)
	if j := r.expect(t, waiting.ID, jobs.Queued); j.Attempt != 0 {
		t.Errorf("what waits was touched: %+v", j)
	}
	if n, err := r.Reclaim(t.Context()); n != 0 || err != nil {
		t.Errorf("nothing is left to take back, got %d, %v", n, err)
	}
}
