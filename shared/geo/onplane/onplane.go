// Package onplane puts geometries in degrees on the plane of EPSG:3035, on which rasters lie, and what was found there
// back into degrees. The projection is that of package crs, the formula's source stands there.
package onplane

import (
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
func Outline(parts []raster.Polygon) geom.MultiPolygon {
	out := make(geom.MultiPolygon, len(parts))
	for i, part := range parts {
		for _, ring := range part {
			r := make(geom.Ring, len(ring))
			for k, v := range ring {
				r[k] = Degrees(v)
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}

// Turned is Outline of polygons whose rings go the other way, as those traced along cells do: the inside comes to lie on
// the left hand.
func Turned(parts []raster.Polygon) geom.MultiPolygon {
	out := Outline(parts)
	for _, part := range out {
		for _, ring := range part {
			slices.Reverse(ring)
		}
	}
	return out
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
