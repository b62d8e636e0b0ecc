package tasks

import (
	"context"
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Polled is the body of a 202 of an endpoint that is polled at its own address.
type Polled struct {
	TaskID string `json:"task_id"`
	Status string `json:"status" enum:"running,done,error,cancelled"`
	Poll   string `json:"poll" doc:"address that answers 202 while the task runs, then the result"`
}

// Ask takes a question for an endpoint that is polled at its own address: poll is that address up to the id. id is what the client
// gave, or "".
func (in Intake[Q]) Ask(ctx context.Context, r *endpoint.Request, q *Q, id, poll string) (reply.Answer, error) {
	if in.desk == nil {
		return nil, fault.New(fault.Unavailable, "there are no tasks here: ask without async=true")
	}
	o, err := in.task.order(ctx, r, q)
	if err != nil {
		return nil, err
	}
	o.ID = id
	got, err := in.desk.Ask(ctx, o)
	if err != nil {
		return nil, FaultOf(err, id)
	}
	body := Polled{got.ID, got.Status(), poll + got.ID}
	return &reply.Document{Body: body, Status: http.StatusAccepted,
		Header: http.Header{"Location": {body.Poll}, "Retry-After": {"1"}, "Cache-Control": {"no-store"}, "Etag": nil}}, nil
}

// Poll is a task as an answer: 202 with its progress while it runs, then its result as the endpoint would have answered at once,
// 500 with the error of one that failed, 404 of one that was aborted or is not known.
func (d *Desk) Poll(ctx context.Context, id string) (reply.Answer, error) {
	if d == nil {
		return nil, fault.New(fault.Unavailable, "there are no tasks here")
	}
	t, err := d.Find(ctx, id)
	if err != nil {
		return nil, FaultOf(err, id)
	}
	if t.Status() == Running {
		return &reply.Document{Body: t.State(d.now()), Status: http.StatusAccepted,
			Header: http.Header{"Retry-After": {"1"}, "Cache-Control": {"no-store"}, "Etag": nil}}, nil
	}
	return d.Result(ctx, t, true)
}

// ID is the parameter by which a client names its task.
func ID(doc string) *endpoint.Param[string] {
	return endpoint.Parsed("task_id", doc, parseAny, endpoint.Example("0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"))
}

// parseAny reads an id that a client gave or the service made.
func parseAny(text string) (string, error) {
	if own(text) && len(text) <= maxID {
		return text, nil
	}
	return parseID(text)
}
