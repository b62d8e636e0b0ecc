package index

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mappe/artefacts/landscape"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/kept"
	"mappe/shared/web/reply"
)

// The parameters of questions that can be asked in the background.
var (
	qAsync = endpoint.Bool("async",
		"true answers 202 {task_id, status, poll} at once; the same address with task_id alone, or /query/progress, answers 202 while it runs and then the result.", endpoint.Default("false"))
	qTask = tasks.ID("Beside async=true the id that the client gives the task: 8 to 64 letters, digits, hyphens and underscores. Alone it asks what has become of a task.")
)

// question is a request as it was made: what answers it in the background is what answers it at once.
type question struct {
	Method string `json:"method"`
	Target string `json:"target"` // path and query
	Body   string `json:"body,omitempty"`
}

// state names the data that answers are made from.
func state(ctx context.Context) (string, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return "", err
	}
	key, ok := v.Artefact(landscape.Artefact)
	if !ok {
		return v.Generation(), nil
	}
	return key.String(), nil
}

// task answers questions of this family.
func task(d Deps) *tasks.Task[question] {
	return &tasks.Task[question]{Name: "landscape-index", State: state,
		Run: func(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
			if err := p.Step(ctx, "reading the index", 1); err != nil {
				return nil, err
			}
			d.Tasks = nil
			h, err := New(d).Handler()
			if err != nil {
				return nil, err
			}
			r, err := http.NewRequestWithContext(ctx, q.Method, q.Target, strings.NewReader(q.Body))
			if err != nil {
				return nil, err
			}
			if q.Body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			w := kept.New(http.Header{})
			h.ServeHTTP(w, r)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if w.Status != http.StatusOK {
				return nil, faultOf(w)
			}
			return &reply.Bytes{ContentType: w.Header().Get("Content-Type"), Body: w.Body.Bytes()}, p.Add(ctx, 1)
		}}
}

// Tasks are the questions that a worker answers too.
func Tasks(d Deps) []tasks.Runner { return []tasks.Runner{task(d).Runner()} }

// background lets an endpoint be asked in the background and polled at its own address. read refuses what it can of a request
// before a task is made.
func (s *service) background(e endpoint.Endpoint, read func(r *endpoint.Request) error,
	body func(r *endpoint.Request) string) endpoint.Endpoint {
	serve := e.Serve
	e.Params = append(e.Params, qAsync, qTask)
	e.Answer.Others = append(e.Answer.Others,
		endpoint.Other{Status: http.StatusAccepted, Doc: "With async: the task. With task_id alone: its progress.", Body: tasks.Polled{}})
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		if qTask.Given(r) && !qAsync.Of(r) {
			return s.desk.Poll(ctx, qTask.Of(r))
		}
		if !qAsync.Of(r) {
			return serve(ctx, r)
		}
		if err := read(r); err != nil {
			return nil, err
		}
		prefix := endpoint.Prefix(r.HTTP)
		q := question{Method: r.HTTP.Method, Target: e.Path + "?" + without(r.HTTP.URL.Query()), Body: body(r)}
		return s.task.Intake(s.desk).Ask(ctx, r, &q, qTask.Of(r), prefix+"/api/v1/query?task_id=")
	}
	return e
}

// without is a query without what makes it a task, in one spelling.
func without(q url.Values) string {
	for _, name := range []string{"async", "task_id", "callback", "pretty", "nocache"} {
		q.Del(name)
	}
	return q.Encode()
}

var progressID = func() *endpoint.Param[string] {
	return tasks.ID("The task, as the service named it or as the client did.").With(endpoint.Required)
}()

func (s *service) progress() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query/progress", ID: "query_progress", Tag: tag,
		Summary: "How far a question is that was asked in the background",
		Doc:     "202 {active, step, detail, elapsed} while the task runs, then the result as the endpoint would have answered at once; 500 with the error of one that failed.",
		Params:  []endpoint.AnyParam{progressID}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: endpoint.Open{}, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusAccepted, Doc: "The task is not over; Retry-After says when to ask again.",
				Body: tasks.State{}}}},
		Example: "/api/v1/query/progress?task_id=0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return s.desk.Poll(ctx, progressID.Of(r))
		},
	}
}

// faultOf is the one that an answer tells: what the client can mend ends a task with its words, and what may pass is tried again.
func faultOf(k *kept.Answer) error {
	var f struct {
		Error string     `json:"error"`
		Code  fault.Code `json:"code"`
	}
	if json.Unmarshal(k.Body.Bytes(), &f) != nil || !slices.Contains(fault.AllCodes(), f.Code) {
		return fault.New(fault.Internal, "the question could not be answered: status %d", k.Status)
	}
	return fault.New(f.Code, "%s", f.Error)
}
