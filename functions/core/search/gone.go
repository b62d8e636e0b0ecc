package search

import (
	"context"
	"errors"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/lineage"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/reply"
)

// goneMeta is the meta of an answer about a parcel that its KG no longer has; nil for one that is there, or of which
// nothing is known. A date (version) asks for what was there then.
func goneMeta(ctx context.Context, v *view.View, id austria.ParcelID) (func(*rows.Query) []reply.Member, error) {
	if v.Past() || !v.Warm(id.KG) {
		return nil, nil
	}
	f, err := v.KG(ctx, id.KG)
	if errors.Is(err, library.ErrCold) || errors.Is(err, library.ErrDamaged) {
		return nil, nil // the rows say so
	}
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	if p, err := lineage.Parcel(f, id.GNR); p != nil || err != nil {
		return nil, err
	}
	t, err := lineage.Find(ctx, v, id)
	if t == nil || err != nil {
		return nil, err
	}
	return func(*rows.Query) []reply.Member { return lineage.Meta(t) }, nil
}
