package process

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// mustered is a worker with a run of two queued KGs whose list of jobs was written, or was not.
func mustered(t *testing.T, written bool) (w *Worker, runs *mem.Store, first Answer) {
	t.Helper()
	w, _ = worker(t, func(context.Context) error { return store.ErrNotFound })
	runs = mem.New()
	w.Runs = runs
	if _, err := w.Records.Change(t.Context(), func(s *landprocess.State) error {
		s.Mode = landprocess.Running
		return s.Replace([]austria.KGCode{"99001", "99002"})
	}); err != nil {
		t.Fatal(err)
	}
	first, err := w.Do(t.Context(), Task{Task: "plan", Run: "r", Pass: 1})
	if err != nil || first.KGs < 2 || first.Key != "runs/r/landscape-1.json" {
		t.Fatalf("%+v, %v", first, err)
	}
	if !written {
		if err := runs.Delete(t.Context(), "r/landscape-1.json"); err != nil {
			t.Fatal(err)
		}
	}
	return w, runs, first
}

// A plan that died before its list was written is done again and writes it; one that died after it answers the same.
func TestAPlanIsDoneAgain(t *testing.T) {
	for _, written := range []bool{true, false} {
		w, runs, first := mustered(t, written)
		again, err := w.Do(t.Context(), Task{Task: "plan", Run: "r", Pass: 1})
		if err != nil || again != first {
			t.Errorf("written %v: first %+v, then %+v, %v", written, first, again, err)
		}
		body, _, err := store.ReadAll(t.Context(), runs, "r/landscape-1.json", 1<<20, store.GetOptions{})
		var jobs []landprocess.Job
		if err == nil {
			err = json.Unmarshal(body, &jobs)
		}
		if err != nil || len(jobs) != first.KGs || !slices.Contains(jobs, landprocess.Job{KG: "99001", Attempt: 1}) {
			t.Errorf("written %v: %s, %v", written, body, err)
		}
	}
}

// What became of a job is what the state machine goes on by.
func TestOutcomesOfJobs(t *testing.T) {
	for want, of := range map[string]error{"more": landprocess.ErrHeld, "busy": landprocess.ErrLost, "waits": library.ErrCold,
		"failed": errors.New("what may pass")} {
		w, _, _ := mustered(t, true)
		w.Analysis = func(context.Context, *library.View, store.Store, Order, Progress) (*Outcome, error) {
			return nil, of
		}
		job := Task{Task: "kg", Run: "r", KG: "99001", Attempt: 1}
		if a, err := w.Do(t.Context(), job); err != nil || a.Outcome != want {
			t.Errorf("%v: want %s, got %+v, %v", of, want, a, err)
		}
		other := job
		other.Run = "another"
		if a, err := w.Do(t.Context(), other); err != nil || a.Outcome != "held" && a.Outcome != "busy" {
			t.Errorf("%v, a job of another run: %+v, %v", of, a, err)
		}
		if _, err := w.Records.Change(t.Context(), func(s *landprocess.State) error { s.Pause(w.now()); return nil }); err != nil {
			t.Fatal(err)
		}
		job.KG = "99002"
		if a, err := w.Do(t.Context(), job); err != nil || a.Outcome != "held" {
			t.Errorf("paused: %+v, %v", a, err)
		}
	}
}
