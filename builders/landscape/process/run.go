package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
)

// Task is a step of the state machine that analyses many KGs at once (infra/landscape.asl.json): plan lists the KGs of the next pass,
// kg does one of them or goes on with it, reduce makes the search index and says whether another pass follows. The zero value is the
// look that a schedule does: the worker that does one KG after the other.
type Task struct {
	Task    string         `json:"task"` // plan, kg, reduce; "": look
	Run     string         `json:"run,omitempty"`
	Pass    int            `json:"pass,omitempty"` // of plan and reduce, from 1
	KG      austria.KGCode `json:"kg_code,omitempty"`
	Attempt int            `json:"attempt,omitempty"` // as planned, from 1
}

// Answer is what the state machine hands on.
type Answer struct {
	Run  string `json:"run,omitempty"`
	Pass int    `json:"pass,omitempty"`
	Key  string `json:"key,omitempty"` // plan: where the jobs of the pass stand, in the bucket
	KGs  int    `json:"kgs"`           // plan: jobs
	// Outcome of kg: done, waits, failed; past: it was dealt with before; held: the processor is told to pause, or the run has ended;
	// busy: another worker has it, the same job comes again; more: the time of the function is over, it goes on.
	KG      austria.KGCode `json:"kg_code,omitempty"`
	Outcome string         `json:"outcome,omitempty"`
	Next    int            `json:"next"` // reduce: pass that follows; 0: none
	Failed  int            `json:"failed,omitempty"`
}

// Do does a step. The same step again does nothing twice, so that the state machine may retry.
func (w *Worker) Do(ctx context.Context, t Task) (Answer, error) {
	if t.Task == "" {
		return Answer{}, w.until(ctx, margin, ending)
	}
	if t.Run == "" || strings.ContainsAny(t.Run, "/\\") {
		return Answer{}, fmt.Errorf("run %q is not the name of a run", t.Run)
	}
	if t.Task != "kg" && t.Pass < 1 {
		return Answer{}, fmt.Errorf("pass %d: passes are counted from 1", t.Pass)
	}
	switch t.Task {
	case "plan":
		return w.plan(ctx, t.Run, t.Pass)
	case "kg":
		return w.job(ctx, t)
	case "reduce":
		return w.reduce(ctx, t.Run, t.Pass)
	}
	return Answer{}, fmt.Errorf("task %q is not one of plan, kg, reduce", t.Task)
}

// nearest is nearestOf the country that is served now.
func (w *Worker) nearest(ctx context.Context) (landprocess.Nearest, error) {
	v, err := w.Library.View(ctx)
	if err != nil {
		return nil, err
	}
	upToDate, err := w.upToDate(ctx, v)
	if err != nil {
		return nil, err
	}
	return nearestOf(v, upToDate), nil
}

// plan musters a pass and writes its jobs beside what other runs have noted. A processor that another run has errs with
// landprocess.ErrBusy.
func (w *Worker) plan(ctx context.Context, run string, pass int) (Answer, error) {
	if w.Runs == nil {
		return Answer{}, errors.New("no store is given that runs are written in")
	}
	nearest, err := w.nearest(ctx)
	if err != nil {
		return Answer{}, err
	}
	key := fmt.Sprintf("%s/landscape-%d.json", run, pass)
	a := Answer{Run: run, Pass: pass, Key: "runs/" + key}
	var jobs []landprocess.Job
	s, err := w.Records.Change(ctx, func(s *landprocess.State) (err error) {
		jobs, err = s.Muster(run, pass, w.now(), nearest)
		return err
	})
	if errors.Is(err, landprocess.ErrPast) {
		if s.Run.Over || s.Run.Pass != pass {
			return a, nil // nobody waits for this answer any more
		}
		// This step is done again. The jobs may have been written; where they were not, none has begun.
		jobs, err = s.Due(w.now(), nearest, landprocess.PassKGs), nil
	}
	if err != nil {
		return Answer{}, err
	}
	a.KGs = s.Run.KGs
	body, err := json.Marshal(append([]landprocess.Job{}, jobs...))
	if err != nil {
		return Answer{}, err
	}
	_, err = w.Runs.Put(ctx, key, body, store.PutOptions{Headers: store.Headers{ContentType: "application/json"}, IfMatch: store.Absent})
	if errors.Is(err, store.ErrPrecondition) {
		return a, nil
	}
	if err != nil {
		return Answer{}, err
	}
	w.line(ctx, "", fmt.Sprintf("run %s, pass %d: %d KGs", run, pass, a.KGs))
	return a, nil
}

// job does the KG of a job, as far as the time of the function goes.
func (w *Worker) job(ctx context.Context, t Task) (Answer, error) {
	code, err := austria.ParseKGCode(string(t.KG))
	if err != nil {
		return Answer{}, err
	}
	worker := *w
	ctx, cancel := worker.within(ctx, margin, ending)
	defer cancel()
	became, err := worker.claimed(ctx, t.Run, landprocess.Job{KG: code, Attempt: t.Attempt})
	return Answer{Run: t.Run, KG: code, Outcome: became}, err
}

// claimed does a KG by a claim and gives the outcome of the job.
func (w *Worker) claimed(ctx context.Context, run string, job landprocess.Job) (string, error) {
	v, err := w.Library.View(ctx)
	if err != nil {
		return "", err
	}
	owner := newOwner()
	taken, err := w.Records.Claim(ctx, run, job, owner, w.now())
	switch {
	case errors.Is(err, landprocess.ErrBusy):
		return "busy", nil
	case errors.Is(err, landprocess.ErrPast):
		return "past", nil
	case errors.Is(err, landprocess.ErrHeld), errors.Is(err, landprocess.ErrLost):
		return "held", nil
	case err != nil:
		return "", err
	}
	w.line(ctx, taken.KG, fmt.Sprintf("begun (run %s, attempt %d)", run, taken.Attempt))
	became, _, err := w.do(ctx, v, landprocess.Assignment{Records: w.Records, Owner: owner, Of: &taken}, &taken)
	switch {
	case became == Lost:
		return "busy", nil
	case err != nil:
		return "", err
	case became == LetGo:
		return "more", nil // it is held at the next step where the processor is told to pause
	}
	return string(became), nil
}

// reduce makes the index of what there is and says whether another pass follows.
func (w *Worker) reduce(ctx context.Context, run string, pass int) (Answer, error) {
	if err := w.Index(ctx); err != nil {
		return Answer{}, err
	}
	nearest, err := w.nearest(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Run: run, Pass: pass}
	s, err := w.Records.Change(ctx, func(s *landprocess.State) (err error) {
		a.Next, err = s.Continue(run, pass, w.now(), nearest)
		return err
	})
	if errors.Is(err, landprocess.ErrLost) {
		return a, nil
	}
	a.Failed = len(s.Failed)
	return a, err
}
