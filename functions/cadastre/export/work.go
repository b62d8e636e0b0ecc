package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/functions/core/tasks"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
	"mappe/shared/web/gpkg"
)

// How long a job waits for KGs, within tasks.MaxTime.
const (
	warmTime  = 5 * time.Minute // that KGs are waited for
	warmEvery = 3 * time.Second
)

// Works writes the files of jobs:
//
//	order ──▶ KGs at hand, or waited for ──▶ file in a temporary folder ──▶ exports/{job}-{fence}/... in the store ──▶ result
//
// Nothing is told of a file before it stands whole in the store. A worker that dies leaves the job to another, which
// begins anew under a name of its own: no file is ever replaced, and what nobody tells of goes with the others.
type Works struct {
	Library *library.Library
	Store   store.Store // of the artefacts
	Log     *slog.Logger
	Lease   time.Duration    // of a silent worker; 0 is the jobs' own
	Now     func() time.Time // by which leases end; nil: time.Now
	// Pause waits for KGs that are being loaded; default pause.For.
	Pause func(context.Context, time.Duration) error
}

// NewQueue is the queue for a process that does the jobs.
func (w *Works) NewQueue(l ledger.Ledger) (*jobs.Queue, error) {
	if w.Pause == nil {
		w.Pause = pause.For
	}
	k := definition
	k.Run, k.Lease = w.run, w.Lease
	return jobs.New(l, jobs.Options{Types: map[string]jobs.Definition{JobType: k}, Now: w.Now, Log: w.Log})
}

// run does one job in the time that there is.
func (w *Works) run(ctx context.Context, job *jobs.Work) ([]byte, error) {
	o, err := readOrder(job.Job().Payload)
	if err != nil {
		return nil, err
	}
	attempt := tasks.Attempt{Attempts: definition.Attempts, Late: late}
	return attempt.Do(ctx, job, func(ctx context.Context, t *tasks.Progress) ([]byte, error) {
		res, err := w.make(ctx, job, t, o)
		if err != nil {
			return nil, err
		}
		return json.Marshal(res)
	})
}

// late is what a client reads of an export that takes longer than a worker may.
var late = fmt.Sprintf("The export could not be written in %d minutes: ask for fewer KGs.", int(tasks.MaxTime.Minutes()))

// make writes the file and puts it into the store.
func (w *Works) make(ctx context.Context, job *jobs.Work, t *tasks.Progress, o order) (res result, err error) {
	p, err := w.gather(ctx, t, o)
	if err != nil {
		return res, err
	}
	path, done, err := spool.Folder("export." + o.ext())
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, done()) }()
	p.step = steps(t, o, path)
	switch f := fileFormOf(o.Form); {
	case f != nil:
		err = f.file(ctx, p, path, o)
	case o.Form == keys.GeoPackage:
		err = gpkg.WriteFile(ctx, path, p.layers(ctx))
	case o.Form == flatGeobuf:
		err = p.writeFlatGeobuf(ctx, path, o)
	default:
		err = p.writeGeoJSON(ctx, path, o)
	}
	if err != nil {
		return res, err
	}
	if err := t.Tell(ctx, "storing the file", 0.95); err != nil {
		return res, err
	}
	key := o.place(p, job.Job())
	size, err := w.put(ctx, path, key)
	if err != nil {
		return res, err
	}
	res = result{Key: key.String(), Bytes: size, Generation: p.view.Generation()}
	for _, code := range p.named {
		if p.gaps.Has(code) {
			res.Missing = append(res.Missing, code)
		}
	}
	return res, job.Held() // a worker that stood still tells nothing
}

// place is the name of the file: the job's, the lease's, and one that says in a folder of downloads what it is.
func (o order) place(p *plan, j jobs.Job) keys.Export {
	return keys.Export{Run: fmt.Sprintf("%s-%d", j.ID, j.Fence), Name: strings.Trim("cadastre-"+p.stichtag, "-"), Ext: o.ext()}
}

// put stores the file, reading it as it goes.
func (w *Works) put(ctx context.Context, path string, key keys.Export) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	h := keys.HeadersOf(key)
	_, err = w.Store.PutFrom(ctx, key.String(), f, info.Size(), store.PutOptions{Headers: store.Headers(h)})
	return info.Size(), err
}

// gather reads the KGs of the order, in its generation, or in the newest where that is gone or KGs are being loaded:
// all of a file are of one generation. KGs that do not come in time stay gaps.
func (w *Works) gather(ctx context.Context, t *tasks.Progress, o order) (*plan, error) {
	v, err := w.Library.ViewOf(ctx, o.Generation)
	if errors.Is(err, library.ErrGone) {
		v, err = w.Library.View(ctx)
	}
	for waited := time.Duration(0); ; waited += warmEvery {
		if err != nil {
			return nil, err
		}
		if err := t.Tell(ctx, "reading the KGs", 0); err != nil {
			return nil, err
		}
		p := o.plan(v)
		p.opened = func(ctx context.Context, n int) error {
			return t.Tell(ctx, "reading the KGs", 0.1*float64(n)/float64(len(o.KGs)))
		}
		if err := p.read(ctx); err != nil || len(p.gaps.Warming()) == 0 || waited >= warmTime {
			return p, err
		}
		if err := t.Tell(ctx, fmt.Sprintf("waiting for %d KGs that are being loaded", len(p.gaps.Warming())), 0); err != nil {
			return nil, err
		}
		if err := w.Pause(ctx, warmEvery); err != nil {
			return nil, err
		}
		v, err = w.Library.View(ctx)
	}
}

// steps tells of each KG that a layer is done with.
func steps(t *tasks.Progress, o order, path string) func(context.Context, string) error {
	var s stage
	done, all := 0, max(1, len(o.KGs)*o.tables())
	return func(ctx context.Context, layer string) error {
		if layer = strings.TrimPrefix(layer, "export_"); layer != s.Layer {
			s = stage{Layer: layer}
		}
		done++
		s.KGs++
		if info, err := os.Stat(path); err == nil {
			s.Bytes = info.Size()
		}
		if err := t.Tell(ctx, "writing the file", 0.1+0.85*min(1, float64(done)/float64(all))); err != nil {
			return err
		}
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		return t.Detail(ctx, string(text))
	}
}
