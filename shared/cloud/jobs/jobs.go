// Package jobs is the one state machine for long work: builds, warm-ups, analyses. A job is a record of
// the ledger that workers lease; a worker that dies loses its lease, and another goes on.
//
//	          ┌──────────── tried again ────────────┐
//	          ▼                                     │
//	queued ──────▶ running ──────▶ done             │
//	  │              │ ├────────────────────────────┘
//	  │ waited, or   │ │ failed for good, the last attempt, or cancelled
//	  │ cancelled    ▼ ▼
//	  └─────────▶ releasing ──────▶ failed
//	                │  (the hook gives back what was taken)
//	                └─────────────▶ cancelled, where that was asked for
//
// A cancel of a running job is noted in its record. The next sign of life of its worker, a third of a lease
// later at most, finds the note and ends the handler's context with ErrCancelled. A handler that is through by
// then has done the job: what was asked to be cancelled ends done or cancelled, and never begins again.
//
// Every step is one conditional write of the job's record, so a worker that has lost its lease writes
// nothing any more. A second record per open job makes it findable (index.go).
//
// At once means: two workers hold the lease of one job. They never do. A handler's context ends by a timer
// of its own when five sixths of the lease have passed without a sign of life (lease.term), so a worker
// whose process runs has stopped before another may begin. A process that stood still meanwhile finds its
// context ended when it goes on, at the latest with its next Progress, Renew or Held. What it is just then
// writing into other records is refused there by Job.Fence: a record notes the highest it was shown, and
// who comes with a lower one changes nothing (functions/books/records does so).
//
// How many jobs of a type are open and run at once a Gate bounds (gate.go). A payload that is too large for a
// record stands in an object store (payload.go) for as long as its job can be read.
//
// The package knows nothing of what the work is: a Definition brings handler and hook. A Pool runs jobs in
// goroutines; in the cloud Notify invokes a function that calls RunOne.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
)

// Outcomes that callers tell apart; everything else is the ledger's error.
var (
	// ErrNotFound: no job has the id or key; it was forgotten, or a newer one took its key.
	ErrNotFound = errors.New("no such job")
	// ErrBusy: another worker has the job, or it waits for its next attempt.
	ErrBusy = errors.New("the job cannot be taken now")
	// ErrLost: the lease ended before the work did; somebody else has the job, or may have it soon.
	ErrLost = errors.New("the lease of the job is lost")
	// ErrAgain: an attempt failed and another will follow.
	ErrAgain = errors.New("the job will be tried again")
	// ErrCancelled: somebody asked for the job to be cancelled; its handler ends.
	ErrCancelled = errors.New("the job is cancelled")
	// ErrFull: the gate of the type lets no further job in; the error is a *Full.
	ErrFull = errors.New("too many jobs are open")
)

// Bounds of what a job carries; with them it fits into a record.
const (
	MaxPayload = 96 << 10 // in the record; larger ones stand in the store, where there is one
	MaxStored  = 64 << 20 // of a payload in the store
	MaxResult  = 64 << 10
	maxText    = 2 << 10 // of Step and Error
	maxKey     = 1 << 10 // of the dedupe key
)

// Definition says how jobs of one type are done. Zero durations and counts mean the default.
type Definition struct {
	// Run does the work; its result is kept in the job. It returns an error soon after ctx ends (the lease is
	// lost, the job is cancelled, or the pool stops), and may run again from the start: what it does outside must bear that, or be
	// refused by Job.Fence. nil: this process only enqueues.
	Run func(ctx context.Context, w *Work) (result []byte, err error)
	// Release gives back what was taken for a job that has failed for good or was cancelled (a credit). Only one runs at a
	// time, and after it has returned nil it never runs again; it is repeated when it fails, or when its
	// process dies before its success is written down. So that it counts once even then, it writes the
	// job's ID into the record it changes. A stored payload is read by Queue.Payload.
	Release  func(ctx context.Context, j Job) error
	Lease    time.Duration // how long a silent worker keeps the job; 1 minute
	Attempts int           // 3
	Backoff  time.Duration // pause before the second attempt, doubling up to an hour; 5 seconds
	Wait     time.Duration // a job that nobody has begun for so long fails; 24 hours
	Keep     time.Duration // how long a finished job can be read; 7 days
	Once     bool          // a key whose job has finished gives that job instead of a new one, while it is kept
	Gate     Gate          // bounds of what is open and runs at once; none
}

func (k Definition) withDefaults() Definition {
	set := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	set(&k.Lease, time.Minute)
	set(&k.Backoff, 5*time.Second)
	set(&k.Wait, 24*time.Hour)
	set(&k.Keep, 7*24*time.Hour)
	set(&k.Gate.RetryAfter, 30*time.Second)
	if k.Attempts <= 0 {
		k.Attempts = 3
	}
	return k
}

// Options of New.
type Options struct {
	Types  map[string]Definition                  // by name: lower-case letters, digits and dashes
	Notify func(ctx context.Context, j Job) error // tells a worker elsewhere that the job waits; nil: pools look
	Store  store.Store                            // of payloads that are larger than MaxPayload; nil: they are refused
	Now    func() time.Time                       // time.Now
	Log    *slog.Logger                           // errors of handlers and hooks; slog.Default()
}

// Queue enqueues, leases and runs jobs. It is safe for concurrent use; any number of processes may have
// one over the same ledger.
type Queue struct {
	ledger ledger.Ledger
	types  map[string]Definition
	notify func(ctx context.Context, j Job) error
	store  store.Store
	now    func() time.Time
	log    *slog.Logger
	awake  chan struct{} // a job was enqueued here
}

var typeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// New makes a queue over a ledger.
func New(l ledger.Ledger, o Options) (*Queue, error) {
	q := &Queue{ledger: l, types: map[string]Definition{}, notify: o.Notify, store: o.Store, now: o.Now, log: o.Log,
		awake: make(chan struct{}, 1)}
	for name, k := range o.Types {
		if !typeName.MatchString(name) {
			return nil, fmt.Errorf("jobs: type %q: want up to 32 lower-case letters, digits and dashes, a letter first", name)
		}
		if err := k.Gate.check(); err != nil {
			return nil, fmt.Errorf("jobs: type %q: %w", name, err)
		}
		q.types[name] = k.withDefaults()
	}
	if q.now == nil {
		q.now = time.Now
	}
	if q.log == nil {
		q.log = slog.Default()
	}
	return q, nil
}

func (q *Queue) definition(name string) (Definition, error) {
	k, ok := q.types[name]
	if !ok {
		return Definition{}, fmt.Errorf("jobs: type %q is unknown here", name)
	}
	return k, nil
}
