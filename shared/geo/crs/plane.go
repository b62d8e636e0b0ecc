package crs

import (
	"math"

	"mappe/shared/geo/geom"
)

// Plane is a metric plane around a point: metres east and north of it, good for distances, perimeters,
// shapes and buffers. It is a transverse Mercator to the third order in the distance d from the origin:
// lengths are true to d²/(2R²), 1e-6 at 9 km and 1e-4 at 90 km. Unlike EPSG:3035, whose lengths are off
// by up to 0.1 % in Austria, it keeps angles and lengths; areas of the project are still taken in
// EPSG:3035. Distances from one position only, and to lines that are straight on the grid, are Ruler's.
type Plane struct {
	x0, y0               float64 // origin in grid units
	cx, cxy, cxyy, cxxx  float64 // metres per grid unit to the power of the letters
	cy, cyy, cyxx, cyxxy float64
}

// Around is the plane with its origin at p.
func Around(p geom.Point) Plane {
	const unit = unitRad
	m, n, s, co := wgs84.radii(p.Lat() * degree)
	e2 := wgs84.e2()
	dm := 3 * m * e2 * s * co / (1 - e2*s*s) // dM/dlat
	eta2 := e2 / (1 - e2) * co * co
	t2 := s * s / max(co*co, 1e-12)
	u2, u3 := unit*unit, unit*unit*unit
	return Plane{
		x0: float64(p.X), y0: float64(p.Y),
		cx:    n * co * unit,
		cxy:   -m * s * u2,
		cxyy:  -(m*co + dm*s) / 2 * u3,
		cxxx:  n * co * co * co * (1 - t2 + eta2) / 6 * u3,
		cy:    m * unit,
		cyy:   dm / 2 * u2,
		cyxx:  n * s * co / 2 * u2,
		cyxxy: (n*co*co - m*s*s) / 2 * u3,
	}
}

// Project gives metres east and north; plane.Project is a geom.Projection.
func (p *Plane) Project(q geom.Point) (x, y float64) {
	dx, dy := float64(q.X)-p.x0, float64(q.Y)-p.y0
	xx := dx * dx
	return dx * (p.cx + dy*(p.cxy+dy*p.cxyy) + xx*p.cxxx), dy*(p.cy+dy*p.cyy) + xx*(p.cyxx+dy*p.cyxxy)
}

// Point is the grid point at metres east and north, false outside the grid. Each round of the iteration
// gains a factor of R/d.
func (p *Plane) Point(x, y float64) (geom.Point, bool) {
	dx, dy := x/p.cx, y/p.cy
	for range 8 {
		xx := dx * dx
		dx, dy = x/(p.cx+dy*(p.cxy+dy*p.cxyy)+xx*p.cxxx), (y-xx*(p.cyxx+dy*p.cyxxy))/(p.cy+dy*p.cyy)
	}
	return geom.PointAt((p.x0+dx)/geom.Scale, (p.y0+dy)/geom.Scale)
}

// Distance is the distance of two points in metres, true to 1e-6 at 20 km and 1e-4 at 180 km.
func Distance(a, b geom.Point) float64 {
	p := Around(geom.Point{X: int32((int64(a.X) + int64(b.X)) / 2), Y: int32((int64(a.Y) + int64(b.Y)) / 2)})
	ax, ay := p.Project(a)
	bx, by := p.Project(b)
	return math.Hypot(bx-ax, by-ay)
}
