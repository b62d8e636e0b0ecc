package view

import (
	"context"

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
	if v.Pointer().Tiles == "" {
		return nil, fault.New(fault.NotFound, "the country has no vector tiles")
	}
	a, err := v.Tiles(ctx)
	return a, generation.Fault(ctx, err)
}

// ArchiveOf opens a further artefact with tiles of a request's generation, of a kind; nil where the generation has none.
func ArchiveOf(ctx context.Context, kind string) (*pmt.Archive, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	if _, ok := v.Artefact(kind); !ok {
		return nil, nil
	}
	a, err := v.TilesOf(ctx, kind)
	return a, generation.Fault(ctx, err)
}
