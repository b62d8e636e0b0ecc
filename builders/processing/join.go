package processing

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/manifest"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// errNotServed: no snapshot of the KG is served, or its object is not in the store.
var errNotServed = errors.New("no snapshot of the KG is at hand")

// joining joins the address points of a KG's served snapshot to its parcels and publishes it. Of the source only the
// registers and overlays are published with it: no parcel is read.
type joining struct {
	store   store.Store
	source  *national.Source
	kg      austria.KGCode
	restore func(context.Context, manifest.Entry) error // of national.Publication; the snapshot too is brought back by it
	// publishing is called before the publication.
	publishing func() error
	publish    func(context.Context, national.Publication) (national.Published, error) // nil: national.Publish
}

// joined is its end.
type joined struct {
	published
	inside, outside int // address points in a parcel, and in none of the KG
}

// do joins and publishes. A snapshot that carries the join stays as it is.
func (j joining) do(ctx context.Context) (joined, error) {
	live, err := national.ReadLive(ctx, j.store)
	if err != nil {
		return joined{}, err
	}
	was, ok := live.Manifest.Find(j.kg)
	if !ok {
		return joined{}, fmt.Errorf("KG %s: %w", j.kg, errNotServed)
	}
	body, err := j.snapshot(ctx, was)
	if err != nil {
		return joined{}, err
	}
	made, err := kgbuild.Join(ctx, j.store, was, body)
	if err != nil {
		return joined{}, err
	}
	done := joined{published{live.Pointer.Generation, was, false}, made.Inside, made.Outside}
	if made.Made == nil {
		return done, nil
	}
	if err := j.publishing(); err != nil {
		return joined{}, err
	}
	// Without a date of the publication the snapshot keeps its own.
	done.published, err = publish(ctx, j.publish, national.Publication{Store: j.store, Country: j.source.Country,
		Digests: []kgbuild.Made{*made.Made}, Restore: j.source.Restore(j.store, j.restore)}, was)
	return done, err
}

// snapshot reads the served file of the KG, and brings it back where it was evicted.
func (j joining) snapshot(ctx context.Context, of manifest.Entry) ([]byte, error) {
	b, err := objects.Read(ctx, j.store, of.Forms.KGS.Key)
	if errors.Is(err, store.ErrNotFound) && j.restore != nil {
		if restored := j.restore(ctx, of); restored == nil {
			b, err = objects.Read(ctx, j.store, of.Forms.KGS.Key)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("KG %s: %w: %w", j.kg, errNotServed, err)
	}
	return b, err
}
