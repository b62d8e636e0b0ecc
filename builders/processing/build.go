package processing

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// errNoSource: the source has no outline of the KG, or no parcel. No further attempt changes it.
var errNoSource = errors.New("the source has no data of the KG")

// building is the build and publication of one KG, as a request asks for it.
type building struct {
	store  store.Store
	source *national.Source
	kg     austria.KGCode
	// build although the same input was built before: the same bytes, written where they are missing
	force   bool
	restore func(context.Context, manifest.Entry) error // of national.Publication
	// publishing is called between build and publication; nil: nobody is told.
	publishing func() error
	publish    func(context.Context, national.Publication) (national.Published, error) // nil: national.Publish
}

// published is the KG after a publication.
type published struct {
	generation string         // that is served
	entry      manifest.Entry // of the KG in it
	changed    bool           // another snapshot of the KG is served than before
}

// do builds the KG and publishes it over whatever is served then. National artefacts are those of any publication:
// register, lists, totals, directories, overlays, prices and tiles, as far as their inputs changed.
func (b building) do(ctx context.Context) (published, error) {
	facts, err := b.source.Facts(b.kg)
	if err != nil {
		return published{}, fmt.Errorf("%w: %w", errNoSource, err)
	}
	live, err := national.ReadLive(ctx, b.store)
	if err != nil {
		return published{}, err
	}
	task, err := b.source.Task(facts, b.store)
	if err != nil {
		return published{}, fmt.Errorf("%w: %w", errNoSource, err)
	}
	was, served := live.Manifest.Find(b.kg)
	if served {
		if task.Live, err = liveOf(ctx, b.store, was); err != nil {
			return published{}, err
		}
	}
	task.Force = b.force
	made, err := kgbuild.Build(ctx, task)
	switch {
	case errors.Is(err, kgbuild.ErrNoParcels):
		return published{}, fmt.Errorf("%w: %w", errNoSource, err)
	case err != nil:
		return published{}, err
	case made.Quality.Verdict == rowschema.Refuse:
		return published{}, &kgbuild.Refusal{KG: b.kg, Quality: made.Quality}
	}
	if b.publishing != nil {
		if err := b.publishing(); err != nil {
			return published{}, err
		}
	}
	return publish(ctx, b.publish, national.Publication{Store: b.store, Country: b.source.Country, Digests: []kgbuild.Made{made},
		Stichtag: b.source.Settings.Stichtag, Restore: b.source.Restore(b.store, b.restore)}, was)
}

// publish publishes one KG by a way of publishing, nil for national.Publish; was is the zero Entry where it was not served.
func publish(ctx context.Context, by func(context.Context, national.Publication) (national.Published, error), p national.Publication,
	was manifest.Entry) (published, error) {
	if by == nil {
		by = national.Publish
	}
	done, err := by(ctx, p)
	if err != nil {
		return published{}, err
	}
	live, err := national.ReadLive(ctx, p.Store)
	if err != nil {
		return published{}, err
	}
	code := p.Digests[0].Key.Code
	now, ok := live.Manifest.Find(code)
	if !ok {
		return published{}, fmt.Errorf("KG %s is not in generation %s although it was published", code, live.Pointer.Generation)
	}
	return published{done.Generation, now, now.Snapshot != was.Snapshot || now.Forms != was.Forms}, nil
}

// liveOf gives the live entry to compare a build with; nil where the snapshot that it names is not in the store: there
// is nothing to compare, and the build brings it back.
func liveOf(ctx context.Context, st store.Store, e manifest.Entry) (*manifest.Entry, error) {
	_, err := store.Stat(ctx, st, e.Forms.KGS.Key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &e, err
}
