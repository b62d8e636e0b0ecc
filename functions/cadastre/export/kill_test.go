package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// The test's program starts itself again as a worker.
const childFolder = "MAPPE_EXPORT_CHILD"

// killLease is short, so that what a killed worker had is soon taken over.
const killLease = time.Second

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

// slow is a store that takes its time, so that a kill finds a job at each of its steps.
type slow struct{ store.Store }

func (s slow) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	time.Sleep(rand.N(10 * time.Millisecond))
	return s.Store.Get(ctx, key, o)
}

func (s slow) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, o store.PutOptions) (store.Info, error) {
	time.Sleep(rand.N(30 * time.Millisecond))
	info, err := s.Store.PutFrom(ctx, key, r, size, o)
	time.Sleep(rand.N(30 * time.Millisecond))
	return info, err
}

// openKillHarness is the family with jobs over a folder.
func openKillHarness(ctx context.Context, folder string) (*harness, error) {
	s, err := dir.Open(filepath.Join(folder, "store"))
	if err != nil {
		return nil, err
	}
	lib, err := library.Open(ctx, slow{s}, library.Options{BudgetBytes: 1 << 16}) // every layer reads its KGs anew
	if err != nil {
		return nil, err
	}
	l, err := sqlite.Open(ctx, filepath.Join(folder, "ledger.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	r := &harness{store: s, works: &Works{Library: lib, Store: slow{s}, Log: slog.New(slog.DiscardHandler), Lease: killLease}}
	if r.queue, err = r.works.NewQueue(l); err != nil {
		return nil, err
	}
	r.Handler, err = New(Deps{Deps: core.Deps{Library: lib, Version: "test"}, Queue: r.queue}).Handler()
	return r, err
}

// Workers are killed at any moment: what they had is done by others or fails with a reason, and no file is in the
// store that is not whole.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the processes that are killed")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	s, err := dir.Open(filepath.Join(folder, "store"))
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.Publish(s, fixture.Many(60)); err != nil {
		t.Fatal(err)
	}
	r, err := openKillHarness(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	plain := serve(t, s)
	want := map[string][]byte{} // by job: what its file has to be
	kills := 0
	for n := range oracles.Rounds(t, 8) {
		target := []string{"gpkg", "geojson"}[n%2] + "?kg=" + strings.Join(codes(2+int(n)%59), ",")
		q := httptest.NewRequest("GET", "/api/v1/export/"+target+"&job=1", nil)
		q.RemoteAddr = fmt.Sprintf("203.0.113.%d:1", n) // a client of its own: none has too many
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		want[fixture.Decode[acceptedBody](t, w, 202).JobID] = get(plain, target).Body.Bytes()
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFolder+"="+folder)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100*time.Millisecond + rand.N(500*time.Millisecond))
		c.Process.Kill() // SIGKILL
		c.Wait()         // its failure is the point
		kills++
		if len(want) == 59 {
			break // every area was asked for
		}
	}
	p := &jobs.Pool{Queue: r.queue, Workers: 2, Poll: 50 * time.Millisecond}
	p.Start(t.Context())
	defer p.Stop(t.Context())
	done := 0
	for id := range want {
		st := r.ended(t, id)
		if st.Status == "done" {
			done++
		} else if st.Status != "failed" || st.Error == nil || st.FileURL != nil {
			t.Errorf("%+v", st)
		}
	}
	files := 0
	for info, err := range s.List(t.Context(), "exports/") {
		if err != nil {
			t.Fatal(err)
		}
		files++
		run := strings.Split(info.Key, "/")[1]
		id := run[:strings.LastIndexByte(run, '-')] // without the fence
		got := r.file(t, statusBody{Status: "done", FileURL: ptr("/artefacts/" + info.Key), Bytes: info.Size})
		if !bytes.Equal(got, want[id]) {
			t.Errorf("%s is not the answer: %d bytes, want %d", info.Key, len(got), len(want[id]))
		}
	}
	if t.Logf("%d kills, %d jobs, %d done, %d files", kills, len(want), done, files); files < done || done == 0 {
		t.Errorf("%d of %d jobs are done, with %d files", done, len(want), files)
	}
}

func ptr[T any](v T) *T { return &v }

// ended waits for the end of a job.
func (r *harness) ended(t *testing.T, id string) statusBody {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if st := r.status(t, id); st.FinishedAt != nil {
			return st
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has not ended: %+v", id, r.status(t, id))
		}
	}
}

// codes are the first n KGs of fixture.Many.
func codes(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(81001+i))
	}
	return list
}
