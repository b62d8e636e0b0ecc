package overlayindex

import (
	"context"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Outside says of KGs without a snapshot, of whose parcels nothing is known, whether the filter leaves all of them out: no law
// names a parcel of the KG, or no site that fits comes near its ground. nil: nothing is ruled out, as without the sources.
func (o *Overlays) Outside(ctx context.Context, f Filter) (func(*register.KG) bool, error) {
	refs, sites := f.wants()
	if !o.Has() || !refs && !sites {
		return nil, nil
	}
	var named []austria.KGCode
	var boxes []geom.Box
	var err error
	if refs {
		if named, err = o.KGsWithRefs(ctx); err != nil {
			return nil, err
		}
		slices.Sort(named)
	}
	if sites {
		if boxes, err = o.siteBoxes(ctx, f); err != nil {
			return nil, err
		}
	}
	return func(k *register.KG) bool {
		if _, ok := slices.BinarySearch(named, k.Code); refs && !ok {
			return true
		}
		g, known := o.view.Register().Ground(k.Code)
		return sites && known && !slices.ContainsFunc(boxes, g.Box().Intersects)
	}, nil
}

// siteBoxes are the boxes of the sites that a filter asks for.
func (o *Overlays) siteBoxes(ctx context.Context, f Filter) ([]geom.Box, error) {
	list, err := o.Sites(ctx)
	var boxes []geom.Box
	for i := range list {
		s := &list[i]
		if f.site(&overlays.Brief{Code: s.Code, Type: s.Type, Tags: s.Tags}) {
			boxes = append(boxes, s.Box)
		}
	}
	return boxes, err
}
