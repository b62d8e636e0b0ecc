package workfeed

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const task = `{"task_id":"MAP-7","board":"Atlas","assignee":"Mira","title":"[design] Legend","summary":"Nine classes."}`

func TestCompleteOnce(t *testing.T) {
	r := newHarness(t)
	first := r.do("POST", "/work/complete", task)
	e := read[entryBody](t, first)
	if first.Code != 201 || e.CompletedAt != "2026-11-21T09:30:00Z" || e.Tag != "design" ||
		first.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %+v %v", first.Code, e, first.Header())
	}
	r.clock.Advance(time.Hour)
	for _, same := range []string{
		task,
		` {"board": "Atlas ", "task_id":"MAP-7","title":"[design] Legend","summary":"Nine classes.","assignee":" Mira"} `,
		strings.Replace(task, `"}`, `","completed_at":"2026-11-21T10:30:00+01:00"}`, 1),
	} {
		if w := r.do("POST", "/work/complete", same); w.Code != 200 || read[entryBody](t, w) != e {
			t.Errorf("the same again: want 200 and the first entry, got %d %s", w.Code, w.Body)
		}
	}
	for field, other := range map[string]string{
		"assignee":     strings.Replace(task, "Mira", "Jon", 1),
		"title":        strings.Replace(task, "Legend", "legend", 1),
		"summary":      strings.Replace(task, "Nine", "Ten", 1),
		"completed_at": strings.Replace(task, `"}`, `","completed_at":"2026-11-21T09:30:00.000001Z"}`, 1),
	} {
		if w := r.do("POST", "/work/complete", other); w.Code != 409 || !strings.Contains(w.Body.String(), field+" was") ||
			!strings.Contains(w.Body.String(), e.ID) {
			t.Errorf("other %s: want 409 that names it, got %d %s", field, w.Code, w.Body)
		}
	}
	r.post(t, strings.Replace(task, "Atlas", "Survey", 1)) // the same task_id on another board is another task
	if got := r.get(t, "/work/feed").Count; got != 2 {
		t.Errorf("want 2 entries, got %d", got)
	}
}

func TestIdempotencyKey(t *testing.T) {
	r := newHarness(t)
	if w := r.do("POST", "/work/complete", task, "Idempotency-Key", "k1"); w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	other := strings.Replace(task, "MAP-7", "MAP-8", 1)
	for _, c := range []struct {
		key, body string
		want      int
	}{{"k1", task, 200}, {"k2", task, 200}, {"k1", other, 409}, {"k3", other, 201}, {"k3", other, 200}, {"", task,
		400}, {strings.Repeat("k", 256), task, 400}} {
		if w := r.do("POST", "/work/complete", c.body, "Idempotency-Key", c.key); w.Code != c.want {
			t.Errorf("%.5s: want %d, got %d %s", c.key, c.want, w.Code, w.Body)
		}
	}
	_, theirs, err := r.log.AddToken(context.Background(), "another", nil)
	if err != nil {
		t.Fatal(err)
	}
	third := strings.Replace(task, "MAP-7", "MAP-9", 1)
	if w := r.do("POST", "/work/complete", third, "Idempotency-Key", "k1", "Authorization", "Bearer "+theirs); w.Code != 201 {
		t.Errorf("another bearer's key is another key: got %d %s", w.Code, w.Body)
	}
}

func TestTokens(t *testing.T) {
	r := newHarness(t)
	ctx := context.Background()
	narrow, text, err := r.log.AddToken(ctx, "poller", []string{"Survey"})
	if err != nil {
		t.Fatal(err)
	}
	gone, revoked, err := r.log.AddToken(ctx, "gone", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.log.RevokeToken(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, header string
		want         int
	}{
		{"none", "", 401}, {"another scheme", "Basic " + r.token, 401}, {"no text", "Bearer ", 401}, {"nonsense", "Bearer x", 401},
		{"one digit more", "Bearer " + r.token + "A", 401}, {"another last digit", "Bearer " + r.token[:len(r.token)-2] + "--", 401},
		{"another's secret", "Bearer " + narrow.ID + r.token[12:], 401}, {"revoked", "Bearer " + revoked, 401},
		{"not for this board", "Bearer " + text, 403}, {"in another case", "bearer " + r.token, 201}, {"good", "Bearer " + r.token, 200},
	} {
		w := r.do("POST", "/work/complete", task, "Authorization", c.header)
		if w.Code != c.want {
			t.Errorf("%s: want %d, got %d %s", c.name, c.want, w.Code, w.Body)
		}
		if (w.Header().Get("WWW-Authenticate") != "") != (w.Code == 401) {
			t.Errorf("%s: WWW-Authenticate %q", c.name, w.Header().Get("WWW-Authenticate"))
		}
	}
	if w := r.do("POST", "/work/complete", "{", "Authorization", ""); w.Code != 401 {
		t.Errorf("who has no token is told nothing of the body: got %d", w.Code)
	}
	if w := r.do("POST", "/work/complete", strings.Replace(task, "Atlas", "Survey", 1), "Authorization", "Bearer "+text); w.Code != 201 {
		t.Errorf("its own board: got %d", w.Code)
	}
}

func TestCompleteRefuses(t *testing.T) {
	r := newHarness(t)
	with := func(member string) string { return strings.Replace(task, "{", "{"+member+",", 1) }
	set := func(name, value string) string {
		m := map[string]any{}
		if err := json.Unmarshal([]byte(task), &m); err != nil {
			t.Fatal(err)
		}
		m[name] = value
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, c := range []struct {
		name, body string
		want       int
		holds      string
	}{
		{"an unknown field", with(`"sumary":"x"`), 400, "did you mean summary?"},
		{"an id", with(`"id":"x"`), 400, "parameter id is unknown"},
		{"no task", `{"board":"Atlas","title":"x"}`, 400, "task_id is required"},
		{"no board", `{"task_id":"1","title":"x"}`, 400, "board is required"},
		{"no title", `{"task_id":"1","board":"Atlas"}`, 400, "title is required"},
		{"a blank title", set("title", "  \t"), 400, "1 to 300"},
		{"a number for a title", `{"task_id":"1","board":"Atlas","title":5}`, 400, "title"},
		{"a long task", set("task_id", strings.Repeat("ä", 201)), 400, "1 to 200"},
		{"a long board", set("board", strings.Repeat("x", 101)), 400, "1 to 100"},
		{"a long assignee", set("assignee", strings.Repeat("x", 101)), 400, "0 to 100"},
		{"a long title", set("title", strings.Repeat("x", 301)), 400, "1 to 300"},
		{"a long summary", set("summary", strings.Repeat("x", 4001)), 400, "0 to 4000"},
		{"two lines of a title", set("title", "a\nb"), 400, "control characters"},
		{"an escape in a summary", set("summary", "a\x1b[31m"), 400, "control characters"},
		{"a turned text", set("title", "a\u202eb"), 400, "control characters"},
		{"tomorrow", set("completed_at", "2026-11-22T09:30:00Z"), 400, "now, which is 2026-11-21T09:30:00Z"},
		{"before the epoch", set("completed_at", "1969-12-31T23:59:59Z"), 400, "from 1970"},
		{"no time", set("completed_at", "today"), 400, "RFC 3339"},
		{"no zone", set("completed_at", "2026-11-20T09:30:00"), 400, "RFC 3339"},
		{"no JSON", `task`, 400, "not JSON"}, {"nothing", ``, 400, "empty"}, {"two values", task + task, 400, "more than one"},
		{"a list", `[` + task + `]`, 400, "object"},
		{"a large body", `{"task_id":"` + strings.Repeat("x", maxBody) + `"}`, 413, "65536"},
	} {
		w := r.do("POST", "/work/complete", c.body)
		if w.Code != c.want || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: want %d with %q, got %d %s", c.name, c.want, c.holds, w.Code, w.Body)
		}
	}
	if w := r.do("POST", "/work/complete?board=x", task); w.Code != 400 {
		t.Errorf("a parameter in the query: want 400, got %d", w.Code)
	}
	if w := r.do("GET", "/work/complete", ""); w.Code != 405 || w.Header().Get("Allow") != "OPTIONS, POST" {
		t.Errorf("GET: want 405, got %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
	if got := r.get(t, "/work/feed").Count; got != 0 {
		t.Errorf("%d of the refused were recorded", got)
	}
	r.post(t, set("completed_at", "2026-11-21T09:30:04Z")) // a clock that runs a little ahead
}

// The longest texts, as the JSON encoder escapes them at worst, fit into the body.
func TestLongestTextsFit(t *testing.T) {
	r := newHarness(t)
	long := func(n int) string { return strings.Repeat(`\ud83d\ude00`, n) }
	body := fmt.Sprintf(`{"task_id":"%s","board":"%s","assignee":"%s","title":"%s","summary":"%s"}`, long(200), long(100), long(100),
		long(300), long(4000))
	if e := r.post(t, body); len([]rune(e.Summary)) != 4000 {
		t.Errorf("the summary has %d characters", len([]rune(e.Summary)))
	}
}

// 32 writers at once, each task told by several of them: one entry each, one 201 each.
func TestParallelWriters(t *testing.T) {
	r := newHarness(t)
	const writers, tasks = 32, 40
	var mu sync.Mutex
	created := map[string]int{}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range tasks {
				id := fmt.Sprint((i*7 + w*11) % tasks)
				a := r.do("POST", "/work/complete", strings.Replace(task, "MAP-7", id, 1))
				mu.Lock()
				if a.Code == 201 {
					created[id]++
				} else if a.Code != 200 {
					t.Errorf("task %s: %d %s", id, a.Code, a.Body)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if len(created) != tasks {
		t.Errorf("want %d tasks, got %d", tasks, len(created))
	}
	for id, n := range created {
		if n != 1 {
			t.Errorf("task %s was created %d times", id, n)
		}
	}
	if got := r.get(t, "/work/feed?limit=500").Count; got != tasks {
		t.Errorf("want %d entries, got %d", tasks, got)
	}
}
