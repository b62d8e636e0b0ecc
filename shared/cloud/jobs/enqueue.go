package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// Order is what a job is made of.
type Order struct {
	Type    string
	Key     string // dedupe key; an empty one is like none other
	Client  string // for whom it is; the type's gate counts by it
	Payload []byte
}

// Enqueue is Submit for nobody in particular.
func (q *Queue) Enqueue(ctx context.Context, jobType, dedupeKey string, payload []byte) (j Job, created bool, err error) {
	return q.Submit(ctx, Order{Type: jobType, Key: dedupeKey, Payload: payload})
}

func (q *Queue) checkOrder(o Order) error {
	most := MaxPayload
	if q.store != nil {
		most = MaxStored
	}
	if len(o.Payload) > most {
		return fmt.Errorf("jobs: payload of %d bytes, allowed are %d", len(o.Payload), most)
	}
	if len(o.Key) > maxKey || len(o.Client) > maxKey {
		return fmt.Errorf("jobs: key of %d bytes and client of %d, allowed are %d", len(o.Key), len(o.Client), maxKey)
	}
	return nil
}

// Submit makes a job, unless the key has one that is not finished (or, with Definition.Once, any): then it
// gives that one and created is false. ErrFull says that the type's gate lets no further one in. When only
// Notify failed, job and error come together: the job is enqueued, and Wake or a pool finds it.
func (q *Queue) Submit(ctx context.Context, o Order) (j Job, created bool, err error) {
	k, err := q.definition(o.Type)
	if err != nil {
		return Job{}, false, err
	}
	if err := q.checkOrder(o); err != nil {
		return Job{}, false, err
	}
	n := name{typ: o.Type, hash: hash(o.Type, o.Key)}
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
		j := Job{ID: n.String(), Type: o.Type, Client: o.Client, State: Queued, Payload: o.Payload, Created: q.now().UTC()}
		j, err = q.make(ctx, j, n, version)
		switch {
		case err == nil:
			q.wakeUp()
			return j, true, q.tell(ctx, j)
		case !errors.Is(err, ledger.ErrConflict):
			return Job{}, false, err
		}
	}
}

// make lets a job in, puts its payload where it belongs and writes its record. Where another made it first,
// what was done for it is undone; where the outcome is unknown it stays, for a sweep that finds out.
func (q *Queue) make(ctx context.Context, j Job, n name, version int64) (Job, error) {
	began := time.Now()
	if err := q.admit(ctx, q.types[j.Type], j); err != nil {
		return j, err
	}
	j, stored, err := q.spill(ctx, j)
	if err != nil {
		return j, err
	}
	if time.Since(began) > orphaned/2 {
		return j, fmt.Errorf("jobs: %s was not made: the ledger or the store took too long", j.ID)
	}
	if err = q.create(ctx, j, n, version); errors.Is(err, ledger.ErrConflict) {
		q.unspill(ctx, stored)
		if there, _, err := q.read(ctx, n); err == nil && (there.ID != j.ID || there.State.Final()) {
			q.yield(ctx, q.types[j.Type], j.ID)
		}
	}
	return j, err
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
func (q *Queue) Find(ctx context.Context, jobType, dedupeKey string) (Job, error) {
	if dedupeKey == "" {
		return Job{}, fmt.Errorf("%w: the key is empty", ErrNotFound)
	}
	if !typeName.MatchString(jobType) {
		return Job{}, fmt.Errorf("%w: type %.80q", ErrNotFound, jobType)
	}
	j, _, err := q.read(ctx, name{typ: jobType, hash: hash(jobType, dedupeKey)})
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
