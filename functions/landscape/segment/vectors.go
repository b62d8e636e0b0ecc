package segment

import (
	"context"

	"mappe/artefacts/proximity"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
)

// register reads footprints and land use of the KGs around a window.
func (q *search) register(ctx context.Context, w raster.Box, l *land.Layers) error {
	box := onplane.Box(w)
	for _, code := range q.v.KGsNear(box) {
		var gaps view.Missing
		f, err := q.v.Read(ctx, code, &gaps)
		if err != nil {
			return generation.Fault(ctx, err)
		}
		q.mu.Lock()
		q.gaps.Merge(gaps)
		q.known = q.known || f != nil
		q.mu.Unlock()
		if f == nil {
			continue
		}
		l.BuildingsKnown = true
		table, err := f.Footprints()
		if err != nil {
			return generation.Fault(ctx, err)
		}
		if err := f.FootprintsInBox(box, func(i int) bool {
			for _, p := range table[i].Geometry {
				l.Buildings = append(l.Buildings, onplane.Polygon(p))
			}
			return true
		}); err != nil {
			return generation.Fault(ctx, err)
		}
		areas, err := f.LandUse()
		if err != nil {
			return generation.Fault(ctx, err)
		}
		for i := range areas {
			for _, p := range areas[i].Geometry {
				if p[0].Bounds().Intersects(box) {
					l.Uses = append(l.Uses, land.Use{Polygon: onplane.Polygon(p), Code: int(areas[i].NS)})
				}
			}
		}
	}
	return nil
}

// infrastructure reads the ways of the community map, where the generation has it. Ways below ground are not known to be so:
// what they tell needs a surface that fits.
func (q *search) infrastructure(ctx context.Context, w raster.Box, l *land.Layers) error {
	if q.ways == nil {
		return nil
	}
	found, err := q.ways.In(ctx, onplane.Box(w), proximity.OfCategory(proximity.Road, proximity.Rail))
	if err != nil {
		return generation.Fault(ctx, err)
	}
	for _, f := range found {
		if f.Line == nil {
			continue
		}
		lane, ok := land.LaneOf(f.Line.Class.String())
		if !ok {
			continue
		}
		way := land.Feature{Kind: lane.Kind, Width: lane.Width}
		for _, p := range f.Line.Vertices {
			way.Points = append(way.Points, onplane.XY(p))
		}
		l.Ways = append(l.Ways, way)
	}
	if len(l.Ways) > 0 {
		q.mu.Lock()
		q.used = true
		q.mu.Unlock()
	}
	return nil
}
