package region

import (
	"math"

	"mappe/shared/geo/geom"
)

// WGS84: semi-major axis in metres and first eccentricity squared.
const (
	semiMajor = 6378137.0
	ecc2      = 0.00669437999014
	unitRad   = math.Pi / 180 / geom.Scale
)

// Plane measures in metres around one position with the mid-latitude formula: the distance from the
// position to any other point is within 1e-5 of the geodesic up to 100 km in Austria.
type Plane struct {
	at       geom.Point
	m, n     float64 // metres per radian: meridian, prime vertical
	sin, cos float64
}

// PlaneAt makes the plane of a position.
func PlaneAt(p geom.Point) Plane {
	s, c := math.Sincos(float64(p.Y) * unitRad)
	w := 1 - ecc2*s*s
	n := semiMajor / math.Sqrt(w)
	return Plane{p, n * (1 - ecc2) / w, n, s, c}
}

// xy is a point's offset from the position in metres, east and north. The cosine of the mid-latitude is
// its Taylor polynomial; its error at 100 km is 1e-7.
func (l *Plane) xy(p geom.Point) (x, y float64) {
	dy := float64(int64(p.Y)-int64(l.at.Y)) * unitRad
	dx := float64(int64(p.X)-int64(l.at.X)) * unitRad
	h := dy / 2
	g := ecc2 * l.sin * l.cos * h
	return dx * l.n * (1 + g) * (l.cos - h*(l.sin+l.cos*h/2)), dy * l.m * (1 + 3*g)
}

// Distance is the distance to a point in metres.
func (l *Plane) Distance(p geom.Point) float64 {
	x, y := l.xy(p)
	return math.Sqrt(x*x + y*y)
}

// toSegment is the squared distance to an edge.
func (l *Plane) toSegment(a, b geom.Point) float64 {
	ax, ay := l.xy(a)
	bx, by := l.xy(b)
	return geom.SegmentDistance2(ax, ay, bx, by)
}

// ToBox is the distance to a box in metres, 0 inside; it is never more than the distance to what the box
// bounds, but for rounding.
func (l *Plane) ToBox(b geom.Box) float64 {
	return l.Distance(geom.Point{X: max(b.MinX, min(b.MaxX, l.at.X)), Y: max(b.MinY, min(b.MaxY, l.at.Y))})
}

// ToFeature is the distance to a feature in metres, 0 inside it.
func (l *Plane) ToFeature(m geom.MultiPolygon) float64 {
	if m.Contains(l.at) {
		return 0
	}
	best := math.Inf(1)
	for _, p := range m {
		for _, r := range p {
			if len(r) == 0 {
				continue
			}
			ax, ay := l.xy(r[len(r)-1])
			for _, v := range r {
				bx, by := l.xy(v)
				best = min(best, geom.SegmentDistance2(ax, ay, bx, by))
				ax, ay = bx, by
			}
		}
	}
	return math.Sqrt(best)
}

// Grow is the box grown by a distance in metres on every side, rounded outwards.
func Grow(b geom.Box, metres float64) geom.Box {
	if metres <= 0 || b.Empty() {
		return b
	}
	// The side nearer to a pole needs more units of longitude for a metre.
	y := max(math.Abs(float64(b.MinY)), math.Abs(float64(b.MaxY)))
	l := PlaneAt(geom.Point{Y: int32(min(y, 89*geom.Scale))})
	dy := math.Ceil(metres / l.m / (1 - 4*ecc2) / unitRad)
	up := math.Cos(min(89*math.Pi/180, (y+dy)*unitRad))
	dx := math.Ceil(metres / l.n / up / unitRad)
	return geom.Box{MinX: clamp(float64(b.MinX)-dx, 180), MinY: clamp(float64(b.MinY)-dy, 90),
		MaxX: clamp(float64(b.MaxX)+dx, 180), MaxY: clamp(float64(b.MaxY)+dy, 90)}
}

func clamp(v, degrees float64) int32 {
	return int32(max(-degrees*geom.Scale, min(degrees*geom.Scale, v)))
}

// nearPoint says whether a point lies within the buffer of an edge.
func (a *Area) nearPoint(p geom.Point) bool {
	l := PlaneAt(p)
	limit := a.bufferM * a.bufferM
	a.search(Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, a.bufferM))
	for _, i := range a.cand {
		if s := &a.edges[i]; l.toSegment(s.A, s.B) <= limit {
			return true
		}
	}
	return false
}

// nearFeature says whether an edge of the feature comes within the buffer of an edge of the area. The
// shortest way between two edges that do not cross starts at an end of one of them.
func (a *Area) nearFeature(m geom.MultiPolygon) bool {
	limit := a.bufferM * a.bufferM
	for _, p := range m {
		for _, r := range p {
			for i, v := range r {
				u := r[(i+len(r)-1)%len(r)]
				a.search(Grow(geom.Edge{A: u, B: v}.Box(), a.bufferM))
				if len(a.cand) == 0 {
					continue
				}
				l := PlaneAt(u)
				vx, vy := l.xy(v)
				for _, c := range a.cand {
					s := &a.edges[c]
					px, py := l.xy(s.A)
					qx, qy := l.xy(s.B)
					if geom.SegmentDistance2(px, py, qx, qy) <= limit || // u to s
						geom.SegmentDistance2(px-vx, py-vy, qx-vx, qy-vy) <= limit || // v to s
						geom.SegmentDistance2(-px, -py, vx-px, vy-py) <= limit || // ends of s to u-v
						geom.SegmentDistance2(-qx, -qy, vx-qx, vy-qy) <= limit {
						return true
					}
				}
			}
		}
	}
	return false
}
