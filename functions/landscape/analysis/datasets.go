package analysis

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/rasters"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// enough is the share of the cells of an area from which on a dataset covers it.
const enough = 0.95

// coverage is how many of the cells or places that are asked for have a value.
type coverage struct{ cells, known int }

func (c coverage) share() float64 {
	if c.cells == 0 {
		return 0
	}
	return float64(c.known) / float64(c.cells)
}

// warnings say where values are missing.
func (c coverage) warnings(l *rasters.Layer) []string {
	switch {
	case c.cells == 0 || c.share() >= enough:
		return nil
	case c.known == 0:
		return []string{"no height model covers the area: /layers says where there is one"}
	}
	return []string{fmt.Sprintf("the height model of %s covers %.1f %% of the area", l.Date, 100*c.share())}
}

// meta is what an answer says of its dataset.
func (c coverage) meta(l *rasters.Layer) []reply.Member {
	return []reply.Member{{Name: "dataset", Value: l.Dataset()}, {Name: "coverage", Value: scans.Round(c.share(), 4)}}
}

// choice is the dataset of an answer, with what was measured in it.
type choice[T any] struct {
	layer    *rasters.Layer
	coverage coverage
	of       T
}

// wanted is where a dataset is looked for.
type wanted struct {
	boxes []raster.Box
	m2    float64 // of an area; 0: places are asked for
}

// around are the tiles of the layers around what is asked for, by the order of the layers.
func (s *source) around(ctx context.Context, layers []*rasters.Layer, w wanted) ([]rasters.Tiles, error) {
	out := make([]rasters.Tiles, len(layers))
	for i, l := range layers {
		for _, b := range w.boxes {
			tiles, err := s.TilesIn(ctx, l, b.Grown(l.Step))
			if err != nil {
				return nil, scans.Unread(ctx, "the index of rasters", err)
			}
			for _, t := range tiles {
				if out[i].At(t.E, t.N) == nil {
					out[i] = append(out[i], t)
					out[i].Sort()
				}
			}
		}
	}
	return out, nil
}

// choose gives the newest of the layers that covers what is measured, else the newest that touches it, else the newest.
// Layers rise by date. One that cannot cover is measured only where none does.
func choose[T any](ctx context.Context, s *source, layers []*rasters.Layer, w wanted, measure func(*rasters.Layer) (T, coverage,
	error)) (*choice[T], error) {
	tiles, err := s.around(ctx, layers, w)
	if err != nil {
		return nil, err
	}
	return chosen(layers, tiles, w, measure)
}

// chosen is choose with the tiles of each layer around what is asked for.
func chosen[T any](layers []*rasters.Layer, tiles []rasters.Tiles, w wanted, measure func(*rasters.Layer) (T, coverage,
	error)) (*choice[T], error) {
	measured := make([]*choice[T], len(layers))
	at := func(i int) (*choice[T], error) {
		if measured[i] == nil {
			of, c, err := measure(layers[i])
			if err != nil {
				return nil, err
			}
			measured[i] = &choice[T]{layers[i], c, of}
		}
		return measured[i], nil
	}
	for i := len(layers) - 1; i >= 0; i-- {
		if !mayCover(layers[i], tiles[i], w) {
			continue
		}
		if got, err := at(i); err != nil || got.coverage.share() >= enough {
			return got, err
		}
	}
	for i := len(layers) - 1; i >= 0; i-- {
		if !reaches(layers[i], tiles[i], w.boxes) {
			continue
		}
		if got, err := at(i); err != nil || got.coverage.known > 0 {
			return got, err
		}
	}
	return at(len(layers) - 1)
}

// mayCover says whether the tiles of a layer around an area have as many values as would cover it.
func mayCover(l *rasters.Layer, tiles rasters.Tiles, w wanted) bool {
	if !reaches(l, tiles, w.boxes) {
		return false
	}
	known := 0
	for _, b := range w.boxes {
		for _, at := range rasters.Cover(b, l.TileKm) {
			if t := tiles.At(at[0], at[1]); t != nil {
				known += t.Known
			}
		}
	}
	// A cell at the border counts for an area that has only a part of it.
	return w.m2 == 0 || float64(known)*l.Step*l.Step >= 0.9*enough*w.m2
}

// reaches says whether a layer has a tile in one of the boxes.
func reaches(l *rasters.Layer, tiles rasters.Tiles, boxes []raster.Box) bool {
	for _, b := range boxes {
		for _, at := range rasters.Cover(b.Grown(l.Step), l.TileKm) {
			if t := tiles.At(at[0], at[1]); t != nil && t.Covers(b.Grown(l.Step)) {
				return true
			}
		}
	}
	return false
}

// candidates are the layers of a name that a request may be answered from: that of its date, or all, rising.
func (s *source) candidates(name, date string) ([]*rasters.Layer, error) {
	var out []*rasters.Layer
	for i := range s.List.Layers {
		if l := &s.List.Layers[i]; l.Layer == name && (date == "" || l.Dataset() == date) {
			out = append(out, l)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	dates := s.List.Dates(name)
	if len(dates) == 0 {
		return nil, fault.New(fault.NotFound, "no height model is published")
	}
	return nil, fault.BadValue("dataset", date, "one of "+strings.Join(dates, ", "))
}

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
			s := strip{box: raster.Box{West: box.West, South: max(south-step, box.South), East: box.East, North: min(north+step, box.North)}}
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
func (s *source) count(ctx context.Context, l *rasters.Layer, polygons []raster.Polygon, p *tasks.Progress) (coverage, error) {
	var c coverage
	strips := slices.Collect(stripsOf(raster.BoxOf(polygons).Aligned(l.Step), l.Step))
	if err := p.Step(ctx, "coverage of "+l.Date, len(strips)); err != nil {
		return c, err
	}
	for _, part := range strips {
		g, err := s.Window(ctx, l, part.box)
		if err != nil {
			return c, scans.Unread(ctx, "the height model", err)
		}
		m := raster.MaskOf(g, polygons)
		for row := part.from; row < part.to; row++ {
			line := g.Row(row)
			m.Each(row, func(from, to int) {
				c.cells += to - from
				for _, z := range line[from:to] {
					if z == z {
						c.known++
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
