package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// lease is the right to write a job: each write names the version that the lease wrote last.
type lease struct {
	q          *Queue
	definition Definition
	key        ledger.Key

	mu      turn
	job     Job
	version int64
	renewed time.Time // when the last write that came through was begun

	deadline *time.Timer             // ends what runs under the lease; nil while nothing does
	lose     context.CancelCauseFunc // ends it at once
	stop     context.CancelCauseFunc // ends the handler, and not the lease: the job is cancelled
}

// turn is a lock that is held while the ledger is asked. It is a channel, because a goroutine that waits for a
// channel lets the time of a test's bubble pass (testing/synctest), and one that waits for a Mutex does not.
type turn chan struct{}

func (t turn) Lock()   { t <- struct{}{} }
func (t turn) Unlock() { <-t }

// term is how long a worker goes on without a sign of life. It is shorter than the lease, so that the
// worker has come to its end when another may begin: a sixth of the lease is there for that.
func (l *lease) term() time.Duration { return l.definition.Lease - l.definition.Lease/6 }

// errSilent is the end of a lease that nobody took away.
var errSilent = fmt.Errorf("%w: no sign of life was written in time", ErrLost)

// check says whether the lease is over by the clocks of this process, and ends what runs under it then. It
// asks both clocks: the one that runs on steadily, and that of the ledger's times, because one of them may
// stand still together with the process.
func (l *lease) check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.renewed) < l.term() && l.q.now().Before(l.job.Until.Add(l.term()-l.definition.Lease)) {
		return nil
	}
	if l.lose != nil {
		l.lose(errSilent)
	}
	return errSilent
}

// renewedAt notes a write that came through.
func (l *lease) renewedAt(began time.Time) {
	l.renewed = began
	if l.deadline != nil {
		l.deadline.Reset(time.Until(began.Add(l.term())))
	}
}

func (l *lease) state() Job {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.job
}

// renew writes the job with a new end of the lease.
func (l *lease) renew(ctx context.Context) error { return l.write(ctx, func(*Job) {}) }

// write changes the job under the lease; ErrLost when another has it. A write whose outcome is unknown is
// looked up.
func (l *lease) write(ctx context.Context, change func(*Job)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		began := time.Now()
		next := l.next(change)
		r, err := next.record(l.key, l.definition.Keep)
		if err != nil {
			return err
		}
		version, err := l.q.ledger.Put(ctx, r, l.version)
		if err == nil {
			l.job, l.version = next, version
			l.renewedAt(began)
			return nil
		}
		if errors.Is(err, ledger.ErrTooLarge) || ctx.Err() != nil {
			return fmt.Errorf("jobs: %s: %w", next.ID, err)
		}
		done, err := l.lookUp(ctx, r, err)
		if err != nil {
			return err
		}
		if done {
			l.job = next
			l.renewedAt(began)
			return nil
		}
	}
}

// next is the job as change leaves it. What is cancelled does not go back into the queue.
func (l *lease) next(change func(*Job)) Job {
	now := l.q.now().UTC()
	next := l.job
	next.Until = now.Add(l.definition.Lease)
	change(&next)
	if next.State == Queued && !next.CancelAsked.IsZero() {
		next.State, next.Error, next.NotBefore = Releasing, textCancelled, time.Time{}
	}
	if next.State.Final() {
		next.Until, next.Finished = time.Time{}, now
	}
	return next
}

// cancelled says whether a cancel was asked for, as far as this worker knows.
func (l *lease) cancelled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.job.CancelAsked.IsZero()
}

// learn notes a cancel that was written into the record beside the lease. The caller holds the lock.
func (l *lease) learn(there Job) {
	if there.CancelAsked.IsZero() || !l.job.CancelAsked.IsZero() {
		return
	}
	l.job.CancelAsked = there.CancelAsked
	if l.stop != nil {
		l.stop(fmt.Errorf("%w: %s", ErrCancelled, l.job.ID))
	}
}

// lookUp decides what became of a write that gave cause, and takes over the version that is there. done
// is false when an earlier write of this lease came through late, or a cancel was noted: then there is
// something to write over.
func (l *lease) lookUp(ctx context.Context, wanted ledger.Record, cause error) (done bool, err error) {
	found, err := l.q.ledger.Get(ctx, l.key)
	if errors.Is(err, ledger.ErrNotFound) {
		return false, fmt.Errorf("%w: %s is gone", ErrLost, l.job.ID)
	}
	if err != nil {
		return false, fmt.Errorf("jobs: %s: %w", l.job.ID, errors.Join(cause, err))
	}
	if found.Version == l.version {
		return false, fmt.Errorf("jobs: %s: %w", l.job.ID, cause)
	}
	there, _, err := readJob(found)
	if err != nil {
		return false, err
	}
	if done = bytes.Equal(found.Value, wanted.Value); !done && there.Owner != l.job.Owner {
		return false, fmt.Errorf("%w: %s", ErrLost, l.job.ID)
	}
	l.version = found.Version
	l.learn(there)
	return done, nil
}

// end writes what follows the lease: a final state, or the job back in the queue.
func (l *lease) end(ctx context.Context, change func(*Job)) error {
	err := l.write(ctx, func(j *Job) {
		change(j)
		j.Until = time.Time{}
	})
	if err != nil {
		return err
	}
	if j := l.state(); j.State.Final() {
		err = l.q.unlist(ctx, j)
	} else {
		err = l.q.list(ctx, j, j.NotBefore)
	}
	if err != nil {
		l.q.log.Warn("the index entry of a job was not written", "job", l.job.ID, "error", err)
	}
	l.q.vacate(ctx, l.definition, l.state())
	return nil
}
