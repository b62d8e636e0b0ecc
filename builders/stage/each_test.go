package stage

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
)

// While the first of many things takes long, as many others are worked on as may wait, and no more; the results come in their order.
func TestResultsWaitForTheFirst(t *testing.T) {
	const n, begun = 100, 40
	var others atomic.Int32
	enough := make(chan struct{})
	var order []int
	err := InOrderOf(t.Context(), n, Width{Workers: 2, Begun: begun}, func(ctx context.Context, i int) (int, error) {
		if i == 0 {
			select {
			case <-enough:
			case <-ctx.Done():
			}
			return i, ctx.Err()
		}
		if k := others.Add(1); k == begun-1 {
			close(enough)
		}
		return i, nil
	}, func(i, result int) error {
		if len(order) == 0 && others.Load() < begun-1 {
			t.Errorf("%d others were done before the first, want %d", others.Load(), begun-1)
		}
		order = append(order, result)
		return nil
	})
	if err != nil || len(order) != n || !slices.IsSorted(order) {
		t.Errorf("%v: %v", err, order)
	}
}
