package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
)

func (r harness) submit(t testing.TB, client, key string) jobs.Job {
	t.Helper()
	j, created, err := r.Submit(t.Context(), jobs.Order{Type: "build", Key: key, Client: client})
	if err != nil || !created {
		t.Fatalf("%s of %s: want a new job, got %+v, %v, %v", key, client, j, created, err)
	}
	return j
}

func (r harness) refused(t testing.TB, client, key string, ofClient bool, limit int) {
	t.Helper()
	_, created, err := r.Submit(t.Context(), jobs.Order{Type: "build", Key: key, Client: client})
	var full *jobs.Full
	if created || !errors.Is(err, jobs.ErrFull) || !errors.As(err, &full) || full.OfClient != ofClient || full.Limit != limit ||
		full.RetryAfter != time.Minute || !strings.Contains(full.Error(), "try again in 1m") {
		t.Errorf("%s of %s: want it refused at %d, of the client: %v; got %v, %v", key, client, limit, ofClient, created, err)
	}
}

var gate = jobs.Gate{Type: jobs.Bounds{Running: 2, Queued: 3}, Client: jobs.Bounds{Running: 1, Queued: 1}, RetryAfter: time.Minute}

func TestTheGateCountsOpenJobs(t *testing.T) {
	r := newHarness(t, jobs.Definition{Run: succeed, Gate: gate})
	first := r.submit(t, "anna", "a1")
	r.submit(t, "anna", "a2")
	r.refused(t, "anna", "a3", true, 2)
	if j, created, err := r.Submit(t.Context(), jobs.Order{Type: "build", Key: "a1", Client: "anna"}); err != nil || created ||
		j.ID != first.ID {
		t.Errorf("a job that is open already is no further one: %+v, %v, %v", j, created, err)
	}
	r.submit(t, "berta", "b1")
	r.submit(t, "", "nobody's 1") // counts for the type alone
	r.submit(t, "", "nobody's 2")
	r.refused(t, "carla", "c1", false, 5)
	if err := r.RunOne(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	r.submit(t, "anna", "a3") // the place is free again
	r.refused(t, "berta", "b2", false, 5)
	if err := r.RunOne(t.Context(), r.find(t, "b1").ID); err != nil {
		t.Fatal(err)
	}
	r.submit(t, "berta", "b2")
}

func (r harness) find(t testing.TB, key string) jobs.Job {
	t.Helper()
	j, err := r.Find(t.Context(), "build", key)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestTheGateCountsWhatRuns(t *testing.T) {
	begun, end := make(chan string, 8), make(chan struct{})
	r := newHarness(t, jobs.Definition{Gate: gate, Run: func(_ context.Context, w *jobs.Work) ([]byte, error) {
		begun <- w.Job().ID
		<-end
		return nil, nil
	}})
	a1, a2, b1, c1 := r.submit(t, "anna", "a1"), r.submit(t, "anna", "a2"), r.submit(t, "berta", "b1"), r.submit(t, "carla", "c1")
	var wait sync.WaitGroup
	run := func(j jobs.Job) {
		wait.Go(func() {
			if err := r.RunOne(t.Context(), j.ID); err != nil {
				t.Error(err)
			}
		})
		<-begun
	}
	busy := func(j jobs.Job, why string) {
		t.Helper()
		if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrBusy) {
			t.Errorf("%s: want ErrBusy, got %v", why, err)
		}
		r.expect(t, j.ID, jobs.Queued)
	}
	run(a1)
	busy(a2, "another of its client runs")
	run(b1)
	busy(c1, "two run")
	// What is cancelled needs no place to be released.
	if _, err := r.Cancel(t.Context(), a2.ID); err != nil {
		t.Fatal(err)
	}
	if err := r.RunOne(t.Context(), a2.ID); err != nil {
		t.Error(err)
	}
	r.expect(t, a2.ID, jobs.Cancelled)
	close(end)
	wait.Wait()
	run(c1)
	wait.Wait()
	r.expect(t, c1.ID, jobs.Done)
}

// A job between two attempts is open and does not run.
func TestAPauseGivesThePlaceBack(t *testing.T) {
	r := newHarness(t, jobs.Definition{Backoff: time.Hour, Gate: jobs.Gate{Type: jobs.Bounds{Running: 1, Queued: 1},
		RetryAfter: time.Minute}, Run: func(_ context.Context, w *jobs.Work) ([]byte, error) {
		if w.Job().Client == "fails" {
			return nil, errors.New("inner")
		}
		return nil, nil
	}})
	a := r.submit(t, "fails", "a")
	if err := r.RunOne(t.Context(), a.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Fatal(err)
	}
	b := r.submit(t, "works", "b")
	if err := r.RunOne(t.Context(), b.ID); err != nil {
		t.Errorf("the place of a job that waits: %v", err)
	}
	r.submit(t, "works", "c")
	r.refused(t, "works", "d", false, 2)
}

// What dead processes leave in the list is found when somebody is refused, a minute later.
func TestTheListIsPutRight(t *testing.T) {
	g := jobs.Gate{Type: jobs.Bounds{Running: 1, Queued: 1}, RetryAfter: time.Minute}
	r := newHarness(t, jobs.Definition{Run: succeed, Gate: g})
	broken := &breaking{Ledger: r.ledger}
	dying := newQueue(t, broken, jobs.Options{Types: map[string]jobs.Definition{"build": {Run: succeed, Gate: g}}, Now: r.clock.Now})
	broken.fail = "job/build/" // after it was let in, before its record
	for range 2 {
		if _, _, err := dying.Submit(t.Context(), jobs.Order{Type: "build"}); err == nil {
			t.Fatal("the record was written")
		}
	}
	r.refused(t, "", "k", false, 2)
	r.clock.Advance(time.Minute)
	a := r.submit(t, "", "a")
	broken.fail = "jobs-gate/" // after it is done, before its place is given back
	broken.spare = 1           // the place that it takes
	if err := dying.RunOne(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	broken.fail = ""
	r.submit(t, "", "b")
	r.refused(t, "", "c", false, 2)
	r.clock.Advance(time.Minute)
	r.submit(t, "", "c")
	if err := r.RunOne(t.Context(), r.find(t, "c").ID); err != nil {
		t.Errorf("the place where a job ran: %v", err)
	}
}

// breaking fails writes of records whose partition begins alike.
type breaking struct {
	ledger.Ledger
	fail  string
	spare int // that many come through first
}

func (b *breaking) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if b.fail != "" && strings.HasPrefix(r.Key.Partition, b.fail) {
		if b.spare--; b.spare < 0 {
			return 0, errors.New("the wire is cut")
		}
	}
	return b.Ledger.Put(ctx, r, was)
}

func TestGatesThatAreNone(t *testing.T) {
	for name, g := range map[string]jobs.Gate{
		"nothing runs": {Type: jobs.Bounds{Queued: 3}}, "negative": {Type: jobs.Bounds{Running: 1, Queued: -1}},
		"too many":      {Type: jobs.Bounds{Running: 1, Queued: 1000}},
		"clients alone": {Client: jobs.Bounds{Running: 1}},
	} {
		if _, err := jobs.New(nil, jobs.Options{Types: map[string]jobs.Definition{"build": {Gate: g}}}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// crowd has many enqueue and work at once: the bounds are exact.
func crowd(t *testing.T, l ledger.Ledger) {
	g := jobs.Gate{Type: jobs.Bounds{Running: 3, Queued: 4}, Client: jobs.Bounds{Running: 2, Queued: 2}, RetryAfter: time.Minute}
	var mu sync.Mutex
	running, top, topClient := map[string]int{}, 0, 0
	hold := make(chan struct{})
	k := jobs.Definition{Gate: g, Run: func(_ context.Context, w *jobs.Work) ([]byte, error) {
		client := w.Job().Client
		mu.Lock()
		running[""]++
		running[client]++
		top, topClient = max(top, running[""]), max(topClient, running[client])
		mu.Unlock()
		<-hold
		time.Sleep(20 * time.Millisecond)
		mu.Lock()
		running[""]--
		running[client]--
		mu.Unlock()
		return nil, nil
	}}
	r := harness{ledger: l, Queue: newQueue(t, l, jobs.Options{Types: map[string]jobs.Definition{"build": k}})}
	var accepted sync.Map
	var made, refused atomic.Int64
	wave := func(clients int) {
		var wait sync.WaitGroup
		for i := range 32 {
			wait.Go(func() {
				j, created, err := r.Submit(t.Context(), jobs.Order{Type: "build", Client: fmt.Sprint("client ", i%clients)})
				switch {
				case err == nil && created:
					made.Add(1)
					accepted.Store(j.ID, true)
				case errors.Is(err, jobs.ErrFull):
					refused.Add(1)
				default:
					t.Errorf("%v, %v", created, err)
				}
			})
		}
		wait.Wait()
	}
	wave(1)
	if made.Load() != 4 || refused.Load() != 28 {
		t.Errorf("one client: %d let in, %d refused: want 4 and 28", made.Load(), refused.Load())
	}
	p := &jobs.Pool{Queue: r.Queue, Workers: 8, Poll: 20 * time.Millisecond}
	p.Start(t.Context())
	wave(8)
	if made.Load() != 7 {
		t.Errorf("many clients: %d let in, want 7", made.Load())
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		mu.Lock()
		n := running[""]
		mu.Unlock()
		if n == 3 {
			break
		}
	}
	close(hold)
	var ids []string
	accepted.Range(func(id, _ any) bool { ids = append(ids, id.(string)); return true })
	r.finished(t, ids)
	if top != 3 || topClient > 2 {
		t.Errorf("%d ran at once, %d of a client: want 3 and at most 2", top, topClient)
	}
	p.Stop(t.Context()) // a place is given back after its job is over
	made.Store(0)
	wave(32)
	if made.Load() != 7 {
		t.Errorf("after all is done %d are let in, want 7", made.Load())
	}
}

func TestTheGateIsExactOverSQLite(t *testing.T) {
	crowd(t, openLedger(t, t.TempDir()+"/ledger.db", nil))
}

func TestTheGateIsExactOverDynamoDB(t *testing.T) {
	l, err := dynamo.Open("gate", dynamo.Options{Endpoint: dynalite.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	crowd(t, l)
}

// A worker that is told by Notify is told of no more jobs than may run, and of the next when a place is free.
func TestNotifyOfFreePlaces(t *testing.T) {
	var told []string
	r := newHarness(t, jobs.Definition{Run: succeed, Gate: jobs.Gate{Type: jobs.Bounds{Running: 2, Queued: 5}}}, func(o *jobs.Options) {
		o.Notify = func(_ context.Context, j jobs.Job) error { told = append(told, j.ID); return nil }
	})
	var all []jobs.Job
	for i := range 4 {
		all = append(all, r.submit(t, "", fmt.Sprint(i)))
		r.clock.Advance(time.Second)
	}
	told = nil
	if n, err := r.Wake(t.Context()); err != nil || n != 2 || len(told) != 2 {
		t.Errorf("woke %d, %v: want as many as may run", n, err)
	}
	told = nil
	if err := r.RunOne(t.Context(), all[0].ID); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0] != all[1].ID {
		t.Errorf("told of %v, want the oldest that waits, %s", told, all[1].ID)
	}
}
