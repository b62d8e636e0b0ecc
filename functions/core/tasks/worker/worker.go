// Package worker opens the worker of tasks from its environment, which is that of functions/core/tasks/cloud and
//
//	MAPPE_STORE    s3://BUCKET/artefacts, a directory     what it reads
package worker

import (
	"context"
	"log"
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/core/tasks/cloud"
	"mappe/functions/serve"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/reply"
)

// Handler is the handler of a worker function that answers the questions of runners.
func Handler(logger *slog.Logger, notice reply.Notice, runners func(*library.Library,
	*slog.Logger) []tasks.Runner) func(context.Context, jobs.Event) error {
	h, err := open(context.Background(), logger, notice, runners)
	if err != nil {
		log.Fatal(err)
	}
	return h
}

func open(ctx context.Context, log *slog.Logger, notice reply.Notice, runners func(*library.Library,
	*slog.Logger) []tasks.Runner) (func(context.Context, jobs.Event) error, error) {
	p, err := cloud.Place(ctx)
	if err != nil {
		return nil, err
	}
	_, lib, _, err := serve.Artefacts(ctx, false, log)
	if err != nil {
		return nil, err
	}
	works := tasks.Works{Place: p, Runners: runners(lib, log),
		Pin: generation.Pin(lib), Repin: generation.Repin(lib),
		Notice: notice, Log: log}
	q, err := works.NewQueue()
	if err != nil {
		return nil, err
	}
	return q.Handler(log), nil
}
