package expander

import (
	"context"
	"runtime"
	"time"
)

// patience is how long a preview waits for its turn.
const patience = time.Second

// turns bounds how many previews are computed at a time, so that the free route never takes every
// processor from the paid one. It is a bound on work, not a count per caller: functions share no memory,
// and behind a CDN an address is no identity. In the cloud a process has one request at a time anyway,
// and the function's reserved concurrency is the bound.
type turns chan struct{}

func newTurns() turns { return make(turns, max(1, runtime.GOMAXPROCS(0)/2)) }

func (t turns) width() int { return cap(t) }

// take waits for a turn; done gives it back.
func (t turns) take(ctx context.Context) (done func(), ok bool) {
	free := func() { <-t }
	select {
	case t <- struct{}{}:
		return free, true
	default:
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case t <- struct{}{}:
		return free, true
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil, false
}
