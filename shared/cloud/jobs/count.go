package jobs

import (
	"context"
	"errors"
	"fmt"

	"mappe/shared/cloud/ledger"
)

// Count says how many jobs of a kind wait and how many run, as its gate lists them: one read. A kind without a gate is not
// counted.
func (q *Queue) Count(ctx context.Context, kind string) (queued, running int, err error) {
	r, err := q.ledger.Get(ctx, gateKey(kind))
	if errors.Is(err, ledger.ErrNotFound) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("jobs: gate of %s: %w", kind, err)
	}
	p, err := readPlaces(r)
	_, open := p.count("")
	return len(p.Open) - open.Kind, open.Kind, err
}
