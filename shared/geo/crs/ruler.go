package crs

import (
	"math"

	"mappe/shared/geo/geom"
)

const unitRad = degree / geom.Scale // radians in a grid unit

// Ruler measures in metres from one position with the mid-latitude formula: the distance to any other point is within
// 3e-7 of the geodesic up to 100 km in Austria, 2 cm at 70 km. Distances between two other points are Plane's matter.
type Ruler struct {
	at       geom.Point
	m, n     float64 // metres per radian: meridian, prime vertical
	e2       float64
	sin, cos float64
}

// RulerAt makes the ruler of a position.
func RulerAt(p geom.Point) Ruler {
	m, n, s, c := wgs84.radii(float64(p.Y) * unitRad)
	return Ruler{p, m, n, wgs84.e2(), s, c}
}

// Origin is the position the ruler was made at.
func (l *Ruler) Origin() geom.Point { return l.at }

// Offset is a point's offset from the position in metres, east and north: the mid-latitude formula of Gauss with its terms
// of third order, the ellipsoid's part of those left out. The cosine of the mid-latitude is its Taylor polynomial.
func (l *Ruler) Offset(p geom.Point) (x, y float64) {
	dy := float64(int64(p.Y)-int64(l.at.Y)) * unitRad
	dx := float64(int64(p.X)-int64(l.at.X)) * unitRad
	h := dy / 2
	g := l.e2 * l.sin * l.cos * h
	cos := l.cos - h*(l.sin+l.cos*h/2)
	c2, x2 := cos*cos, dx*dx
	return dx * l.n * (1 + g) * cos * (1 + (dy*dy-x2*(1-c2))/24), dy * l.m * (1 + 3*g) * (1 + x2*(c2-3)/24)
}

// Distance is the distance to a point in metres.
func (l *Ruler) Distance(p geom.Point) float64 {
	x, y := l.Offset(p)
	return math.Sqrt(x*x + y*y)
}

// ToEdge2 is the squared distance to an edge in m².
func (l *Ruler) ToEdge2(a, b geom.Point) float64 {
	ax, ay := l.Offset(a)
	bx, by := l.Offset(b)
	return geom.SegmentDistance2(ax, ay, bx, by)
}

// ToBox is the distance to a box in metres, 0 inside; it is never more than the distance to what the box
// bounds, but for rounding.
func (l *Ruler) ToBox(b geom.Box) float64 {
	return l.Distance(geom.Point{X: max(b.MinX, min(b.MaxX, l.at.X)), Y: max(b.MinY, min(b.MaxY, l.at.Y))})
}

// ToFeature is the distance to a feature in metres, 0 inside it.
func (l *Ruler) ToFeature(m geom.MultiPolygon) float64 {
	if m.Contains(l.at) {
		return 0
	}
	best := math.Inf(1)
	for _, p := range m {
		for _, r := range p {
			if len(r) == 0 {
				continue
			}
			ax, ay := l.Offset(r[len(r)-1])
			for _, v := range r {
				bx, by := l.Offset(v)
				best = min(best, geom.SegmentDistance2(ax, ay, bx, by))
				ax, ay = bx, by
			}
		}
	}
	return math.Sqrt(best)
}

// NearBorder says whether a border of the feature comes within a distance in metres of the position. It
// measures only the edges whose box comes near.
func (l *Ruler) NearBorder(m geom.MultiPolygon, metres float64) bool {
	near := Grow(geom.Box{MinX: l.at.X, MinY: l.at.Y, MaxX: l.at.X, MaxY: l.at.Y}, metres)
	for _, p := range m {
		for _, r := range p {
			if len(r) == 0 {
				continue
			}
			a := r[len(r)-1]
			for _, b := range r {
				if near.Intersects(geom.Edge{A: a, B: b}.Box()) && l.ToEdge2(a, b) <= metres*metres {
					return true
				}
				a = b
			}
		}
	}
	return false
}

// At says whether the position lies in the feature or on its border: whether ToFeature is 0. It
// measures only the edges whose box holds the position.
func (l *Ruler) At(m geom.MultiPolygon) bool {
	if m.Contains(l.at) {
		return true
	}
	x, y := l.at.X, l.at.Y
	for _, p := range m {
		for _, r := range p {
			if len(r) == 0 {
				continue
			}
			a := r[len(r)-1]
			for _, b := range r {
				if (a.Y <= y || b.Y <= y) && (a.Y >= y || b.Y >= y) && (a.X <= x || b.X <= x) && (a.X >= x || b.X >= x) &&
					l.ToEdge2(a, b) == 0 {
					return true
				}
				a = b
			}
		}
	}
	return false
}
