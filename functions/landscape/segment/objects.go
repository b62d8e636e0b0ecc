package segment

import (
	"context"

	"mappe/artefacts/library"
	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/core/memory"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
)

// wholeBytes is about what a m² takes of which labels and objects are held.
const wholeBytes = 12

// Objects divides land, polygons in EPSG:3035 whose area in m² is given, into objects by the newest layers of all kinds that the
// served generation has, as the endpoint does where nothing else is asked for. Their types are not told: a trainer labels them.
func Objects(ctx context.Context, lib *library.Library, polygons []raster.Polygon, m2 float64) (*land.Land, error) {
	ctx, _, err := generation.Pin(lib)(ctx)
	if err != nil {
		return nil, err
	}
	p := land.Default()
	e := &service{memory: memory.Of(nil)}
	q := &question{Area: &drawn.Area{Polygons: polygons, M2: m2}, MinSize: p.MinSize, Threshold: p.Threshold, FelzScale: p.FelzScale,
		Ortho: true, Temporal: true,
		Copernicus: true, Cadastre: true, Hansen: true}
	s, err := e.open(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	working, held := s.bytes(len(squaresOf(q.Area)))
	release, err := e.memory.Take(ctx, working+held+int64(wholeBytes*m2))
	if err != nil {
		return nil, err
	}
	defer release()
	return land.Divide(ctx, polygons, p, s.layers, func(ctx context.Context) error { return ctx.Err() })
}
