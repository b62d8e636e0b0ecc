package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
)

// untilEnded works until its context ends and says why.
func untilEnded(begun chan<- *jobs.Work, cause chan<- error) func(context.Context, *jobs.Work) ([]byte, error) {
	return func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		begun <- w
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return nil, ctx.Err()
	}
}

func TestAWaitingJobIsCancelled(t *testing.T) {
	released := 0
	r := newHarness(t, jobs.Definition{
		Run: func(context.Context, *jobs.Work) ([]byte, error) {
			t.Error("a cancelled job was begun")
			return nil, nil
		},
		Release: func(_ context.Context, j jobs.Job) error {
			if released++; j.State != jobs.Releasing || j.CancelAsked.IsZero() {
				t.Errorf("the hook sees %+v", j)
			}
			return nil
		},
	})
	j := r.enqueue(t, "01004")
	for range 2 { // it may be repeated
		if got, err := r.Cancel(t.Context(), j.ID); err != nil || got.State != jobs.Releasing {
			t.Fatalf("want it releasing, got %+v, %v", got, err)
		}
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got := r.expect(t, j.ID, jobs.Cancelled); released != 1 || got.Attempt != 0 || got.Error != "The work was cancelled." ||
		got.Finished.IsZero() {
		t.Errorf("released %d times, %+v", released, got)
	}
	if n := r.open(t); n != 0 {
		t.Errorf("want no entry left, got %d", n)
	}
	if got, err := r.Cancel(t.Context(), j.ID); err != nil || got.State != jobs.Cancelled {
		t.Errorf("a cancel of what is over: %+v, %v", got, err)
	}
	if next := r.enqueue(t, "01004"); next.ID == j.ID {
		t.Error("the key is not free again")
	}
}

// The handler's context ends within a third of the lease, and the lease stays with its worker until it is through.
func TestARunningJobIsCancelled(t *testing.T) {
	const lease = 3 * time.Second
	begun, cause := make(chan *jobs.Work, 1), make(chan error, 1)
	released := 0
	r := newHarness(t, jobs.Definition{Lease: lease, Run: untilEnded(begun, cause), Release: func(context.Context, jobs.Job) error {
		released++
		return nil
	}},
		func(o *jobs.Options) { o.Now = time.Now })
	j := r.enqueue(t, "01004")
	done := make(chan error, 1)
	go func() { done <- r.RunOne(t.Context(), j.ID) }()
	<-begun
	if got, err := r.Cancel(t.Context(), j.ID); err != nil || got.State != jobs.Running || got.CancelAsked.IsZero() {
		t.Fatalf("want it noted, got %+v, %v", got, err)
	}
	select {
	case err := <-cause:
		if !errors.Is(err, jobs.ErrCancelled) {
			t.Errorf("the context ended because of %v", err)
		}
	case <-time.After(lease):
		t.Error("after a lease the handler does not know")
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if r.expect(t, j.ID, jobs.Cancelled); released != 1 {
		t.Errorf("released %d times", released)
	}
}

// Progress, Detail, Renew and Held tell a worker that asks.
func TestAWorkerIsToldOfACancel(t *testing.T) {
	r := harness{}
	r = newHarness(t, jobs.Definition{Lease: time.Hour, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		if err := w.Held(); err != nil {
			t.Error(err)
		}
		if _, err := r.Cancel(ctx, w.Job().ID); err != nil {
			t.Error(err)
		}
		err := w.Renew(ctx)
		for name, err := range map[string]error{
			"Renew": err, "Progress": w.Progress(t.Context(), "step", 0.5), "Detail": w.Detail(t.Context(), "page 1"), "Held": w.Held(),
			"the context": context.Cause(ctx),
		} {
			if !errors.Is(err, jobs.ErrCancelled) {
				t.Errorf("%s: want ErrCancelled, got %v", name, err)
			}
		}
		return nil, err
	}})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.expect(t, j.ID, jobs.Cancelled)
}

// What is through before it knows is done; an attempt that fails is the last one; what failed for good stays failed.
func TestWhatACancelComesTooLateFor(t *testing.T) {
	for name, c := range map[string]struct {
		result error
		want   jobs.State
	}{"done": {nil, jobs.Done}, "failed": {jobs.Fail("no"), jobs.Cancelled}, "to be tried again": {errors.New("inner"), jobs.Cancelled}} {
		t.Run(name, func(t *testing.T) {
			r := harness{}
			r = newHarness(t, jobs.Definition{Lease: time.Hour, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
				if _, err := r.Cancel(ctx, w.Job().ID); err != nil {
					t.Error(err)
				}
				return []byte("result"), c.result
			}})
			j := r.enqueue(t, "01004")
			err := r.RunOne(t.Context(), j.ID)
			if errors.Is(err, jobs.ErrAgain) { // the note was found by the last write
				err = r.RunOne(t.Context(), j.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := r.expect(t, j.ID, c.want); got.Attempt != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
	r := newHarness(t, jobs.Definition{Run: func(context.Context, *jobs.Work) ([]byte, error) { return nil, jobs.Fail("no") }})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Cancel(t.Context(), j.ID); err != nil || got.State != jobs.Failed || !got.CancelAsked.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.Cancel(t.Context(), "build-aaaaaaaaaaaaaaaaaaaaaaaa-1"); !errors.Is(err, jobs.ErrNotFound) {
		t.Errorf("no such job: %v", err)
	}
}

// A worker that died does not keep a cancelled job from its end, nor does a pause between attempts.
func TestACancelledJobWithoutAWorker(t *testing.T) {
	released := 0
	fail := errors.New("inner")
	r := newHarness(t, jobs.Definition{Lease: time.Minute, Backoff: time.Hour, Release: func(context.Context, jobs.Job) error {
		released++
		return nil
	},
		Run: func(context.Context, *jobs.Work) ([]byte, error) { return nil, fail }})
	j := r.enqueue(t, "between attempts")
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Fatal(err)
	}
	if _, err := r.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if r.expect(t, j.ID, jobs.Cancelled); released != 1 {
		t.Errorf("released %d times", released)
	}

	begun, cause := make(chan *jobs.Work, 1), make(chan error, 1)
	dead := newHarness(t, jobs.Definition{Lease: time.Minute, Run: untilEnded(begun, cause)})
	j = dead.enqueue(t, "its worker is silent")
	go func() { _ = dead.RunOne(t.Context(), j.ID) }()
	<-begun
	if _, err := dead.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if err := dead.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrBusy) {
		t.Errorf("while the lease lasts: want ErrBusy, got %v", err)
	}
	dead.clock.Advance(time.Minute)
	if err := dead.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if got := dead.expect(t, j.ID, jobs.Cancelled); got.Attempt != 1 {
		t.Errorf("%+v", got)
	}
}

func TestDetailGoesWithItsStep(t *testing.T) {
	r := harness{}
	r = newHarness(t, jobs.Definition{Backoff: time.Second, Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
		if w.Job().Attempt == 2 {
			if got := r.expect(t, w.Job().ID, jobs.Running); got.Detail != "" {
				t.Errorf("the second attempt begins with %q", got.Detail)
			}
			return nil, nil
		}
		steps := []error{w.Progress(ctx, "pages", 0.1), w.Detail(ctx, "page 12 of 300"), w.Renew(ctx)}
		if got := r.expect(t, w.Job().ID, jobs.Running); got.Step != "pages" || got.Detail != "page 12 of 300" {
			t.Errorf("got %q, %q", got.Step, got.Detail)
		}
		steps = append(steps, w.Progress(ctx, "index", 0.5))
		if got := r.expect(t, w.Job().ID, jobs.Running); got.Step != "index" || got.Detail != "" {
			t.Errorf("got %q, %q", got.Step, got.Detail)
		}
		return nil, errors.Join(append(steps, w.Detail(ctx, "term 1"), w.Renew(ctx), errors.New("inner"))...)
	}})
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Fatal(err)
	}
	r.clock.Advance(time.Minute)
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.expect(t, j.ID, jobs.Done)
}
