// Package ogc shows the analyses of the landscape as an OGC API: Processes part 1 (core, process descriptions, JSON, dismiss), so
// that clients of that interface run them. It owns the documents of the standard; a process is an endpoint of another family, which
// answers in this process and is asked in the background, a job is the task that it names (functions/core/tasks).
//
//	/ogc                                   landing page
//	/ogc/conformance                       the conformance classes
//	/ogc/processes                         the processes
//	/ogc/processes/{process_id}            one of them, with its inputs as JSON Schema, from the parameters of its endpoint
//	/ogc/processes/{process_id}/execution  POST: runs it; with Prefer: respond-async as a job
//	/ogc/jobs                              the jobs whose results are listed
//	/ogc/jobs/{job_id}                     a job; DELETE dismisses it
//	/ogc/jobs/{job_id}/results             its result
//
// Every execution is a job of its own, whose name cannot be guessed: who dismisses it leaves equal ones of others alone. An
// execution without that preference waits for its job. Inputs may be given by reference: to what this service keeps, and to hosts
// that the operator names (MAPPE_INPUT_HOSTS, none by default). What the standard has and this does not: outputs by reference, but for
// results that are too large to stand in a document.
package ogc

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks"
	"mappe/functions/family"
	"mappe/functions/landscape/scans"
	"mappe/shared/web/endpoint"
)

const tag = "OGC API Processes"

// Family is how the endpoints are reached and what their function is given: what their processes need to be asked.
var Family = family.Family{
	Name: "landscape-ogc", Program: "functions/landscape/ogc/lambda", Prefix: "/landscape",
	Paths: []string{"/ogc*"},
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}

// Deps are what the endpoints stand on.
type Deps struct {
	Library  *library.Library
	Families []family.Member // of the processes: those of functions/landscape/ogc/table
	Desk     *tasks.Desk     // nil: there are no jobs, and executions are 503
	BaseURL  string          // what stands before the paths in the outside world
	Version  string          // of the software
	// InputHosts are the hosts, beside the service's own addresses, that inputs are fetched from over https; nil: none.
	InputHosts []string
	// Transport asks them; nil: one that reaches public addresses alone.
	Transport http.RoundTripper
	// Patience is how long an execution waits that is to be answered at once; 0: 40 s.
	Patience time.Duration
	Now      func() time.Time // default time.Now
	Log      *slog.Logger     // default: silent
}

type service struct {
	Deps
	processes []*process
}

// New is the family as a service of its own. It panics where a process names an endpoint that is not declared, which a test would
// have told.
func New(d Deps) *endpoint.Service {
	if d.Now == nil {
		d.Now = time.Now
	}
	s := &service{Deps: d, processes: processes(d.Families)}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: OGC API", Version: d.Version, BaseURL: d.BaseURL,
		Description: "The analyses of the landscape as an OGC API Processes.",
		Endpoints: []endpoint.Endpoint{s.landing(), s.conformance(), s.list(), s.describe(), s.execution(), s.jobs(), s.job(), s.dismiss(),
			s.results()},
		Notice: scans.Notice, Now: d.Now, Log: d.Log,
	}
}

// Open is New with what the environment says: MAPPE_PUBLIC_URL is BaseURL, MAPPE_INPUT_HOSTS are InputHosts with commas between.
func Open(d Deps, getenv func(string) string) (s *endpoint.Service, err error) {
	d.BaseURL = getenv("MAPPE_PUBLIC_URL")
	if d.InputHosts, err = InputHosts(getenv("MAPPE_INPUT_HOSTS")); err != nil {
		return nil, fmt.Errorf("MAPPE_INPUT_HOSTS: %w", err)
	}
	return New(d), nil
}
