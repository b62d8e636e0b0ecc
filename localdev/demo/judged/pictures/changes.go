package main

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
)

// models are the heights of a scene on its first and its last date.
type models [4]*raster.Grid

// Window is a part of a model.
func (m *models) Window(_ context.Context, l change.Layer, b raster.Box) (*raster.Grid, error) {
	g, err := raster.Over(b, 1)
	if err != nil {
		return nil, err
	}
	return g, g.Paste(m[l])
}

// Below is where the next rows begin that are read together.
func (m *models) Below(north float64) float64 { return north - 512 }

// family is what a type of change is drawn as.
type family struct {
	name   string
	colour color.RGBA
}

var families = map[string]family{
	"tree_growth": growing, "new_tree": growing, "vegetation_growth": growing,
	"tree_felling": lost, "forest_clearcut": lost, "vegetation_loss": lost,
	"new_building": built, "demolition": built, "construction": built,
	"road_new": ways, "road_resurfaced": ways, "road_widened": ways,
	"surface_change": surfaces, "unclassified_change": surfaces,
}

var (
	growing  = family{"vegetation gained", rgb(0x1f8a3b)}
	lost     = family{"vegetation lost", rgb(0xd1361f)}
	built    = family{"buildings", rgb(0x7a2ca0)}
	ways     = family{"ways", rgb(0x20242c)}
	surfaces = family{"surfaces", rgb(0x808894)}
	earth    = family{"earthworks", rgb(0xc07a12)}
)

func familyOf(kind string) family {
	if f, ok := families[kind]; ok {
		return f
	}
	return earth // the six types of earthworks
}

// changes draws the differences of the surface between the first and the last date with what was found, and the true events.
func (b *board) changes(ctx context.Context) error {
	s := b.scene
	m := &models{s.DTM(0), s.DSM(0), s.DTM(2), s.DSM(2)}
	found, err := change.Find(ctx, m, judged.All(s), change.Options{MinChange: 1, Footprints: judged.Layers(s, 2, true).Buildings})
	if err != nil {
		return err
	}
	difference := b.panel(func(col, row int) color.RGBA {
		at := row*m[0].Cols + col
		d := float64(m[3].Z[at] - m[1].Z[at])
		grey := mixed(rgb(0x707070), rgb(0xffffff), 0.35+0.65*shade(m[1], col, row))
		switch {
		case math.IsNaN(d):
			return rgb(0)
		case d < 0:
			return mixed(grey, rgb(0x9e1b1b), -d/12)
		}
		return mixed(grey, rgb(0x14509e), d/12)
	})
	ours, truth := b.base(m[3]), b.base(m[3])
	for i := range found.Events {
		e := &found.Events[i]
		b.outline(ours, e.Outline, familyOf(e.Kind.String()).colour)
	}
	events := s.Events(0, 2, 1)
	for i := range events {
		b.outline(truth, []raster.Polygon{{plane(events[i].Ring)}}, familyOf(events[i].Type.String()).colour)
	}
	fmt.Printf("changes: %d events found in the whole scene, %d in the truth\n", len(found.Events), len(events))
	return b.save("landscape-changes.jpg", difference, ours, truth)
}

// base is the pale surface that outlines are drawn over.
func (b *board) base(g *raster.Grid) *image.RGBA {
	return b.panel(func(col, row int) color.RGBA { return mixed(rgb(0xc8c8c8), rgb(0xffffff), 0.2+0.8*shade(g, col, row)) })
}

func plane(ring []scene.Place) (out []raster.XY) {
	for _, p := range ring {
		out = append(out, raster.XY(p))
	}
	return out
}
