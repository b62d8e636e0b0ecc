package jobs

import (
	"context"
	"errors"
	"fmt"

	"mappe/shared/cloud/ledger"
)

// Count says how many jobs of a type wait and how many run, as its gate lists them: one read. A type without a gate is not
// counted.
func (q *Queue) Count(ctx context.Context, jobType string) (queued, running int, err error) {
	r, err := q.ledger.Get(ctx, gateKey(jobType))
	if errors.Is(err, ledger.ErrNotFound) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("jobs: gate of %s: %w", jobType, err)
	}
	p, err := readPlaces(r)
	_, open := p.count("")
	return len(p.Open) - open.Type, open.Type, err
}
