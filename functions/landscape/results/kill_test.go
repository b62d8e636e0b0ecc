package results

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// The test's program starts itself again as a worker.
const childFolder = "MAPPE_RESULTS_CHILD"

// killLease is short, so that what a killed worker had is soon taken over.
const killLease = 1500 * time.Millisecond

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		r, err := openKillHarness(context.Background(), folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		(&jobs.Pool{Queue: r.queue, Workers: 2, Poll: 20 * time.Millisecond}).Start(context.Background())
		select {} // until it is killed
	}
	os.Exit(m.Run())
}

// slow is a store that takes its time, so that a kill finds a task at each of its steps.
type slow struct{ store.Store }

func (s slow) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	time.Sleep(rand.N(60 * time.Millisecond))
	info, err := s.Store.Put(ctx, key, body, o)
	time.Sleep(rand.N(60 * time.Millisecond))
	return info, err
}

func openKillHarness(ctx context.Context, folder string) (*harness, error) {
	files, err := dir.Open(filepath.Join(folder, "shares"))
	if err != nil {
		return nil, err
	}
	l, err := sqlite.Open(ctx, filepath.Join(folder, "ledger.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	r, err := newHarness(l, slow{files}, killLease)
	if err == nil {
		unit := func(string, int) { time.Sleep(rand.N(20 * time.Millisecond)) }
		r.unit.Store(&unit)
	}
	return r, err
}

// killWorkers asks, starts a worker and kills it, again and again. It gives the sums that were asked for, by task.
func (r *harness) killWorkers(t *testing.T, folder string) (asked map[string]int, kills int) {
	asked = map[string]int{}
	for n := range oracles.Rounds(t, 10) {
		for k := range 2 { // one for each worker
			size := 2 + int(n)%15
			body := fmt.Sprintf(`{"n":%d,"bytes":%d}`, size, 2*n+uint64(k))
			q := httptest.NewRequest("POST", "/api/v1/sum?async=true&listed=true", strings.NewReader(body))
			q.RemoteAddr = fmt.Sprintf("203.0.%d.%d:1", n/200%200, n%200) // a client of its own: none has too many
			w := httptest.NewRecorder()
			r.ServeHTTP(w, q)
			asked[fixture.Decode[tasks.Accepted](t, w, 202).TaskID] = size * (size - 1)
		}
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFolder+"="+folder)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50*time.Millisecond + rand.N(600*time.Millisecond))
		c.Process.Kill()                // SIGKILL
		c.Wait()                        // its failure is the point
		if kills++; len(asked) >= 150 { // the gate takes 200
			break
		}
	}
	return asked, kills
}

// Workers are killed at any moment: a task is taken over once, then it ends in error; what is done has its own result, whole
// and once, and what is not has no share.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the processes that are killed")
	}
	folder := t.TempDir()
	r, err := openKillHarness(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	asked, kills := r.killWorkers(t, folder)
	r.pool(t, 2)
	done := map[string]bool{}
	for id, want := range asked {
		s := r.ended(t, id)
		if s.Status == tasks.Failed && strings.Contains(*s.Error, "interrupted") {
			continue
		}
		w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
		if s.Status != tasks.Done || w.Code != 200 || sumOf(t, w.Body.Bytes()) != want {
			t.Errorf("%+v: %d %.200s", s, w.Code, w.Body)
		}
		done["auto-"+id] = true
	}
	list, err := r.desk.Shares().List(t.Context())
	if err != nil || len(list) != len(done) {
		t.Errorf("%d shares of %d tasks that are done, %v", len(list), len(done), err)
	}
	for _, h := range list {
		result, err := r.desk.Shares().Result(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		body, err := result.Read(t.Context())
		if err != nil || !done[h.Name] || sumOf(t, body) != asked[strings.TrimPrefix(h.Name, "auto-")] {
			t.Errorf("%s is done %v: %v", h.Name, done[h.Name], err)
		}
	}
	if t.Logf("%d kills, %d tasks, %d done", kills, len(asked), len(done)); len(done) == 0 {
		t.Error("no task is done")
	}
}
