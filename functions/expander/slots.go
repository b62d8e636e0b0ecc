package expander

import (
	"context"
	"runtime"
	"time"
)

// slotWait is how long a preview waits for a slot.
const slotWait = time.Second

// slots bound how many previews are computed at a time, so that the free route never takes every
// processor from the paid one. It is a bound on work, not a count per caller: functions share no memory,
// and behind a CDN an address is no identity. In the cloud a process has one request at a time anyway,
// and the function's reserved concurrency is the bound.
type slots chan struct{}

func newSlots() slots { return make(slots, max(1, runtime.GOMAXPROCS(0)/2)) }

func (s slots) count() int { return cap(s) }

// acquire waits for a slot; done releases it.
func (s slots) acquire(ctx context.Context) (done func(), ok bool) {
	free := func() { <-s }
	select {
	case s <- struct{}{}:
		return free, true
	default:
	}
	wait := time.NewTimer(slotWait)
	defer wait.Stop()
	select {
	case s <- struct{}{}:
		return free, true
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil, false
}
