package results

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
)

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
		if w := fixture.Ask(r, "GET", "/api/v1/share/"+name, ""); w.Code != 200 ||
			!strings.HasPrefix(w.Body.String(), `{"name":"`+name+`",`) {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(r, "POST", "/api/v1/sum?async=true&task_id="+uuid, `{"n":4}`); w.Code != 409 {
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
	if w := fixture.Ask(r, "GET", "/api/v1/segment/progress?task_id="+uuid, ""); w.Code != 200 {
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
