package tasks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"mappe/functions/core/shares"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Begin asks a question as a job of the type OneStop. Id is the task's, as the client gives it, "" for one that
// the service makes; share has a further name of its result: it is reserved before there is a job, and one that another result has,
// or is to have, is refused by that parameter.
func (in Intake[Q]) Begin(ctx context.Context, r *endpoint.Request, q *Q, id string, share *endpoint.Param[string]) (Asked, error) {
	if in.desk == nil {
		return Asked{}, fault.New(fault.Unavailable, "there are no tasks here")
	}
	if _, err := parseID(id); id != "" && err != nil {
		return Asked{}, fault.Missed("task", id)
	}
	o, err := in.task.order(ctx, r, q)
	if err != nil {
		return Asked{}, err
	}
	o.JobType, o.ID, o.Share = OneStop, id, share.Of(r)
	if o.Share == "" {
		got, err := in.desk.Ask(ctx, o)
		if err != nil {
			err = FaultOf(err, id)
		}
		return got, err
	}
	got, err := in.desk.named(ctx, o)
	switch {
	case errors.Is(err, shares.ErrTaken):
		return Asked{}, fault.Of(fault.Exists, share.Name(), o.Share, "a name that no other result has")
	case err != nil:
		return Asked{}, FaultOf(err, id)
	}
	return got, nil
}

// named is Ask of a question whose result is to have a name: shares.ErrTaken where it cannot.
func (d *Desk) named(ctx context.Context, o Order) (Asked, error) {
	key, err := d.key(ctx, o)
	if err != nil {
		return Asked{}, err
	}
	if err := d.claim(ctx, o.Share, claim{Key: key}); err != nil {
		return Asked{}, err
	}
	got, err := d.Ask(ctx, o)
	if err != nil {
		return Asked{}, err // the claim ends by itself
	}
	// The same question was answered before, and what came of it has the name for an hour at most, when it is answered anew.
	free, err := d.Shares().Free(ctx, o.Share, got.job.ID)
	if err == nil && free {
		return got, d.claim(ctx, o.Share, claim{Key: key, Job: got.job.ID})
	}
	if err == nil { // nobody was told of the task
		_, err = d.Abort(ctx, got.ID)
	}
	return Asked{}, cmp.Or(err, shares.ErrTaken)
}

// Same says whether a task is of the very question.
func (in Intake[Q]) Same(ctx context.Context, a Asked, q *Q) (bool, error) {
	question, err := json.Marshal(q)
	if err != nil {
		return false, err
	}
	p, err := in.desk.payload(ctx, a)
	return err == nil && p.Name == in.task.Name && bytes.Equal(p.Question, question), err
}

// Result is the result of a task that has ended, byte for byte, or the fault that says why it has no result. One that is large is a
// 303 to the store where that has addresses and away is true, and else a stream.
func (d *Desk) Result(ctx context.Context, t Asked, away bool) (reply.Answer, error) {
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
	answer, err := d.sent(ctx, s, h, away)
	if errors.Is(err, shares.ErrNotFound) && h.Moved == "" {
		// The record alone would stand for the question for the rest of its week.
		if err := s.Forget(ctx, h); err != nil {
			return nil, shares.FaultOf(err, t.Share())
		}
		return nil, fault.New(fault.NotFound,
			"the result of the task is not in the store any more: ask again, without task_id or with another one").Because(err)
	}
	if err != nil {
		return nil, shares.FaultOf(err, t.Share())
	}
	return answer, nil
}

// Large is how a document names a result that is too large to stand in it, and the form of that; false where it is not.
func (d *Desk) Large(ctx context.Context, t Asked) (contentType string, large bool, err error) {
	h, err := d.Shares().Follow(ctx, t.Share())
	if err != nil {
		return "", false, shares.FaultOf(err, t.Share())
	}
	return h.ContentType, d.Shares().Large(h.Bytes), nil
}

// sent is the result of a share as an answer.
func (d *Desk) sent(ctx context.Context, s *shares.Shares, h shares.Share, away bool) (reply.Answer, error) {
	result, err := s.Result(ctx, h)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Cache-Control": {"no-store"}, "Etag": nil}
	for name, v := range h.Headers {
		header[name] = []string{v}
	}
	if h.Attribution != "" {
		header["X-Data-Attribution"] = []string{h.Attribution}
	}
	if away {
		at, err := s.ResultAddress(ctx, h, result.Size())
		if err != nil {
			return nil, err
		}
		if at != "" {
			delete(header, "Content-Disposition")
			return &reply.Redirect{Location: at, Status: http.StatusSeeOther, Header: header}, nil
		}
	}
	if s.Large(result.Size()) {
		return &reply.Content{ContentType: h.ContentType, Size: result.Size(), Open: result.Open, Header: header}, nil
	}
	body, err := result.Read(ctx)
	if err != nil {
		return nil, err
	}
	return &reply.Bytes{ContentType: h.ContentType, Body: body, Header: header}, nil
}

// Question is what a task was asked, as JSON.
func (d *Desk) Question(ctx context.Context, t Asked) ([]byte, error) {
	p, err := d.payload(ctx, t)
	return p.Question, err
}

func (d *Desk) payload(ctx context.Context, t Asked) (p payload, err error) {
	body, err := d.Queue.Payload(ctx, t.job)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(body, &p)
}

// NameOf is the name of the Task whose question a task is.
func (d *Desk) NameOf(ctx context.Context, t Asked) (string, error) {
	p, err := d.payload(ctx, t)
	return p.Name, err
}
