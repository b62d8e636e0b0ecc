package results

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/worldtest"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/signed"
)

const uuid = "0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"

var timed = regexp.MustCompile(`"query_time_ms":[0-9.]+`)

// A question in the background: queued, at its steps, done; its result is the answer at once, and a share.
func TestATaskFromQuestionToShare(t *testing.T) {
	r := open(t)
	at := worldtest.Ask(r, "POST", "/api/v1/sum", `{"n":3}`)
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
		if w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); w.Code != 202 || w.Header().Get("Retry-After") == "" {
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
	w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	if w.Code != 200 || w.Header().Get("Content-Type") != at.Header().Get("Content-Type") ||
		w.Header().Get("X-Data-Attribution") != at.Header().Get("X-Data-Attribution") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	want, got := timed.ReplaceAllString(strings.TrimSpace(at.Body.String()), ""), timed.ReplaceAllString(w.Body.String(), "")
	if got != want {
		t.Errorf("the result\n%s\nis not the answer\n%s", got, want)
	}
	share := worldtest.Decode[shareShape](t, worldtest.Ask(r, "GET", "/api/v1/share/auto-"+id, ""), 200)
	if share.Kind != "sum" || share.Generation != "g1" || share.Software != "v1" || share.Name != "auto-"+id || share.ExpiresAt == nil ||
		!strings.Contains(string(share.Geometry), "Polygon") {
		t.Errorf("%+v", share)
	}
	if list := worldtest.Ask(r, "GET", "/api/v1/shares", "").Body.String(); strings.Contains(list, id) {
		t.Errorf("a share that was not listed is in the list: %s", list)
	}
}

// The same question is one task: whoever asks, while it runs and when it is done; another state of the data, another
// software or another question is another.
func TestTheSameQuestionIsOneTask(t *testing.T) {
	r := open(t)
	id := r.ask(t, "", `{"n":3}`)
	for range 2 {
		if again := r.ask(t, "", ` { "n" : 3 , "bytes": 0 } `); again != id {
			t.Errorf("%s and %s", id, again)
		}
		if own := r.ask(t, "&task_id="+uuid, `{"n":3}`); own != uuid {
			t.Errorf("want the client's id, got %s", own)
		}
		r.finish(t, id)
	}
	if s := r.progress(t, uuid); s.Status != tasks.Done || *s.AutoShareID != "auto-"+uuid || s.TaskID != uuid || r.runs.Load() != 1 {
		t.Errorf("%+v after %d runs", s, r.runs.Load())
	}
	for _, name := range []string{"auto-" + uuid, "auto-" + id} {
		if w := worldtest.Ask(r, "GET", "/api/v1/share/"+name, ""); w.Code != 200 ||
			!strings.HasPrefix(w.Body.String(), `{"name":"`+name+`",`) {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
	if w := worldtest.Ask(r, "POST", "/api/v1/sum?async=true&task_id="+uuid, `{"n":4}`); w.Code != 409 {
		t.Errorf("another question under a known id: %d %s", w.Code, w.Body)
	}
	other := r.ask(t, "", `{"n":4}`)
	listed := r.ask(t, "&listed=1", `{"n":3}`)
	state := "s2"
	r.state.Store(&state)
	newer := r.ask(t, "", `{"n":3}`)
	r.desk.Version = "v2"
	software := r.ask(t, "", `{"n":3}`)
	ids := map[string]bool{id: true, other: true, listed: true, newer: true, software: true}
	if len(ids) != 5 {
		t.Errorf("%v: want five tasks", ids)
	}
	if w := worldtest.Ask(r, "GET", "/api/v1/segment/progress?task_id="+uuid, ""); w.Code != 200 {
		t.Errorf("the client's task: %d", w.Code)
	}
}

// Many who ask the same at once have one task, which is done once; an id of theirs names it.
func TestTheSameQuestionAtOnce(t *testing.T) {
	r := open(t)
	r.pool(t, 4)
	ids := make([]string, 16)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			query := ""
			if i%2 == 1 {
				query = "&task_id=client-" + fmt.Sprint(i/4)
			}
			ids[i] = r.ask(t, query, `{"n":2}`)
		})
	}
	wg.Wait()
	for i, id := range ids {
		if s := r.ended(t, id); s.Status != tasks.Done {
			t.Errorf("%d: %+v", i, s)
		}
		if i%2 == 0 && id != ids[0] {
			t.Errorf("%s and %s", id, ids[0])
		}
	}
	if n := r.runs.Load(); n != 1 {
		t.Errorf("it was computed %d times", n)
	}
}

// A task is aborted at each of its units: it ends, nothing of it is kept, a second abort changes nothing, and the question
// asked again is answered by another task.
func TestAbortAtEveryStep(t *testing.T) {
	for at := range 8 {
		r := open(t)
		id := r.ask(t, "", `{"n":4}`)
		n := 0
		abort := func(string, int) {
			if n++; n == at+1 {
				r.abort(t, id)
				time.Sleep(1100 * time.Millisecond) // the sign of life finds the note
			}
		}
		r.unit.Store(&abort)
		s := r.finish(t, id)
		if s.Status != tasks.Cancelled || s.Error == nil || s.ExpiresAt == nil || n != at+1 {
			t.Errorf("unit %d: %+v after %d units", at, s, n)
		}
		if again := r.abort(t, id); again.Status != tasks.Cancelled {
			t.Errorf("aborted again: %+v", again)
		}
		if w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); w.Code != 404 {
			t.Errorf("the result of an aborted task: %d", w.Code)
		}
		if left := r.objects(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		r.unit.Store(nil)
		next := r.ask(t, "", `{"n":4}`)
		if next == id || r.finish(t, next).Status != tasks.Done || r.progress(t, id).Status != tasks.Cancelled {
			t.Errorf("asked again: %s after %s", next, id)
		}
	}
}

func (r *rig) objects(t testing.TB) (all []string) {
	t.Helper()
	for info, err := range r.store.List(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info.Key)
	}
	return all
}

// A task that waits is aborted at once.
func TestAbortBeforeItBegins(t *testing.T) {
	r := open(t)
	id := r.ask(t, "&task_id="+uuid, `{"n":4}`)
	for range 2 {
		if s := r.abort(t, id); s.Status != tasks.Cancelled {
			t.Errorf("%+v", s)
		}
	}
	if s := r.finish(t, id); s.Status != tasks.Cancelled || r.runs.Load() != 0 {
		t.Errorf("%+v after %d runs", s, r.runs.Load())
	}
	if again := r.ask(t, "&task_id="+uuid, `{"n":4}`); again != uuid || r.progress(t, uuid).Status != tasks.Cancelled {
		t.Errorf("the same id stands for the aborted task: %+v", r.progress(t, uuid))
	}
}

// Who aborts a question that another asks too ends it for themselves.
func TestAbortIsOnesOwn(t *testing.T) {
	r := open(t)
	a, b := r.ask(t, "&task_id=client-a", `{"n":4}`), r.ask(t, "&task_id=client-b", `{"n":4}`)
	if s := r.abort(t, a); s.Status != tasks.Cancelled {
		t.Errorf("%+v", s)
	}
	if s := r.finish(t, b); s.Status != tasks.Done || r.progress(t, a).Status != tasks.Cancelled {
		t.Errorf("%+v, %+v", s, r.progress(t, a))
	}
	if s := r.abort(t, b); s.Status != tasks.Done {
		t.Errorf("aborted after its end: %+v", s)
	}
	c, d := r.ask(t, "&task_id=client-c", `{"n":5}`), r.ask(t, "&task_id=client-d", `{"n":5}`)
	r.abort(t, c)
	r.abort(t, d)
	if s := r.finish(t, d); s.Status != tasks.Cancelled {
		t.Errorf("aborted by both: %+v", s)
	}
}

// An abort ends the work within two seconds and its unit, and two at once are one.
func TestAbortAtOnceTakesTwoSeconds(t *testing.T) {
	r := open(t)
	unit := func(string, int) { time.Sleep(5 * time.Millisecond) }
	r.unit.Store(&unit)
	r.pool(t, 2)
	id := r.ask(t, "", `{"n":100000}`)
	for r.progress(t, id).Step != "first" {
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { r.abort(t, id) })
	}
	wg.Wait()
	s := r.ended(t, id)
	if took := time.Since(began); s.Status != tasks.Cancelled || took > 2*time.Second {
		t.Errorf("%+v after %s", s, took)
	}
}

// Fifty tasks at once are all done, each with its own result; beyond the bounds a client is told to come later.
func TestFiftyTasksAtOnce(t *testing.T) {
	r := open(t)
	r.pool(t, 4)
	ids := make([]string, 50)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() { ids[i] = r.ask(t, "", fmt.Sprintf(`{"n":%d}`, i)) })
	}
	wg.Wait()
	for i, id := range ids {
		s := r.ended(t, id)
		w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
		if s.Status != tasks.Done || w.Code != 200 || sumOf(t, w.Body.Bytes()) != i*(i-1) {
			t.Errorf("%d: %+v %d %.100s", i, s, w.Code, w.Body)
		}
	}
	if n := r.runs.Load(); n != 50 {
		t.Errorf("%d runs", n)
	}
}

// Too many tasks of a client, and too many of all, are 503 with Retry-After.
func TestTooManyTasks(t *testing.T) {
	r := open(t)
	refused := ""
	for i := range 70 {
		w := worldtest.Ask(r, "POST", "/api/v1/sum?async=true", fmt.Sprintf(`{"n":%d}`, i))
		if want := map[bool]int{true: 202, false: 503}[i < 64]; w.Code != want || want == 503 && w.Header().Get("Retry-After") == "" {
			t.Fatalf("task %d of a client: %d %s", i, w.Code, w.Body)
		}
		refused = w.Body.String()
	}
	if !strings.Contains(refused, "64 tasks of this client") {
		t.Errorf("%s", refused)
	}
	for i := 70; ; i++ {
		q := httptest.NewRequest("POST", "/api/v1/sum?async=true", strings.NewReader(fmt.Sprintf(`{"n":%d}`, i)))
		q.RemoteAddr = fmt.Sprintf("203.0.113.%d:1", i%200)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code == 503 && strings.Contains(w.Body.String(), "200 tasks run or wait") && w.Header().Get("Retry-After") != "" &&
			i == 70+136 {
			return
		}
		if w.Code != 202 {
			t.Fatalf("task %d: %d %s", i, w.Code, w.Body)
		}
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
		w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
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
	r, err := newRig(sqlitetest.Open(t, sqlite.Options{}), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	id := r.ask(t, "&task_id="+uuid, `{"n":2}`)
	if s := r.finish(t, id); s.ExpiresAt.Sub(r.clock()) > shares.Keep || s.ExpiresAt.Sub(r.clock()) < shares.Keep-time.Minute {
		t.Errorf("%+v", s)
	}
	r.now.Add(int64(shares.Keep + time.Hour))
	for _, path := range []string{"/api/v1/share/auto-" + uuid, "/api/v1/share/auto-" + uuid + "/download.gpkg"} {
		if w := worldtest.Ask(r, "GET", path, ""); w.Code != 404 {
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
		if w := worldtest.Ask(r, c.method, c.target, `{"n":1}`); w.Code != c.want || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s: want %d with %q, got %d %s", c.method, c.target, c.want, c.says, w.Code, w.Body)
		}
	}
	if w := worldtest.Ask(r, "POST", "/api/v1/sum?async=true", `{"n":-1}`); w.Code != 400 {
		t.Errorf("a question that cannot be: %d %s", w.Code, w.Body)
	}
	h, err := New(Deps{}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/segment/progress?task_id=" + uuid, "/api/v1/shares", "/api/v1/share/x"} {
		if w := worldtest.Ask(h, "GET", path, ""); w.Code != 503 {
			t.Errorf("%s where there are no tasks: %d", path, w.Code)
		}
	}
}

// A question that is too large for a record is kept in the store, and removed after its week.
func TestLargeQuestions(t *testing.T) {
	r := open(t)
	body := fmt.Sprintf(`{"n":1,"fault":"%s"}`, strings.Repeat("y", jobs.MaxPayload))
	id := r.ask(t, "", body)
	if len(r.objects(t)) != 1 || r.finish(t, id).Status != tasks.Done {
		t.Errorf("%v %+v", r.objects(t), r.progress(t, id))
	}
	if again := r.ask(t, "", body); again != id {
		t.Error("it is not the same task")
	}
}

// A result that is larger than what is kept is refused in words.
func TestResultsThatAreTooLarge(t *testing.T) {
	r := large(t, mem.New())
	s := r.finish(t, r.ask(t, "", `{"n":1,"bytes":5000000}`))
	if s.Status != tasks.Failed || !strings.Contains(*s.Error, "more than the 4 MB that are kept") {
		t.Errorf("%+v", s)
	}
}

// large is a rig where results from 32 KB are large, of which 1 KB is held by a worker, and 4 MB are kept.
func large(t *testing.T, files store.Store) *rig {
	t.Helper()
	r, err := newRig(sqlitetest.Open(t, sqlite.Options{}), files, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.works.Most, r.works.Memory, r.works.Whole, r.desk.Whole = 4<<20, 1<<10, 32<<10, 32<<10
	return r
}

// A large result is the answer byte for byte, in parts and as a share too, under each of its names; its GeoPackage has all
// of its features.
func TestLargeResults(t *testing.T) {
	r := large(t, mem.New())
	body := `{"n":1,"features":2000}`
	at := worldtest.Ask(r, "POST", "/api/v1/sum", body)
	id := r.ask(t, "", body)
	if s := r.finish(t, id); s.Status != tasks.Done {
		t.Fatalf("%+v", s)
	}
	w := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	want, got := timed.ReplaceAllString(strings.TrimSpace(at.Body.String()), ""), timed.ReplaceAllString(w.Body.String(), "")
	if w.Code != 200 || got != want || len(got) < 100_000 || w.Header().Get("Accept-Ranges") != "bytes" {
		t.Errorf("%d: %d bytes, want %d, %v", w.Code, len(got), len(want), w.Header())
	}
	q := httptest.NewRequest("GET", "/api/v1/segment/result?task_id="+id, nil)
	q.Header.Set("Range", "bytes=70000-70099")
	part := httptest.NewRecorder()
	r.ServeHTTP(part, q)
	if part.Code != 206 || part.Body.String() != w.Body.String()[70000:70100] {
		t.Errorf("a part: %d %q", part.Code, part.Body)
	}
	if _, err := r.desk.Shares().Rename(t.Context(), "auto-"+id, "much"); err != nil {
		t.Fatal(err)
	}
	share := worldtest.Ask(r, "GET", "/api/v1/share/much", "").Body.String()
	if !strings.HasPrefix(share, `{"name":"much","expires_at":null,"kind":"sum",`) ||
		!strings.HasSuffix(share, `,"result":`+w.Body.String()+"}") {
		t.Errorf("%.200s", share)
	}
	if again := worldtest.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); again.Body.String() != w.Body.String() {
		t.Error("the result of a share that was renamed is another")
	}
	description := r.described(t, "/api/v1/share/much/download.gpkg")
	if n := strings.Count(description, "Feature Count: 500"); n != 4 {
		t.Errorf("%d layers of 500 features, want 4", n)
	}
}

// A store with addresses is where large results are fetched, with what they are; small ones come from the service, and large ones
// too where that is asked for.
func TestLargeResultsElsewhere(t *testing.T) {
	files, err := signed.New(mem.New(), "http://127.0.0.1:1/files", []byte("a secret of sixteen bytes"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := large(t, files)
	id, small := r.ask(t, "", `{"n":1,"features":400}`), r.ask(t, "", `{"n":1,"features":4}`)
	r.finish(t, id)
	r.finish(t, small)
	for _, path := range []string{"/api/v1/segment/result?task_id=", "/api/v1/share/auto-"} {
		behind := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		if w := worldtest.Ask(r, "GET", path+small, ""); w.Code != 200 {
			t.Errorf("%s: a small one is %d", path, w.Code)
		}
		here := worldtest.Ask(r, "GET", path+id+behind+"redirect=false", "")
		w := worldtest.Ask(r, "GET", path+id, "")
		to := w.Header().Get("Location")
		if w.Code != 303 || here.Code != 200 || w.Header().Get("X-Data-Attribution") == "" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: %d to %s, here %d, %v", path, w.Code, to, here.Code, w.Header())
		}
		there := worldtest.Ask(files, "GET", to, "")
		if there.Code != 200 || there.Body.String() != here.Body.String() ||
			there.Header().Get("Content-Type") != here.Header().Get("Content-Type") {
			t.Errorf("%s: the store gives %d, %d bytes of %s, the service %d of %s", path, there.Code, there.Body.Len(),
				there.Header().Get("Content-Type"), here.Body.Len(), here.Header().Get("Content-Type"))
		}
	}
	s := r.finish(t, r.ask(t, "", `{"n":2,"features":500}`))
	if left := r.objects(t); s.Status != tasks.Done || len(left) != 5 {
		t.Errorf("%+v, objects %v", s, left)
	}
}
