package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Work is a job under a lease, as its handler sees it.
type Work struct{ l *lease }

// progressEvery is how often progress within a step is written.
const progressEvery = time.Second

// Job is the job as this worker last wrote it.
func (w *Work) Job() Job { return w.l.state() }

// Progress says what is being done and how far it is, from 0 to 1. A new step is written at once, progress
// within it about once a second and with the signs of life. ErrLost, ErrCancelled: stop working.
func (w *Work) Progress(ctx context.Context, step string, done float64) error {
	if !(done >= 0 && done <= 1) {
		return fmt.Errorf("jobs: progress %v: want 0 to 1", done)
	}
	step = cut(step)
	l := w.l
	if err := l.check(); err != nil {
		return err
	}
	l.mu.Lock()
	renamed := l.job.Step != step
	if renamed {
		l.job.Detail = "" // it spoke of the step before
	}
	l.job.Step, l.job.Progress = step, done // the next write takes them along
	recent := time.Since(l.renewed) < progressEvery
	l.mu.Unlock()
	if !renamed && recent {
		return w.asked()
	}
	return w.Renew(ctx)
}

// Detail says more of the step that is being done, in words for the user: "page 12 of 300". It is written
// about once a second and with the signs of life, and goes with its step. The errors are those of Progress.
func (w *Work) Detail(ctx context.Context, text string) error {
	text = cut(text)
	l := w.l
	if err := l.check(); err != nil {
		return err
	}
	l.mu.Lock()
	l.job.Detail = text
	recent := time.Since(l.renewed) < progressEvery
	l.mu.Unlock()
	if recent {
		return w.asked()
	}
	return w.Renew(ctx)
}

// Renew makes sure of the lease: after it, nobody else has the job for the type's Lease. To be called
// before a step whose effects must not come from two workers.
func (w *Work) Renew(ctx context.Context) error {
	if err := w.l.check(); err != nil {
		return err
	}
	err := w.l.renew(ctx)
	if errors.Is(err, ErrLost) {
		return err
	}
	return cmp.Or(w.asked(), err) // the note of a cancel ends the context of the write that finds it
}

// asked is ErrCancelled where that was asked for.
func (w *Work) asked() error {
	if w.l.cancelled() {
		return fmt.Errorf("%w: %s", ErrCancelled, w.l.state().ID)
	}
	return nil
}

// Held looks whether the lease is over, by the clocks alone, or the job cancelled, as far as this worker knows;
// ErrLost, ErrCancelled. It costs nothing: to be called before each step, for a process that stood still
// between two.
func (w *Work) Held() error {
	if err := w.l.check(); err != nil {
		return err
	}
	return w.asked()
}

// failure is an error that a handler gives up with.
type failure struct{ text string }

func (f failure) Error() string { return f.text }

// Fail is the error of a handler that no further attempt would help; the user reads the text. After any
// other error the job is tried again, and the user reads a general text when the attempts are used up.
func Fail(format string, args ...any) error { return failure{fmt.Sprintf(format, args...)} }

// alive renews the lease until ctx ends, and ends ctx by cancel with ErrLost when that fails for so long
// that another may have the job.
func (l *lease) alive(ctx context.Context, cancel context.CancelCauseFunc) {
	every := l.definition.Lease / 3
	t := time.NewTimer(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		end := l.lastSign().Add(l.term())
		attempt, stop := context.WithDeadline(ctx, end)
		err := l.renew(attempt)
		stop()
		if ctx.Err() != nil {
			return
		}
		switch {
		case errors.Is(err, ErrLost):
			cancel(err)
			return
		case err != nil && !time.Now().Before(end):
			cancel(fmt.Errorf("%w: %w", errSilent, err))
			return
		case err != nil:
			t.Reset(min(every/4, time.Until(end)))
		default:
			t.Reset(every)
		}
	}
}

// guard has the lease end something with its term; nil: no longer.
func (l *lease) guard(cancel context.CancelCauseFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.deadline != nil {
		l.deadline.Stop()
	}
	l.deadline, l.lose = nil, cancel
	if cancel != nil {
		l.deadline = time.AfterFunc(time.Until(l.renewed.Add(l.term())), func() { cancel(errSilent) })
	}
}

func (l *lease) lastSign() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.renewed
}

// guardHandler has a cancel end something; nil: no longer. One that was learned of before ends it at once.
func (l *lease) guardHandler(stop context.CancelCauseFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop = stop; stop != nil && !l.job.CancelAsked.IsZero() {
		stop(ErrCancelled)
	}
}

// under runs do while the lease is kept alive. Its context ends with the lease, by a timer that needs no
// answer of anybody, and by what stoppable is given, which leaves the lease alive until do returns; nil: by
// nothing else.
func (l *lease) under(ctx context.Context, stoppable func(context.CancelCauseFunc), do func(ctx context.Context) error) error {
	held, cancel := context.WithCancelCause(ctx)
	l.guard(cancel)
	defer l.guard(nil)
	doing := held
	if stoppable != nil {
		var stop context.CancelCauseFunc
		doing, stop = context.WithCancelCause(held)
		defer stop(nil)
		stoppable(stop)
		defer stoppable(nil)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.alive(held, cancel)
	}()
	err := guarded(func() error { return do(doing) })
	lost := context.Cause(held)
	cancel(nil)
	<-ended
	if errors.Is(lost, ErrLost) {
		return lost
	}
	return err
}

// guarded turns a panic into an error.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
