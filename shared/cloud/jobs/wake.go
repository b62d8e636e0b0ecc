package jobs

import (
	"context"
	"errors"
	"fmt"
)

// maxWoken is how many jobs of a type one Wake notifies.
const maxWoken = 1000

// Wake calls Notify for every job that waits for a worker: its notification was lost, its worker died, or
// its next attempt is due. A schedule calls it once a minute where no pool runs. It gives the number of
// notifications; the first that fails ends it. It sweeps too.
func (q *Queue) Wake(ctx context.Context) (int, error) {
	if q.notify == nil {
		return 0, errors.New("jobs: there is nobody to notify")
	}
	if _, err := q.Sweep(ctx); err != nil {
		return 0, err
	}
	woken := 0
	for jobType, k := range q.types {
		due, err := q.due(ctx, jobType, maxWoken)
		if err != nil {
			return woken, err
		}
		free, err := q.free(ctx, jobType, k)
		if err != nil {
			return woken, err
		}
		for _, e := range due {
			j, err := q.Get(ctx, e.id)
			if err == nil {
				taken, ok := take(j, k, q.now())
				if ok && taken.State == Running && free == 0 {
					continue // a worker that is told now finds no place
				}
				if ok {
					if err := q.notify(ctx, j); err != nil {
						return woken, fmt.Errorf("jobs: wake %s: %w", j.ID, err)
					}
					woken++
					if taken.State == Running {
						free--
					}
					continue
				}
				err = busy{job: j}
			}
			if err := q.passedBy(ctx, e, err); err != nil {
				return woken, err
			}
		}
	}
	return woken, nil
}
