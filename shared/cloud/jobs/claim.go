package jobs

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Texts for the user, where no handler gave one.
const (
	textInterrupted = "The work was interrupted and could not be finished."
	textFailed      = "The work could not be done because of an internal error."
	textWaited      = "The work was not begun in time."
	textCancelled   = "The work was cancelled."
)

// take is what becomes of a job when a worker takes it now; false when it cannot be taken.
func take(j Job, k Definition, now time.Time) (Job, bool) {
	switch {
	case j.State.Final(), now.Before(j.Until), now.Before(j.NotBefore):
		return j, false
	case j.State == Running && !j.CancelAsked.IsZero():
		j.State, j.Error = Releasing, textCancelled
	case j.State == Queued && j.Attempt == 0 && !now.Before(j.Created.Add(k.Wait)):
		j.State, j.Error = Releasing, textWaited
	case j.State == Running && j.Attempt >= k.Attempts:
		j.State, j.Error = Releasing, textInterrupted
	case j.State == Queued, j.State == Running:
		j.State, j.Attempt, j.Started = Running, j.Attempt+1, now.UTC()
		j.Step, j.Detail, j.Progress, j.Error = "", "", 0, ""
	}
	j.NotBefore = time.Time{}
	// Of a ledger that was put back to an earlier time the numbers begin again at those of then: the clock keeps them apart, and with
	// them what is called after them elsewhere.
	j.Fence = max(j.Fence+1, now.UnixMilli())
	return j, true
}

// lease takes the job, for the first time or from a worker that has fallen silent. ErrBusy, ErrNotFound. With
// full, what would run is busy: the caller knows that no more of the type may.
func (q *Queue) lease(ctx context.Context, id string, full bool) (*lease, error) {
	n, err := parseName(id)
	if err != nil {
		return nil, err
	}
	k, err := q.definition(n.typ)
	if err != nil {
		return nil, err
	}
	if k.Run == nil {
		return nil, fmt.Errorf("jobs: type %q has no handler here", n.typ)
	}
	j, version, err := q.read(ctx, n)
	if err != nil {
		return nil, err
	}
	if j.ID != id {
		return nil, fmt.Errorf("%w: %s: %s took its key", ErrNotFound, id, j.ID)
	}
	taken, ok := take(j, k, q.now())
	if !ok || full && taken.State == Running {
		return nil, busy{job: j}
	}
	taken.Owner = cryptorand.Text()
	l := &lease{mu: make(turn, 1), q: q, definition: k, key: n.key(), job: taken, version: version}
	if err := l.enter(ctx); err != nil {
		if errors.Is(err, ErrLost) {
			return nil, busy{job: j}
		}
		return nil, err
	}
	if err := q.list(ctx, l.job, l.job.Until); err != nil {
		q.log.Warn("the hint of a job was not written", "job", id, "error", err)
	}
	return l, nil
}

// busy is ErrBusy with the job as it was found.
type busy struct {
	job  Job
	full bool // as many of the type run as may
}

func (b busy) Error() string        { return fmt.Sprintf("%v: %s is %s", ErrBusy, b.job.ID, b.job.State) }
func (b busy) Is(target error) bool { return target == ErrBusy }

// isFull says that err is busy because as many jobs of the type run as may.
func isFull(err error) bool {
	var b busy
	return errors.As(err, &b) && b.full
}

// isFinal says that err is busy because the job has finished.
func isFinal(err error) bool {
	var b busy
	return errors.As(err, &b) && b.job.State.Final()
}

// claim takes some due job of a type; nil if no job is due. Workers begin at different jobs among the
// oldest, so that they do not all want the first.
func (q *Queue) claim(ctx context.Context, jobType string) (*lease, error) {
	const oldest = 32
	due, err := q.due(ctx, jobType, oldest)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	first, full := rand.IntN(len(due)), false
	for i := range due {
		e := due[(first+i)%len(due)]
		l, err := q.lease(ctx, e.id, full)
		if err == nil {
			return l, nil
		}
		full = full || isFull(err) // what is to be released needs no place
		if err := q.passedBy(ctx, e, err); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// passedBy looks after an entry whose job could not be leased because of err.
func (q *Queue) passedBy(ctx context.Context, e entry, err error) error {
	switch {
	case isFinal(err), errors.Is(err, ErrNotFound) && q.now().Sub(e.created) > orphaned:
		return q.drop(ctx, e)
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrBusy):
		return nil
	}
	return err
}
