package view

import (
	"context"
	"errors"

	"mappe/artefacts/library"
	"mappe/artefacts/pmt"
	"mappe/functions/core/generation"
	"mappe/shared/web/fault"
)

// TilesOf opens the vector tiles of a request's generation. A country without them is fault.NotFound.
func TilesOf(ctx context.Context) (*pmt.Archive, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	a, err := v.Tiles(ctx)
	if errors.Is(err, library.ErrGone) {
		return nil, fault.New(fault.NotFound, "the country has no vector tiles")
	}
	return a, generation.Fault(ctx, err)
}

// ArchiveOf opens a further artefact with tiles of a request's generation, of a kind; nil where the generation has none.
func ArchiveOf(ctx context.Context, kind string) (*pmt.Archive, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	a, err := v.TilesOf(ctx, kind)
	if errors.Is(err, library.ErrGone) {
		return nil, nil
	}
	return a, generation.Fault(ctx, err)
}
