package archive

import (
	"context"
	"errors"
	"net/http"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/inflight"
	"mappe/shared/web/params"
)

const tag = "Processing and archive"

// Deps are what the endpoints stand on.
type Deps struct {
	core.Deps
	// Queue takes the jobs; nil: nothing is processed here.
	Queue *jobs.Queue
	// Ledger has the counts of jobs; with Queue.
	Ledger ledger.Ledger
	// Mirror is the research repository; nil without one.
	Mirror Mirror
	// Store has the warm-up requests; nil: nothing is loaded before it is asked for.
	Store store.Store
	// Inflight knows the requests of the process; nil: those of this family are noted.
	Inflight *inflight.Tracker
	// Operator says whether a text is the operator's token; nil if there is no token, and the endpoints are open.
	Operator func(ctx context.Context, text string) (bool, error)
}

// New is the family as a service of its own; its endpoints are in the order of the specification.
func New(d Deps) *endpoint.Service {
	d.Deps = d.WithDefaults()
	tracked := func(e endpoint.Endpoint) endpoint.Endpoint { return e }
	if d.Inflight == nil {
		d.Inflight = &inflight.Tracker{}
		tracked = d.tracked
	}
	endpoints := []endpoint.Endpoint{
		d.operated(d.process()), d.status(), d.list(), d.archiveStatus(),
		d.operated(d.repair()), d.repairStats(), d.operated(d.prewarm()), d.prewarmStats(), d.operated(d.inflight()),
	}
	for i := range endpoints {
		endpoints[i] = tracked(endpoints[i])
	}
	return d.Service("processing and archive", "Processing of KGs from the source, their archive, and what is under way.", endpoints)
}

// tracked has the requests of an endpoint noted.
func (d Deps) tracked(e endpoint.Endpoint) endpoint.Endpoint {
	inner := e.Gate
	e.Gate = func(next http.Handler) http.Handler {
		if inner != nil {
			next = inner(next)
		}
		return d.Inflight.Wrap(next)
	}
	return e
}

// operated puts an endpoint behind the operator's token where there is one.
func (d Deps) operated(e endpoint.Endpoint) endpoint.Endpoint {
	if d.Operator == nil {
		e.Cache = endpoint.Live
		return e
	}
	return endpoint.Bearer{Name: "operator", Doc: "The operator's token.", Check: d.Operator}.Protect(e)
}

var pathKG = params.KG("kg_code", "The KG")

// view is the newest generation, for endpoints that are not pinned to one.
func (d Deps) view(ctx context.Context) (*library.View, error) {
	v, err := d.Library.View(ctx)
	return v, generation.Fault(ctx, err)
}

// noQueue is the fault where nothing is processed.
func (d Deps) noQueue() error {
	if d.Queue == nil {
		return fault.New(fault.Unavailable, "nothing is processed here: no worker is set up")
	}
	return nil
}

// order submits a job; a worker that could not be told finds it later.
func (d Deps) order(ctx context.Context, r *http.Request, kind string, o processing.Order) (j jobs.Job, created bool, err error) {
	j, created, err = processing.Submit(ctx, d.Queue, kind, endpoint.Client(r), o)
	var full *jobs.Full
	switch {
	case errors.As(err, &full):
		return j, false, fault.Retry(fault.RateLimited, full.RetryAfter, "too many KGs wait for this already: try again later").Because(err)
	case j.ID == "":
		return j, false, unreachable(err)
	}
	return j, created, nil
}

// job is the newest job of a kind for a KG; ok is false if the KG has no such job.
func (d Deps) job(ctx context.Context, kind string, code austria.KGCode) (j jobs.Job, ok bool, err error) {
	if d.Queue == nil {
		return j, false, nil
	}
	j, err = processing.Find(ctx, d.Queue, kind, code)
	if errors.Is(err, jobs.ErrNotFound) {
		return j, false, nil
	}
	if err != nil {
		return j, false, unreachable(err)
	}
	return j, true, nil
}

// unreachable is the fault of a ledger that gives no answer.
func unreachable(err error) error {
	return fault.Retry(fault.Unavailable, 5*time.Second, "the jobs cannot be reached at the moment: try again").Because(err)
}

func at(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// known is the fault of a code that the register does not have.
func known(v *library.View, code austria.KGCode) error {
	_, err := view.Known(v, code)
	return err
}
