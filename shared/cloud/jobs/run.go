package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// toEnd is how long the last write of a lease may take, whatever became of the caller's context.
const toEnd = 20 * time.Second

// longestBackoff bounds the doubling pauses between attempts.
const longestBackoff = time.Hour

// RunOne leases the job and does what is to be done: the work, or what a dead worker left of it. It is
// what a function does that Notify invokes. nil: the job is finished, well or ill, now or already.
// ErrAgain: a further attempt will follow (Wake notifies for it). ErrBusy: another worker has it. To a
// function both are no failures: it has nothing more to do.
func (q *Queue) RunOne(ctx context.Context, id string) error {
	l, err := q.lease(ctx, id, false)
	if isFinal(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return q.carryOut(ctx, l)
}

// carryOut does the work under the lease and writes down what became of it.
func (q *Queue) carryOut(ctx context.Context, l *lease) error {
	if l.state().State == Running {
		if err := q.runHandler(ctx, l); err != nil {
			return err
		}
	}
	if l.state().State == Releasing {
		return q.runRelease(ctx, l)
	}
	return nil
}

// runHandler ends with the job done, releasing (the lease goes on) or queued (ErrAgain).
func (q *Queue) runHandler(ctx context.Context, l *lease) error {
	var result []byte
	err := l.under(ctx, l.guardHandler, func(ctx context.Context) (err error) {
		result, err = l.definition.Run(ctx, &Work{l: l})
		if err == nil && len(result) > MaxResult {
			err = fmt.Errorf("jobs: result of %d bytes, allowed are %d", len(result), MaxResult)
		}
		return err
	})
	j := l.state()
	if errors.Is(err, ErrLost) {
		return err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), toEnd)
	defer cancel()
	var final failure
	switch {
	case err == nil: // also of a job that was to be cancelled: it is done
		return l.end(writing, func(j *Job) { j.State, j.Progress, j.Result = Done, 1, result })
	case l.cancelled():
		return l.write(writing, func(j *Job) { j.State, j.Error = Releasing, textCancelled })
	case errors.As(err, &final):
		return l.write(writing, func(j *Job) { j.State, j.Error = Releasing, cut(final.text) })
	case ctx.Err() != nil: // told to stop: that was no attempt
		if err := l.end(writing, func(j *Job) { j.State, j.Attempt = Queued, j.Attempt-1 }); err != nil {
			return err
		}
		return fmt.Errorf("%w: %s: %w", ErrAgain, j.ID, context.Cause(ctx))
	}
	q.log.Error("an attempt of a job failed", "job", j.ID, "attempt", j.Attempt, "of", l.definition.Attempts, "error", err)
	if j.Attempt >= l.definition.Attempts {
		return l.write(writing, func(j *Job) { j.State, j.Error = Releasing, textFailed })
	}
	next := q.now().UTC().Add(backoff(l.definition.Backoff, j.Attempt))
	if err := l.end(writing, func(j *Job) { j.State, j.NotBefore = Queued, next }); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s failed at attempt %d of %d", ErrAgain, j.ID, j.Attempt, l.definition.Attempts)
}

// runRelease ends with the job failed or cancelled, or releasing without a lease (ErrAgain).
func (q *Queue) runRelease(ctx context.Context, l *lease) error {
	var err error
	if l.definition.Release != nil {
		err = l.under(ctx, nil, func(ctx context.Context) error { return l.definition.Release(ctx, l.state()) })
	}
	if errors.Is(err, ErrLost) {
		return err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), toEnd)
	defer cancel()
	if err == nil {
		return l.end(writing, func(j *Job) {
			if j.State = Failed; !j.CancelAsked.IsZero() {
				j.State = Cancelled
			}
		})
	}
	q.log.Error("the release of a failed job failed", "job", l.state().ID, "error", err)
	next := q.now().UTC().Add(backoff(l.definition.Backoff, l.state().Attempt))
	if err := l.end(writing, func(j *Job) { j.NotBefore = next }); err != nil {
		return err
	}
	return fmt.Errorf("%w: the release of %s failed", ErrAgain, l.state().ID)
}

func backoff(first time.Duration, attempt int) time.Duration {
	for range attempt - 1 {
		if first *= 2; first >= longestBackoff {
			return longestBackoff
		}
	}
	return first
}
