package jobs

import (
	"context"
	"errors"
	"fmt"

	"mappe/shared/cloud/ledger"
)

// Reclaim ends the leases of the types that have a handler here, so that the jobs of a worker that died are taken at once
// and not when their leases run out. It is for a process that knows that it is the only worker on its ledger, before it
// begins to work: where another worker has a job, that worker loses it. It gives how many leases it has ended.
func (q *Queue) Reclaim(ctx context.Context) (n int, err error) {
	for _, jobType := range q.handled() {
		ask := ledger.Query{Partition: "jobs-open/" + jobType, Limit: scanned}
		for {
			records, err := q.ledger.Query(ctx, ask)
			if err != nil {
				return n, fmt.Errorf("jobs: open jobs of %s: %w", jobType, err)
			}
			for _, r := range records {
				ended, err := q.endLease(ctx, readEntry(r).id)
				if err != nil {
					return n, err
				}
				if ended {
					n++
				}
			}
			if len(records) < scanned {
				break
			}
			ask.From = records[len(records)-1].Key.Sort + "\x00"
		}
	}
	return n, nil
}

// endLease ends the lease of a job; false where it has none, or where its worker was faster.
func (q *Queue) endLease(ctx context.Context, id string) (bool, error) {
	n, err := parseName(id)
	if err != nil {
		return false, nil // an entry that names no job: whoever comes upon it drops it
	}
	j, version, err := q.read(ctx, n)
	now := q.now().UTC()
	switch {
	case errors.Is(err, ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	case j.ID != id || j.State.Final() || j.State == Queued || !now.Before(j.Until):
		return false, nil
	}
	k, err := q.definition(n.typ)
	if err != nil {
		return false, err
	}
	j.Until = now
	r, err := j.record(n.key(), k.Keep)
	if err != nil {
		return false, err
	}
	if _, err := q.ledger.Put(ctx, r, version); errors.Is(err, ledger.ErrConflict) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("jobs: %s: %w", id, err)
	}
	return true, q.list(ctx, j, now)
}
