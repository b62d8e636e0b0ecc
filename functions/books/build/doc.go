// Package build does the work of an accepted order: it reads the manuscript from the store, has the press
// make the book, keeps the files, writes down the outcome and tells the address that wanted to know. It is
// the handler of the jobs of JobType; the HTTP function enqueues them, a worker runs them.
//
//	account (accepted, debited) ──Enqueue──▶ job ──Run──▶ files ──Decide──▶ book ──Clear──▶ account ──▶ callback
//	                                       └─Release─▶          Decide──▶ book ──Clear, refund──▶ account ──▶ callback
//
// Every step can be repeated: a worker that dies between two of them leaves the rest to the next. What the
// book says first (records.Decide) is what happened; account and callback follow it.
//
// A worker that stood still until another had its build changes nothing when it goes on: its context has
// ended, the book listens to the worker that claimed it last, and files have the fence of the lease in their
// names, so that they replace nobody's.
package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"mappe/functions/books/callback"
	"mappe/functions/books/records"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
)

// JobType is the type of the jobs.
const JobType = "book"

// The bounds of a build.
const (
	MaxTime       = 8 * time.Minute
	MaxManuscript = 50 << 20 // bytes
	attempts      = 2        // a worker that dies twice with one book will do so again
)

// Works is what builds need.
type Works struct {
	Records *records.Records
	Store   store.Store
	Press   press.Parts
	Sender  callback.Sender
	// Public is the address of the service as its clients know it, for the callback's body.
	Public string
	Log    *slog.Logger     // nil: slog.Default()
	Lease  time.Duration    // of a silent worker; 0 is the jobs' own
	Now    func() time.Time // by which leases end; nil: time.Now
}

// NewQueue is the queue of the builds for a process that makes them.
func (w *Works) NewQueue(l ledger.Ledger) (*jobs.Queue, error) {
	if w.Log == nil {
		w.Log = slog.Default()
	}
	k := definition
	k.Run, k.Release, k.Lease = w.run, w.release, w.Lease
	return jobs.New(l, jobs.Options{Types: map[string]jobs.Definition{JobType: k}, Now: w.Now, Log: w.Log})
}

// Orders is the same queue for a process that only enqueues; notify tells a worker elsewhere. A program
// that has no other links nothing of what makes a book.
func Orders(l ledger.Ledger, notify func(context.Context, jobs.Job) error, log *slog.Logger) (*jobs.Queue, error) {
	return jobs.New(l, jobs.Options{Types: map[string]jobs.Definition{JobType: definition}, Notify: notify, Log: log})
}

// definition is what both know of the jobs.
var definition = jobs.Definition{Attempts: attempts, Once: true}

// Enqueue makes the job of an accepted order, once however often it is called: what the account calls running
// has a job even when the process that accepted it has died.
func Enqueue(ctx context.Context, q *jobs.Queue, b records.Build) (jobs.Job, error) {
	payload, err := json.Marshal(b)
	if err != nil {
		return jobs.Job{}, err
	}
	j, _, err := q.Enqueue(ctx, JobType, b.ID, payload)
	if j.ID != "" {
		err = nil // the worker was not told: it will look, or be woken
	}
	return j, err
}

func order(j jobs.Job) (b records.Build, err error) {
	if err := json.Unmarshal(j.Payload, &b); err != nil {
		return b, fmt.Errorf("payload of %s: %w", j.ID, err)
	}
	return b, nil
}

// run makes the files of an order.
func (w *Works) run(ctx context.Context, job *jobs.Work) ([]byte, error) {
	b, err := order(job.Job())
	if err != nil {
		return nil, err
	}
	book, err := w.Records.Claim(ctx, b.Book, b.ID, hold(b, job.Job()))
	if err != nil {
		return nil, err
	}
	if book.Last != b.ID {
		if book, err = w.make(ctx, job, b, book); err != nil {
			return nil, err
		}
	}
	return nil, w.finish(ctx, b, book)
}

// hold is the right of whoever has a lease of the job.
func hold(b records.Build, j jobs.Job) records.Hold {
	return records.Hold{Number: b.Number, Fence: j.Fence}
}

// make has the press work and writes down that it is done.
func (w *Works) make(ctx context.Context, job *jobs.Work, b records.Build, book records.Book) (records.Book, error) {
	bounded, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	tell := func(step string, done float64) {
		if err := job.Progress(bounded, step, done); errors.Is(err, jobs.ErrLost) {
			cancel()
		}
	}
	out, err := w.press(bounded, b, book, tell, job.Held)
	if ctx.Err() != nil {
		return book, context.Cause(ctx) // told to stop, or the lease is lost: that was no fault of the book
	}
	var fault *press.Fault
	if errors.As(err, &fault) {
		if fault.Unwrap() != nil {
			w.Log.ErrorContext(ctx, "a book was not built", "book", b.Book, "build", b.ID, "error", fault.Unwrap())
		}
		return book, jobs.Fail("%s", fault.Error())
	}
	if err != nil {
		return book, err
	}
	if err := job.Renew(ctx); err != nil { // the build is this worker's for a while
		return book, err
	}
	rows, err := w.keep(ctx, job, b, book, out)
	if err != nil {
		return book, err
	}
	if err := job.Held(); err != nil {
		return book, err
	}
	return w.Records.Decide(ctx, b.Book, records.Outcome{Build: b.ID, Hold: hold(b, job.Job()), Outputs: rows})
}

// release ends an order that failed for good.
func (w *Works) release(ctx context.Context, j jobs.Job) error {
	b, err := order(j)
	if err != nil {
		return err
	}
	book, err := w.Records.Decide(ctx, b.Book, records.Outcome{Build: b.ID, Hold: hold(b, j), Error: j.Error})
	if errors.Is(err, records.ErrNotFound) {
		return w.Records.Clear(ctx, b, true)
	}
	if err != nil {
		return err
	}
	return w.finish(ctx, b, book)
}

// finish lists the files that the book names, clears the account, with the refund of a build that the book
// calls failed, and sends the message.
func (w *Works) finish(ctx context.Context, b records.Build, book records.Book) error {
	for _, o := range book.Outputs {
		if err := w.Records.AddOutput(ctx, b.Book, o); err != nil {
			return err
		}
	}
	if err := w.Records.Clear(ctx, b, book.Status == records.Failed); err != nil {
		return err
	}
	return w.callBack(ctx, b, book)
}

// callBack sends the one message of a build: at most once, whatever dies.
func (w *Works) callBack(ctx context.Context, b records.Build, book records.Book) error {
	if b.Callback == "" {
		return nil
	}
	mine, err := w.Records.ClaimCallback(ctx, b)
	if err != nil || !mine {
		return err
	}
	body, err := json.Marshal(View(book, w.Public, nil))
	if err != nil {
		return err
	}
	status, err := w.Sender.Send(ctx, b.Callback, body)
	if err != nil {
		w.Log.WarnContext(ctx, "a callback was not delivered", "book", b.Book, "build", b.ID, "error", err)
		return nil
	}
	w.Log.InfoContext(ctx, "callback", "book", b.Book, "build", b.ID, "status", status)
	return nil
}

// Source reads the manuscript of a book.
func Source(ctx context.Context, s store.Store, book records.Book) ([]byte, error) {
	return ReadObject(ctx, s, book.SourceKey(), MaxManuscript)
}

// ReadObject reads an object of at most most bytes.
func ReadObject(ctx context.Context, s store.Store, key string, most int64) ([]byte, error) {
	o, err := s.Get(ctx, key, store.GetOptions{Plain: true})
	if err != nil {
		return nil, err
	}
	defer o.Body.Close()
	b, err := io.ReadAll(io.LimitReader(o.Body, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s: more than %d bytes", key, most)
	}
	return b, err
}
