package exact

import (
	"cmp"
	"context"
	"fmt"

	"mappe/shared/cloud/stack"
)

// schedulerEvent is what a schedule without an input of its own sends.
const schedulerEvent = `{"version":"0","id":"%s","detail-type":"Scheduled Event","source":"aws.scheduler","account":"000000000000","time":"2026-01-01T00:00:00Z","region":"` + stack.Region + `","resources":[],"detail":"{}"}`

// Fire does what a schedule of a function does when its time has come, whether it is enabled or not, and waits for the end: one
// invocation, not repeated. Nothing else fires a schedule here. A function that no request reaches is built first.
func (e *Edge) Fire(ctx context.Context, function, schedule string) error {
	f := e.stack.Function(function)
	if f == nil {
		return fmt.Errorf("the template has no function %s", function)
	}
	for _, s := range f.Schedules {
		if s.Name != schedule {
			continue
		}
		r, err := e.runnerOf(*f)
		if err != nil {
			return err
		}
		if err := r.once(ctx, []byte(cmp.Or(s.Input, fmt.Sprintf(schedulerEvent, requestID())))); err != nil {
			return fmt.Errorf("schedule %s of %s: %w", schedule, function, err)
		}
		return nil
	}
	return fmt.Errorf("%s has no schedule %s", function, schedule)
}

// runnerOf is the runner of a function, built at its first use where requests do not reach it.
func (e *Edge) runnerOf(f stack.Function) (*runner, error) {
	e.late.Lock()
	defer e.late.Unlock()
	for _, have := range []map[string]*runner{e.runners, e.scheduled} {
		if r := have[f.Name]; r != nil {
			return r, nil
		}
	}
	r, err := e.ready(f, len(e.scheduled)+1, len(e.scheduled)+1)
	if err == nil {
		e.scheduled[f.Name] = r
	}
	return r, err
}
