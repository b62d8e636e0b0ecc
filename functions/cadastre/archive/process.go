package archive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxMaxAge is ten years, longer than any snapshot was served.
const maxMaxAge = 10 * 31_536_000

var maxAge = endpoint.Int("max_age",
	"Seconds: a KG whose served snapshot was processed later than that ago is skipped. 0 forces the processing.",
	endpoint.Between(0, maxMaxAge), endpoint.Default("31536000"))

type processBody struct {
	KG        austria.KGCode `json:"kg_code"`
	Status    string         `json:"status" enum:"queued,skipped"`
	Reason    *string        `json:"reason" doc:"why it is skipped, or that it waits or runs already; null otherwise"`
	JobID     *string        `json:"job_id" doc:"null where it is skipped"`
	StatusURL string         `json:"status_url"`
}

const processDoc = `Builds the KG anew from the vector tiles, writes an immutable dated snapshot <kg>-<date> beside the earlier ones, publishes it as
the latest, and archives it in the research repository where one is set up. The date is that of the source's data. It takes seconds to minutes:
ask status_url.

The publication refreshes everything of the country that is made from the KG: register, lists, totals, search directories, columns for
filters, overlays, prices and the national tiles. A KG whose tiles did not change keeps its snapshot.

A KG whose snapshot was processed less than max_age seconds ago is skipped; if the snapshot is not archived yet, it is. Of a KG that waits or is processed already the same job is answered.
`

func (d Deps) process() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/inspire/process/{kg_code}", ID: "inspire_process", Tag: tag, Summary: "Process a KG", Doc: processDoc,
		Params: []endpoint.AnyParam{pathKG, maxAge}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Status: http.StatusAccepted, Body: processBody{}, Others: []endpoint.Other{
			{Status: http.StatusTooManyRequests, Doc: "Too many KGs of this client, or of all, wait; Retry-After says when to ask again.",
				Body: fault.Schema()}}},
		Example: "/api/inspire/process/99101?max_age=86400",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			code := pathKG.Of(r)
			v, err := d.view(ctx)
			if err != nil {
				return nil, err
			}
			if err := first(known(v, code), d.noQueue()); err != nil {
				return nil, err
			}
			body := processBody{KG: code, Status: "queued", StatusURL: endpoint.Prefix(r.HTTP) + "/api/inspire/status/" + string(code)}
			if age := time.Duration(maxAge.Of(r)) * time.Second; age > 0 {
				if body.Reason, err = d.young(ctx, v, code, age); err != nil {
					return nil, err
				}
			}
			if body.Reason != nil {
				body.Status = "skipped"
				return accepted(body, body.StatusURL), d.archiveOnce(ctx, v, r.HTTP, code)
			}
			j, created, err := d.order(ctx, r.HTTP, processing.Process, processing.Order{KG: code, Force: maxAge.Of(r) == 0})
			if err != nil {
				return nil, err
			}
			body.JobID = &j.ID
			if !created {
				reason := "the KG waits or is processed already"
				body.Reason = &reason
			}
			return accepted(body, body.StatusURL), nil
		},
	}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func accepted(body any, location string) *reply.Document {
	return &reply.Document{Body: body, Status: http.StatusAccepted, Header: http.Header{"Location": {location}, "Retry-After": {"3"}}}
}

// young says why a KG is not processed again: its snapshot is there and young. nil: it is processed.
func (d Deps) young(ctx context.Context, v *library.View, code austria.KGCode, age time.Duration) (*string, error) {
	processed, err := d.processedAt(ctx, v, code)
	if err != nil || processed.IsZero() {
		return nil, err
	}
	is := d.Now().Sub(processed)
	if is >= age {
		return nil, nil
	}
	missing, err := v.Missing(ctx, []austria.KGCode{code})
	if err != nil || len(missing) > 0 { // its snapshot is gone: processing brings it back
		return nil, generation.Fault(ctx, err)
	}
	text := fmt.Sprintf("the snapshot was processed %d seconds ago, less than max_age=%d", max(0, int(is.Seconds())), int(age.Seconds()))
	return &text, nil
}

// archiveOnce orders the archiving of a snapshot that is served and not archived: one of a build of the whole country.
// It counts among the orders of its client, as processing does.
func (d Deps) archiveOnce(ctx context.Context, v *library.View, r *http.Request, code austria.KGCode) error {
	if d.Mirror == nil {
		return nil
	}
	list, _, err := d.Library.Archived(ctx)
	if err != nil {
		return generation.Fault(ctx, err)
	}
	if line, ok := list.Find(code); ok && line.Latest >= v.Register().KG(code).Snapshot.Date {
		return nil
	}
	j, _, err := processing.Submit(ctx, d.Queue, processing.Archive, endpoint.Client(r), processing.Order{KG: code})
	if errors.Is(err, jobs.ErrFull) || j.ID != "" {
		return nil // the next request asks again
	}
	return unreachable(err)
}

// processedAt is when a KG was last processed: its publication, or a later job that found it unchanged; zero where
// it never was.
func (d Deps) processedAt(ctx context.Context, v *library.View, code austria.KGCode) (time.Time, error) {
	p, err := v.Published(ctx, code)
	if errors.Is(err, library.ErrCold) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, generation.Fault(ctx, err)
	}
	j, ok, err := d.job(ctx, processing.Process, code)
	if err == nil && ok && j.State == jobs.Done && j.Finished.After(p.At) {
		return j.Finished, nil
	}
	return p.At, err
}
