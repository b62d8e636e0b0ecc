package results

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
)

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
		w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
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
		w := fixture.Ask(r, "POST", "/api/v1/sum?async=true", fmt.Sprintf(`{"n":%d}`, i))
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
