// Package processing is the contract between those who ask for work on a KG and the worker who does it: the types of
// jobs, their orders and what they leave. Functions order, builders/processing works; neither imports the other.
//
//	process   builds a KG anew from the source and publishes it
//	repair    joins the address points of a KG's served snapshot to its parcels and publishes it
//	archive   puts a KG's served snapshot into the research repository
//
// The dedupe key of a job is the code of its KG: a KG has one open job of each type.
package processing

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// The types of jobs.
const (
	Process = "process"
	Repair  = "repair"
	Archive = "archive"
)

// AllTypes lists them.
func AllTypes() []string { return []string{Process, Repair, Archive} }

// Keep is how long a finished job can be asked for.
const Keep = 90 * 24 * time.Hour

// The steps of jobs, as status endpoints show them, in their order.
const (
	StepSource  = "opening the source"
	StepBuild   = "building"
	StepJoin    = "joining address points to parcels"
	StepPublish = "publishing"
	StepArchive = "archiving"
	StepCheck   = "checking what is served" // of an archiving, before it ends
)

// definitions are what both sides know of the jobs. A build keeps a processor busy for seconds to minutes and a publication
// is one at a time for the country, so that more at once would wait for each other.
var definitions = map[string]jobs.Definition{
	Process: {Attempts: 3, Backoff: 10 * time.Second, Keep: Keep, Gate: jobs.Gate{
		Type: jobs.Bounds{Running: 4, Queued: 500}, Client: jobs.Bounds{Running: 2, Queued: 18}, RetryAfter: time.Minute}},
	Repair: {Attempts: 3, Backoff: 10 * time.Second, Keep: Keep, Gate: jobs.Gate{
		Type: jobs.Bounds{Running: 4, Queued: 500}, Client: jobs.Bounds{Running: 2, Queued: 18}, RetryAfter: time.Minute}},
	// Of a repository that is down for a night a job outlasts the night: ten pauses from 10 s on, at most an hour each.
	Archive: {Attempts: 12, Backoff: 10 * time.Second, Keep: Keep, Wait: 7 * 24 * time.Hour, Gate: jobs.Gate{
		Type: jobs.Bounds{Running: 2, Queued: 900}}},
}

// Attempts is how often a job of a type is begun at most.
func Attempts(jobType string) int { return definitions[jobType].Attempts }

// Order is the payload of a job.
type Order struct {
	KG    austria.KGCode `json:"kg_code"`
	Force bool           `json:"force,omitempty"` // process: build although the same input was built before
}

// ReadOrder reads a payload.
func ReadOrder(payload []byte) (Order, error) {
	var o Order
	if err := json.Unmarshal(payload, &o); err != nil {
		return o, fmt.Errorf("order: %w", err)
	}
	code, err := austria.ParseKGCode(string(o.KG))
	if err != nil || code != o.KG {
		return o, fmt.Errorf("order: kg_code %.20q is not a padded KG code", o.KG)
	}
	return o, nil
}

// Result is what a job leaves.
type Result struct {
	Generation string `json:"generation,omitempty"` // that is served since
	Snapshot   string `json:"snapshot,omitempty"`   // <kg>-<date>
	Changed    bool   `json:"changed"`              // whether another snapshot of the KG is served than before
	Parcels    int    `json:"parcels,omitempty"`
	Joined     int    `json:"joined,omitempty"`  // repair: address points that lie in a parcel
	Outside    int    `json:"outside,omitempty"` // repair: address points in no parcel of the KG
	Record     string `json:"record,omitempty"`  // archive: of the repository
}

// ReadResult reads what a finished job left.
func ReadResult(j jobs.Job) (r Result, err error) {
	return r, json.Unmarshal(j.Result, &r)
}

// Options of NewQueue.
type Options struct {
	Notify func(context.Context, jobs.Job) error
	Run    map[string]func(context.Context, *jobs.Work) ([]byte, error) // by type; of one without, jobs are only ordered
	Lease  time.Duration                                                // of a silent worker; 0 is the jobs' own
	Count  bool                                                         // jobs that fail are counted: in the process that works
	Now    func() time.Time
	Log    *slog.Logger
}

// NewQueue is the queue of these jobs over a ledger.
func NewQueue(l ledger.Ledger, o Options) (*jobs.Queue, error) {
	own := map[string]jobs.Definition{}
	for name, k := range definitions {
		k.Run, k.Lease = o.Run[name], o.Lease
		if o.Count {
			k.Release = func(ctx context.Context, j jobs.Job) error { return Count(ctx, l, j, true) }
		}
		own[name] = k
	}
	return jobs.New(l, jobs.Options{Types: own, Notify: o.Notify, Now: o.Now, Log: o.Log})
}

// Submit orders work of a type on a KG for a client; the job that is open for the KG already is given instead of another.
func Submit(ctx context.Context, q *jobs.Queue, jobType, client string, o Order) (j jobs.Job, created bool, err error) {
	payload, err := json.Marshal(o)
	if err != nil {
		return j, false, err
	}
	return q.Submit(ctx, jobs.Order{Type: jobType, Key: string(o.KG), Client: client, Payload: payload})
}

// Find is the newest job of a type for a KG. jobs.ErrNotFound.
func Find(ctx context.Context, q *jobs.Queue, jobType string, code austria.KGCode) (jobs.Job, error) {
	return q.Find(ctx, jobType, string(code))
}

// Ledger are the partitions of the ledger that the jobs of the types are in.
func Ledger(jobTypes ...string) (partitions []string) {
	for _, k := range jobTypes {
		partitions = append(partitions, "job/"+k+"/*", "jobs-open/"+k, "jobs-gate/"+k, "job-ends/"+k)
	}
	return partitions
}
