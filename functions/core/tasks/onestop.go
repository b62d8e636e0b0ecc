package tasks

import (
	"context"
	"encoding/json"
	"net/http"

	"mappe/functions/core/shares"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Begin asks a question as a job of the kind OneStop. Id is the task's, as the client gives it, "" for one that
// the service makes; share has a further name of its result, and one that another result has is refused by that parameter.
func (t *Task[Q]) Begin(ctx context.Context, d *Desk, r *endpoint.Request, q *Q, id string, share *endpoint.Param[string]) (Asked, error) {
	if d == nil {
		return Asked{}, fault.New(fault.Unavailable, "there are no tasks here")
	}
	if _, err := parseID(id); id != "" && err != nil {
		return Asked{}, fault.Missed("task", id)
	}
	o, err := t.order(ctx, r, q)
	if err != nil {
		return Asked{}, err
	}
	o.Kind, o.ID, o.Share = OneStop, id, share.Of(r)
	got, err := d.Ask(ctx, o)
	if err != nil || o.Share == "" {
		if err != nil {
			err = FaultOf(err, id)
		}
		return got, err
	}
	free, err := d.Shares().Free(ctx, o.Share, got.job.ID)
	if err != nil {
		return got, shares.FaultOf(err, o.Share)
	}
	if !free { // nobody was told of the task
		if _, err := d.Abort(ctx, got.ID); err != nil {
			return got, FaultOf(err, got.ID)
		}
		return got, fault.Of(fault.Exists, share.Name(), o.Share, "a name that no other result has")
	}
	return got, nil
}

// Result is the result of a task that has ended, byte for byte, or the fault that says why there is none.
func (d *Desk) Result(ctx context.Context, t Asked) (reply.Answer, error) {
	switch t.Status() {
	case Failed:
		return nil, fault.New(fault.Internal, "%s", t.Error())
	case Cancelled:
		return nil, fault.New(fault.NotFound, "the task was aborted: it has no result")
	}
	s := d.Shares()
	h, err := s.Follow(ctx, t.Share())
	if err != nil {
		return nil, shares.FaultOf(err, t.Share())
	}
	body, err := s.Result(ctx, h)
	if err != nil {
		return nil, shares.FaultOf(err, t.Share())
	}
	header := http.Header{"Cache-Control": {"no-store"}, "Etag": nil}
	for name, v := range h.Headers {
		header[name] = []string{v}
	}
	if h.Attribution != "" {
		header["X-Data-Attribution"] = []string{h.Attribution}
	}
	return &reply.Bytes{ContentType: h.ContentType, Body: body, Header: header}, nil
}

// Question is what a task was asked, as JSON.
func (d *Desk) Question(ctx context.Context, t Asked) ([]byte, error) {
	body, err := d.Queue.Payload(ctx, t.job)
	if err != nil {
		return nil, err
	}
	var p payload
	err = json.Unmarshal(body, &p)
	return p.Question, err
}
