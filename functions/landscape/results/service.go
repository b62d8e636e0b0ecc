// Package results answers what has become of the landscape's long questions: the progress, the result and the abort of
// tasks, and the shares in which results are kept. It computes nothing and reads no artefact; what a task is
// functions/core/tasks says, what a share is functions/core/shares.
package results

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints stand on.
type Deps struct {
	Desk    *tasks.Desk      // nil: there are no tasks and no shares, and every answer is 503
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
}

// The groups in the docs.
const (
	tagTasks  = "Tasks"
	tagShares = "Shares"
)

// Notice is the licence of what is kept; whom to name a result says itself.
var notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/",
	Dataset: "Results of analyses", Attribution: "whom the licence in meta of each result names"}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: results", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Progress, results and shares of questions that were asked in the background.",
		Endpoints:   []endpoint.Endpoint{d.progress(), d.result(), d.abort(), d.list(), d.share(), d.download()},
		Notice:      notice, Now: d.Now, Log: d.Log,
	}
}

var taskID = endpoint.String("task_id", "The task: as the service named it, or as the client did.", endpoint.Required,
	endpoint.Between(1, 100), endpoint.Example("0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"))

// away is the parameter by which large results are sent from here although the store could.
var away = endpoint.Bool("redirect", "false sends a result of more than 64 MB from here, and not from the store that it is kept in.",
	endpoint.Default("true"))

// elsewhere is the answer of what is large.
var elsewhere = endpoint.Other{Status: http.StatusSeeOther, Doc: "It has more than 64 MB and is fetched at Location, within 15 minutes."}

const stateDoc = `active is true while the task waits or is worked on, which status 202 says too. step names what is done, fraction
is the share of it that is done. Then done is true and the result can be fetched, or error says why there is none: status is done, error or
cancelled. Every form of the landscape's background questions is asked here. `

func (d Deps) progress() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/segment/progress", ID: "segment_progress", Tag: tagTasks, Summary: "How far a task is", Doc: stateDoc,
		Params: []endpoint.AnyParam{taskID}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: tasks.State{}, Others: []endpoint.Other{{Status: http.StatusAccepted,
			Doc: "The task is not over; Retry-After says when to ask again.", Body: tasks.State{}}}},
		Example: "/api/v1/segment/progress?task_id=0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			t, err := d.find(ctx, taskID.Of(r))
			if err != nil {
				return nil, err
			}
			return d.state(t), nil
		},
	}
}

func (d Deps) abort() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/segment/abort", ID: "segment_abort", Tag: tagTasks, Summary: "Abort a task",
		Doc: "The task is not begun any more, or ends within 2 seconds and the unit of work that is under way; its state is the answer. " +
			"A task that several asked for under ids of their own goes on for those who have not aborted it. One that is over stays as it is. It " +
			"may be repeated.",
		Params: []endpoint.AnyParam{taskID}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: tasks.State{}, Others: []endpoint.Other{{Status: http.StatusAccepted,
			Doc: "The worker was told to stop and has not ended yet.", Body: tasks.State{}}}},
		Example: "/api/v1/segment/abort?task_id=0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if d.Desk == nil {
				return nil, none()
			}
			t, err := d.Desk.Abort(ctx, taskID.Of(r))
			if err != nil {
				return nil, taskFault(err, taskID.Of(r))
			}
			return d.state(t), nil
		},
	}
}

func (d Deps) result() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/segment/result", ID: "segment_result", Tag: tagTasks, Summary: "The result of a task",
		Doc: "What the endpoint would have answered at once, byte for byte, for 7 days after the end of the task. Until then 202 with " +
			"the progress. " +
			"A task that failed is 500 with its error, one that was aborted 404. A result of more than 64 MB is a 303 to the store that it is " +
			"kept in, where that has addresses; else it is sent from here, in parts too (Range).",
		Params: []endpoint.AnyParam{taskID, away}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: endpoint.Open{}, Exact: true, Others: []endpoint.Other{elsewhere,
			{Status: http.StatusAccepted, Doc: "The task is not over; Retry-After says when to ask again.", Body: tasks.State{}},
			{Status: http.StatusOK, Doc: "The result of a question about features.", ContentType: "application/geo+json",
				Body: endpoint.Open{}},
			{Status: http.StatusOK, Doc: "The result of a question for a height model.", ContentType: "image/tiff"}}},
		Example: "/api/v1/segment/result?task_id=0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			t, err := d.find(ctx, taskID.Of(r))
			if err != nil {
				return nil, err
			}
			if t.Status() == tasks.Running {
				return d.state(t), nil
			}
			return d.Desk.Result(ctx, t, away.Of(r))
		},
	}
}

// state is a task's state as an answer.
func (d Deps) state(t tasks.Asked) *reply.Document {
	s := t.State(d.Now())
	a := &reply.Document{Body: s, Status: http.StatusOK, Header: noStore()}
	if s.Active {
		a.Status = http.StatusAccepted
		a.Header["Retry-After"] = []string{"1"}
	}
	return a
}

// credited names in a header whom a result names.
func credited(h shares.Share, to http.Header) http.Header {
	if h.Attribution != "" {
		to["X-Data-Attribution"] = []string{h.Attribution}
	}
	return to
}

func noStore() http.Header { return http.Header{"Cache-Control": {"no-store"}, "Etag": nil} }

func (d Deps) find(ctx context.Context, id string) (tasks.Asked, error) {
	if d.Desk == nil {
		return tasks.Asked{}, none()
	}
	t, err := d.Desk.Find(ctx, id)
	return t, taskFault(err, id)
}

func none() error {
	return fault.New(fault.Unavailable, "there are no tasks here")
}

func taskFault(err error, id string) error {
	if err == nil {
		return nil
	}
	return tasks.FaultOf(err, id)
}

func shareFault(err error, name string) error {
	if err == nil {
		return nil
	}
	return shares.FaultOf(err, name)
}
