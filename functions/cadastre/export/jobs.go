package export

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"mappe/artefacts/manifest"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// JobType is the type of the jobs.
const JobType = "export"

// Keep is how long a job can be asked for after its end, and its file fetched.
const Keep = 7 * 24 * time.Hour

// retryPartial is how long a file stands for a request although KGs were missing from it.
const retryPartial = time.Hour

// definition is what both sides know of the jobs. A client has one at work and four that wait; a file holds one processor
// for as long as it is written.
var definition = jobs.Definition{
	Attempts: 3, Keep: Keep,
	Gate: jobs.Gate{Type: jobs.Bounds{Running: 8, Queued: 200}, Client: jobs.Bounds{Running: 1, Queued: 4}},
}

// Orders is the queue for a process that only enqueues; notify tells a worker elsewhere.
func Orders(l ledger.Ledger, notify func(context.Context, jobs.Job) error, log *slog.Logger) (*jobs.Queue, error) {
	return jobs.New(l, jobs.Options{Types: map[string]jobs.Definition{JobType: definition}, Notify: notify, Log: log})
}

var asJob = endpoint.Bool("job", "true has a job write the answer as a file, however small it is.", endpoint.Default("false"))

const jobDoc = `Above 50 KGs or 200 MB (by estimate) the answer is written by a job: a 202 with job_id and status_url. The same request finds
the same job, for as long as its KGs do not change; when the file is there it is a 303 to it. It can be fetched for 7 days, from any
byte on. KGs that are not at hand are asked for and waited for, up to five minutes; those that do not come are named in the status and in
the file. GeoJSON is stored with Content-Encoding: gzip. A job writes at most 4,000 KGs and 4 GB (shapefiles: 2 GB;
by estimate), which every state stays below: more is a 413 that lists smaller requests.
`

func jobAnswers() []endpoint.Other {
	return []endpoint.Other{
		{Status: http.StatusAccepted, Doc: "A job writes the file; ask status_url every few seconds.", Body: acceptedBody{}},
		{Status: http.StatusSeeOther, Doc: "The file that a job wrote, at Location.", Body: statusBody{}},
		{Status: http.StatusRequestEntityTooLarge, Doc: "The export is too large; split lists requests that together are the same.",
			Body: fault.Schema()},
		{Status: http.StatusTooManyRequests, Doc: "Too many exports are being written or wait; Retry-After says when to ask again.",
			Body: fault.Schema()},
	}
}

type acceptedBody struct {
	JobID     string `json:"job_id"`
	StatusURL string `json:"status_url"`
	Status    string `json:"status" enum:"queued,running"`
}

// take answers with the job of an order: the one that there is, or a new one.
func (d Deps) take(ctx context.Context, r *endpoint.Request, p *plan, o order) (reply.Answer, error) {
	key, err := o.key(p.view)
	if err != nil {
		return nil, err
	}
	j, err := d.Queue.Find(ctx, JobType, key)
	if err == nil && j.State == jobs.Done {
		if there, err := d.stands(ctx, p, j); err != nil {
			return nil, err
		} else if there {
			return d.found(r, j), nil
		}
	}
	if err != nil && !errors.Is(err, jobs.ErrNotFound) {
		return nil, unreachable(err)
	}
	payload, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	j, _, err = d.Queue.Submit(ctx, jobs.Order{Type: JobType, Key: key, Client: endpoint.Client(r.HTTP), Payload: payload})
	var full *jobs.Full
	switch {
	case errors.As(err, &full):
		return nil, fault.Retry(fault.RateLimited, full.RetryAfter,
			"too many exports are being written or wait for it: try again later").Because(err)
	case j.ID == "":
		return nil, unreachable(err)
	} // a worker that was not told looks, or is woken
	url := statusURL(r.HTTP, j.ID)
	return &reply.Document{
		Body: acceptedBody{j.ID, url, shown(j)}, Status: http.StatusAccepted,
		Header: http.Header{"Location": {url}, "Retry-After": {"3"}, "Cache-Control": {"no-store"}, "Etag": nil},
	}, nil
}

// stands says whether the file of a finished job is the answer: it is there, and it is whole, or was made just now.
func (d Deps) stands(ctx context.Context, p *plan, j jobs.Job) (bool, error) {
	res, err := resultOf(j)
	if err != nil || len(res.Missing) > 0 && d.Now().Sub(j.Finished) > retryPartial {
		return false, err
	}
	there, err := p.view.Has(ctx, manifest.Object{Key: res.Key, Bytes: res.Bytes})
	return there, generation.Fault(ctx, err)
}

// found sends the client to the file of a finished job.
func (d Deps) found(r *endpoint.Request, j jobs.Job) *reply.Document {
	body := statusOf(j)
	return &reply.Document{Body: body, Status: http.StatusSeeOther,
		Header: http.Header{"Location": {*body.FileURL}, "Cache-Control": {"no-store"}, "Etag": nil}}
}

func statusURL(r *http.Request, id string) string {
	return endpoint.Prefix(r) + "/api/v1/export/jobs/" + id
}

// unreachable is the fault of a ledger that gives no answer.
func unreachable(err error) error {
	return fault.Retry(fault.Unavailable, 5*time.Second, "the jobs cannot be reached at the moment: try again").Because(err)
}

// result is what a job leaves.
type result struct {
	Key        string           `json:"key"` // of the file
	Bytes      int64            `json:"bytes"`
	Generation string           `json:"generation"`        // that was read
	Missing    []austria.KGCode `json:"missing,omitempty"` // KGs that exist and could not be read
}

func resultOf(j jobs.Job) (res result, err error) {
	return res, json.Unmarshal(j.Result, &res)
}
