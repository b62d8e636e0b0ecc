package products

import (
	"context"
	"errors"
	"time"

	"mappe/artefacts/manifest"
	"mappe/builders/national"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
)

// TilesArtefact is the kind of the vector tiles of all KGs.
const TilesArtefact = "landscape-tiles"

// ErrNoTiles is the error of a country of which no KG has vector tiles.
var ErrNoTiles = errors.New("no KG has products yet")

// PublishTiles joins the vector tiles of KGs, which are given by rising code, and adds them to what is served. now dates the
// publication; nil: time.Now. The same tiles publish nothing.
func PublishTiles(ctx context.Context, st store.Store, entries []landprocess.Entry, now func() time.Time) (national.Published, error) {
	var list []manifest.Object
	for _, e := range entries {
		if f := e.Products.Of(Tiles); f != nil {
			list = append(list, manifest.Object{Key: f.Key, Bytes: f.Bytes, SHA256: f.SHA256})
		}
	}
	if len(list) == 0 {
		return national.Published{}, ErrNoTiles
	}
	o, err := national.MergeTiles(ctx, st, TilesArtefact, list, national.Merging{})
	if err != nil {
		return national.Published{}, err
	}
	return national.Add(ctx, st, manifest.Artefacts{TilesArtefact: o}, now)
}
