package books

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/store/dir"
)

// The test's program starts itself again: as four processes that order and build until they are killed.
const (
	childFolder = "MAPPE_BOOKS_CHILD"
	fullRun     = "MAPPE_BOOKS_KILLS" // kills of the full run; fewer by default
	killLease   = 6 * time.Second
	processes   = 4
	clients     = 8 // of each process: 32 together
	killed      = 3 // projects
	builds      = 400
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		if err := orderAndBuild(context.Background(), folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// killHarness is the service over one folder, with builds that tell when they run.
type killHarness struct {
	records *records.Records
	queue   *jobs.Queue
	handler http.Handler
	events  *os.File
}

// event is a line of the processes' common log: a build began, or ended.
type event struct {
	Project string
	Build   string // that the account calls running when it begins
	Pid     int
	Began   time.Time
	Ended   time.Time
}

func openKillHarness(ctx context.Context, folder string) (killHarness, error) {
	l, err := sqlite.Open(ctx, filepath.Join(folder, "ledger.db"), sqlite.Options{})
	if err != nil {
		return killHarness{}, err
	}
	files, err := dir.Open(filepath.Join(folder, "files"))
	if err != nil {
		return killHarness{}, err
	}
	log, err := os.OpenFile(filepath.Join(folder, "events"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return killHarness{}, err
	}
	r := killHarness{records: records.New(l, nil), events: log}
	parts := fakePress(nil)
	inner := parts.Set
	parts.Set = func(ctx context.Context, b manuscript.Book, s spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
		e := event{Project: s.Publisher, Pid: os.Getpid()}
		if id, err := strconv.ParseInt(s.Publisher, 10, 64); err == nil {
			if d, err := r.records.Account(ctx, id); err == nil && d.Running != nil {
				e.Build = d.Running.ID
			}
		}
		e.Began = time.Now()
		r.say(e)
		select {
		case <-time.After(time.Duration(5+rand.IntN(40)) * time.Millisecond):
		case <-ctx.Done():
		}
		e.Ended = time.Now()
		r.say(e)
		return inner(ctx, b, s, o)
	}
	works := build.Works{Records: r.records, Store: files, Press: parts, Log: slog.New(slog.DiscardHandler), Lease: killLease}
	if r.queue, err = works.NewQueue(l); err != nil {
		return killHarness{}, err
	}
	r.handler, err = New(Deps{Records: r.records, Store: files, Queue: r.queue, Press: parts, PublicURL: "https://books.example"}).Handler()
	return r, err
}

// say writes one line at once: lines of several processes do not mix.
func (r killHarness) say(e event) {
	line, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	if _, err := r.events.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

func (r killHarness) ask(method, path, token, contentType, body string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, path, strings.NewReader(body))
	q.Header.Set("X-Auth-Token", token)
	if contentType != "" {
		q.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, q)
	return w
}

// ordered is what the parent made for its children.
type ordered struct {
	Project int64
	Token   string
	Books   []int64
}

// orderAndBuild is a child: clients that order at random, and two workers.
func orderAndBuild(ctx context.Context, folder string) error {
	r, err := openKillHarness(ctx, folder)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(folder, "orders.json"))
	if err != nil {
		return err
	}
	var all []ordered
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	(&jobs.Pool{Queue: r.queue, Workers: 2, Poll: 30 * time.Millisecond}).Start(ctx)
	for range clients {
		go func() {
			for {
				o := all[rand.IntN(len(all))]
				book := o.Books[rand.IntN(len(o.Books))]
				kind := "final"
				if rand.IntN(20) == 0 {
					kind = "proof"
				}
				r.ask("POST", fmt.Sprintf("/api/books/%d/convert", book), o.Token, "", `{"kind":"`+kind+`"}`)
				r.ask("GET", fmt.Sprintf("/api/books/%d", book), o.Token, "", "")
				time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
			}
		}()
	}
	select {}
}

// TestKilledProcesses: 32 clients in processes that are killed at random. Afterwards every credit that is
// used is one book that was made, and at no time did two builds of one project run.
func TestKilledProcesses(t *testing.T) {
	kills := 8
	if n, err := strconv.Atoi(os.Getenv(fullRun)); err == nil && n > 0 {
		kills = n
	}
	if testing.Short() {
		kills = 3
	}
	folder := t.TempDir()
	r, err := openKillHarness(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	orders := killOrders(t, r, folder)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ended := map[int]time.Time{} // by process
	start := func() *exec.Cmd {
		c := exec.Command(self)
		c.Env = append(os.Environ(), childFolder+"="+folder)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	end := func(c *exec.Cmd) {
		if err := c.Process.Kill(); err != nil {
			t.Errorf("a process ended by itself: %v", err)
		}
		_ = c.Wait() // killed
		ended[c.Process.Pid] = time.Now()
	}
	var running [processes]*exec.Cmd
	for i := range running {
		running[i] = start()
	}
	for range kills {
		atWork(t, folder)
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		i := rand.IntN(processes)
		end(running[i])
		running[i] = start()
	}
	atWork(t, folder)
	for _, c := range running {
		end(c)
	}
	settle(t, r, orders)
	credits := 0
	for _, o := range orders {
		credits += account(t, r, o)
	}
	n := overlaps(t, folder, ended)
	t.Logf("%d kills, %d builds begun, %d finals made", kills+processes, n, credits)
	if credits == 0 {
		t.Error("nothing was made")
	}
}

// atWork returns when some builds have begun since, or after a while.
func atWork(t *testing.T, folder string) {
	t.Helper()
	size := func() int64 {
		fi, err := os.Stat(filepath.Join(folder, "events"))
		if err != nil {
			t.Fatal(err)
		}
		return fi.Size()
	}
	before := size()
	for give := time.Now().Add(20 * time.Second); time.Now().Before(give) && size() < before+1500; {
		time.Sleep(10 * time.Millisecond)
	}
}

// killOrders makes projects with books, one of which cannot be set.
func killOrders(t *testing.T, r killHarness, folder string) []ordered {
	t.Helper()
	ctx := t.Context()
	if _, err := r.records.AddClient(ctx, "demo", "Demo"); err != nil {
		t.Fatal(err)
	}
	var all []ordered
	for i := range killed {
		p, err := r.records.AddProject(ctx, "demo", fmt.Sprintf("p%d", i), "Atlas")
		if err != nil {
			t.Fatal(err)
		}
		_, token, err := r.records.RotateToken(ctx, p.ID, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.records.GrantPass(ctx, p.ID, records.Grant{Included: ptr(builds)}); err != nil {
			t.Fatal(err)
		}
		o := ordered{Project: p.ID, Token: token}
		for _, text := range []string{"A text.", "FAULT", "Another text."} {
			kind, body := form(t, map[string]string{"title": "A", "author": "B", "project_id": fmt.Sprint(p.ID)}, "a.txt", text)
			w := r.ask("POST", "/api/books/upload", token, kind, body)
			var made struct{ ID int64 }
			if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != 201 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			o.Books = append(o.Books, made.ID)
		}
		// the publisher tells the builds' log which project they are of
		transmittal := fmt.Sprintf(`{"status":"final","data":{"publisher":"%d"}}`, p.ID)
		if w := r.ask("PUT", fmt.Sprintf("/api/projects/%d/transmittal", p.ID), token, "", transmittal); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		all = append(all, o)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "orders.json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return all
}

// settle lets what the killed have left come to its end.
func settle(t *testing.T, r killHarness, orders []ordered) {
	t.Helper()
	p := &jobs.Pool{Queue: r.queue, Workers: 4, Poll: 50 * time.Millisecond}
	p.Start(t.Context())
	defer p.Stop(t.Context())
	deadline := time.Now().Add(4 * time.Minute)
	for _, o := range orders {
		for {
			d, err := r.records.Account(t.Context(), o.Project)
			if err != nil {
				t.Fatal(err)
			}
			if d.Running == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("project %d is still building %+v", o.Project, d.Running)
			}
			r.ask("GET", fmt.Sprintf("/api/books/%d", d.Running.Book), o.Token, "", "") // as an author would
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// account holds what was made against what was paid.
func account(t *testing.T, r killHarness, o ordered) (finals int) {
	t.Helper()
	d, err := r.records.Account(t.Context(), o.Project)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]int{} // rows by build
	for _, book := range o.Books {
		rows, err := r.records.Outputs(t.Context(), book, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if row.Edition == records.Final {
				made[row.Build]++
			}
		}
		b, err := r.records.Book(t.Context(), book)
		if err != nil || b.Status == records.Failed && b.Error == "" {
			t.Errorf("book %d: %+v, %v", book, b, err)
		}
	}
	for id, rows := range made {
		if rows != 2 {
			t.Errorf("build %s has %d files, want a PDF and an EPUB", id, rows)
		}
	}
	if d.Pass.Used != len(made) {
		t.Errorf("project %d: %d credits are used, %d finals were made", o.Project, d.Pass.Used, len(made))
	}
	if len(d.Proofs) > records.MaxProofs {
		t.Errorf("project %d: %d proofs", o.Project, len(d.Proofs))
	}
	return len(made)
}

// overlaps says how many builds began, and complains of two of one project at a time. What was killed
// ended with its process.
func overlaps(t *testing.T, folder string, ended map[int]time.Time) int {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "events"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type name struct {
		project string
		pid     int
		began   int64
	}
	spans := map[name]event{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Ended.IsZero() {
			e.Ended = ended[e.Pid]
		}
		spans[name{e.Project, e.Pid, e.Began.UnixNano()}] = e
	}
	for a, x := range spans {
		for b, y := range spans {
			if a != b && a.project == b.project && x.Began.Before(y.Ended) && y.Began.Before(x.Ended) {
				t.Errorf("two builds of project %s at a time: %s %v to %v and %s %v to %v", a.project, x.Build, x.Began, x.Ended, y.Build,
					y.Began, y.Ended)
			}
		}
	}
	return len(spans)
}
