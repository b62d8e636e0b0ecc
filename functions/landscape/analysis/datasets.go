package analysis

import (
	"context"
	"iter"
	"math"
	"slices"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
)

// What is held of a raster at a time.
const (
	stripCells = 4 << 20 // cells of a strip
	blockRows  = 512     // rows of the blocks that rasters are stored in
)

// strip is a part of a box, as wide as it: with a row more on either side inside the box.
type strip struct {
	box      raster.Box
	from, to int // rows that are its own
}

// stripsOf divides a box whose borders are multiples of the step into strips from the north that end where the blocks of
// whole tiles end.
func stripsOf(box raster.Box, step float64) iter.Seq[strip] {
	return func(yield func(strip) bool) {
		const side = rasters.HeightKm * 1000
		most := max(math.Floor(stripCells/((box.East-box.West)/step)), 1) * step
		for north := box.North; north > box.South; {
			top := math.Ceil(north/side) * side
			south := top - (math.Floor((top-north)/(blockRows*step))+1)*blockRows*step
			south = max(south, top-side, box.South, north-most)
			s := strip{box: raster.Box{West: box.West, South: max(south-step, box.South), East: box.East,
				North: min(north+step, box.North)}}
			s.from = int(math.Round((s.box.North - north) / step))
			s.to = int(math.Round((s.box.North - south) / step))
			if !yield(s) {
				return
			}
			north = south
		}
	}
}

// stripBytes is about what the cells of a strip of a box take.
func stripBytes(box raster.Box, step float64) int64 {
	cols, rows := (box.East-box.West)/step, (box.North-box.South)/step
	return int64(4 * cols * (min(rows, blockRows, max(stripCells/max(cols, 1), 1)) + 2))
}

// count counts the cells of an area that are known in a layer.
func (s *source) count(ctx context.Context, l *rasters.Layer, polygons []raster.Polygon, p *tasks.Progress) (scans.Coverage, error) {
	var c scans.Coverage
	strips := slices.Collect(stripsOf(raster.BoxOf(polygons).Aligned(l.Step), l.Step))
	if err := p.Step(ctx, "coverage of "+l.Date, len(strips)); err != nil {
		return c, err
	}
	for _, part := range strips {
		g, err := s.Window(ctx, l, part.box)
		if err != nil {
			return c, generation.FaultOf(ctx, "the height model", err)
		}
		m := raster.MaskOf(g, polygons)
		for row := part.from; row < part.to; row++ {
			line := g.Row(row)
			m.Each(row, func(from, to int) {
				c.Cells += to - from
				for _, z := range line[from:to] {
					if z == z {
						c.Known++
					}
				}
			})
		}
		if err := p.Add(ctx, 1); err != nil {
			return c, err
		}
	}
	return c, nil
}
