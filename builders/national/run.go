package national

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/kgdocs"
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
	Observer   Observer
	Now        func() time.Time // dates the publication, and measures how long the run took
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
	done, err := Publish(ctx, Publication{Store: o.Store, Country: o.Source.Country, Digests: made, Earlier: earlier.Notes, Stichtag: o.Source.Settings.Stichtag, Accept: o.Accept, Observer: o.Observer, Now: o.Now})
	s.Took = o.Now().Sub(start)
	if err != nil {
		return s, err
	}
	s.Generation, s.Published = done.Generation, done.Changed
	for _, a := range done.Abolished {
		r := Result{Code: a.Code, Name: a.Name, Parcels: a.Parcels, Outcome: Dropped}
		if !a.Dropped {
			r.Outcome, r.Err = Refused, errors.New(a.String())
		}
		o.Observer.Abolished(a)
		s.Results = append(s.Results, r)
	}
	slices.SortStableFunc(s.Results, func(a, b Result) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return s, nil
}

// buildAll is the map step on this machine.
func (o *Options) buildAll(ctx context.Context, facts []Facts, live Live) ([]Made, []Result, error) {
	var mu sync.Mutex
	made := make([]Made, 0, len(facts))
	results := make([]Result, len(facts))
	var g errgroup.Group // one KG's failure does not cancel the others
	g.SetLimit(max(o.Jobs, 1))
	for i, f := range facts {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			start := o.Now()
			task, err := o.Source.Task(f, o.Store)
			var m Made
			if err == nil {
				task.Accept, task.AcceptGaps = o.Accept, o.AcceptGaps
				if e, ok := live.Manifest.Find(f.Code); ok {
					task.Live = &e
				}
				m, err = buildKG(ctx, task)
			}
			r := resultOf(f, m, err)
			r.Took = o.Now().Sub(start)
			mu.Lock()
			defer mu.Unlock()
			results[i] = r
			if r.Outcome == Built || r.Outcome == Reused {
				made = append(made, m)
			}
			o.Observer.Done(r)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(made, func(a, b Made) int { return strings.Compare(string(a.Key.Code), string(b.Key.Code)) })
	return made, results, nil
}

func resultOf(f Facts, m Made, err error) Result {
	r := Result{Code: f.Code, Name: f.Name, Parcels: m.Digest.Entry.Parcels, Tiles: m.Digest.Build.SourceTiles, Quality: m.Quality, Err: err}
	for _, o := range m.Digest.Entry.Forms.All() {
		r.Bytes += o.Bytes
	}
	for _, c := range m.Digest.Build.Repairs {
		r.Repaired += c.N
	}
	r.Gap, r.Overlap = m.Digest.GapSqm, m.Digest.OverlapSqm
	switch {
	case err != nil:
		r.Outcome = Failed
	case m.Reused:
		r.Outcome = Reused
	case m.Quality.Verdict == kgdocs.Refuse:
		r.Outcome = Refused
		reasons := make([]string, len(m.Quality.Reasons))
		for i, q := range m.Quality.Reasons {
			reasons[i] = q.Message
		}
		against := "not fit to be served"
		if m.Quality.Live != nil {
			against = "not fit to replace what is served"
		}
		r.Err = fmt.Errorf("%s: %s", against, strings.Join(reasons, "; "))
		if report := m.Digest.Entry.Quality.Key; report != "" {
			r.Err = fmt.Errorf("%w (see %s)", r.Err, report)
		}
	}
	return r
}

// buildable are the KGs with an outline of which the source says nowhere that it has no parcels, in rising order.
func (s *Source) buildable() []Facts {
	return slices.DeleteFunc(slices.Clone(s.KGs), func(f Facts) bool { return slices.Contains(s.Settings.Without, f.Code) })
}

// choose picks the KGs to build, in rising order.
func (s *Source) choose(codes []austria.KGCode) ([]Facts, error) {
	if len(codes) == 0 {
		all := s.buildable()
		if len(all) == 0 {
			return nil, errors.New("the source has no KG with an outline (kg.geojson) and parcels")
		}
		return all, nil
	}
	var out []Facts
	for _, c := range codes {
		i := slices.IndexFunc(s.KGs, func(f Facts) bool { return f.Code == c })
		if i < 0 {
			return nil, fmt.Errorf("KG %s is not in the source's kg.geojson", c)
		}
		out = append(out, s.KGs[i])
	}
	slices.SortFunc(out, func(a, b Facts) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return slices.CompactFunc(out, func(a, b Facts) bool { return a.Code == b.Code }), nil
}
