package workpoll

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
	"mappe/localdev/kanban"
	"mappe/localdev/state"
	"mappe/shared/web/endpoint"
)

var pollNow = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// pollRig is a feed over HTTP whose answers can be bent, and a poller's settings for it.
type pollRig struct {
	*Poller
	log    state.WorkLog
	bend   func(w http.ResponseWriter, r *http.Request) bool // true: answered
	waited []time.Duration
	out    strings.Builder
}

func newPollRig(t *testing.T, board string) *pollRig {
	t.Helper()
	ctx := context.Background()
	l, err := state.OpenWorkLog(ctx, "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	h, err := workfeed.New(workfeed.Deps{Log: l.Log, Now: func() time.Time { return pollNow }}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	r := &pollRig{log: l}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if r.bend == nil || !r.bend(w, q) {
			endpoint.Mount("/workfeed", h).ServeHTTP(w, q)
		}
	}))
	t.Cleanup(server.Close)
	_, token, err := l.AddToken(ctx, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "board.json")
	if err := os.WriteFile(path, []byte(board), 0o644); err != nil {
		t.Fatal(err)
	}
	client, err := newClient(server.URL+"/workfeed", token)
	if err != nil {
		t.Fatal(err)
	}
	client.wait = func(ctx context.Context, d time.Duration) error {
		r.waited = append(r.waited, d)
		return ctx.Err()
	}
	r.Poller = &Poller{Board: path, Token: token, Done: kanban.DoneColumns, now: func() time.Time { return pollNow }, client: client}
	return r
}

func (r *pollRig) entries(t *testing.T) int {
	t.Helper()
	m, err := r.log.Settle(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return int(m.Slot)
}

func bigBoard(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"id":"%d","title":"[t] Task %d","status":"done","completed_at":"2026-11-%02dT00:00:00Z"}`, i, i, 1+i%20)
	}
	return `{"board":"Big","tasks":[` + strings.TrimPrefix(b.String(), ",") + `]}`
}

// A poller that ends between post and note, or with half a note, tells the feed again: each task is there once.
func TestPollOnceWhenKilled(t *testing.T) {
	r := newPollRig(t, bigBoard(12))
	path := r.Board + ".told"
	for kill := range 12 {
		var asked atomic.Int64
		ctx, end := context.WithCancel(context.Background())
		r.bend = func(w http.ResponseWriter, q *http.Request) bool {
			if asked.Add(1) == 2 { // the second is recorded, and the poller does not live to hear of it
				if answer, err := http.DefaultTransport.RoundTrip(clone(q)); err == nil {
					answer.Body.Close()
				}
				end()
				return true
			}
			return false
		}
		if err := r.Run(ctx, &r.out); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		end()
		if b, err := os.ReadFile(path); err == nil && len(b) > 10 && kill%3 == 0 {
			if err := os.WriteFile(path, b[:len(b)-5], 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.bend = nil
	if err := r.Run(context.Background(), &r.out); err != nil {
		t.Fatal(err)
	}
	if got := r.entries(t); got != 12 {
		t.Errorf("want 12 entries, got %d", got)
	}
	r.out.Reset()
	requests := 0
	r.bend = func(http.ResponseWriter, *http.Request) bool { requests++; return false }
	if err := r.Run(context.Background(), &r.out); err != nil || requests != 0 || !strings.Contains(r.out.String(), "12 reported before") {
		t.Errorf("what is noted is not asked again: %d requests, %v, %s", requests, err, r.out.String())
	}
}

// clone is the request as a client would send it again.
func clone(q *http.Request) *http.Request {
	c := q.Clone(context.Background())
	c.URL.Scheme, c.URL.Host, c.RequestURI = "http", q.Host, ""
	return c
}

func TestPollWaitsAsAsked(t *testing.T) {
	r := newPollRig(t, bigBoard(1))
	var asked atomic.Int64 // from more than one connection
	r.bend = func(w http.ResponseWriter, q *http.Request) bool {
		switch asked.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
		case 2:
			w.WriteHeader(503)
		case 3:
			panic(http.ErrAbortHandler)
		default:
			return false
		}
		return true
	}
	if err := r.Run(context.Background(), &r.out); err != nil || r.entries(t) != 1 {
		t.Fatal(err, r.out.String())
	}
	if want := []time.Duration{7 * time.Second, time.Second, 2 * time.Second}; !reflect.DeepEqual(r.waited, want) {
		t.Errorf("want %v, waited %v", want, r.waited)
	}
	r = newPollRig(t, bigBoard(1))
	r.bend = func(w http.ResponseWriter, q *http.Request) bool { w.WriteHeader(500); return true }
	if err := r.Run(context.Background(), &r.out); !errors.Is(err, errBusy) {
		t.Errorf("want %v, got %v", errBusy, err)
	}
}

func TestPollOutcomes(t *testing.T) {
	r := newPollRig(t, bigBoard(2))
	ctx := context.Background()
	if _, _, err := r.log.Complete(ctx, worklog.Completion{Board: "Big", TaskID: "0", Title: "Something else",
		CompletedAt: pollNow}); err != nil {
		t.Fatal(err)
	}
	r.DryRun = true
	if err := r.Run(ctx, &r.out); err != nil || r.entries(t) != 1 || !strings.Contains(r.out.String(), "2 would be reported") {
		t.Errorf("dry run: %v, %d entries, %s", err, r.entries(t), r.out.String())
	}
	if _, err := os.Stat(r.Board + ".told"); err == nil {
		t.Error("a dry run notes something")
	}
	r.DryRun = false
	if err := r.Run(ctx, &r.out); err != nil || !strings.Contains(r.out.String(), "1 recorded, 0 were there, 1 with other content") {
		t.Errorf("%v, %s", err, r.out.String())
	}
	r.client.token = "mwf_nonsense"
	if err := os.WriteFile(r.Board, []byte(bigBoard(3)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(ctx, &r.out); !errors.Is(err, errUnauthorized) {
		t.Errorf("a wrong token: %v", err)
	}
	for address, good := range map[string]bool{"http://127.0.0.1:8080/workfeed": true, "http://localhost/x": true,
		"https://feed.example/workfeed": true, "http://feed.example": false, "ftp://x": false, "": false, "https://u:p@h": false} {
		if _, err := newClient(address, "t"); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// With --every the export is read again, and what came since is reported.
func TestPollEvery(t *testing.T) {
	r := newPollRig(t, bigBoard(1))
	r.Every = time.Second
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	rounds := 0
	r.client.wait = func(ctx context.Context, d time.Duration) error {
		r.waited = append(r.waited, d)
		switch rounds++; rounds {
		case 1:
			return os.WriteFile(r.Board, []byte("{"), 0o644) // while it is being written
		case 2:
			return os.WriteFile(r.Board, []byte(bigBoard(3)), 0o644)
		}
		stop()
		return ctx.Err()
	}
	if err := r.Run(ctx, &r.out); err != nil || r.entries(t) != 3 {
		t.Errorf("%v, %d entries, %s", err, r.entries(t), r.out.String())
	}
	if want := []time.Duration{time.Second, 2 * time.Second, time.Second}; !reflect.DeepEqual(r.waited, want) {
		t.Errorf("want %v, waited %v", want, r.waited)
	}
}

// A poll that reaches no feed says at once what it waits for, and leaves nothing behind.
func TestPollOfADeadFeed(t *testing.T) {
	board := filepath.Join(t.TempDir(), "board.json")
	if err := os.WriteFile(board, []byte(bigBoard(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := newClient("http://127.0.0.1:1/workfeed", "token")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	waits := 0
	client.wait = func(context.Context, time.Duration) error {
		if waits++; !strings.Contains(out.String(), "127.0.0.1:1") || !strings.Contains(out.String(), "try 2 of 6 in 500ms") {
			t.Errorf("while it waits: %q", out.String())
		}
		return nil
	}
	p := Poller{Board: board, URL: client.url, Token: "token", client: client, Done: kanban.DoneColumns}
	if err := p.Run(t.Context(), &out); !errors.Is(err, errBusy) || waits != 5 {
		t.Errorf("%v after %d waits", err, waits)
	}
	if _, err := os.Stat(board + ".told"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the notes: %v", err)
	}
}
