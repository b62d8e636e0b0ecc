package ogc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

var jobID = endpoint.String("job_id", "Id of the job.", endpoint.Required, endpoint.Between(1, 100), endpoint.Example(exampleJob))

// The states of jobs.
const (
	accepted   = "accepted"
	running    = "running"
	successful = "successful"
	failed     = "failed"
	dismissed  = "dismissed"
)

// statusInfo is a job as the standard draws it.
type statusInfo struct {
	ProcessID string        `json:"processID"`
	Type      string        `json:"type" enum:"process"`
	JobID     string        `json:"jobID"`
	Status    string        `json:"status" enum:"accepted,running,successful,failed,dismissed"`
	Message   string        `json:"message"`
	Created   time.Time     `json:"created"`
	Finished  *time.Time    `json:"finished,omitempty"`
	Updated   time.Time     `json:"updated"`
	Progress  *int          `json:"progress,omitempty" doc:"percent: 0 before, 100 after; absent while steps run, whose number is not known before"`
	Links     []ogcapi.Link `json:"links"`
}

// status is a task as a job.
func (s *service) status(r *endpoint.Request, id, process string, t tasks.Asked) statusInfo {
	state, at := t.State(s.Now()), s.base(r)+"/ogc/jobs/"+id
	created := t.Created().UTC().Truncate(time.Millisecond)
	end := created.Add(time.Duration(math.Round(state.Elapsed*1000)) * time.Millisecond)
	info := statusInfo{ProcessID: process, Type: "process", JobID: id, Message: state.Step, Created: created, Updated: end,
		Links: []ogcapi.Link{{Href: at, Rel: "self", Type: plain, Title: "This job"}}}
	if state.Detail != "" {
		info.Message += ": " + state.Detail
	}
	percent := func(n int) { info.Progress = &n }
	switch {
	case state.Status == tasks.Running && state.Step == "queued":
		info.Status = accepted
		percent(0)
	case state.Status == tasks.Running:
		info.Status = running
	case state.Status == tasks.Done:
		info.Status, info.Message, info.Finished = successful, "", &end
		percent(100)
		info.Links = append(info.Links, ogcapi.Link{Href: at + "/results", Rel: rel + "results", Title: "Its result"})
	case state.Status == tasks.Cancelled:
		info.Status, info.Message, info.Finished = dismissed, "the job was dismissed", &end
	default:
		info.Status, info.Message, info.Finished = failed, t.Error(), &end
	}
	return info
}

// open is a job by its id with its process; an answer says that no job has that id.
func (s *service) open(ctx context.Context, id string) (t tasks.Asked, process string, none reply.Answer, err error) {
	if s.Desk == nil {
		return t, "", problem{untyped, "There are no jobs", http.StatusServiceUnavailable, "There are no jobs here."}.answer(nil), nil
	}
	if t, err = s.Desk.Find(ctx, id); err == nil {
		var name string
		if name, err = s.Desk.NameOf(ctx, t); err == nil {
			for _, p := range s.processes {
				if p.task == name {
					return t, p.id, nil, nil
				}
			}
			return t, "", noJob(id), nil
		}
	}
	none, err = excepted(err, id)
	return t, "", none, err
}

func live(body any) *reply.Document {
	return &reply.Document{Body: body, Header: http.Header{"Cache-Control": {"no-store"}, "Etag": nil}}
}

func (s *service) job() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/jobs/{job_id}", ID: "processes_job", Tag: tag, Summary: "What became of a job",
		Params: []endpoint.AnyParam{jobID, ogcapi.F}, Cache: endpoint.Live, Example: "/ogc/jobs/" + exampleJob, Variant: ogcapi.Variant,
		Answer: ogcapi.PageOr(statusInfo{}, problemAnswer(http.StatusNotFound, "no-such-job")),
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			t, p, none, err := s.open(ctx, jobID.Of(r))
			if err != nil || none != nil {
				return none, err
			}
			body := s.status(r, jobID.Of(r), p, t)
			if ogcapi.Paged(r) {
				return body.page(s.base(r)), nil
			}
			return live(body), nil
		},
	}
}

// exampleJob is the task of which the examples of tasks speak.
const exampleJob = "0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"

func (s *service) dismiss() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "DELETE", Path: "/ogc/jobs/{job_id}", ID: "processes_dismiss", Tag: tag, Summary: "Dismiss a job",
		Doc:    "A job that has ended stays as it is.",
		Params: []endpoint.AnyParam{jobID}, Cache: endpoint.Live, Example: "/ogc/jobs/" + exampleJob,
		Answer: endpoint.Answer{Body: statusInfo{}, Exact: true, Others: []endpoint.Other{problemAnswer(http.StatusNotFound,
			"no-such-job")}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			id := jobID.Of(r)
			_, p, none, err := s.open(ctx, id)
			if err != nil || none != nil {
				return none, err
			}
			t, err := s.Desk.Abort(ctx, id)
			if err != nil {
				return excepted(err, id)
			}
			return live(s.status(r, id, p, t)), nil
		},
	}
}

type jobList struct {
	Jobs  []statusInfo  `json:"jobs"`
	Links []ogcapi.Link `json:"links"`
}

func (s *service) jobs() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/jobs", ID: "processes_jobs", Tag: tag, Summary: "Jobs that everybody may see",
		Doc:    "Jobs that were started with the input listed and have a result, newest first; others are found only by their ids.",
		Params: []endpoint.AnyParam{limit, ogcapi.F}, Cache: endpoint.Live, Example: "/ogc/jobs", Variant: ogcapi.Variant,
		Answer: ogcapi.PageOr(jobList{}),
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			body := jobList{[]statusInfo{}, []ogcapi.Link{{Href: s.base(r) + "/ogc/jobs", Rel: "self", Type: plain, Title: "This list"}}}
			done := func() (reply.Answer, error) {
				if ogcapi.Paged(r) {
					return body.page(s.base(r)), nil
				}
				return live(body), nil
			}
			if s.Desk == nil {
				return done()
			}
			all, err := s.Desk.Shares().List(ctx)
			if err != nil {
				return nil, shares.FaultOf(err, "")
			}
			for _, h := range all {
				id, auto := strings.CutPrefix(h.Name, shares.Auto)
				if !auto || len(body.Jobs) == limit.Of(r) {
					continue
				}
				t, p, none, err := s.open(ctx, id)
				if err != nil {
					return nil, err
				}
				if none == nil {
					body.Jobs = append(body.Jobs, s.status(r, id, p, t))
				}
			}
			return done()
		},
	}
}

func (s *service) results() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/jobs/{job_id}/results", ID: "processes_results", Tag: tag, Summary: "The result of a job",
		Doc: "As it was asked for: raw is the result itself, document {result: {value, mediaType}}, or {result: {href, type}} of one of more " +
			"than 64 MB.",
		Params: []endpoint.AnyParam{jobID}, Cache: endpoint.Live, Example: "/ogc/jobs/" + exampleJob + "/results",
		Answer: endpoint.Answer{Body: endpoint.Open{}, Exact: true, Others: []endpoint.Other{problemAnswer(http.StatusNotFound,
			"no-such-job, result-not-ready"),
			problemAnswer(http.StatusInternalServerError, "The job failed: why.")}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			id := jobID.Of(r)
			t, _, none, err := s.open(ctx, id)
			if err != nil || none != nil {
				return none, err
			}
			return s.result(ctx, r, id, t)
		},
	}
}

// qualified is a value with its media type.
type qualified struct {
	Value     any    `json:"value"`
	MediaType string `json:"mediaType"`
	Encoding  string `json:"encoding,omitempty"`
}

// result is the result of a job that is over, in the form that its id says, or why it has no result.
func (s *service) result(ctx context.Context, r *endpoint.Request, id string, t tasks.Asked) (reply.Answer, error) {
	switch t.Status() {
	case tasks.Running:
		return problem{notReady, "The result is not ready", http.StatusNotFound,
			"The job is not over."}.answer(http.Header{headerRetry: {"1"}}), nil
	case tasks.Cancelled:
		return problem{untyped, "The job was dismissed", http.StatusGone, "It has no result."}.answer(nil), nil
	case tasks.Failed:
		return problem{untyped, "The job failed", http.StatusInternalServerError, t.Error()}.answer(nil), nil
	}
	if strings.HasPrefix(id, document+"-") {
		return s.documented(ctx, r, id, t)
	}
	a, err := s.Desk.Result(ctx, t, true)
	if err != nil {
		return troubled(err), nil
	}
	return a, nil
}

// troubled is why a result cannot be read.
func troubled(err error) reply.Answer {
	f := fault.From(err)
	return problem{untyped, http.StatusText(f.Status()), f.Status(), f.Message}.answer(nil)
}

// documented is a result that was wanted as a document: with the value in it, or with its address where it is large.
func (s *service) documented(ctx context.Context, r *endpoint.Request, id string, t tasks.Asked) (reply.Answer, error) {
	contentType, large, err := s.Desk.Large(ctx, t)
	if err != nil {
		return troubled(err), nil
	}
	media, _, _ := strings.Cut(contentType, ";")
	if large {
		at := s.base(r) + "/api/v1/segment/result?task_id=" + id
		return live(map[string]ogcapi.Link{outputID: {Href: at, Type: media, Title: "The result"}}), nil
	}
	a, err := s.Desk.Result(ctx, t, false)
	if err != nil {
		return troubled(err), nil
	}
	b, ok := a.(*reply.Bytes)
	if !ok {
		return nil, fmt.Errorf("ogc: the result of %s is no body", id)
	}
	q := qualified{Value: json.RawMessage(b.Body), MediaType: media}
	if media != plain && media != geoJSON {
		q = qualified{base64.StdEncoding.EncodeToString(b.Body), media, "base64"}
	}
	body, err := json.Marshal(map[string]qualified{outputID: q})
	if err != nil {
		return nil, err
	}
	return &reply.Bytes{ContentType: plain, Body: body, Header: b.Header}, nil
}
