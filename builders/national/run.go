// Package national builds the country and publishes it: it opens a raw source, has builders/kgbuild build the KGs (on this
// machine, Run; in the cloud, Cloud; those that were asked for, Warmer), merges their digests with what is served, has
// the stages (builders/stage) make the artefacts of the country, and swaps the pointer (Publish). It reads a generation
// back (Check) and deletes what nobody can read any more (Prune). How one KG is built is not its affair.
package national

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/manifest"
	"mappe/builders/kgbuild"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Options say what a run builds.
type Options struct {
	Store      store.Store
	Source     *Source
	KGs        []austria.KGCode // empty: every KG of the source
	Jobs       int              // KGs built at once
	Accept     bool             // publish KGs that are worse than the live ones
	AcceptGaps bool             // publish KGs of which the source lacks parts
	Rehash     bool             // read all tiles, also those of files that are as the last run saw them
	// Restore brings served snapshots back that were evicted; nil: nobody can.
	Restore  func(context.Context, manifest.Entry) error
	Observer Observer
	Now      func() time.Time // dates the publication, and measures how long the run took
}

// Run builds the KGs, each alone, and publishes what came out well. A KG that cannot be built or is
// refused keeps its live snapshot and never stops the others. The error is about the run as a whole:
// nothing was published.
func Run(ctx context.Context, o Options) (Summary, error) {
	start := o.Now()
	facts, err := o.Source.choose(o.KGs)
	if err != nil {
		return Summary{}, err
	}
	live, err := ReadLive(ctx, o.Store)
	if err != nil {
		return Summary{}, err
	}
	o.Observer.Plan(len(facts))
	made, results, err := o.buildAll(ctx, facts, live)
	s := Summary{Results: results, Generation: live.Pointer.Generation}
	if err != nil {
		return s, err
	}
	earlier, err := o.Source.importAll(ctx, o.Store, facts)
	if err != nil {
		return s, err
	}
	s.Warnings = earlier.Problems
	if r := o.Source.Country.Rasters; r != nil {
		r.Warn = func(line string) { s.Warnings = append(s.Warnings, line) }
	}
	done, err := Publish(ctx, Publication{Store: o.Store, Country: o.Source.Country, Digests: made, Earlier: earlier.Notes,
		Stichtag: o.Source.Settings.Stichtag, Accept: o.Accept, Restore: o.Source.Restore(o.Store, o.Restore),
		Observer: o.Observer, Now: o.Now})
	s.Took = o.Now().Sub(start)
	if err != nil {
		return s, err
	}
	s.Generation, s.Published = done.Generation, done.Changed
	for _, a := range done.Abolished {
		r := kgbuild.Result{Code: a.Code, Name: a.Name, Parcels: a.Parcels, Outcome: kgbuild.Dropped}
		if !a.Dropped {
			r.Outcome, r.Err = kgbuild.Refused, errors.New(a.String())
		}
		o.Observer.Abolished(a)
		s.Results = append(s.Results, r)
	}
	slices.SortStableFunc(s.Results, func(a, b kgbuild.Result) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return s, nil
}

// buildAll is the map step on this machine.
func (o *Options) buildAll(ctx context.Context, facts []kgbuild.Facts, live Live) ([]kgbuild.Made, []kgbuild.Result, error) {
	var mu sync.Mutex
	made := make([]kgbuild.Made, 0, len(facts))
	results := make([]kgbuild.Result, len(facts))
	was, looks := readLooked(ctx, o.Store), map[austria.KGCode]kgbuild.Looked{}
	var g errgroup.Group // one KG's failure does not cancel the others
	g.SetLimit(max(o.Jobs, 1))
	for i, f := range facts {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			start := o.Now()
			m, err := o.build(ctx, f, live, was[f.Code])
			r := kgbuild.ResultOf(f, m, err)
			r.Took = o.Now().Sub(start)
			mu.Lock()
			defer mu.Unlock()
			results[i], looks[f.Code] = r, m.Looked
			if r.Outcome == kgbuild.Built || r.Outcome == kgbuild.Reused {
				made = append(made, m)
			}
			o.Observer.Done(r)
			return nil
		})
	}
	err := g.Wait()
	if err := errors.Join(err, o.keepLooked(ctx, was, looks)); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(made, func(a, b kgbuild.Made) int { return strings.Compare(string(a.Key.Code), string(b.Key.Code)) })
	return made, results, nil
}

// build builds a KG, of which a run before has remembered its look.
func (o *Options) build(ctx context.Context, f kgbuild.Facts, live Live, was kgbuild.Looked) (kgbuild.Made, error) {
	task, err := o.Source.Task(f, o.Store)
	if err != nil {
		return kgbuild.Made{}, err
	}
	task.Accept, task.AcceptGaps, task.Restore, task.Now = o.Accept, o.AcceptGaps, o.Restore, o.Now
	if !o.Rehash {
		task.Looked = was
	}
	if e, ok := live.Manifest.Find(f.Code); ok {
		task.Live = &e
	}
	return kgbuild.Build(ctx, task)
}

// buildable are the KGs with an outline that a build takes without being told to: those of which the source says neither
// that it has no parcels nor that they are built on demand, in rising order.
func (s *Source) buildable() []kgbuild.Facts {
	return slices.DeleteFunc(slices.Clone(s.KGs), func(f kgbuild.Facts) bool {
		return slices.Contains(s.Settings.Without, f.Code) || slices.Contains(s.Settings.OnDemand, f.Code)
	})
}

// choose picks the KGs to build, in rising order.
func (s *Source) choose(codes []austria.KGCode) ([]kgbuild.Facts, error) {
	if len(codes) == 0 {
		all := s.buildable()
		if len(all) == 0 {
			return nil, errors.New("the source has no KG with an outline (kg.geojson) and parcels")
		}
		return all, nil
	}
	var out []kgbuild.Facts
	for _, c := range codes {
		f, err := s.Facts(c)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b kgbuild.Facts) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return slices.CompactFunc(out, func(a, b kgbuild.Facts) bool { return a.Code == b.Code }), nil
}
