// Package processing is the worker of the jobs that requests order for a KG (shared/cloud/processing): it builds and
// publishes one KG, joins its address points again, and archives what is served. It owns no builder and no way of
// publishing: builders/kgbuild builds, builders/national publishes.
package processing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"syscall"
	"time"

	"mappe/artefacts/manifest"
	"mappe/builders/archive"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
)

// Worker does the jobs.
type Worker struct {
	Store store.Store
	// Source opens the raw source, or gives the one that is open; nil: without a source nothing is built.
	Source func(context.Context) (*national.Source, error)
	// Archive is the research repository; nil: without a repository nothing is archived.
	Archive *archive.Archive
	// Budget is what the served snapshots may take in the store; beyond it the least recently used are evicted, as far as
	// they are archived. 0: nothing is.
	Budget int64
	// Used is when a KG was last used; nil: when its snapshot was stored.
	Used  func(austria.KGCode) time.Time
	Log   *slog.Logger
	Lease time.Duration    // of a silent worker; 0 is the jobs' own
	Now   func() time.Time // by which leases end; nil: time.Now

	queue    *jobs.Queue
	together together
}

// NewQueue is the queue over a ledger for the process that works.
func (w *Worker) NewQueue(l ledger.Ledger) (*jobs.Queue, error) {
	run := map[string]func(context.Context, *jobs.Work) ([]byte, error){}
	for kind, do := range map[string]func(context.Context, *jobs.Work, processing.Order) (processing.Result, error){
		processing.Process: w.process, processing.Archive: w.archive, processing.Repair: w.repair,
	} {
		run[kind] = func(ctx context.Context, job *jobs.Work) ([]byte, error) {
			o, err := processing.ReadOrder(job.Job().Payload)
			if err != nil {
				return nil, err
			}
			res, err := do(ctx, job, o)
			if err != nil {
				return nil, w.failed(job.Job(), o, err)
			}
			if err := processing.Count(ctx, l, job.Job(), false); err != nil {
				w.Log.Error("the end of a job was not counted", "job", job.Job().ID, "error", err)
			}
			return json.Marshal(res)
		}
	}
	q, err := processing.NewQueue(l, processing.Options{Run: run, Lease: w.Lease, Count: true, Now: w.Now, Log: w.Log})
	w.queue = q
	return q, err
}

// failed is what the job is told: what no further attempt helps, and what the last one failed at, is for the user to read.
func (w *Worker) failed(j jobs.Job, o processing.Order, err error) error {
	w.Log.Warn("a job on a KG failed", "job", j.ID, "kg", o.KG, "attempt", j.Attempt, "error", err)
	switch {
	case errors.Is(err, errNotServed):
		return jobs.Fail("The snapshot of KG %s is not at hand: ask for the KG, and repair it when it is there.", o.KG)
	case errors.Is(err, errNoSource):
		return jobs.Fail("The source has no data of KG %s.", o.KG)
	case errors.Is(err, kgbuild.ErrRefused):
		return jobs.Fail("What was built of KG %s is not fit to be served; the snapshot that is served stays. %s", o.KG, reasons(err))
	case errors.Is(err, archive.ErrDamaged):
		return jobs.Fail("A file of the snapshot is damaged in the store: process KG %s again with max_age=0.", o.KG)
	case errors.Is(err, repository.ErrRefused):
		return jobs.Fail("The research repository refuses the snapshot of KG %s.", o.KG)
	case errors.Is(err, jobs.ErrLost), errors.Is(err, jobs.ErrCancelled), j.Attempt < processing.Attempts(j.Type):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EDQUOT):
		return jobs.Fail("The store of KG %s cannot be written: its disk is full or read-only. What was served stays.", o.KG)
	case j.Type == processing.Archive:
		return jobs.Fail("The snapshot of KG %s could not be archived: the research repository or the store gives no answer. It is served all the same.", o.KG)
	}
	return jobs.Fail("KG %s could not be processed: the source or the store gives no answer, or not the right one. What was served stays.",
		o.KG)
}

// reasons are those of a refusal, which speak of the data alone.
func reasons(err error) string {
	var r *kgbuild.Refusal
	if errors.As(err, &r) {
		return r.Reasons()
	}
	return ""
}

// The share of a job's time that its steps begin at, from the demo country's KGs: a build is most of it.
const (
	atBuild   = 0.05
	atPublish = 0.6
)

// process builds a KG and publishes it.
func (w *Worker) process(ctx context.Context, job *jobs.Work, o processing.Order) (res processing.Result, err error) {
	source, err := w.source(ctx, job)
	if err != nil {
		return res, err
	}
	if err := job.Progress(ctx, processing.StepBuild, atBuild); err != nil {
		return res, err
	}
	done, err := building{
		restore: w.restore(), store: w.Store, source: source, kg: o.KG,
		force:      o.Force && job.Job().Attempt == 1, // another attempt goes on with what the first has built
		publishing: w.publishing(ctx, job), publish: w.together.publish,
	}.do(ctx)
	if err != nil {
		return res, err
	}
	if err := w.orderArchive(ctx, job, o); err != nil {
		return res, err
	}
	return processing.Result{Generation: done.generation, Snapshot: done.entry.Snapshot, Changed: done.changed,
		Parcels: done.entry.Parcels}, nil
}

// source is the open source.
func (w *Worker) source(ctx context.Context, job *jobs.Work) (*national.Source, error) {
	if w.Source == nil {
		return nil, jobs.Fail("There is no source to build from here.")
	}
	if err := job.Progress(ctx, processing.StepSource, 0); err != nil {
		return nil, err
	}
	s, err := w.Source(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the source: %w", err)
	}
	return s, nil
}

// repair joins the address points of a KG's served snapshot to its parcels.
func (w *Worker) repair(ctx context.Context, job *jobs.Work, o processing.Order) (res processing.Result, err error) {
	source, err := w.source(ctx, job)
	if err != nil {
		return res, err
	}
	if err := job.Progress(ctx, processing.StepJoin, atBuild); err != nil {
		return res, err
	}
	done, err := joining{restore: w.restore(), store: w.Store, source: source, kg: o.KG, publishing: w.publishing(ctx, job),
		publish: w.together.publish}.do(ctx)
	if err != nil {
		return res, err
	}
	// Whatever has changed in this attempt: one before it may have published and died.
	if err := w.orderArchive(ctx, job, o); err != nil {
		return res, err
	}
	return processing.Result{Generation: done.generation, Snapshot: done.entry.Snapshot, Changed: done.changed, Parcels: done.entry.Parcels,
		Joined: done.inside, Outside: done.outside}, nil
}

// restore brings evicted snapshots back; nil where nothing is archived.
func (w *Worker) restore() func(context.Context, manifest.Entry) error {
	if w.Archive == nil {
		return nil
	}
	return w.Archive.Back
}

// evict keeps the store within its budget. What fails is tried again after the next archiving.
func (w *Worker) evict(ctx context.Context, live national.Live) {
	if w.Budget <= 0 {
		return
	}
	done, err := archive.Eviction{Store: w.Store, Budget: w.Budget, Used: w.Used}.Run(ctx, live.Manifest.KGs)
	if err != nil {
		w.Log.Error("snapshots were not evicted", "error", err)
	}
	if len(done.KGs) > 0 || done.Left > w.Budget {
		w.Log.Info("snapshots were evicted", "kgs", done.KGs, "bytes", done.Bytes, "left", done.Left, "not archived", done.Locked)
	}
}

// publishing tells of the step before a publication, and makes sure of the lease.
func (w *Worker) publishing(ctx context.Context, job *jobs.Work) func() error {
	return func() error {
		if err := job.Progress(ctx, processing.StepPublish, atPublish); err != nil {
			return err
		}
		return job.Renew(ctx) // nobody else publishes for this job from here on
	}
}

// orderArchive has what is served now archived, by a job of its own. An order that fails is tried again with the job,
// as long as that has attempts: the KG is served whatever becomes of it.
func (w *Worker) orderArchive(ctx context.Context, job *jobs.Work, o processing.Order) error {
	if w.Archive == nil {
		return nil
	}
	for {
		j, made, err := processing.Submit(ctx, w.queue, processing.Archive, "", processing.Order{KG: o.KG})
		switch {
		case j.ID == "" && !errors.Is(err, jobs.ErrFull) && job.Job().Attempt < processing.Attempts(job.Job().Type):
			return err
		case j.ID == "":
			w.Log.Error("the archiving of a KG was not ordered", "kg", o.KG, "error", err)
			return nil
		case made || j.State != jobs.Running || j.Step != processing.StepCheck || !w.now().Before(j.Until):
			return nil // it looks at what is served after this
		}
		// A job that is about to end may have looked before: the next one archives what is served now.
		if err := pause.For(ctx, checkPause); err != nil {
			return err
		}
	}
}

// checkPause is between two looks at a job that is about to end.
const checkPause = 20 * time.Millisecond

func (w *Worker) now() time.Time {
	if w.Now == nil {
		return time.Now()
	}
	return w.Now()
}

// maxArchived bounds the snapshots of a KG that one job archives: each was published while the one before it was archived.
const maxArchived = 10

// archive puts the served snapshot of a KG into the repository, and what is served in its place by the time it is there.
func (w *Worker) archive(ctx context.Context, job *jobs.Work, o processing.Order) (res processing.Result, err error) {
	if w.Archive == nil {
		return res, jobs.Fail("There is no research repository to archive into.")
	}
	a := *w.Archive
	a.Step = func(ctx context.Context, done float64) error { return job.Progress(ctx, processing.StepArchive, done) }
	if err := a.Step(ctx, 0); err != nil {
		return res, err
	}
	live, entry, err := w.served(ctx, o)
	if err != nil {
		return res, err
	}
	for range maxArchived {
		record, err := a.Put(ctx, entry, live.Manifest.Attribution)
		if err != nil {
			return res, err
		}
		res = processing.Result{Generation: live.Pointer.Generation, Snapshot: record.Name, Parcels: record.Parcels,
			Record: strconv.FormatInt(record.ID, 10)}
		// Who publishes from here on sees this step and orders another job.
		if err := job.Progress(ctx, processing.StepCheck, 0.99); err != nil {
			return res, err
		}
		of := entry.Forms
		if live, entry, err = w.served(ctx, o); err != nil {
			return res, err
		}
		if entry.Forms == of {
			w.evict(ctx, live)
			return res, nil
		}
	}
	return res, fmt.Errorf("KG %s is published faster than it is archived", o.KG)
}

// served is the KG as it is served.
func (w *Worker) served(ctx context.Context, o processing.Order) (national.Live, manifest.Entry, error) {
	live, err := national.ReadLive(ctx, w.Store)
	if err != nil {
		return live, manifest.Entry{}, err
	}
	entry, ok := live.Manifest.Find(o.KG)
	if !ok {
		return live, entry, jobs.Fail("KG %s has no snapshot to archive.", o.KG)
	}
	return live, entry, nil
}
