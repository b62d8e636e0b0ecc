package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
)

// The test's program starts itself again as a worker.
const childFolder = "MAPPE_JOBS_CHILD"

func TestMain(m *testing.M) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	if err := worker(context.Background(), folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// killLease is short, so that what a killed worker had is soon taken over.
const killLease = 2 * time.Second

// event is a line of the workers' common log.
type event struct {
	Job     string
	Attempt int
	Pid     int
	Start   time.Time // when the handler began
	Until   time.Time // the end of the lease it began with
	End     time.Time // before the lease was last made sure of; zero in the line that says Start
}

// worker runs eight goroutines until it is killed.
func worker(ctx context.Context, folder string) error {
	l, err := sqlite.Open(ctx, filepath.Join(folder, "ledger.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(folder, "events"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	q, err := jobs.New(l, jobs.Options{Types: map[string]jobs.Definition{"work": handler(l, log)}})
	if err != nil {
		return err
	}
	(&jobs.Pool{Queue: q, Workers: 8, Poll: 50 * time.Millisecond}).Start(ctx)
	select {}
}

// handler leaves one effect a job, made under the lease; every fifth job fails and gives its credit back.
func handler(l ledger.Ledger, log *os.File) jobs.Definition {
	say := func(e event) error {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = log.Write(append(line, '\n')) // one write: lines of several processes do not mix
		return err
	}
	return jobs.Definition{
		Lease: killLease, Attempts: 1000, Backoff: time.Millisecond,
		Run: func(ctx context.Context, w *jobs.Work) ([]byte, error) {
			j := w.Job()
			e := event{Job: j.ID, Attempt: j.Attempt, Pid: os.Getpid(), Start: time.Now(), Until: j.Until}
			if err := say(e); err != nil {
				return nil, err
			}
			time.Sleep(rand.N(150 * time.Millisecond))
			e.End = time.Now()
			if err := w.Renew(ctx); err != nil {
				return nil, err
			}
			_, err := l.Put(ctx, ledger.Record{Key: ledger.Key{Partition: "effects", Sort: j.ID}}, ledger.Absent)
			if err != nil && !errors.Is(err, ledger.ErrConflict) { // an earlier attempt came that far
				return nil, err
			}
			if err := say(e); err != nil {
				return nil, err
			}
			if strings.HasSuffix(string(j.Payload), "0") || strings.HasSuffix(string(j.Payload), "5") {
				return nil, jobs.Fail("this one cannot be done")
			}
			return j.Payload, nil
		},
		Release: func(ctx context.Context, j jobs.Job) error {
			defer func() { time.Sleep(rand.N(50 * time.Millisecond)) }() // time to die between effect and record
			return refund(ctx, l, j.ID)
		},
	}
}

var account = ledger.Key{Partition: "account", Sort: "credits"}

// refund is one credit a job, however often it is called.
func refund(ctx context.Context, l ledger.Ledger, id string) error {
	_, err := ledger.Update(ctx, l, account, func(r *ledger.Record) (bool, error) {
		refunded := strings.Fields(string(r.Value))
		if slices.Contains(refunded, id) {
			return false, nil
		}
		r.Value = []byte(strings.Join(append(refunded, id), " "))
		return true, nil
	})
	return err
}

// TestKilledWorkers kills workers at random until enough have died: every job is finished, each has one
// effect, each failed one its credit, and no two workers ever had one job at once.
func TestKilledWorkers(t *testing.T) {
	count, kills := 150, 12
	if testing.Short() {
		count, kills = 30, 2
	}
	folder := t.TempDir()
	l := openLedger(t, filepath.Join(folder, "ledger.db"), nil)
	q := newQueue(t, l, jobs.Options{Types: map[string]jobs.Definition{"work": {}}})
	workers := &crew{t: t, folder: folder, died: map[int]time.Time{}}
	defer workers.end()
	for range 4 {
		workers.hire()
	}
	time.Sleep(300 * time.Millisecond)
	r := harness{Queue: q, ledger: l}
	var ids []string
	for i := range count {
		j, created, err := q.Enqueue(t.Context(), "work", fmt.Sprint(i), []byte(fmt.Sprint(i)))
		if err != nil || !created {
			t.Fatal(j, created, err)
		}
		ids = append(ids, j.ID)
		if (i+1)%(count/kills) == 0 {
			time.Sleep(rand.N(150 * time.Millisecond))
			workers.kill(0) // the oldest: it has begun to work
			workers.hire()
		}
	}
	r.finished(t, ids)
	workers.end()
	failed := 0
	for i, id := range ids {
		want := jobs.Done
		if i%5 == 0 {
			want, failed = jobs.Failed, failed+1
		}
		r.expect(t, id, want)
		if e, err := l.Get(t.Context(), ledger.Key{Partition: "effects", Sort: id}); err != nil || e.Version != 1 {
			t.Errorf("%s: want one effect, got %+v, %v", id, e, err)
		}
	}
	credits, err := l.Get(t.Context(), account)
	if got := strings.Fields(string(credits.Value)); err != nil || len(got) != failed || int(credits.Version) != failed {
		t.Errorf("want %d credits given back once each, got %d in %d writes, %v", failed, len(got), credits.Version, err)
	}
	workers.expectNoTwoAtOnce(count)
}

// crew is the worker processes.
type crew struct {
	t      *testing.T
	folder string
	alive  []*exec.Cmd
	died   map[int]time.Time
}

func (c *crew) hire() {
	c.t.Helper()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childFolder+"="+c.folder)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.alive = append(c.alive, cmd)
}

func (c *crew) kill(i int) {
	cmd := c.alive[i]
	c.alive = slices.Delete(c.alive, i, i+1)
	cmd.Process.Kill()
	cmd.Wait()
	c.died[cmd.Process.Pid] = time.Now()
}

func (c *crew) end() {
	for len(c.alive) > 0 {
		c.kill(0)
	}
}

// expectNoTwoAtOnce reads the log: who began later than another began is there after the other's end.
func (c *crew) expectNoTwoAtOnce(count int) {
	raw, err := os.ReadFile(filepath.Join(c.folder, "events"))
	if err != nil {
		c.t.Fatal(err)
	}
	type run struct {
		job     string
		attempt int
	}
	runs := map[run]event{}
	for line := range strings.Lines(string(raw)) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			c.t.Fatalf("%q: %v", line, err)
		}
		k := run{e.Job, e.Attempt}
		if had, ok := runs[k]; ok && had.Pid != e.Pid {
			c.t.Errorf("attempt %d of %s was given to processes %d and %d", e.Attempt, e.Job, had.Pid, e.Pid)
		}
		runs[k] = e
	}
	byJob := map[string][]event{}
	for _, e := range runs {
		if e.End.IsZero() && e.Start.After(e.Until) {
			continue // it stood still before it began, and did nothing
		}
		byJob[e.Job] = append(byJob[e.Job], e)
	}
	again := 0
	for job, events := range byJob {
		slices.SortFunc(events, func(a, b event) int { return a.Start.Compare(b.Start) })
		for i := 1; i < len(events); i++ {
			again++
			end := events[i-1].End
			if end.IsZero() { // it was killed, or stood still until its lease was over
				end = events[i-1].Until
				if died := c.died[events[i-1].Pid]; died.Before(end) {
					end = died
				}
			}
			if events[i].Start.Before(end) {
				c.t.Errorf("%s: attempt %d began at %v, attempt %d ended at %v", job, events[i].Attempt, events[i].Start,
					events[i-1].Attempt, end)
			}
		}
	}
	if len(byJob) != count {
		c.t.Errorf("want %d jobs in the log, got %d", count, len(byJob))
	}
	c.t.Logf("%d jobs, %d attempts after a worker's death, %d workers killed", len(byJob), again, len(c.died))
}
