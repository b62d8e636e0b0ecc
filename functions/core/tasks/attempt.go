package tasks

import (
	"context"
	"errors"
	"net/http"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/web/fault"
)

// MaxTime bounds an attempt; a worker function has 900 s.
const MaxTime = 13 * time.Minute

// Attempt is how a worker does a job, whoever keeps what comes of it: in the time that there is, with a sign of life each
// second by which it learns that the job is cancelled, and with a verdict on what failed.
type Attempt struct {
	Attempts int    // of the type of the job
	Late     string // what the user reads where the time does not suffice
}

// Do runs do, whose bytes are the result of the job. do looks at ctx, or calls a method of p, between two units of work of
// at most a second.
func (a Attempt) Do(ctx context.Context, job *jobs.Work, do func(ctx context.Context, p *Progress) ([]byte, error)) ([]byte, error) {
	bounded, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	stop := signs(bounded, job)
	out, err := do(bounded, progressOf(job))
	stop()
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return nil, err
	case bounded.Err() != nil:
		return nil, jobs.Fail("%s", a.Late)
	}
	return nil, verdict(err, job.Job().Attempt >= a.Attempts)
}

// verdict is what becomes of an attempt that failed: what the client could mend is told and ends the job, and so does the
// last attempt; else it is tried again.
func verdict(err error, last bool) error {
	var f *fault.Fault
	if errors.As(err, &f) && (f.Status() < http.StatusInternalServerError || last) && f.Code != fault.Internal {
		return jobs.Fail("%s", f.Message)
	}
	return err
}

// signs has the job show a sign of life each second, by which it learns that it is cancelled.
func signs(ctx context.Context, job *jobs.Work) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(sign)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				_ = job.Renew(ctx) // what it learns ends the context of the work
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// progressOf writes progress into the job. That a write fails ends nothing: the lease decides whether the work goes on.
func progressOf(job *jobs.Work) *Progress {
	grave := func(err error) error {
		if errors.Is(err, jobs.ErrLost) || errors.Is(err, jobs.ErrCancelled) {
			return err
		}
		return nil
	}
	return &Progress{
		tell: func(ctx context.Context, step string, fraction float64) error {
			return grave(job.Progress(ctx, step, fraction))
		},
		note: func(ctx context.Context, text string) error { return grave(job.Detail(ctx, text)) },
	}
}
