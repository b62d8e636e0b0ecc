package overlays

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
)

// SiteIn is a Natura 2000 site with what it shares with a geometry.
type SiteIn struct {
	*overlays.Site
	In rowschema.Overlap
}

// AreaIn is a protected area with what it shares with a geometry.
type AreaIn struct {
	*overlays.Area
	In rowschema.Overlap
}

// Lying are the sites and the protected areas that share area with a geometry, the largest share first. known is false where
// the generation has no overlays.
func Lying(ctx context.Context, v *view.View, m geom.MultiPolygon) (sites []SiteIn, areas []AreaIn, known bool, err error) {
	o := overlayindex.Of(v.View)
	if !o.Has() {
		return nil, nil, false, nil
	}
	p := newPlace(placed{}, m)
	allSites, err := o.Sites(ctx)
	if err != nil {
		return nil, nil, true, err
	}
	err = p.each(ctx, o, overlays.SiteShapes, len(allSites), func(i int, in rowschema.Overlap) {
		sites = append(sites, SiteIn{&allSites[i], in})
	})
	if err != nil {
		return nil, nil, true, err
	}
	allAreas, err := o.Areas(ctx)
	if err != nil {
		return nil, nil, true, err
	}
	err = p.each(ctx, o, overlays.AreaShapes, len(allAreas), func(i int, in rowschema.Overlap) {
		areas = append(areas, AreaIn{&allAreas[i], in})
	})
	slices.SortStableFunc(sites, func(a, b SiteIn) int { return cmp.Compare(b.In.Sqm, a.In.Sqm) })
	slices.SortStableFunc(areas, func(a, b AreaIn) int { return cmp.Compare(b.In.Sqm, a.In.Sqm) })
	return sites, areas, true, err
}

// each gives the rows of a layer that share area with the place.
func (p *place) each(ctx context.Context, o *overlayindex.Overlays, l overlays.Layer, n int,
	take func(row int, in rowschema.Overlap)) error {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	found, shared, err := shapes{overlays: o, layer: l}.overlapping(ctx, p, all, false)
	for _, i := range found {
		take(i, shared[i])
	}
	return err
}
