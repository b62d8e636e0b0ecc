package jobs

import (
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
// within it about once a second and with the signs of life. ErrLost: stop working.
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
	l.job.Step, l.job.Progress = step, done // the next write takes them along
	recent := time.Since(l.renewed) < progressEvery
	l.mu.Unlock()
	if !renamed && recent {
		return nil
	}
	return l.renew(ctx)
}

// Renew makes sure of the lease: after it, nobody else has the job for the kind's Lease. To be called
// before a step whose effects must not come from two workers.
func (w *Work) Renew(ctx context.Context) error {
	if err := w.l.check(); err != nil {
		return err
	}
	return w.l.renew(ctx)
}

// Held looks whether the lease is over, by the clocks alone; ErrLost. It costs nothing: to be called before
// each step, for a process that stood still between two.
func (w *Work) Held() error { return w.l.check() }

// failure is an error that a handler gives up with.
type failure struct{ text string }

func (f failure) Error() string { return f.text }

// Fail is the error of a handler that no further attempt would help; the user reads the text. After any
// other error the job is tried again, and the user reads a general text when the attempts are used up.
func Fail(format string, args ...any) error { return failure{fmt.Sprintf(format, args...)} }

// alive renews the lease until ctx ends, and ends ctx by cancel with ErrLost when that fails for so long
// that another may have the job.
func (l *lease) alive(ctx context.Context, cancel context.CancelCauseFunc) {
	every := l.kind.Lease / 3
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

// under runs do while the lease is kept alive. Its context ends with the lease, by a timer that needs no
// answer of anybody.
func (l *lease) under(ctx context.Context, do func(ctx context.Context) error) error {
	held, cancel := context.WithCancelCause(ctx)
	l.guard(cancel)
	defer l.guard(nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.alive(held, cancel)
	}()
	err := guarded(func() error { return do(held) })
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
