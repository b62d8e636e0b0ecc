package segment

import (
	"context"

	"mappe/artefacts/proximity"
	"mappe/functions/core/pin"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
)

// degreesOf is a box in degrees that holds one of the plane.
func degreesOf(b raster.Box) geom.Box {
	out := geom.EmptyBox
	for _, c := range [4][2]float64{{b.West, b.South}, {b.West, b.North}, {b.East, b.South}, {b.East, b.North}} {
		if p, ok := crs.LAEA.Point(c[0], c[1]); ok {
			out = out.Extend(p)
		}
	}
	return out
}

func planeOf(p geom.Polygon) raster.Polygon {
	out := make(raster.Polygon, len(p))
	for i, ring := range p {
		for _, v := range ring {
			x, y := crs.LAEA.Forward(v.Lon(), v.Lat())
			out[i] = append(out[i], raster.XY{X: x, Y: y})
		}
	}
	return out
}

// register reads footprints and land use of the KGs around a window.
func (q *search) register(ctx context.Context, w raster.Box, l *land.Layers) error {
	box := degreesOf(w)
	for _, code := range q.v.KGsNear(box) {
		var gaps view.Gaps
		f, err := q.v.Read(ctx, code, &gaps)
		if err != nil {
			return pin.Fault(ctx, err)
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
			return pin.Fault(ctx, err)
		}
		if err := f.FootprintsInBox(box, func(i int) bool {
			for _, p := range table[i].Geometry {
				l.Buildings = append(l.Buildings, planeOf(p))
			}
			return true
		}); err != nil {
			return pin.Fault(ctx, err)
		}
		areas, err := f.LandUse()
		if err != nil {
			return pin.Fault(ctx, err)
		}
		for i := range areas {
			for _, p := range areas[i].Geometry {
				if p[0].Bounds().Intersects(box) {
					l.Uses = append(l.Uses, land.Use{Polygon: planeOf(p), Code: int(areas[i].NS)})
				}
			}
		}
	}
	return nil
}

// lanes are the usual widths of ways in metres, and what they are told as.
var lanes = map[string]struct {
	kind  string
	width float64
}{
	"motorway": {"road", 12}, "motorway_link": {"road", 6}, "trunk": {"road", 10}, "trunk_link": {"road", 6}, "primary": {"road", 8},
	"primary_link": {"road", 6},
	"secondary":    {"road", 7}, "secondary_link": {"road", 5.5}, "tertiary": {"road", 6.5}, "tertiary_link": {"road", 5.5},
	"unclassified": {"road", 5.5},
	"residential":  {"road", 5.5}, "living_street": {"road", 5}, "pedestrian": {"road", 5}, "service": {"road", 4}, "road": {"road",
		5}, "track": {"path", 3.5},
	"rail": {"rail", 4}, "light_rail": {"rail", 4}, "narrow_gauge": {"rail", 3}, "tram": {"rail", 3}, "funicular": {"rail", 3},
}

// infrastructure reads the ways of the community map, where the generation has it. Ways below ground are not known to be so:
// what they tell needs a surface that fits.
func (q *search) infrastructure(ctx context.Context, w raster.Box, l *land.Layers) error {
	if q.ways == nil {
		return nil
	}
	found, err := q.ways.In(ctx, degreesOf(w), proximity.OfCategory(proximity.Road, proximity.Rail))
	if err != nil {
		return pin.Fault(ctx, err)
	}
	for _, f := range found {
		if f.Line == nil {
			continue
		}
		lane, ok := lanes[f.Line.Class.String()]
		if !ok {
			continue
		}
		way := land.Feature{Kind: lane.kind, Width: lane.width}
		for _, p := range f.Line.Vertices {
			x, y := crs.LAEA.Forward(p.Lon(), p.Lat())
			way.Points = append(way.Points, raster.XY{X: x, Y: y})
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
