package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"
)

// Event is what a worker function is invoked with: a job to do, or nothing, to look for jobs that nobody does.
type Event struct {
	Job string `json:"job"`
}

// Tell gives the notice of a queue whose worker is a function that is invoked: send hands it the event, and does
// not wait for what becomes of it.
func Tell(send func(ctx context.Context, payload []byte) error) func(context.Context, Job) error {
	return func(ctx context.Context, j Job) error {
		payload, err := json.Marshal(Event{j.ID})
		if err != nil {
			return err
		}
		return send(ctx, payload)
	}
}

const (
	// lastWrite is what is left of an invocation's time for noting how a job ended.
	lastWrite = 25 * time.Second
	// sweepTime is how long an invocation without a job looks for one.
	sweepTime = 2 * time.Second
)

// Handler is a worker function over a queue: one job an invocation.
func (q *Queue) Handler(log *slog.Logger) func(context.Context, Event) error {
	return func(ctx context.Context, e Event) error {
		if end, ok := ctx.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end.Add(-lastWrite))
			defer cancel()
		}
		if e.Job == "" {
			return q.abandoned(ctx)
		}
		err := q.RunOne(ctx, e.Job)
		if errors.Is(err, ErrBusy) || errors.Is(err, ErrAgain) || errors.Is(err, ErrNotFound) {
			log.InfoContext(ctx, "nothing more to do", "job", e.Job, "outcome", err)
			return nil
		}
		return err
	}
}

// abandoned does the jobs whose worker died or was never told.
func (q *Queue) abandoned(ctx context.Context) error {
	p := &Pool{Queue: q, Workers: 1, Poll: sweepTime}
	p.Start(ctx)
	t := time.NewTimer(sweepTime)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	p.Stop(ctx) // what was begun is ended
	return nil
}
