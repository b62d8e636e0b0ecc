package jobs

import (
	"context"
	"errors"
	"fmt"
)

// maxWoken is how many jobs of a kind one Wake notifies.
const maxWoken = 1000

// Wake calls Notify for every job that waits for a worker: its notification was lost, its worker died, or
// its next attempt is due. A schedule calls it once a minute where no pool runs. It gives the number of
// notifications; the first that fails ends it.
func (q *Queue) Wake(ctx context.Context) (int, error) {
	if q.notify == nil {
		return 0, errors.New("jobs: there is nobody to notify")
	}
	woken := 0
	for kind, k := range q.kinds {
		due, err := q.due(ctx, kind, maxWoken)
		if err != nil {
			return woken, err
		}
		for _, e := range due {
			j, err := q.Get(ctx, e.id)
			if err == nil {
				if _, ok := take(j, k, q.now()); ok {
					if err := q.notify(ctx, j); err != nil {
						return woken, fmt.Errorf("jobs: wake %s: %w", j.ID, err)
					}
					woken++
					continue
				}
				err = busy{j}
			}
			if err := q.passedBy(ctx, e, err); err != nil {
				return woken, err
			}
		}
	}
	return woken, nil
}
