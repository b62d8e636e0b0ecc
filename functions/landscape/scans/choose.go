package scans

import (
	"context"
	"fmt"
	"strings"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/shared/geo/raster"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Enough is the share of the cells of an area from which on a dataset covers it.
const Enough = 0.95

// Coverage is how many of the cells or places that are asked for have a value.
type Coverage struct{ Cells, Known int }

// Share is that of them, 0 to 1.
func (c Coverage) Share() float64 {
	if c.Cells == 0 {
		return 0
	}
	return float64(c.Known) / float64(c.Cells)
}

// Warnings say where values are missing.
func (c Coverage) Warnings(l *rasters.Layer) []string {
	switch {
	case c.Cells == 0 || c.Share() >= Enough:
		return nil
	case c.Known == 0:
		return []string{"no height model covers the area: /layers says where there is one"}
	}
	return []string{fmt.Sprintf("the height model of %s covers %.1f %% of the area", l.Date, 100*c.Share())}
}

// Meta is what an answer says of its dataset.
func (c Coverage) Meta(l *rasters.Layer) []reply.Member {
	return []reply.Member{{Name: "dataset", Value: l.Dataset()}, {Name: "coverage", Value: Round(c.Share(), 4)}}
}

// Choice is the dataset of an answer, with what was measured in it.
type Choice[T any] struct {
	Layer    *rasters.Layer
	Coverage Coverage
	Of       T
}

// Wanted is where a dataset is looked for.
type Wanted struct {
	Boxes []raster.Box
	M2    float64 // of an area; 0: places are asked for
}

// around are the tiles of the layers around what is asked for, by the order of the layers.
func (s *Source) around(ctx context.Context, layers []*rasters.Layer, w Wanted) ([]rasters.Tiles, error) {
	out := make([]rasters.Tiles, len(layers))
	for i, l := range layers {
		for _, b := range w.Boxes {
			tiles, err := s.TilesIn(ctx, l, b.Grown(l.Step))
			if err != nil {
				return nil, generation.FaultOf(ctx, "the index of rasters", err)
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

// Choose gives the newest of the layers that covers what is measured, else the newest that touches it, else the newest.
// Layers rise by date. One that cannot cover is measured only where none does.
func Choose[T any](ctx context.Context, s *Source, layers []*rasters.Layer, w Wanted, measure func(*rasters.Layer) (T, Coverage,
	error)) (*Choice[T], error) {
	tiles, err := s.around(ctx, layers, w)
	if err != nil {
		return nil, err
	}
	return chosen(layers, tiles, w, measure)
}

// chosen is Choose with the tiles of each layer around what is asked for.
func chosen[T any](layers []*rasters.Layer, tiles []rasters.Tiles, w Wanted, measure func(*rasters.Layer) (T, Coverage,
	error)) (*Choice[T], error) {
	measured := make([]*Choice[T], len(layers))
	at := func(i int) (*Choice[T], error) {
		if measured[i] == nil {
			of, c, err := measure(layers[i])
			if err != nil {
				return nil, err
			}
			measured[i] = &Choice[T]{layers[i], c, of}
		}
		return measured[i], nil
	}
	for i := len(layers) - 1; i >= 0; i-- {
		if !mayCover(layers[i], tiles[i], w) {
			continue
		}
		if got, err := at(i); err != nil || got.Coverage.Share() >= Enough {
			return got, err
		}
	}
	for i := len(layers) - 1; i >= 0; i-- {
		if !reaches(layers[i], tiles[i], w.Boxes) {
			continue
		}
		if got, err := at(i); err != nil || got.Coverage.Known > 0 {
			return got, err
		}
	}
	return at(len(layers) - 1)
}

// mayCover says whether the tiles of a layer around an area have as many values as would cover it.
func mayCover(l *rasters.Layer, tiles rasters.Tiles, w Wanted) bool {
	if !reaches(l, tiles, w.Boxes) {
		return false
	}
	known := 0
	for _, b := range w.Boxes {
		for _, at := range rasters.Cover(b, l.TileKm) {
			if t := tiles.At(at[0], at[1]); t != nil {
				known += t.Known
			}
		}
	}
	// A cell at the border counts for an area that has only a part of it.
	return w.M2 == 0 || float64(known)*l.Step*l.Step >= 0.9*Enough*w.M2
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

// Newest is the newest date of a layer whose tiles may cover what is wanted, else the newest that reaches into it; nil where
// none does.
func (s *Source) Newest(ctx context.Context, name string, w Wanted) (*rasters.Layer, error) {
	if len(s.List.Dates(name)) == 0 {
		return nil, nil
	}
	layers, err := s.Candidates(name, "")
	if err != nil {
		return nil, err
	}
	return s.NewestOf(ctx, layers, w)
}

// NewestOf is the newest of layers, which rise by date, whose tiles may cover what is wanted, else the newest that reaches
// into it; nil where none does.
func (s *Source) NewestOf(ctx context.Context, layers []*rasters.Layer, w Wanted) (*rasters.Layer, error) {
	tiles, err := s.around(ctx, layers, w)
	if err != nil {
		return nil, err
	}
	for _, fits := range []func(i int) bool{
		func(i int) bool { return mayCover(layers[i], tiles[i], w) },
		func(i int) bool { return reaches(layers[i], tiles[i], w.Boxes) },
	} {
		for i := len(layers) - 1; i >= 0; i-- {
			if fits(i) {
				return layers[i], nil
			}
		}
	}
	return nil, nil
}

// Candidates are the layers of a name that a request may be answered from: that of its date, or all, rising.
func (s *Source) Candidates(name, date string) ([]*rasters.Layer, error) {
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
