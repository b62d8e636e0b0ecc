package tasks

import (
	"math"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
)

// Asked is a task as who asked for it under an id sees it.
type Asked struct {
	ID    string
	job   jobs.Job
	asker asker
}

// The states of tasks.
const (
	Running   = "running"
	Done      = "done"
	Failed    = "error"
	Cancelled = "cancelled"
)

// Status is the state.
func (t *Asked) Status() string {
	j := &t.job
	switch {
	case t.asker.Left, j.State == jobs.Cancelled:
		return Cancelled
	case t.aborting() && (j.State.Final() || j.State == jobs.Releasing):
		return Cancelled
	case j.State == jobs.Done:
		return Done
	case j.State == jobs.Failed, j.State == jobs.Releasing:
		return Failed
	}
	return Running
}

// aborting says that the task is aborted, or that the work which it waits for is.
func (t *Asked) aborting() bool {
	return !t.asker.Aborted.IsZero() || !t.job.CancelAsked.IsZero() && t.job.State != jobs.Done && t.job.State != jobs.Failed
}

// JobType is that of its job.
func (t *Asked) JobType() string { return t.job.Type }

// Share is the name that the result was saved under.
func (t *Asked) Share() string { return shares.Auto + t.job.ID }

// Error is what a client reads of a task that failed.
func (t *Asked) Error() string { return t.job.Error }

// State is the body of a task's progress.
type State struct {
	TaskID      string     `json:"task_id"`
	Status      string     `json:"status" enum:"running,done,error,cancelled"`
	Active      bool       `json:"active" doc:"the task waits or is worked on"`
	Step        string     `json:"step" doc:"the current step, or the last one; queued while it waits"`
	Fraction    float64    `json:"fraction" doc:"share of the step that is done, 0 to 1"`
	Detail      string     `json:"detail" doc:"more of the step, for a person"`
	Elapsed     float64    `json:"elapsed" doc:"seconds since the task was asked for, until its end"`
	Done        bool       `json:"done" doc:"the result can be fetched"`
	Error       *string    `json:"error" doc:"why there is no result; null where there is one, or may be"`
	AutoShareID *string    `json:"auto_share_id" doc:"name of the share with the result; null until the task is done"`
	ExpiresAt   *time.Time `json:"expires_at" doc:"when task and result are forgotten; null until the task has ended"`
}

// State is what is told of the task.
func (t *Asked) State(now time.Time) State {
	j, status := &t.job, t.Status()
	end := j.Finished
	if end.IsZero() {
		end = now
	}
	s := State{TaskID: t.ID, Status: status, Active: status == Running, Step: j.Step, Fraction: math.Round(j.Progress*1e4) / 1e4,
		Detail:  j.Detail,
		Elapsed: math.Round(max(0, end.Sub(j.Created).Seconds())*1000) / 1000, Done: status == Done}
	switch {
	case j.State == jobs.Queued && j.Attempt == 0:
		s.Step, s.Detail = "queued", "waiting for a worker"
	case j.State == jobs.Queued:
		s.Detail = "waiting to be tried again"
	case status == Running && t.aborting():
		s.Detail = "being aborted"
	}
	if status == Failed || status == Cancelled {
		text := j.Error
		if status == Cancelled {
			text = "The task was aborted."
		}
		s.Error = &text
	}
	if status == Done {
		name := shares.Auto + t.ID
		s.AutoShareID = &name
	}
	if !s.Active && !j.Finished.IsZero() {
		at := j.Finished.Add(Keep)
		s.ExpiresAt = &at
	}
	return s
}

// Created is when the job of the task was begun, by whoever first asked its question.
func (t *Asked) Created() time.Time { return t.job.Created }
