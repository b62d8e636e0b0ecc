package jobs

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// Cancel asks for a job to be cancelled and gives the job as it is then. One that waits is not begun any more;
// of one that runs the handler's context ends within a third of its lease. What was taken for it is given back
// in both cases, and only then it is cancelled. A job that has finished, or has failed and is being released,
// stays what it is. Cancel may be repeated; who may cancel a job the caller knows.
func (q *Queue) Cancel(ctx context.Context, id string) (Job, error) {
	n, err := parseName(id)
	if err != nil {
		return Job{}, err
	}
	for {
		j, version, err := q.read(ctx, n)
		if err != nil {
			return Job{}, err
		}
		if j.ID != id {
			return Job{}, fmt.Errorf("%w: %s: %s took its key", ErrNotFound, id, j.ID)
		}
		next := cancel(j, q.now().UTC())
		if next.CancelAsked.Equal(j.CancelAsked) {
			return j, q.hurry(ctx, j)
		}
		r, err := next.record(n.key(), 0)
		if err != nil {
			return Job{}, err
		}
		_, err = q.ledger.Put(ctx, r, version)
		if err == nil {
			return next, q.hurry(ctx, next)
		}
		if !errors.Is(err, ledger.ErrConflict) {
			return Job{}, fmt.Errorf("jobs: cancel %s: %w", id, err)
		}
	}
}

// cancel is what becomes of a job when somebody asks for its cancel.
func cancel(j Job, now time.Time) Job {
	switch {
	case !j.CancelAsked.IsZero(), j.State != Queued && j.State != Running:
		return j
	case j.State == Queued:
		j.State, j.Error, j.NotBefore = Releasing, textCancelled, time.Time{}
		j.Owner = cryptorand.Text() // no worker goes on that let go of it before
	}
	j.CancelAsked = now
	return j
}

// hurry has a cancelled job released that no worker has.
func (q *Queue) hurry(ctx context.Context, j Job) error {
	if j.State != Releasing || j.CancelAsked.IsZero() || !j.Until.IsZero() {
		return nil
	}
	if err := q.list(ctx, j, time.Time{}); err != nil {
		return err
	}
	q.wakeUp()
	return q.tell(ctx, j)
}
