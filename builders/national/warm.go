package national

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/warmup"
)

// warmBatch is how many KGs one publication of a warm-up takes in; the others wait for the next.
const warmBatch = 32

// Warmer builds and publishes the KGs whose warm-up was requested. One at a time works on a store: the
// cloud's function has a concurrency of one, localdev has one goroutine.
type Warmer struct {
	Store  store.Store
	Source *Source // nil: nothing is built, and what left the store is brought back
	Jobs   int     // KGs built at once
	Now    func() time.Time
	Log    *slog.Logger
	// Restore copies a served snapshot back that is not in the store, from the research repository; nil, or an error:
	// the KG is built from the source.
	Restore func(context.Context, manifest.Entry) error
}

// WarmReport is what one round did.
type WarmReport struct {
	Served     []austria.KGCode `json:"served"`
	Failed     []austria.KGCode `json:"failed"`
	Left       int              `json:"left"` // requests for the next round
	Generation string           `json:"generation"`
}

// Empty says that there was nothing to do.
func (r WarmReport) Empty() bool { return len(r.Served)+len(r.Failed) == 0 }

// Round reads the requests that are due, builds their KGs, publishes them together and deletes the requests.
// A KG that fails is marked and keeps nobody waiting. The error is of the store.
func (w *Warmer) Round(ctx context.Context) (r WarmReport, err error) {
	due, err := warmup.Due(ctx, w.Store, w.Now())
	if err != nil || len(due) == 0 {
		return r, err
	}
	r = WarmReport{Left: max(0, len(due)-warmBatch)}
	live, err := ReadLive(ctx, w.Store)
	if err != nil {
		return r, err
	}
	batch := due[:min(len(due), warmBatch)]
	if err := warmup.NoteWork(ctx, w.Store, batch, 0); err != nil {
		return r, err
	}
	defer func() { // figures for people: a round that ends without is taken to be over some minutes later
		if err := warmup.NoteWork(context.WithoutCancel(ctx), w.Store, nil, len(r.Served)); err != nil {
			w.Log.Warn("the figures of warm-ups were not written", "error", err)
		}
	}()
	ends := make([]warmEnd, len(batch))
	var g errgroup.Group
	g.SetLimit(max(w.Jobs, 1))
	for i, code := range batch {
		g.Go(func() error {
			ends[i] = w.build(ctx, code, live)
			return nil
		})
	}
	_ = g.Wait() // what went wrong is in ends
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.Generation, err = w.publish(ctx, ends, live)
	if err != nil {
		return r, err
	}
	for i, code := range batch {
		if e := ends[i]; e.err != nil {
			r.Failed = append(r.Failed, code)
			w.Log.Warn("warm-up failed", "kg", code, "error", e.err)
			err = errors.Join(err, warmup.Failed(ctx, w.Store, code, e.err, e.final))
			continue
		}
		r.Served = append(r.Served, code)
		err = errors.Join(err, warmup.Done(ctx, w.Store, code))
	}
	return r, errors.Join(err, warmup.NoteFailures(ctx, w.Store))
}

// warmEnd is how the build of a requested KG ended; made is nil where it was served already.
type warmEnd struct {
	made  *kgbuild.Made
	err   error
	final bool // there is no data: trying again is of no use
}

func (w *Warmer) build(ctx context.Context, code austria.KGCode, live Live) warmEnd {
	if e, ok := live.Manifest.Find(code); ok {
		there, err := w.bringBack(ctx, e)
		if there || err != nil {
			return warmEnd{err: err}
		}
	}
	if w.Source == nil {
		return warmEnd{} // nobody promised it: a process with a source is to find no mark of a failure
	}
	i := slices.IndexFunc(w.Source.KGs, func(f kgbuild.Facts) bool { return f.Code == code })
	if i < 0 {
		return warmEnd{err: fmt.Errorf("KG %s: the source has no outline of it", code), final: true}
	}
	task, err := w.Source.Task(w.Source.KGs[i], w.Store)
	if err != nil {
		return warmEnd{err: err, final: true}
	}
	w.Log.Info("warm-up begins", "kg", code, "name", task.Facts.Name)
	start := w.Now()
	made, err := kgbuild.Build(ctx, task)
	if err == nil && made.Quality.Verdict == rowschema.Refuse {
		err = kgbuild.ResultOf(task.Facts, made, nil).Err
	}
	if err != nil {
		return warmEnd{err: err, final: errors.Is(err, kgbuild.ErrNoParcels)}
	}
	w.Log.Info("warm-up built", "kg", code, "parcels", made.Digest.Entry.Parcels, "took", w.Now().Sub(start).Round(time.Millisecond))
	return warmEnd{made: &made}
}

// bringBack copies the served snapshot of a KG back from the archive, unless it is there. false: it is to be built.
func (w *Warmer) bringBack(ctx context.Context, e manifest.Entry) (there bool, err error) {
	there, err = kgbuild.Whole(ctx, w.Store, e)
	if there || err != nil || w.Restore == nil { // where it is there, somebody was faster
		return there, err
	}
	err = w.Restore(ctx, e)
	switch {
	case err == nil:
		w.Log.Info("warm-up restored", "kg", e.Code) // the same objects: no generation changes
		return true, nil
	case w.Source == nil:
		return false, fmt.Errorf("KG %s is not brought back: %w", e.Code, err)
	}
	w.Log.Warn("the KG is built, and not copied back", "kg", e.Code, "error", err)
	return false, nil
}

// publish serves what was built. Where that fails every KG of the batch has failed.
func (w *Warmer) publish(ctx context.Context, ends []warmEnd, live Live) (string, error) {
	var made []kgbuild.Made
	for _, e := range ends {
		if e.made != nil {
			made = append(made, *e.made)
		}
	}
	if len(made) == 0 {
		return live.Pointer.Generation, nil
	}
	done, err := Publish(ctx, Publication{Store: w.Store, Country: w.Source.Country, Digests: made, Stichtag: w.Source.Settings.Stichtag,
		Restore: w.Source.Restore(w.Store, w.Restore), Now: w.Now})
	if cancelled := ctx.Err(); cancelled != nil {
		return "", cancelled
	}
	if err != nil {
		for i := range ends {
			if ends[i].made != nil {
				ends[i].err = err
			}
		}
		return live.Pointer.Generation, nil
	}
	w.Log.Info("warm-up published", "kgs", len(made), "generation", done.Generation)
	return done.Generation, nil
}

// Loop runs rounds until the context ends and looks for requests every pause.
func (w *Warmer) Loop(ctx context.Context, pause time.Duration) {
	if err := warmup.NoteFailures(ctx, w.Store); err != nil && ctx.Err() == nil { // a round that was cut short may not have
		w.Log.Error("warm-up", "error", err)
	}
	for ctx.Err() == nil {
		r, err := w.Round(ctx)
		if err != nil && ctx.Err() == nil {
			w.Log.Error("warm-up", "error", err)
		}
		if err == nil && r.Left > 0 {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// warmReserve is the time a round of the cloud may take at most: no other begins with less left.
const warmReserve = 7 * time.Minute

// warm runs rounds until nothing is due or the function's time runs out; the next event goes on.
func (c *Cloud) warm(ctx context.Context) (CloudAnswer, error) {
	now := time.Now
	source, err := c.open(ctx, "warm-"+now().UTC().Format("2006-01-02T15")) // a source is looked at every hour
	if err != nil {
		return CloudAnswer{}, err
	}
	w := Warmer{Store: c.Artefacts, Source: source, Jobs: 2, Now: now, Log: slog.Default(), Restore: c.restore}
	var all WarmReport
	if err := warmup.NoteFailures(ctx, c.Artefacts); err != nil { // a round that was cut short may not have
		return CloudAnswer{}, err
	}
	for {
		r, err := w.Round(ctx)
		all.Served, all.Failed, all.Left = append(all.Served, r.Served...), append(all.Failed, r.Failed...), r.Left
		if r.Generation != "" {
			all.Generation = r.Generation
		}
		deadline, limited := ctx.Deadline()
		if err != nil || r.Left == 0 || limited && time.Until(deadline) < warmReserve {
			return CloudAnswer{Warm: &all, Generation: all.Generation}, err
		}
	}
}
