package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// Enqueue makes a job, unless the key has one that is not finished (or, with Kind.Once, any): then it
// gives that one and created is false. An empty key is like none other. When only Notify failed, job and
// error come together: the job is enqueued, and Wake or a pool finds it.
func (q *Queue) Enqueue(ctx context.Context, kind, dedupeKey string, payload []byte) (j Job, created bool, err error) {
	k, err := q.kind(kind)
	if err != nil {
		return Job{}, false, err
	}
	if len(payload) > MaxPayload {
		return Job{}, false, fmt.Errorf("jobs: payload of %d bytes, allowed are %d", len(payload), MaxPayload)
	}
	if len(dedupeKey) > maxKey {
		return Job{}, false, fmt.Errorf("jobs: key of %d bytes, allowed are %d", len(dedupeKey), maxKey)
	}
	n := name{kind: kind, hash: hash(kind, dedupeKey)}
	for {
		there, version, err := q.read(ctx, n)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return Job{}, false, err
		}
		if err == nil {
			if !there.State.Final() {
				return there, false, q.remind(ctx, there)
			}
			if k.Once {
				return there, false, nil
			}
		}
		n.run = 1
		if err == nil {
			last, err := parseName(there.ID)
			if err != nil {
				return Job{}, false, err
			}
			n.run = last.run + 1
		}
		j := Job{ID: n.String(), Kind: kind, State: Queued, Payload: payload, Created: q.now().UTC()}
		switch err := q.create(ctx, j, n, version); {
		case err == nil:
			q.wakeUp()
			return j, true, q.tell(ctx, j)
		case !errors.Is(err, ledger.ErrConflict):
			return Job{}, false, err
		}
	}
}

// create writes the index entry first: without its job it is dropped some time later, whereas a job
// without an entry would be found by nobody.
func (q *Queue) create(ctx context.Context, j Job, n name, version int64) error {
	began := time.Now()
	if err := q.list(ctx, j, j.Created); err != nil {
		return err
	}
	r, err := j.record(n.key(), 0)
	if err != nil {
		return err
	}
	if _, err := q.ledger.Put(ctx, r, version); err != nil {
		if errors.Is(err, ledger.ErrConflict) {
			err = errors.Join(err, q.unlist(ctx, j))
		}
		return fmt.Errorf("jobs: enqueue %s: %w", j.ID, err)
	}
	if time.Since(began) > orphaned/2 { // it may have been dropped meanwhile
		return q.list(ctx, j, j.Created)
	}
	return nil
}

// remind looks after an open job that was enqueued again: what is known of it may have been lost.
func (q *Queue) remind(ctx context.Context, j Job) error {
	if j.State != Queued {
		return nil
	}
	if q.now().Sub(j.Created) > orphaned {
		if err := q.list(ctx, j, j.NotBefore); err != nil {
			return err
		}
	}
	q.wakeUp()
	return q.tell(ctx, j)
}

func (q *Queue) tell(ctx context.Context, j Job) error {
	if q.notify == nil {
		return nil
	}
	if err := q.notify(ctx, j); err != nil {
		return fmt.Errorf("jobs: %s is enqueued, its worker was not told: %w", j.ID, err)
	}
	return nil
}

// wakeUp lets a pool of this process look at once.
func (q *Queue) wakeUp() {
	select {
	case q.awake <- struct{}{}:
	default:
	}
}

// Get reads a job.
func (q *Queue) Get(ctx context.Context, id string) (Job, error) {
	n, err := parseName(id)
	if err != nil {
		return Job{}, err
	}
	j, _, err := q.read(ctx, n)
	if err == nil && j.ID != id {
		return Job{}, fmt.Errorf("%w: %s: %s took its key", ErrNotFound, id, j.ID)
	}
	return j, err
}

// Find reads the newest job under a key.
func (q *Queue) Find(ctx context.Context, kind, dedupeKey string) (Job, error) {
	if dedupeKey == "" {
		return Job{}, fmt.Errorf("%w: the key is empty", ErrNotFound)
	}
	if !kindName.MatchString(kind) {
		return Job{}, fmt.Errorf("%w: kind %.80q", ErrNotFound, kind)
	}
	j, _, err := q.read(ctx, name{kind: kind, hash: hash(kind, dedupeKey)})
	return j, err
}

// read gives the record's job, whatever its run, and the record's version (Absent with ErrNotFound).
func (q *Queue) read(ctx context.Context, n name) (Job, int64, error) {
	r, err := q.ledger.Get(ctx, n.key())
	if errors.Is(err, ledger.ErrNotFound) {
		return Job{}, ledger.Absent, fmt.Errorf("%w: %s", ErrNotFound, n)
	}
	if err != nil {
		return Job{}, 0, fmt.Errorf("jobs: %w", err)
	}
	j, _, err := readJob(r)
	return j, r.Version, err
}
