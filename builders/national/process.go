package national

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// The outcomes of a processing that no further attempt changes.
var (
	// ErrNoSource: the source has no outline of the KG, or no parcel.
	ErrNoSource = errors.New("the source has no data of the KG")
	// ErrRefused: what was built is not fit to be served; the error is a *Refusal.
	ErrRefused = errors.New("the build is refused")
)

// Refusal says why a build is not published. It is ErrRefused.
type Refusal struct {
	KG      austria.KGCode
	Quality kgdocs.Quality
}

func (r *Refusal) Error() string { return fmt.Sprintf("KG %s: %v: %s", r.KG, ErrRefused, r.Reasons()) }

// Is makes it ErrRefused.
func (r *Refusal) Is(target error) bool { return target == ErrRefused }

// Reasons are sentences on the data.
func (r *Refusal) Reasons() string {
	var all []string
	for _, q := range r.Quality.Reasons {
		if q.Verdict == kgdocs.Refuse {
			all = append(all, q.Message)
		}
	}
	return strings.Join(all, "; ")
}

// Processing is the build and publication of one KG, as a request asks for it.
type Processing struct {
	Store   store.Store
	Source  *Source
	KG      austria.KGCode
	Force   bool                                        // build although the same input was built before: the same bytes, written where they are missing
	Restore func(context.Context, manifest.Entry) error // of Publication
	// Publishing is called between build and publication; nil: nobody is told.
	Publishing func() error
}

// Processed is its end.
type Processed struct {
	Generation string         // that is served
	Entry      manifest.Entry // of the KG in it
	Changed    bool           // another snapshot of the KG is served than before
}

// Do builds the KG and publishes it over whatever is served then. National artefacts are those of any publication:
// register, lists, totals, directories, overlays, prices and tiles, as far as their inputs changed.
func (p Processing) Do(ctx context.Context) (Processed, error) {
	facts, err := p.Source.choose([]austria.KGCode{p.KG})
	if err != nil {
		return Processed{}, fmt.Errorf("%w: %w", ErrNoSource, err)
	}
	live, err := ReadLive(ctx, p.Store)
	if err != nil {
		return Processed{}, err
	}
	task, err := p.Source.Task(facts[0], p.Store)
	if err != nil {
		return Processed{}, fmt.Errorf("%w: %w", ErrNoSource, err)
	}
	was, served := live.Manifest.Find(p.KG)
	if served {
		if task.Live, err = liveOf(ctx, p.Store, was); err != nil {
			return Processed{}, err
		}
	}
	task.Force = p.Force
	made, err := buildKG(ctx, task)
	switch {
	case errors.Is(err, errNoParcels):
		return Processed{}, fmt.Errorf("%w: %w", ErrNoSource, err)
	case err != nil:
		return Processed{}, err
	case made.Quality.Verdict == kgdocs.Refuse:
		return Processed{}, &Refusal{KG: p.KG, Quality: made.Quality}
	}
	if p.Publishing != nil {
		if err := p.Publishing(); err != nil {
			return Processed{}, err
		}
	}
	return publishMade(ctx, Publication{Store: p.Store, Country: p.Source.Country, Digests: []Made{made}, Stichtag: p.Source.Settings.Stichtag, Restore: p.Restore, Observer: silent{}}, was)
}

// publishMade publishes one KG; was is the zero Entry where it was not served.
func publishMade(ctx context.Context, p Publication, was manifest.Entry) (Processed, error) {
	done, err := Publish(ctx, p)
	if err != nil {
		return Processed{}, err
	}
	live, err := ReadLive(ctx, p.Store)
	if err != nil {
		return Processed{}, err
	}
	code := p.Digests[0].Key.Code
	now, ok := live.Manifest.Find(code)
	if !ok {
		return Processed{}, fmt.Errorf("KG %s is not in generation %s although it was published", code, live.Pointer.Generation)
	}
	return Processed{Generation: done.Generation, Entry: now, Changed: now.Snapshot != was.Snapshot || now.Forms != was.Forms}, nil
}

// liveOf gives the live entry to compare a build with; nil where the snapshot that it names is not in the store: there
// is nothing to compare, and the build brings it back.
func liveOf(ctx context.Context, st store.Store, e manifest.Entry) (*manifest.Entry, error) {
	_, err := st.Head(ctx, e.Forms.KGS.Key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &e, err
}
