package results

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/dir"
)

const uuid = "0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"

var timed = regexp.MustCompile(`"query_time_ms":[0-9.]+`)

// A question in the background: queued, at its steps, done; its result is the answer at once, and a share.
func TestATaskFromQuestionToShare(t *testing.T) {
	r := open(t)
	at := fixture.Ask(r, "POST", "/api/v1/sum", `{"n":3}`)
	if at.Code != 200 || sumOf(t, at.Body.Bytes()) != 6 {
		t.Fatalf("%d %s", at.Code, at.Body)
	}
	id := r.ask(t, "", `{"n":3}`)
	if s := r.progress(t, id); s.Status != tasks.Running || s.Step != "queued" || s.Done || s.ExpiresAt != nil {
		t.Errorf("%+v", s)
	}
	var seen []string
	look := func(string, int) {
		s := r.progress(t, id)
		seen = append(seen, fmt.Sprintf("%s %.2f", s.Step, s.Fraction))
		if w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); w.Code != 202 || w.Header().Get("Retry-After") == "" {
			t.Errorf("a result while it runs: %d", w.Code)
		}
	}
	r.unit.Store(&look)
	s := r.finish(t, id)
	if s.Status != tasks.Done || s.Error != nil || *s.AutoShareID != "auto-"+id || s.ExpiresAt == nil || s.Elapsed < 0 {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(seen, ", "); !strings.HasPrefix(got, "first 0.00") || !strings.Contains(got, "second 0.00") {
		t.Errorf("steps: %s", got) // within a step progress is written once a second
	}
	w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	if w.Code != 200 || w.Header().Get("Content-Type") != at.Header().Get("Content-Type") ||
		w.Header().Get("X-Data-Attribution") != at.Header().Get("X-Data-Attribution") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	want, got := timed.ReplaceAllString(strings.TrimSpace(at.Body.String()), ""), timed.ReplaceAllString(w.Body.String(), "")
	if got != want {
		t.Errorf("the result\n%s\nis not the answer\n%s", got, want)
	}
	share := fixture.Decode[shareShape](t, fixture.Ask(r, "GET", "/api/v1/share/auto-"+id, ""), 200)
	if share.Kind != "sum" || share.Generation != "g1" || share.Software != "v1" || share.Name != "auto-"+id || share.ExpiresAt == nil ||
		!strings.Contains(string(share.Geometry), "Polygon") {
		t.Errorf("%+v", share)
	}
	if list := fixture.Ask(r, "GET", "/api/v1/shares", "").Body.String(); strings.Contains(list, id) {
		t.Errorf("a share that was not listed is in the list: %s", list)
	}
}

// What the client could mend ends a task at once, in its words; what may pass is tried once more; of the rest nothing is told.
func TestTasksThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		runs int32
		says string
	}{"bad": {1, "the question is too large"}, "busy": {2, "the model cannot be read"}, "broken": {2, "internal error"}, "panic": {2,
		"internal error"}} {
		r := open(t)
		id := r.ask(t, "", `{"n":1,"fault":"`+name+`"}`)
		s := r.finish(t, id)
		if s.Status != tasks.Failed || s.Error == nil || !strings.Contains(*s.Error, c.says) || strings.Contains(*s.Error, "secret") ||
			r.runs.Load() != c.runs {
			t.Errorf("%s: %+v after %d runs", name, s, r.runs.Load())
		}
		w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
		if w.Code != 500 || !strings.Contains(w.Body.String(), c.says) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: the result is %d %s", name, w.Code, w.Body)
		}
		if next := r.ask(t, "", `{"n":1,"fault":"`+name+`"}`); next == id {
			t.Errorf("%s: a task that failed stands for a new question", name)
		}
		if left := r.objects(t); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

// After a week task and share are forgotten, and the question is a new task.
func TestTasksAreForgotten(t *testing.T) {
	files, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := newHarness(sqlitetest.Open(t, sqlite.Options{}), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	id := r.ask(t, "&task_id="+uuid, `{"n":2}`)
	if s := r.finish(t, id); s.ExpiresAt.Sub(r.clock()) > shares.Keep || s.ExpiresAt.Sub(r.clock()) < shares.Keep-time.Minute {
		t.Errorf("%+v", s)
	}
	r.now.Add(int64(shares.Keep + time.Hour))
	for _, path := range []string{"/api/v1/share/auto-" + uuid, "/api/v1/share/auto-" + uuid + "/download.gpkg"} {
		if w := fixture.Ask(r, "GET", path, ""); w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if again := r.ask(t, "", `{"n":2}`); r.finish(t, again).Status != tasks.Done || r.runs.Load() != 2 {
		t.Errorf("asked again: %d runs", r.runs.Load())
	}
	if n, err := r.desk.Shares().Sweep(t.Context()); err != nil || n != 0 {
		t.Errorf("%d removed a day too early, %v", n, err)
	}
	r.now.Add(int64(48 * time.Hour))
	if n, err := r.desk.Shares().Sweep(t.Context()); err != nil || n != 2 || len(r.objects(t)) != 0 {
		t.Errorf("%d removed, %v left, %v", n, r.objects(t), err)
	}
}

// Ids, parameters and names that cannot be are told, and what there is not.
func TestBadTasks(t *testing.T) {
	r := open(t)
	for _, c := range []struct {
		method, target string
		want           int
		says           string
	}{
		{"POST", "/api/v1/sum?task_id=" + uuid, 400, "async=true"},
		{"POST", "/api/v1/sum?listed=true", 400, "async=true"},
		{"POST", "/api/v1/sum?async=true&task_id=short", 400, "8 to 64"},
		{"POST", "/api/v1/sum?async=true&task_id=" + strings.Repeat("x", 65), 400, "8 to 64"},
		{"POST", "/api/v1/sum?async=true&task_id=with%20blanks", 400, "letters"},
		{"POST", "/api/v1/sum?async=true&task_id=task-0123456789", 400, "task-"},
		{"GET", "/api/v1/segment/progress", 400, "task_id"},
		{"GET", "/api/v1/segment/progress?task_id=" + uuid, 404, "task"},
		{"GET", "/api/v1/segment/progress?task_id=x", 404, "task"},
		{"GET", "/api/v1/segment/progress?task_id=task-000000000000000000000000-1", 404, "task"},
		{"GET", "/api/v1/segment/progress?task_id=export-000000000000000000000000-1", 404, "task"},
		{"GET", "/api/v1/segment/result?task_id=" + uuid, 404, "task"},
		{"POST", "/api/v1/segment/abort?task_id=" + uuid, 404, "task"},
		{"GET", "/api/v1/segment/abort?task_id=" + uuid, 405, ""},
		{"GET", "/api/v1/share/auto-" + uuid, 404, "share"},
		{"GET", "/api/v1/share/a%20b", 404, "share"},
		{"GET", "/api/v1/share/nothing/download.gpkg", 404, "share"},
	} {
		if w := fixture.Ask(r, c.method, c.target, `{"n":1}`); w.Code != c.want || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s: want %d with %q, got %d %s", c.method, c.target, c.want, c.says, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(r, "POST", "/api/v1/sum?async=true", `{"n":-1}`); w.Code != 400 {
		t.Errorf("a question that cannot be: %d %s", w.Code, w.Body)
	}
	h, err := New(Deps{}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/segment/progress?task_id=" + uuid, "/api/v1/shares", "/api/v1/share/x"} {
		if w := fixture.Ask(h, "GET", path, ""); w.Code != 503 {
			t.Errorf("%s where there are no tasks: %d", path, w.Code)
		}
	}
}
