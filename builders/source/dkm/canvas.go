package dkm

import (
	"math"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/wkb"
)

// canvas projects to one tile.
type canvas struct {
	id     mvt.TileID
	system crs.System // of the layer at hand
	grid   mvt.Grid
	x, y   int64 // of the tile's corner on the grid

	known map[vertex]mvt.Point // a vertex stands in three or four parcels and in as many land-use areas
}

// vertex is a position in a system.
type vertex struct {
	system crs.System
	at     wkb.XY
}

func newCanvas(id mvt.TileID) *canvas {
	c := &canvas{id: id, grid: mvt.Grid{Z: id.Z, Extent: 1 << (gridWidth - id.Z)}, known: map[vertex]mvt.Point{}}
	c.x, c.y = int64(id.X)*int64(c.grid.Extent), int64(id.Y)*int64(c.grid.Extent)
	return c
}

// reach is how far a vertex may lie from its tile, in tile widths: one less than a tile's reader allows.
const reach = 15

// at is a position in pixels of the tile, false when it is far from it or no number.
func (c *canvas) at(p wkb.XY) (mvt.Point, bool) {
	if q, ok := c.known[vertex{c.system, p}]; ok {
		return q, true
	}
	lon, lat := c.system.Inverse(p[0], p[1])
	fx, fy := c.grid.ProjectDegrees(lon, lat)
	x, y := math.Floor(fx+0.5)-float64(c.x), math.Floor(fy+0.5)-float64(c.y)
	e := float64(c.grid.Extent)
	if !(x >= -reach*e && x <= (reach+1)*e && y >= -reach*e && y <= (reach+1)*e) {
		return mvt.Point{}, false
	}
	q := mvt.Point{X: int32(x), Y: int32(y)}
	c.known[vertex{c.system, p}] = q
	return q, true
}

// features are what a shape draws in the tile: one feature of all its polygons, or one for each point; none
// when it does not touch the tile. It is false for a shape that reaches too far.
func (c *canvas) features(s wkb.Shape, points bool) ([]mvt.Feature, bool) {
	if points {
		return c.points(s.Points)
	}
	box := geom.EmptyBox
	var parts [][]mvt.Point
	for _, p := range s.Polygons {
		rings := make([][]mvt.Point, 0, len(p))
		for i, r := range p {
			ring, ok := c.ring(r)
			if !ok {
				return nil, false
			}
			if len(ring) < 2 { // smaller than the grid
				if i == 0 {
					break
				}
				continue
			}
			rings = append(rings, ring)
		}
		if len(rings) == 0 {
			continue
		}
		box = box.Union(geom.Ring(rings[0]).Bounds())
		parts = mvt.AppendPolygon(parts, rings, mvt.KeepZeroArea)
	}
	e := int32(c.grid.Extent)
	if len(parts) == 0 || !box.Intersects(geom.Box{MaxX: e, MaxY: e}) {
		return nil, true
	}
	return []mvt.Feature{{Type: mvt.Polygons, Parts: parts}}, true
}

// ring projects a ring; repeated vertices are left out.
func (c *canvas) ring(r []wkb.XY) ([]mvt.Point, bool) {
	out := make([]mvt.Point, 0, len(r))
	for _, v := range r {
		p, ok := c.at(v)
		if !ok {
			return nil, false
		}
		if len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[len(out)-1] == out[0] {
		out = out[:len(out)-1]
	}
	return out, true
}

func (c *canvas) points(all []wkb.XY) ([]mvt.Feature, bool) {
	var out []mvt.Feature
	e := int32(c.grid.Extent)
	for _, v := range all {
		p, ok := c.at(v)
		if !ok {
			return nil, false
		}
		if p.X >= 0 && p.X < e && p.Y >= 0 && p.Y < e { // the tile's own
			out = append(out, mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{p}}})
		}
	}
	return out, true
}

// decimal reads a number with point or comma.
func decimal(text string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}
