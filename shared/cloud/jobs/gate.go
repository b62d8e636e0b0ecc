package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"mappe/shared/cloud/ledger"
)

// Gate bounds the jobs of a type, all of them and those of one client. Both bounds are exact, whatever number
// of processes enqueue and work: one record of the ledger lists the open jobs of the type, and who lets one in
// or begins one writes it under the condition that nobody wrote it meanwhile.
//
// A process that dies between two writes leaves a job listed that is over, or listed as running that waits: the
// gate then lets in less than it could, never more. Who is refused puts the list right first (tidy).
type Gate struct {
	Type, Client Bounds
	RetryAfter   time.Duration // what a refused client is told to wait; 30 seconds
}

// Bounds are how many jobs run at once and how many more may be open. The zero Bounds are no bounds.
type Bounds struct{ Running, Queued int }

// maxOpen bounds the list of a gate, about 150 bytes a job, to what fits a record.
const maxOpen = 1000

func (g Gate) check() error {
	for who, b := range map[string]Bounds{"type": g.Type, "client": g.Client} {
		if b != (Bounds{}) && (b.Running < 1 || b.Queued < 0 || b.Running+b.Queued > maxOpen) {
			return fmt.Errorf("bounds of a %s: %d running and %d queued: want at least 1 running, and %d together at most", who, b.Running,
				b.Queued, maxOpen)
		}
	}
	if g.Type == (Bounds{}) && g.Client != (Bounds{}) {
		return errors.New("bounds of a client without those of the type")
	}
	return nil
}

// open says whether there is no gate.
func (g Gate) open() bool { return g.Type == (Bounds{}) }

// Full is the refusal of a job; it is ErrFull.
type Full struct {
	Type       string
	OfClient   bool // the client's own jobs are too many, not those of all
	Limit      int  // that may be open
	RetryAfter time.Duration
}

func (f *Full) Error() string {
	whose := ""
	if f.OfClient {
		whose = " of this client"
	}
	return fmt.Sprintf("%v: %d jobs %q%s run or wait, and no more may; try again in %s", ErrFull, f.Limit, f.Type, whose, f.RetryAfter)
}

// Is makes it ErrFull.
func (f *Full) Is(target error) bool { return target == ErrFull }

// full is the refusal of one more open job; nil: it is let in.
func (g Gate) full(jobType, client string, open tally) error {
	refuse := func(b Bounds, ofClient bool) error {
		return &Full{Type: jobType, OfClient: ofClient, Limit: b.Running + b.Queued, RetryAfter: g.RetryAfter}
	}
	switch {
	case g.Client != (Bounds{}) && client != "" && open.Client >= g.Client.Running+g.Client.Queued:
		return refuse(g.Client, true)
	case open.Type >= g.Type.Running+g.Type.Queued:
		return refuse(g.Type, false)
	}
	return nil
}

// admit lists a new job, or refuses it. A job without a client counts for the type alone.
func (q *Queue) admit(ctx context.Context, k Definition, j Job) error {
	if k.Gate.open() {
		return nil
	}
	client := clientHash(j.Client)
	return q.orTidy(ctx, j.Type, func(p *places) error {
		if _, listed := p.Open[j.ID]; !listed {
			open, _ := p.count(client)
			if err := k.Gate.full(j.Type, client, open); err != nil {
				return err
			}
		}
		p.Open[j.ID] = place{Client: client, At: q.now().UnixNano()}
		return nil
	})
}

// begin notes that a job runs, or refuses that; busy. A job that is noted already is noted anew, so that
// nobody who looked before takes it for one that waits.
func (q *Queue) begin(ctx context.Context, k Definition, j Job) error {
	client := clientHash(j.Client)
	return q.orTidy(ctx, j.Type, func(p *places) error {
		if !p.Open[j.ID].Running {
			_, running := p.count(client)
			if running.Type >= k.Gate.Type.Running {
				return busy{job: j, full: true}
			}
			if b := k.Gate.Client; b != (Bounds{}) && client != "" && running.Client >= b.Running {
				return busy{job: j}
			}
		}
		p.Open[j.ID] = place{Client: client, Running: true, Fence: j.Fence, At: q.now().UnixNano()}
		return nil
	})
}

// enter begins the attempt, or what a dead worker left, under a new lease. The gate comes first: a job that it
// lists as running and that is not begun yet is young, and nobody takes its place away.
func (l *lease) enter(ctx context.Context) error {
	if l.definition.Gate.open() || l.job.State != Running {
		return l.renew(ctx)
	}
	began := time.Now()
	if err := l.q.begin(ctx, l.definition, l.job); err != nil {
		return err
	}
	err := l.renew(ctx)
	if errors.Is(err, ErrLost) { // another worker was faster, and may be through already
		if j, err := l.q.Get(ctx, l.job.ID); errors.Is(err, ErrNotFound) || err == nil && j.State.Final() {
			l.q.yield(ctx, l.definition, l.job.ID)
		}
	}
	if err != nil || time.Since(began) <= orphaned/2 {
		return err
	}
	if err := l.q.begin(ctx, l.definition, l.state()); err != nil { // the place may have been taken away
		return errors.Join(err, l.end(ctx, func(j *Job) { j.State, j.Attempt = Queued, j.Attempt-1 }))
	}
	return nil
}

// vacate notes what became of a job whose lease has ended.
func (q *Queue) vacate(ctx context.Context, k Definition, j Job) {
	if k.Gate.open() {
		return
	}
	if j.State.Final() {
		q.yield(ctx, k, j.ID)
	} else if err := q.change(ctx, j.Type, func(p *places) bool {
		x, ok := p.Open[j.ID]
		was := x.Running && x.Fence == j.Fence // another worker may have begun it meanwhile
		if !ok || !was {
			return false
		}
		x.Running, x.At = false, q.now().UnixNano()
		p.Open[j.ID] = x
		return true
	}); err != nil {
		q.log.Warn("the place of a job was not given back", "job", j.ID, "error", err)
	}
	q.next(ctx, k, j.Type)
}

// yield takes a job off the list.
func (q *Queue) yield(ctx context.Context, k Definition, id string) {
	n, err := parseName(id)
	if k.Gate.open() || err != nil {
		return
	}
	if err := q.change(ctx, n.typ, func(p *places) bool {
		_, ok := p.Open[id]
		delete(p.Open, id)
		return ok
	}); err != nil {
		q.log.Warn("the place of a job was not given back", "job", id, "error", err)
	}
}

// next tells a worker of a job that waits for the place that has become free.
func (q *Queue) next(ctx context.Context, k Definition, jobType string) {
	q.wakeUp()
	if q.notify == nil {
		return
	}
	due, err := q.due(ctx, jobType, 1)
	if err == nil && len(due) > 0 {
		var j Job
		if j, err = q.Get(ctx, due[0].id); err == nil {
			if _, ok := take(j, k, q.now()); ok {
				err = q.tell(ctx, j)
			}
		}
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		q.log.Warn("nobody was told of a free place", "type", jobType, "error", err)
	}
}

// free is how many jobs of a type may be begun now.
func (q *Queue) free(ctx context.Context, jobType string, k Definition) (int, error) {
	if k.Gate.open() {
		return math.MaxInt, nil
	}
	r, err := q.ledger.Get(ctx, gateKey(jobType))
	if errors.Is(err, ledger.ErrNotFound) {
		return k.Gate.Type.Running, nil
	}
	if err != nil {
		return 0, fmt.Errorf("jobs: gate of %s: %w", jobType, err)
	}
	p, err := readPlaces(r)
	_, running := p.count("")
	return max(0, k.Gate.Type.Running-running.Type), err
}
