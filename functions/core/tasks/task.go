package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Task is a question that is answered at once or in the background. Q is the question as the request was understood: its
// JSON is read again by the worker, and two questions with the same JSON are the same.
type Task[Q any] struct {
	Name string // of the question, unique: "terrain"
	// State names the state of the data that answers are made from: what else is published leaves a task as it is.
	State func(ctx context.Context) (string, error)
	// Run computes the answer. It looks at ctx, or calls a method of p, between two units of work of at most a second. Faults
	// are what the client reads; other errors are tried once more. The answer is of JSON or of anything else; of rows the
	// GeoJSON is kept.
	Run func(ctx context.Context, q *Q, p *Progress) (reply.Answer, error)
	// Place is the area of a question as GeoJSON, which the figures of an answer without features are kept with; nil: none.
	Place func(q *Q) json.RawMessage
	Layer shares.Layer // how the result becomes a layer
}

// Runner is a Task as the worker has it.
type Runner struct {
	Name  string
	place func(question []byte) (json.RawMessage, error)
	run   func(ctx context.Context, question []byte, p *Progress) (reply.Answer, error)
	layer shares.Layer
}

// Runner gives the task to a worker.
func (t *Task[Q]) Runner() Runner {
	return Runner{
		Name: t.Name, layer: t.Layer,
		run: func(ctx context.Context, question []byte, p *Progress) (reply.Answer, error) {
			var q Q
			if err := json.Unmarshal(question, &q); err != nil {
				return nil, err
			}
			return t.Run(ctx, &q, p)
		},
		place: func(question []byte) (json.RawMessage, error) {
			var q Q
			if t.Place == nil {
				return json.RawMessage("null"), nil
			}
			if err := json.Unmarshal(question, &q); err != nil {
				return nil, err
			}
			return t.Place(&q), nil
		},
	}
}

// The parameters of every endpoint that can be asked in the background.
var (
	async = endpoint.Bool("async", "true answers 202 with the id of a task at once; its progress and result are fetched by that.",
		endpoint.Default("false"))
	taskID = endpoint.Parsed("task_id", "Id that the client gives the task, best a UUID: "+idForm+". Beside async=true; asked again with "+
		"it the same task is found. Where none is given the service makes one.",
		parseID, endpoint.Example("0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"))
	listed = endpoint.Bool("listed", "true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its "+
		"name finds it.", endpoint.Default("false"))
)

const asyncDoc = `

async=true answers 202 with a task_id instead: /segment/progress, /segment/result and /segment/abort serve it, and the result is kept for 7
days as the share auto-{task_id}.
The same question is one task, whoever asks it: same area, parameters, state of the data and software.`

// Endpoint is an endpoint whose question can be asked in the background too. read understands a request, and refuses what
// it can: that is answered at once in both cases. A nil desk takes no tasks.
func (t *Task[Q]) Endpoint(d *Desk, e endpoint.Endpoint, read func(ctx context.Context, r *endpoint.Request) (*Q,
	error)) endpoint.Endpoint {
	e.Doc += asyncDoc
	e.Params = append(e.Params, async, taskID, listed)
	e.Answer.Others = append(e.Answer.Others, endpoint.Other{Status: http.StatusAccepted,
		Doc: "The task that answers; Retry-After says when to ask for its progress.", Body: Accepted{}},
		endpoint.Other{Status: http.StatusServiceUnavailable,
			Doc: "Too many tasks wait, or data cannot be read; Retry-After says when to try " +
				"again.", Body: fault.Schema()})
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		for _, p := range []interface {
			Given(*endpoint.Request) bool
			Clash(*endpoint.Request, string) error
		}{taskID, listed} {
			if !async.Of(r) && p.Given(r) {
				return nil, p.Clash(r, "async=true beside it")
			}
		}
		q, err := read(ctx, r)
		if err != nil {
			return nil, err
		}
		if !async.Of(r) {
			return t.Run(ctx, q, nil)
		}
		return t.Intake(d).ask(ctx, r, q)
	}
	return e
}

// Accepted is the body of a 202.
type Accepted struct {
	TaskID      string `json:"task_id"`
	Status      string `json:"status" enum:"running,done,error,cancelled"`
	ProgressURL string `json:"progress_url"`
	ResultURL   string `json:"result_url"`
}

// Intake takes the questions of a task at a desk. That of a nil desk takes none.
type Intake[Q any] struct {
	task *Task[Q]
	desk *Desk
}

// Intake is where questions of the task are taken.
func (t *Task[Q]) Intake(d *Desk) Intake[Q] { return Intake[Q]{t, d} }

func (in Intake[Q]) ask(ctx context.Context, r *endpoint.Request, q *Q) (reply.Answer, error) {
	if in.desk == nil {
		return nil, fault.New(fault.Unavailable, "there are no tasks here: ask without async=true")
	}
	o, err := in.task.order(ctx, r, q)
	if err != nil {
		return nil, err
	}
	o.ID, o.Listed = taskID.Of(r), listed.Of(r)
	got, err := in.desk.Ask(ctx, o)
	if err != nil {
		return nil, FaultOf(err, o.ID)
	}
	at := endpoint.Prefix(r.HTTP) + "/api/v1/segment/"
	body := Accepted{got.ID, got.Status(), at + "progress?task_id=" + got.ID, at + "result?task_id=" + got.ID}
	return &reply.Document{Body: body, Status: http.StatusAccepted,
		Header: http.Header{"Location": {body.ProgressURL}, "Retry-After": {"1"}, "Cache-Control": {"no-store"}, "Etag": nil}}, nil
}

// order is a question as the desk takes it.
func (t *Task[Q]) order(ctx context.Context, r *endpoint.Request, q *Q) (o Order, err error) {
	question, err := json.Marshal(q)
	if err != nil {
		return o, err
	}
	state, err := t.State(ctx)
	return Order{Name: t.Name, Question: question, State: state, Generation: r.Generation.ID, Client: endpoint.Client(r.HTTP)}, err
}

// FaultOf is what a client is told of an outcome of the desk.
func FaultOf(err error, id string) error {
	var full *jobs.Full
	switch {
	case errors.As(err, &full) && full.OfClient:
		return fault.Retry(fault.Unavailable, full.RetryAfter,
			"%d tasks of this client run or wait, and no more may: try again when one has "+
				"ended", full.Limit).Because(err)
	case errors.As(err, &full):
		return fault.Retry(fault.Unavailable, full.RetryAfter, "%d tasks run or wait, and no more may: try again later",
			full.Limit).Because(err)
	case errors.Is(err, ErrOther):
		return fault.New(fault.Exists, "the task %s is of another question: give this one an id of its own", fault.Shorten(id)).Because(err)
	case errors.Is(err, ErrNotFound):
		return fault.Missed("task", id)
	}
	return fault.Retry(fault.Unavailable, 5*time.Second, "the tasks cannot be reached at the moment: try again").Because(err)
}

// The form of ids that clients give.
const (
	minID  = 8
	maxID  = 64
	idForm = "8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-"
)

func parseID(text string) (string, error) {
	if n := len(text); n < minID || n > maxID || own(text) || strings.Trim(text,
		"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz") != "" {
		return "", errors.New(idForm + ", for example a UUID (" + strconv.Itoa(n) + " bytes are given)")
	}
	return text, nil
}

// own says whether an id is one that the service made.
func own(id string) bool {
	return strings.HasPrefix(id, JobType+"-") || strings.HasPrefix(id, OneStop+"-")
}
