package command

import (
	"bytes"
	"context"
	"encoding/json"
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
	"mappe/shared/web/endpoint"
)

var pollNow = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const plainBoard = `{"board":"Atlas","tasks":[
 {"id":7,"title":"[design] Legend","description":"Nine classes.","assignee":{"name":"Mira"},"status":"Done","completed_at":"2026-11-20T10:00:00Z"},
 {"id":"8","title":"Open","column":"Doing","completed_at":"2026-11-20T10:00:00Z"},
 {"id":"9","title":"Told\nby time","assignees":["Jon",{"displayName":"Ida"},"Jon"],"finished_at":1795248000},
 {"id":"10","title":"Neither column nor time"},
 {"id":"11","name":"Flag","done":true,"owner":"Mira"},
 {"id":"12","title":"Tomorrow","status":"done","completed_at":"2026-11-22T10:00:00Z"},
 {"id":"7","title":"Twice","status":"done"},
 {"title":"No id","status":"done"}, 5]}`

const trelloBoard = `{"name":"Survey","lists":[{"id":"l1","name":"To do"},{"id":"l2","name":"Done"}],
 "members":[{"id":"m1","fullName":"Mira Example","username":"mira"}],
 "cards":[{"id":"c1","name":"[research] Borders","desc":"Two lines\r\nof text","idList":"l2","idMembers":["m1"],"dateLastActivity":"2026-11-19T00:00:00.000Z"},
  {"id":"c2","name":"Open","idList":"l1","idMembers":[]},{"id":"c3","name":"No action","idList":"l2","idMembers":["gone"]}],
 "actions":[{"type":"updateCard","date":"2026-11-18T08:00:00.000Z","data":{"card":{"id":"c1"},"listBefore":{"name":"To do"},"listAfter":{"name":"Done"}}},
  {"type":"updateCard","date":"2026-11-18T07:00:00.000Z","data":{"card":{"id":"c1"},"listAfter":{"name":"Done"}}},
  {"type":"updateCard","date":"2026-11-18T09:00:00.000Z","data":{"card":{"id":"c1"},"listAfter":{"name":"To do"}}}]}`

func TestReadExport(t *testing.T) {
	for _, c := range []struct {
		name, export, board string
		tasks               int
		want                []worklog.Completion
		problems            []string
	}{
		{"plain", plainBoard, "", 9, []worklog.Completion{
			{TaskID: "7", Board: "Atlas", Assignee: "Mira", Title: "[design] Legend", Summary: "Nine classes.", CompletedAt: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)},
			{TaskID: "9", Board: "Atlas", Assignee: "Jon, Ida", Title: "Told by time", CompletedAt: time.Unix(1795248000, 0).UTC()},
			{TaskID: "11", Board: "Atlas", Assignee: "Mira", Title: "Flag"},
		}, []string{`task "12": completed_at`, `task "7" stands there twice`, `task "": task_id`, "no object"}},
		{"Trello", trelloBoard, "", 3, []worklog.Completion{
			{TaskID: "c1", Board: "Survey", Assignee: "Mira Example", Title: "[research] Borders", Summary: "Two lines\nof text", CompletedAt: time.Date(2026, 11, 18, 8, 0, 0, 0, time.UTC)},
			{TaskID: "c3", Board: "Survey", Assignee: "gone", Title: "No action"},
		}, nil},
		{"columns that hold tasks", `{"title":"B","columns":[{"name":"Done","cards":[{"key":"K-1","summary":"Title","assignee":null}]},{"name":"New","cards":[{"key":"K-2","summary":"x"}]}]}`, "", 2,
			[]worklog.Completion{{TaskID: "K-1", Board: "B", Title: "Title"}}, nil},
		{"a bare list", `[{"id":"a","title":"x","status":{"name":"Closed"},"completed_at":"2026-11-01"}]`, "Mine", 1,
			[]worklog.Completion{{TaskID: "a", Board: "Mine", Title: "x", CompletedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}}, nil},
		{"long texts", `{"board":"B","tasks":[{"id":"a","title":"` + strings.Repeat("ä", 400) + `","desc":"` + strings.Repeat("b ", 3000) + `","status":"done"}]}`, "", 1,
			[]worklog.Completion{{TaskID: "a", Board: "B", Title: strings.Repeat("ä", 299) + "…", Summary: strings.TrimSpace(strings.Repeat("b ", 3999/2)+"b") + "…"}}, nil},
	} {
		x, err := readExport([]byte(c.export), c.board, doneColumns, pollNow)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if x.Tasks != c.tasks || !reflect.DeepEqual(x.Done, c.want) {
			t.Errorf("%s: %d tasks\nwant %+v\ngot  %+v", c.name, x.Tasks, c.want, x.Done)
		}
		if len(x.Problems) != len(c.problems) {
			t.Errorf("%s: problems %q", c.name, x.Problems)
			continue
		}
		for i, p := range c.problems {
			if !strings.Contains(x.Problems[i], p) {
				t.Errorf("%s: want %q in %q", c.name, p, x.Problems[i])
			}
		}
	}
	for export, holds := range map[string]string{
		"[]": "--board-name", `{"tasks":[]}`: "--board-name", "5": "--board-name", "{": "not JSON", "": "not JSON",
		`{"board":"B","tasks":[` + strings.Repeat("1,", maxTasks) + `1]}`: "more than 100000 tasks",
		strings.Repeat(" ", maxExport+1):                                  "at most",
	} {
		if _, err := readExport([]byte(export), "", doneColumns, pollNow); err == nil || !strings.Contains(err.Error(), holds) {
			t.Errorf("%.20q: want %q, got %v", export, holds, err)
		}
	}
}

// FuzzReadExport: whatever a file holds, each task it gives can be posted.
func FuzzReadExport(f *testing.F) {
	f.Add([]byte(plainBoard))
	f.Add([]byte(trelloBoard))
	f.Add([]byte(`{"board":"B","columns":[{"name":"Done","items":[{"id":1e300,"title":"\u202ex\u0000"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := readExport(data, "", doneColumns, pollNow)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, c := range x.Done {
			n, err := c.Normal(pollNow)
			if err != nil || n != c || seen[c.TaskID] {
				t.Fatalf("%+v: %v", c, err)
			}
			seen[c.TaskID] = true
		}
	})
}

// pollRig is a feed over HTTP whose answers can be bent, and a poller's settings for it.
type pollRig struct {
	*polling
	log    openLog
	bend   func(w http.ResponseWriter, r *http.Request) bool // true: answered
	waited []time.Duration
	out    strings.Builder
}

func newPollRig(t *testing.T, board string) *pollRig {
	t.Helper()
	ctx := context.Background()
	l, err := openWorkAt(ctx, "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
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
	client, err := newFeedClient(server.URL+"/workfeed", token)
	if err != nil {
		t.Fatal(err)
	}
	client.wait = func(ctx context.Context, d time.Duration) error {
		r.waited = append(r.waited, d)
		return ctx.Err()
	}
	r.polling = &polling{board: path, token: token, done: doneColumns, now: func() time.Time { return pollNow }, client: client}
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
	path := r.board + ".told"
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
		if err := r.run(ctx, &r.out); err != nil && !errors.Is(err, context.Canceled) {
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
	if err := r.run(context.Background(), &r.out); err != nil {
		t.Fatal(err)
	}
	if got := r.entries(t); got != 12 {
		t.Errorf("want 12 entries, got %d", got)
	}
	r.out.Reset()
	requests := 0
	r.bend = func(http.ResponseWriter, *http.Request) bool { requests++; return false }
	if err := r.run(context.Background(), &r.out); err != nil || requests != 0 || !strings.Contains(r.out.String(), "12 told before") {
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
	if err := r.run(context.Background(), &r.out); err != nil || r.entries(t) != 1 {
		t.Fatal(err, r.out.String())
	}
	if want := []time.Duration{7 * time.Second, time.Second, 2 * time.Second}; !reflect.DeepEqual(r.waited, want) {
		t.Errorf("want %v, waited %v", want, r.waited)
	}
	r = newPollRig(t, bigBoard(1))
	r.bend = func(w http.ResponseWriter, q *http.Request) bool { w.WriteHeader(500); return true }
	if err := r.run(context.Background(), &r.out); !errors.Is(err, errBusy) {
		t.Errorf("want %v, got %v", errBusy, err)
	}
}

func TestPollOutcomes(t *testing.T) {
	r := newPollRig(t, bigBoard(2))
	ctx := context.Background()
	if _, _, err := r.log.Complete(ctx, worklog.Completion{Board: "Big", TaskID: "0", Title: "Something else", CompletedAt: pollNow}); err != nil {
		t.Fatal(err)
	}
	r.dry = true
	if err := r.run(ctx, &r.out); err != nil || r.entries(t) != 1 || !strings.Contains(r.out.String(), "2 would be told") {
		t.Errorf("dry run: %v, %d entries, %s", err, r.entries(t), r.out.String())
	}
	if _, err := os.Stat(r.board + ".told"); err == nil {
		t.Error("a dry run notes something")
	}
	r.dry = false
	if err := r.run(ctx, &r.out); err != nil || !strings.Contains(r.out.String(), "1 recorded, 0 were there, 1 with other content") {
		t.Errorf("%v, %s", err, r.out.String())
	}
	r.client.token = "mwf_nonsense"
	if err := os.WriteFile(r.board, []byte(bigBoard(3)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.run(ctx, &r.out); !errors.Is(err, errUnauthorized) {
		t.Errorf("a wrong token: %v", err)
	}
	for address, good := range map[string]bool{"http://127.0.0.1:8080/workfeed": true, "http://localhost/x": true, "https://feed.example/workfeed": true, "http://feed.example": false, "ftp://x": false, "": false, "https://u:p@h": false} {
		if _, err := newFeedClient(address, "t"); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// With --every the export is read again, and what came since is told.
func TestPollEvery(t *testing.T) {
	r := newPollRig(t, bigBoard(1))
	r.every = time.Second
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	rounds := 0
	r.client.wait = func(ctx context.Context, d time.Duration) error {
		r.waited = append(r.waited, d)
		switch rounds++; rounds {
		case 1:
			return os.WriteFile(r.board, []byte("{"), 0o644) // while it is being written
		case 2:
			return os.WriteFile(r.board, []byte(bigBoard(3)), 0o644)
		}
		stop()
		return ctx.Err()
	}
	if err := r.run(ctx, &r.out); err != nil || r.entries(t) != 3 {
		t.Errorf("%v, %d entries, %s", err, r.entries(t), r.out.String())
	}
	if want := []time.Duration{time.Second, 2 * time.Second, time.Second}; !reflect.DeepEqual(r.waited, want) {
		t.Errorf("want %v, waited %v", want, r.waited)
	}
}

func TestDemoBoardIsTold(t *testing.T) {
	b, err := demoExport(pollNow)
	if err != nil || !json.Valid(b) {
		t.Fatal(err)
	}
	x, err := readExport(b, "", doneColumns, pollNow)
	if err != nil || len(x.Done) != 6 || len(x.Problems) != 0 || x.Tasks != 8 {
		t.Errorf("%d of %d tasks, %v, %v", len(x.Done), x.Tasks, x.Problems, err)
	}
}

// A poll that reaches no feed says at once what it waits for, and leaves nothing behind.
func TestPollOfADeadFeed(t *testing.T) {
	board := filepath.Join(t.TempDir(), "board.json")
	if err := os.WriteFile(board, []byte(bigBoard(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := newFeedClient("http://127.0.0.1:1/workfeed", "token")
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
	p := polling{board: board, url: client.url, token: "token", client: client, done: doneColumns, now: time.Now}
	if err := p.run(t.Context(), &out); !errors.Is(err, errBusy) || waits != 5 {
		t.Errorf("%v after %d waits", err, waits)
	}
	if _, err := os.Stat(board + ".told"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the notes: %v", err)
	}
}
