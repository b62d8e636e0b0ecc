package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mappe/artefacts/manifest"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// stage is what a worker notes of its progress, in the job's detail: the status is made of it.
type stage struct {
	Layer string `json:"layer,omitempty"`
	KGs   int    `json:"kgs"`   // that the layer is done with
	Bytes int64  `json:"bytes"` // of the file so far
}

type statusBody struct {
	JobID       string           `json:"job_id"`
	Status      string           `json:"status" enum:"queued,running,done,failed,cancelled"`
	Progress    float64          `json:"progress" doc:"0 to 1"`
	Detail      string           `json:"detail" doc:"the current step, as a sentence"`
	KGsDone     int              `json:"kgs_done" doc:"of the layer that is being written"`
	KGs         int              `json:"kgs" doc:"of the export"`
	Bytes       int64            `json:"bytes" doc:"of the file, so far while it is written"`
	Error       *string          `json:"error"`
	FileURL     *string          `json:"file_url" doc:"null until the job is done"`
	Ready       *bool            `json:"ready" doc:"false where KGs are missing from the file; null until the job is done"`
	Unavailable []austria.KGCode `json:"kgs_unavailable" doc:"KGs that are missing from the file"`
	CreatedAt   time.Time        `json:"created_at"`
	StartedAt   *time.Time       `json:"started_at"`
	FinishedAt  *time.Time       `json:"finished_at"`
	ExpiresAt   *time.Time       `json:"expires_at" doc:"when job and file are forgotten; null until the job has ended"`
}

var (
	jobID = endpoint.String("id", "The job, as the export named it.", endpoint.Between(1, 100),
		endpoint.Example("export-0123456789abcdefghijklmn-1"))
	follow = endpoint.Bool("redirect", "false answers 200 with the status of a finished job too, and not 303.", endpoint.Default("true"))
)

const statusDoc = `What has become of a job: its progress, and the address of the file when it is done. A job that is done answers 303 with the
status as its body, so that a client which follows redirects gets the file; redirect=false leaves it at the status. Job and file are kept for
7 days. A job belongs to everybody who asks for the same export.
`

func (d Deps) jobStatus() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/jobs/{id}", ID: "export_job", Tag: tag, Summary: "An export that a job writes", Doc: statusDoc,
		Params: []endpoint.AnyParam{jobID, follow}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: statusBody{},
			Others: []endpoint.Other{{Status: http.StatusSeeOther, Doc: "The file, at Location.", Body: statusBody{}}}},
		Example: "/api/v1/export/jobs/export-0123456789abcdefghijklmn-1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			j, err := d.job(ctx, jobID.Of(r), func(id string) (jobs.Job, error) { return d.Queue.Get(ctx, id) })
			if err != nil {
				return nil, err
			}
			if j.State == jobs.Done {
				if there, err := d.there(ctx, j); err != nil || !there {
					return lostFile(j), err
				}
			}
			if j.State == jobs.Done && follow.Of(r) {
				return d.found(r, j), nil
			}
			return &reply.Document{Body: statusOf(j)}, nil
		},
	}
}

func (d Deps) jobCancel() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "DELETE", Path: "/api/v1/export/jobs/{id}", ID: "export_job_cancel", Tag: tag, Summary: "Cancel an export",
		Doc: "Cancels a job that waits or is being written, for everybody who asked for it, and answers its status. A job that has ended stays as it is. " +
			"The same export asked for again is a new job.",
		Params: []endpoint.AnyParam{jobID}, Cache: endpoint.Live,
		Answer:  endpoint.Answer{Body: statusBody{}},
		Example: "/api/v1/export/jobs/export-0123456789abcdefghijklmn-1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			j, err := d.job(ctx, jobID.Of(r), func(id string) (jobs.Job, error) { return d.Queue.Cancel(ctx, id) })
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: statusOf(j)}, nil
		},
	}
}

// job asks the queue for a job of this type.
func (d Deps) job(ctx context.Context, id string, ask func(string) (jobs.Job, error)) (jobs.Job, error) {
	if d.Queue == nil {
		return jobs.Job{}, fault.New(fault.Unavailable, "there are no jobs here")
	}
	j, err := ask(id)
	switch {
	case errors.Is(err, jobs.ErrNotFound), err == nil && j.Type != JobType:
		return j, fault.Missed("export job", id)
	case j.ID == "" && err != nil:
		return j, unreachable(err)
	}
	return j, nil
}

// shown is the state that clients see: what is being released has ended for them.
func shown(j jobs.Job) string {
	switch {
	case j.State == jobs.Releasing && !j.CancelAsked.IsZero():
		return string(jobs.Cancelled)
	case j.State == jobs.Releasing:
		return string(jobs.Failed)
	}
	return string(j.State)
}

func statusOf(j jobs.Job) statusBody {
	b := statusBody{JobID: j.ID, Status: shown(j), Progress: j.Progress, CreatedAt: j.Created, StartedAt: at(j.Started),
		FinishedAt: at(j.Finished), Unavailable: []austria.KGCode{}}
	if o, err := readOrder(j.Payload); err == nil {
		b.KGs = len(o.KGs)
	}
	if j.Error != "" {
		b.Error = &j.Error
	}
	if !j.Finished.IsZero() {
		b.ExpiresAt = at(j.Finished.Add(Keep))
	}
	var s stage
	_ = json.Unmarshal([]byte(j.Detail), &s) // empty before the first KG
	switch {
	case b.Status == string(jobs.Queued):
		b.Detail = "waiting for a worker"
	case b.Status == string(jobs.Running) && !j.CancelAsked.IsZero():
		b.Detail = "being cancelled"
	case b.Status == string(jobs.Running):
		b.Detail = j.Step
		b.KGsDone, b.Bytes = s.KGs, s.Bytes
		if s.Layer != "" {
			b.Detail = fmt.Sprintf("%s: %s, %d of %d KGs", j.Step, s.Layer, s.KGs, b.KGs)
		}
	case b.Status == string(jobs.Done):
		if res, err := resultOf(j); err == nil {
			url, ready := "/artefacts/"+res.Key, len(res.Missing) == 0
			b.FileURL, b.Ready, b.Bytes, b.KGsDone = &url, &ready, res.Bytes, b.KGs-len(res.Missing)
			b.Unavailable = append(b.Unavailable, res.Missing...)
			b.Detail = "the file is ready"
		}
	default:
		b.Detail = "there is no file"
	}
	return b
}

// there says whether the file of a finished job is in the store.
func (d Deps) there(ctx context.Context, j jobs.Job) (bool, error) {
	res, err := resultOf(j)
	if err != nil {
		return false, err
	}
	v, err := d.Library.View(ctx)
	if err != nil {
		return false, generation.Fault(ctx, err)
	}
	there, err := v.Has(ctx, manifest.Object{Key: res.Key, Bytes: res.Bytes})
	return there, generation.Fault(ctx, err)
}

// lostFile is the status of a job that is done and whose file is gone: asked for again the export is a new one.
func lostFile(j jobs.Job) *reply.Document {
	b := statusOf(j)
	text := "The file is not in the store any more: ask for the export again."
	b.Status, b.Detail, b.Error, b.FileURL, b.Ready = string(jobs.Failed), "there is no file", &text, nil, nil
	return &reply.Document{Body: b}
}

func at(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
