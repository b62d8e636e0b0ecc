package results

import (
	"sync"
	"testing"
	"time"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
)

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
		if w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); w.Code != 404 {
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

// Who has left a task to another sees it cancelled also while the work ends that the other has then aborted.
func TestAnAbortedTaskStaysSo(t *testing.T) {
	r := open(t)
	a, b := r.ask(t, "&task_id=client-a", `{"n":4}`), r.ask(t, "&task_id=client-b", `{"n":4}`)
	n := 0
	abort := func(string, int) {
		if n++; n > 1 {
			return
		}
		for _, id := range []string{a, b} {
			r.abort(t, id)
		}
		if first, last := r.progress(t, a), r.progress(t, b); first.Status != tasks.Cancelled || last.Status != tasks.Running ||
			last.Detail != "being aborted" {
			t.Errorf("while the work ends: %+v, %+v", first, last)
		}
		time.Sleep(1100 * time.Millisecond) // the sign of life finds the note
	}
	r.unit.Store(&abort)
	if s := r.finish(t, b); s.Status != tasks.Cancelled || r.progress(t, a).Status != tasks.Cancelled {
		t.Errorf("%+v, %+v", s, r.progress(t, a))
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
