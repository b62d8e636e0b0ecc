package jobs

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
)

// A payload that is too large for the record is an object jobs/{id}/{random}, and the record names it. What
// tells of the object for its removal is an entry jobs-stored/{type}, sort {when to look}-{random}, written
// before the object: so nothing is left behind by a process that dies. Who comes upon an entry whose time has
// come looks at the job: while it can be read the entry is put off, afterwards the object goes, then the entry.

const (
	// unclaimed is how long an object may stand whose job is not written yet.
	unclaimed = time.Hour
	// lookAgain is how often the object of an open job is looked at.
	lookAgain = time.Hour
	// swept is how many entries a sweep looks at in each type.
	swept = 256
)

// storedEntry is the value of an entry.
type storedEntry struct {
	ID  string `json:"id"`
	Key string `json:"key"`

	record ledger.Key
}

func storedKey(jobType string, due time.Time, key string) ledger.Key {
	return ledger.Key{Partition: "jobs-stored/" + jobType,
		Sort: fmt.Sprintf("%019d-%s", ledger.Nanos(due), key[strings.LastIndexByte(key, '/')+1:])}
}

// spill stores a payload that is too large for the record.
func (q *Queue) spill(ctx context.Context, j Job) (Job, storedEntry, error) {
	if len(j.Payload) <= MaxPayload {
		return j, storedEntry{}, nil
	}
	e := storedEntry{ID: j.ID, Key: "jobs/" + j.ID + "/" + strings.ToLower(cryptorand.Text())}
	e, err := q.note(ctx, e, j.Created.Add(unclaimed))
	if err == nil {
		_, err = q.store.Put(ctx, e.Key, j.Payload, store.PutOptions{})
	}
	if err != nil {
		return j, e, fmt.Errorf("jobs: payload of %s: %w", j.ID, err)
	}
	j.Payload, j.Stored = nil, e.Key
	return j, e, nil
}

// note writes an entry.
func (q *Queue) note(ctx context.Context, e storedEntry, due time.Time) (storedEntry, error) {
	n, err := parseName(e.ID)
	if err != nil {
		return e, err
	}
	value, err := json.Marshal(e)
	if err != nil {
		return e, err
	}
	e.record = storedKey(n.typ, due, e.Key)
	_, err = q.ledger.Put(ctx, ledger.Record{Key: e.record, Value: value}, ledger.Any)
	return e, err
}

// unspill removes an object that no job names; what fails a sweep does later.
func (q *Queue) unspill(ctx context.Context, e storedEntry) {
	if e.Key == "" {
		return
	}
	if err := q.remove(ctx, e); err != nil {
		q.log.Warn("the payload of a job that was not made was not removed", "key", e.Key, "error", err)
	}
}

func (q *Queue) remove(ctx context.Context, e storedEntry) error {
	if err := q.store.Delete(ctx, e.Key); err != nil {
		return err
	}
	return q.ledger.Delete(ctx, e.record, ledger.Any)
}

// Payload reads the payload of a job, from its record or from the store.
func (q *Queue) Payload(ctx context.Context, j Job) ([]byte, error) {
	if j.Stored == "" {
		return j.Payload, nil
	}
	if q.store == nil {
		return nil, fmt.Errorf("jobs: %s: its payload is in a store, and there is no store here", j.ID)
	}
	b, _, err := store.ReadAll(ctx, q.store, j.Stored, MaxStored, store.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("jobs: payload of %s: %w", j.ID, err)
	}
	return b, nil
}

// Payload reads the payload of the job.
func (w *Work) Payload(ctx context.Context) ([]byte, error) { return w.l.q.Payload(ctx, w.l.state()) }

// Sweep removes the stored payloads of jobs that can be read no more, and gives their number. Pools and Wake
// call it.
func (q *Queue) Sweep(ctx context.Context) (removed int, err error) {
	if q.store == nil {
		return 0, nil
	}
	for jobType := range q.types {
		n, err := q.sweep(ctx, jobType)
		if removed += n; err != nil {
			return removed, fmt.Errorf("jobs: sweep of %s: %w", jobType, err)
		}
	}
	return removed, nil
}

func (q *Queue) sweep(ctx context.Context, jobType string) (removed int, err error) {
	due, err := q.ledger.Query(ctx, ledger.Query{Partition: "jobs-stored/" + jobType, To: fmt.Sprintf("%019d", ledger.Nanos(q.now())),
		Limit: swept})
	if err != nil {
		return 0, err
	}
	for _, r := range due {
		var e storedEntry
		if err := json.Unmarshal(r.Value, &e); err != nil {
			return removed, fmt.Errorf("%s: %w", r.Key, err)
		}
		e.record = r.Key
		later, err := q.neededUntil(ctx, e)
		switch {
		case err != nil:
			return removed, err
		case later.IsZero():
			if err := q.remove(ctx, e); err != nil {
				return removed, err
			}
			removed++
		default:
			if _, err := q.note(ctx, e, later); err != nil {
				return removed, err
			}
			if err := q.ledger.Delete(ctx, r.Key, ledger.Any); err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}

// neededUntil is when to look at an object again; zero: it is not needed any more.
func (q *Queue) neededUntil(ctx context.Context, e storedEntry) (time.Time, error) {
	n, err := parseName(e.ID)
	if err != nil {
		return time.Time{}, err
	}
	r, err := q.ledger.Get(ctx, n.key())
	if errors.Is(err, ledger.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	switch j, _, err := readJob(r); {
	case err != nil:
		return time.Time{}, err
	case j.ID != e.ID || j.Stored != e.Key:
		return time.Time{}, nil
	case !r.Expires.IsZero():
		return r.Expires, nil
	}
	return q.now().Add(lookAgain), nil
}
