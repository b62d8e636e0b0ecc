package crs

import (
	"math"

	"mappe/shared/geo/geom"
)

// Scale is the length of a grid unit along each axis in metres: near a place, distances are those of a
// plane with these scales.
type Scale struct{ X, Y float64 }

// ScaleAt is the scale around p.
func ScaleAt(p geom.Point) Scale {
	m, n, _, c := wgs84.radii(float64(p.Y) * unitRad)
	return Scale{n * c * unitRad, m * unitRad}
}

// Grow is the box grown by a distance in metres on every side, rounded outwards.
func Grow(b geom.Box, metres float64) geom.Box {
	if metres <= 0 || b.Empty() {
		return b
	}
	// The side nearer to a pole needs more units of longitude for a metre.
	y := max(math.Abs(float64(b.MinY)), math.Abs(float64(b.MaxY)))
	l := RulerAt(geom.Point{Y: int32(min(y, 89*geom.Scale))})
	dy := math.Ceil(metres / l.m / (1 - 4*l.e2) / unitRad)
	up := math.Cos(min(89*math.Pi/180, (y+dy)*unitRad))
	dx := math.Ceil(metres / l.n / up / unitRad)
	return geom.Box{MinX: clamp(float64(b.MinX)-dx, 180), MinY: clamp(float64(b.MinY)-dy, 90),
		MaxX: clamp(float64(b.MaxX)+dx, 180), MaxY: clamp(float64(b.MaxY)+dy, 90)}
}

func clamp(v, degrees float64) int32 {
	return int32(max(-degrees*geom.Scale, min(degrees*geom.Scale, v)))
}
