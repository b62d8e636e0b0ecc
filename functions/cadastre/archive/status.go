package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

type processingStatus struct {
	KG         austria.KGCode `json:"kg_code"`
	Status     string         `json:"status" enum:"unknown,queued,processing,done,failed"`
	Step       *string        `json:"step" doc:"the current step; null when there is no work"`
	Progress   float64        `json:"progress" doc:"0 to 1"`
	StartedAt  *time.Time     `json:"started_at" doc:"of the last attempt"`
	FinishedAt *time.Time     `json:"finished_at"`
	Error      *string        `json:"error"`
	JobID      *string        `json:"job_id" doc:"null where the KG was processed with others, or is not known to have been"`
	Attempt    int            `json:"attempt" doc:"which attempt runs or ran last; 0 before the first"`
	Snapshot   *string        `json:"snapshot" doc:"<kg>-<date> that is served after the job"`
	Changed    *bool          `json:"changed" doc:"whether the job has published another snapshot than was served before"`
	Generation *string        `json:"generation" doc:"that was served at the end of the job"`
	Archive    *string        `json:"archive" enum:"queued,processing,done,failed" doc:"the same of the job that archives the snapshot; null if there is none"`
}

const statusDoc = `The newest processing of a KG: unknown where none is known of and nothing was built, queued, processing, done or failed. A KG that
was built with the whole country is done, with the time of its publication. Jobs are remembered for 90 days. A failed job leaves what is served
as it was, and may be ordered again.
`

func (d Deps) status() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/inspire/status/{kg_code}", ID: "inspire_status", Tag: tag, Summary: "How far the processing of a KG is",
		Doc: statusDoc, Params: []endpoint.AnyParam{pathKG}, Cache: endpoint.Live, Answer: endpoint.Answer{Body: processingStatus{}},
		Example: "/api/inspire/status/99101",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			b, err := d.statusOf(ctx, pathKG.Of(r))
			if err != nil {
				return "", err
			}
			r.Memo = b
			return hashed(b)
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if b, ok := r.Memo.(processingStatus); ok {
				return &reply.Document{Body: b}, nil
			}
			b, err := d.statusOf(ctx, pathKG.Of(r))
			return &reply.Document{Body: b}, err
		},
	}
}

// hashed names the state that a small body shows.
func hashed(body any) (string, error) {
	text, err := json.Marshal(body)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), err
}

// statusOf reads the newest generation, not the pinned one: a job that is done has published it.
func (d Deps) statusOf(ctx context.Context, code austria.KGCode) (processingStatus, error) {
	b := processingStatus{KG: code, Status: "unknown"}
	v, err := d.view(ctx)
	if err == nil {
		err = known(v, code)
	}
	if err != nil {
		return b, err
	}
	j, ok, err := d.job(ctx, processing.Process, code)
	if err != nil {
		return b, err
	}
	if ok {
		b.of(j)
		d.seen(ctx, v, j)
	} else if err := b.published(ctx, v); err != nil {
		return b, err
	}
	j, ok, err = d.job(ctx, processing.Archive, code)
	if err == nil && ok {
		state := shown(j)
		b.Archive = &state
	}
	return b, err
}

// seen makes sure that who is told of the end of a job is answered from what it has published from here on: this process
// looks at the pointer now, and not when it would.
func (d Deps) seen(ctx context.Context, v *library.View, j jobs.Job) {
	res, err := processing.ReadResult(j)
	if err != nil || j.State != jobs.Done || res.Generation == "" || res.Generation == v.Generation() ||
		d.Now().Sub(j.Finished) > lookAfter {
		return
	}
	if err := d.Library.Refresh(ctx); err != nil {
		d.Log.WarnContext(ctx, "the generation of a finished job is not read yet", "job", j.ID, "error", err)
	}
}

// lookAfter is how long after the end of a job its generation may be news to this process; afterwards it has looked.
const lookAfter = time.Minute

// of fills in a job.
func (b *processingStatus) of(j jobs.Job) {
	b.Status, b.Progress, b.JobID, b.Attempt = shown(j), j.Progress, &j.ID, j.Attempt
	b.StartedAt, b.FinishedAt = at(j.Started), at(j.Finished)
	if j.Error != "" {
		b.Error = &j.Error
	}
	switch b.Status {
	case "processing":
		b.Step = &j.Step
	case "done":
		b.Progress = 1
		if res, err := processing.ReadResult(j); err == nil {
			b.Snapshot, b.Changed, b.Generation = &res.Snapshot, &res.Changed, &res.Generation
		}
	}
}

// published is the state of a KG that no job is remembered of.
func (b *processingStatus) published(ctx context.Context, v *library.View) error {
	p, err := v.Published(ctx, b.KG)
	if errors.Is(err, library.ErrCold) {
		return nil
	}
	if err != nil {
		return generation.Fault(ctx, err)
	}
	name := string(b.KG) + "-" + p.Latest
	b.Status, b.Progress, b.FinishedAt, b.Snapshot = "done", 1, at(p.At), &name
	return nil
}

// shown is the state of a job as clients see it.
func shown(j jobs.Job) string {
	switch j.State {
	case jobs.Running:
		return "processing"
	case jobs.Releasing, jobs.Cancelled:
		return string(jobs.Failed)
	}
	return string(j.State)
}
