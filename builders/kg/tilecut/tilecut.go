// Package tilecut cuts geometry into vector tiles the way the survey office's server does: project to
// Web Mercator, clip to the tile widened by a buffer, round to pixels, so one polygon arrives in pieces
// that overlap in the buffers. It is the counterpart that the assembly (builders/kg) is proved against
// and that the demo country is written with. It owns no files and chooses no layers.
//
// Clipping runs before rounding and ring by ring (Sutherland-Hodgman), so pieces carry what real pieces
// carry: rounded vertices on the clip lines, bridges along them, holes cut open.
package tilecut

import (
	"fmt"
	"math"
	"slices"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Feature is one thing to draw: a polygon geometry, or a point when Geometry is nil. Rings are written in
// the winding of their place: the first of a polygon as exterior, the others as holes, whatever they are.
type Feature struct {
	Layer    string
	Geometry geom.MultiPolygon
	At       geom.Point
	Attrs    []mvt.Attr
}

// Cut draws the features into the tiles of one zoom, extent and buffer (both in pixels). Tiles without
// a feature are absent. Layers stand in the order of their first feature, features in the order given.
func Cut(features []Feature, zoom uint8, extent, buffer uint32) (map[mvt.TileID][]byte, error) {
	if extent == 0 || buffer >= extent/2 {
		return nil, fmt.Errorf("extent %d with buffer %d: expected a buffer under half the extent", extent, buffer)
	}
	c := cutter{grid: mvt.Grid{Z: zoom, Extent: extent}, extent: float64(extent), buffer: float64(buffer), tiles: map[mvt.TileID]*tile{}}
	for i := range features {
		if f := &features[i]; f.Geometry == nil {
			c.point(f)
		} else {
			c.polygons(f)
		}
	}
	out := make(map[mvt.TileID][]byte, len(c.tiles))
	for id, t := range c.tiles {
		var doc mvt.Tile
		for _, l := range t.layers {
			doc.Layers = append(doc.Layers, l.Layer())
		}
		b, err := mvt.Encode(doc)
		if err != nil {
			return nil, fmt.Errorf("tile %v: %w", id, err)
		}
		out[id] = b
	}
	return out, nil
}

// vec is a position in world pixels, unrounded.
type vec struct{ x, y float64 }

type tile struct {
	names  []string
	layers []*mvt.LayerBuilder
}

type cutter struct {
	grid           mvt.Grid
	extent, buffer float64
	tiles          map[mvt.TileID]*tile
}

func (c *cutter) add(id mvt.TileID, layer string, f mvt.Feature, attrs []mvt.Attr) {
	t := c.tiles[id]
	if t == nil {
		t = &tile{}
		c.tiles[id] = t
	}
	for i, n := range t.names {
		if n == layer {
			t.layers[i].Add(f, attrs...)
			return
		}
	}
	b := mvt.NewLayer(layer, c.grid.Extent)
	b.Add(f, attrs...)
	t.names, t.layers = append(t.names, layer), append(t.layers, b)
}

// square is the tile's square in world pixels, widened by the buffer.
func (c *cutter) square(id mvt.TileID) (lo, hi vec) {
	x, y := float64(id.X)*c.extent, float64(id.Y)*c.extent
	return vec{x - c.buffer, y - c.buffer}, vec{x + c.extent + c.buffer, y + c.extent + c.buffer}
}

// reach yields the tiles whose widened square touches a box of world pixels.
func (c *cutter) reach(lo, hi vec, yield func(mvt.TileID)) {
	n := float64(int64(1)<<c.grid.Z - 1)
	at := func(v float64) uint32 { return uint32(max(0, min(n, math.Floor(v/c.extent)))) }
	for y := at(lo.y - c.buffer); y <= at(hi.y+c.buffer); y++ {
		for x := at(lo.x - c.buffer); x <= at(hi.x+c.buffer); x++ {
			yield(mvt.TileID{Z: c.grid.Z, X: x, Y: y})
		}
	}
}

func (c *cutter) pixel(id mvt.TileID, v vec) mvt.Point {
	e := int64(c.grid.Extent)
	return mvt.Point{
		X: int32(int64(math.Floor(v.x+0.5)) - int64(id.X)*e),
		Y: int32(int64(math.Floor(v.y+0.5)) - int64(id.Y)*e),
	}
}

func (c *cutter) point(f *Feature) {
	x, y := c.grid.Project(f.At)
	v := vec{x, y}
	c.reach(v, v, func(id mvt.TileID) {
		c.add(id, f.Layer, mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{c.pixel(id, v)}}}, f.Attrs)
	})
}

func (c *cutter) polygons(f *Feature) {
	lo, hi := vec{math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1)}
	world := make([][][]vec, len(f.Geometry))
	for i, p := range f.Geometry {
		world[i] = make([][]vec, len(p))
		for j, r := range p {
			ring := make([]vec, len(r))
			for k, q := range r {
				x, y := c.grid.Project(q)
				ring[k] = vec{x, y}
				lo, hi = vec{min(lo.x, x), min(lo.y, y)}, vec{max(hi.x, x), max(hi.y, y)}
			}
			world[i][j] = ring
		}
	}
	c.reach(lo, hi, func(id mvt.TileID) {
		a, b := c.square(id)
		whole := lo.x >= a.x && lo.y >= a.y && hi.x <= b.x && hi.y <= b.y
		var parts [][]mvt.Point
		for _, p := range world {
			for j, r := range p {
				if !whole {
					r = clip(r, a, b)
				}
				ring := make([]mvt.Point, len(r))
				for k, v := range r {
					ring[k] = c.pixel(id, v)
				}
				// Ring by ring, because in a polygon of wrong nesting the "holes" outlast their exterior.
				for _, q := range mvt.AppendPolygon(nil, [][]mvt.Point{ring}, mvt.DropZeroArea) {
					if j > 0 {
						slices.Reverse(q[1:])
					}
					parts = append(parts, q)
				}
			}
		}
		if len(parts) > 0 {
			c.add(id, f.Layer, mvt.Feature{Type: mvt.Polygons, Parts: parts}, f.Attrs)
		}
	})
}

// clip is Sutherland-Hodgman against the four sides of a square.
func clip(ring []vec, lo, hi vec) []vec {
	for side := range 4 {
		// d is how far a vertex lies inside the side.
		d := func(v vec) float64 {
			switch side {
			case 0:
				return v.x - lo.x
			case 1:
				return hi.x - v.x
			case 2:
				return v.y - lo.y
			}
			return hi.y - v.y
		}
		var out []vec
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			da, db := d(a), d(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				v := vec{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)}
				switch side { // on the side exactly, whatever the division rounded to
				case 0:
					v.x = lo.x
				case 1:
					v.x = hi.x
				case 2:
					v.y = lo.y
				case 3:
					v.y = hi.y
				}
				out = append(out, v)
			}
			if db >= 0 {
				out = append(out, b)
			}
		}
		ring = out
	}
	return ring
}
