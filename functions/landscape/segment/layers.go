package segment

import (
	"context"
	"math"

	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
)

// layers reads what is known of a window.
func (q *search) layers(ctx context.Context, w raster.Box) (*land.Layers, error) {
	l := &land.Layers{}
	for _, g := range []struct {
		from *rasters.Layer
		to   **raster.Grid
	}{{q.Ground, &l.DTM}, {q.Top, &l.DSM}, {q.EarlierGround, &l.EarlierDTM}, {q.EarlierTop, &l.EarlierDSM}} {
		if g.from == nil {
			continue
		}
		var err error
		if *g.to, err = q.s.Window(ctx, g.from, w); err != nil {
			return nil, generation.FaultOf(ctx, "the height models", err)
		}
	}
	if q.photo != nil {
		if err := q.colours(ctx, w, l); err != nil {
			return nil, err
		}
	}
	if err := q.coarse(ctx, w, l); err != nil {
		return nil, err
	}
	if q.q.Cadastre {
		if err := q.register(ctx, w, l); err != nil {
			return nil, err
		}
	}
	return l, q.infrastructure(ctx, w, l)
}

// photoStep is the side of cells of the orthophoto that are read: of its own and its overviews' the coarsest below 1 m of
// which whole ones fit into a kilometre and into the margin.
func photoStep(l *rasters.Layer) float64 {
	step := l.Step
	fits := func(s float64) bool {
		return isWhole(land.Side/s) && isWhole(land.Halo/s)
	}
	for 2*step <= 1+1e-9 && fits(2*step) {
		step *= 2
	}
	return step
}

func isWhole(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-6 }

// colours reads the orthophoto as the means of cells of 1 m.
func (q *search) colours(ctx context.Context, w raster.Box, l *land.Layers) error {
	step := photoStep(q.photo)
	s, err := mosaic.Samples[uint8](ctx, q.s.Mosaic, q.photo, w.Aligned(step), step)
	if err != nil {
		return generation.FaultOf(ctx, "the orthophoto", err)
	}
	bands := raster.Means(s, w, 3) // samples without near infrared, the last band, do not count
	l.Red, l.Green, l.Blue, l.NIR = bands[0], bands[1], bands[2], bands[3]
	return nil
}

// coarse reads the layers of satellites.
func (q *search) coarse(ctx context.Context, w raster.Box, l *land.Layers) error {
	read := func(from *rasters.Layer, to ...**raster.Grid) error {
		if from == nil {
			return nil
		}
		bands, err := q.s.Bands(ctx, from, w.Aligned(from.Step), from.Step)
		if err != nil {
			return generation.FaultOf(ctx, "the layers of satellites", err)
		}
		for i, g := range to {
			*g = bands[i]
		}
		return nil
	}
	if err := read(q.ndvi, &l.Mean, &l.Cos, &l.Sin); err != nil {
		return err
	}
	if err := read(q.sar, &l.VV, &l.VH); err != nil {
		return err
	}
	return read(q.cover, &l.Cover)
}
