// Package onplane puts geometries in degrees on the plane of EPSG:3035, on which rasters lie, and what was found there
// back into degrees. The projection is that of package crs, the formula's source stands there.
package onplane

import (
	"math"
	"slices"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
)

// XY is a place on the plane.
func XY(p geom.Point) raster.XY {
	x, y := crs.EqualArea(p)
	return raster.XY{X: x, Y: y}
}

// Polygon is a polygon on the plane.
func Polygon(p geom.Polygon) raster.Polygon {
	out := make(raster.Polygon, len(p))
	for i, ring := range p {
		out[i] = make([]raster.XY, len(ring))
		for k, v := range ring {
			out[i][k] = XY(v)
		}
	}
	return out
}

// Polygons are polygons on the plane.
func Polygons(m geom.MultiPolygon) []raster.Polygon {
	out := make([]raster.Polygon, len(m))
	for i, p := range m {
		out[i] = Polygon(p)
	}
	return out
}

// Degrees is a place in degrees. What is worked on lies in Austria: a place that has no degrees is the zero point.
func Degrees(p raster.XY) geom.Point {
	at, _ := crs.LAEA.Point(p.X, p.Y)
	return at
}

// Outline are polygons in degrees.
func Outline(parts []raster.Polygon) geom.MultiPolygon { return outline(parts, Degrees) }

func outline(parts []raster.Polygon, degrees func(raster.XY) geom.Point) geom.MultiPolygon {
	out := make(geom.MultiPolygon, len(parts))
	for i, part := range parts {
		for _, ring := range part {
			r := make(geom.Ring, len(ring))
			for k, v := range ring {
				r[k] = degrees(v)
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}

// Turned is Outline of polygons whose rings go the other way, as those traced along cells do: the inside comes to lie on
// the left hand.
func Turned(parts []raster.Polygon) geom.MultiPolygon { return turned(Outline(parts)) }

func turned(out geom.MultiPolygon) geom.MultiPolygon {
	for _, part := range out {
		for _, ring := range part {
			slices.Reverse(ring)
		}
	}
	return out
}

// Neighbours are outlines one after the other that share most of their vertices, as those that were traced along cells do: a vertex
// that was put into degrees lately is not computed again. The zero value is ready. It is not safe for concurrent use.
type Neighbours struct{ lately []known }

// known is a place with its degrees; the zero one is unset.
type known struct {
	place raster.XY
	at    geom.Point
}

// latelyBits is the logarithm of how many places are kept: those of some hundred outlines, 1.5 MB.
const latelyBits = 16

// Turned is Turned of the next outline.
func (n *Neighbours) Turned(parts []raster.Polygon) geom.MultiPolygon {
	return turned(outline(parts, n.degrees))
}

func (n *Neighbours) degrees(p raster.XY) geom.Point {
	if n.lately == nil {
		n.lately = make([]known, 1<<latelyBits)
	}
	h := math.Float64bits(p.X)*0x9e3779b97f4a7c15 ^ math.Float64bits(p.Y)*0xc2b2ae3d27d4eb4f
	k := &n.lately[h>>(64-latelyBits)]
	if k.place != p || p == (raster.XY{}) {
		*k = known{p, Degrees(p)}
	}
	return k.at
}

// Box is a box in degrees around the corners of one on the plane. A side of 1 km bends by less than 2 cm between them.
func Box(b raster.Box) geom.Box {
	out := geom.EmptyBox
	for _, c := range [4]raster.XY{{X: b.West, Y: b.South}, {X: b.West, Y: b.North}, {X: b.East, Y: b.South}, {X: b.East, Y: b.North}} {
		if p, ok := crs.LAEA.Point(c.X, c.Y); ok {
			out = out.Extend(p)
		}
	}
	return out
}
