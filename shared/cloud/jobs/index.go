package jobs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// An entry of the index stands for an open job: partition jobs-open/{type}, sort {created}-{id}, oldest
// first. Its value is a hint, Unix nanoseconds before which nobody needs to look at the job; the job's
// record alone decides. An entry without an open job is dropped by whoever comes upon it.

// orphaned is the age at which an entry without a job is no job in the making.
const orphaned = time.Minute

// scanned is how many entries a look takes in at a time.
const scanned = 64

func entryKey(j Job) ledger.Key {
	return ledger.Key{Partition: "jobs-open/" + j.Type, Sort: fmt.Sprintf("%019d-%s", j.Created.UnixNano(), j.ID)}
}

func (q *Queue) list(ctx context.Context, j Job, due time.Time) error {
	r := ledger.Record{Key: entryKey(j), Value: strconv.AppendInt(nil, ledger.Nanos(due), 10)}
	if _, err := q.ledger.Put(ctx, r, ledger.Any); err != nil {
		return fmt.Errorf("jobs: list %s: %w", j.ID, err)
	}
	return nil
}

func (q *Queue) unlist(ctx context.Context, j Job) error {
	if err := q.ledger.Delete(ctx, entryKey(j), ledger.Any); err != nil {
		return fmt.Errorf("jobs: unlist %s: %w", j.ID, err)
	}
	return nil
}

// entry is what a look finds.
type entry struct {
	key     ledger.Key
	id      string
	created time.Time
	due     time.Time
}

// due gives the entries of a type whose jobs can be taken, oldest first, at most most of them.
func (q *Queue) due(ctx context.Context, jobType string, most int) ([]entry, error) {
	now := q.now()
	var out []entry
	ask := ledger.Query{Partition: "jobs-open/" + jobType, Limit: scanned}
	for {
		records, err := q.ledger.Query(ctx, ask)
		if err != nil {
			return nil, fmt.Errorf("jobs: open jobs of %s: %w", jobType, err)
		}
		for _, r := range records {
			if e := readEntry(r); !e.due.After(now) {
				if out = append(out, e); len(out) == most {
					return out, nil
				}
			}
		}
		if len(records) < scanned {
			return out, nil
		}
		ask.From = records[len(records)-1].Key.Sort + "\x00"
	}
}

// readEntry takes what it cannot read as due now: looking at the job tells more.
func readEntry(r ledger.Record) entry {
	e := entry{key: r.Key}
	created, id, _ := strings.Cut(r.Key.Sort, "-")
	e.id = id
	if n, err := strconv.ParseInt(created, 10, 64); err == nil {
		e.created = ledger.Time(n)
	}
	if n, err := strconv.ParseInt(string(r.Value), 10, 64); err == nil {
		e.due = ledger.Time(n)
	}
	return e
}

// drop removes an entry whose job is finished or was never made.
func (q *Queue) drop(ctx context.Context, e entry) error {
	if err := q.ledger.Delete(ctx, e.key, ledger.Any); err != nil {
		return fmt.Errorf("jobs: drop %s: %w", e.id, err)
	}
	return nil
}
