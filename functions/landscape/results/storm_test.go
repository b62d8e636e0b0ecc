package results

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
)

// Many ask the same few questions at once and abort some of them: every task ends, what has ended stays as it is, what is
// done has its result, and only who has aborted, or lost a race with who has, is told that it was.
func TestManyAskAndAbortAtOnce(t *testing.T) {
	for n := range oracles.Rounds(t, 3) {
		r := open(t)
		unit := func(string, int) { time.Sleep(rand.N(4 * time.Millisecond)) }
		r.unit.Store(&unit)
		r.pool(t, 3)
		var wg sync.WaitGroup
		for c := range 24 {
			wg.Go(func() { r.askAndAbort(t, rand.New(rand.NewPCG(n, uint64(c))), fmt.Sprintf("client-%d", c)) })
		}
		wg.Wait()
	}
}

// askAndAbort is one client of a storm.
func (r *harness) askAndAbort(t *testing.T, dice *rand.Rand, id string) {
	size := 2 + dice.IntN(3)
	query := "&task_id=" + id
	if dice.IntN(4) == 0 {
		query = "" // an id that others are given too
	}
	id = r.ask(t, query, fmt.Sprintf(`{"n":%d}`, size))
	aborts := query != "" && dice.IntN(3) == 0
	time.Sleep(time.Duration(dice.IntN(40)) * time.Millisecond)
	if aborts {
		r.abort(t, id)
	}
	s := r.ended(t, id)
	if s.Status == tasks.Failed || !aborts && s.Status != tasks.Done && s.Status != tasks.Cancelled {
		t.Errorf("%s: %+v", id, s)
	}
	w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	if done := s.Status == tasks.Done; done != (w.Code == 200) || done && sumOf(t, w.Body.Bytes()) != size*(size-1) {
		t.Errorf("%s: %+v, and the result is %d %s", id, s, w.Code, w.Body)
	}
	if query == "" {
		return // it may be asked anew
	}
	time.Sleep(time.Duration(dice.IntN(20)) * time.Millisecond)
	if again := r.progress(t, id); again.Status != s.Status {
		t.Errorf("%s was %s and is %s", id, s.Status, again.Status)
	}
}
