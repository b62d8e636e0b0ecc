package processing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// Ends counts how the jobs of a type ended.
type Ends struct {
	Done   int `json:"done"`
	Failed int `json:"failed"`

	// Counted are the jobs counted last, so that one that is told of twice, by a worker that died before it was
	// through, counts once.
	Counted []string `json:"counted,omitempty"`
}

// remembered is how many jobs are: more than can end while one is told of again.
const remembered = 64

func endsKey(jobType string) ledger.Key {
	return ledger.Key{Partition: "job-ends/" + jobType, Sort: "ends"}
}

// ReadEnds reads the count of a type.
func ReadEnds(ctx context.Context, l ledger.Ledger, jobType string) (e Ends, err error) {
	r, err := l.Get(ctx, endsKey(jobType))
	if errors.Is(err, ledger.ErrNotFound) {
		return e, nil
	}
	if err != nil {
		return e, fmt.Errorf("count of %s: %w", jobType, err)
	}
	return e, json.Unmarshal(r.Value, &e)
}

// Count counts the end of a job, once.
func Count(ctx context.Context, l ledger.Ledger, j jobs.Job, failed bool) error {
	_, err := ledger.Update(ctx, l, endsKey(j.Type), func(r *ledger.Record) (bool, error) {
		var e Ends
		if len(r.Value) > 0 {
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return false, err
			}
		}
		if slices.Contains(e.Counted, j.ID) {
			return false, nil
		}
		if failed {
			e.Failed++
		} else {
			e.Done++
		}
		e.Counted = append(e.Counted, j.ID)
		e.Counted = e.Counted[max(0, len(e.Counted)-remembered):]
		var err error
		r.Value, err = json.Marshal(e)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("count of %s: %w", j.Type, err)
	}
	return nil
}
