// Package line is geometry of lines on the WGS84 grid of 1e-7 degrees: roads, waterways, walks along a
// border, profiles. It owns lengths, positions along a line, distances, clipping and simplification; areas
// are geom's. A line runs straight in longitude and latitude between its vertices, as the rings of geom do.
// Lengths are metres on the WGS84 ellipsoid.
//
//	String  at least two vertices; a closed one repeats the first
//	Multi   lines that belong together
package line

import (
	"math"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// String is a line through its vertices.
type String []geom.Point

// Multi is a set of lines.
type Multi []String

// Bounds is the bounding box of the line.
func (s String) Bounds() geom.Box { return geom.Ring(s).Bounds() }

// Bounds is the bounding box of all lines.
func (m Multi) Bounds() geom.Box {
	b := geom.EmptyBox
	for _, s := range m {
		b = b.Union(s.Bounds())
	}
	return b
}

// Length is the length in metres, within 1e-7 of the ellipsoid's.
func (s String) Length() float64 {
	sum := 0.0
	for i := 1; i < len(s); i++ {
		sum += segmentLength(s[i-1], s[i])
	}
	return sum
}

// Length is the length of all lines in metres.
func (m Multi) Length() float64 {
	sum := 0.0
	for _, s := range m {
		sum += s.Length()
	}
	return sum
}

// longSegment is the length of the pieces that a segment is measured in, in grid units: at 4 km the error of
// a ruler is 1e-8.
const longSegment = 400_000

func segmentLength(a, b geom.Point) float64 {
	n := pieces(a, b)
	if n == 1 {
		l := crs.RulerAt(a)
		return l.Distance(b)
	}
	sum, last := 0.0, a
	for k := 1; k <= n; k++ {
		p := between(a, b, float64(k)/float64(n))
		l := crs.RulerAt(last)
		sum += l.Distance(p)
		last = p
	}
	return sum
}

func pieces(a, b geom.Point) int {
	dx, dy := math.Abs(float64(b.X)-float64(a.X)), math.Abs(float64(b.Y)-float64(a.Y))
	return 1 + int(max(dx, dy)/longSegment)
}

// between is the grid point nearest to the position at t, 0 to 1, from a to b.
func between(a, b geom.Point, t float64) geom.Point {
	return geom.Point{
		X: a.X + int32(math.Floor(float64(t*(float64(b.X)-float64(a.X)))+0.5)),
		Y: a.Y + int32(math.Floor(float64(t*(float64(b.Y)-float64(a.Y)))+0.5)),
	}
}

// At is the grid point a number of metres along the line, false before its start and beyond its end.
func (s String) At(metres float64) (geom.Point, bool) {
	if len(s) == 0 || !(metres >= 0) {
		return geom.Point{}, false
	}
	if metres == 0 {
		return s[0], true
	}
	for i := 1; i < len(s); i++ {
		l := segmentLength(s[i-1], s[i])
		if metres <= l {
			return between(s[i-1], s[i], metres/l), true
		}
		metres -= l
	}
	return geom.Point{}, false
}

// Sample is the line as a profile: the grid points every so many metres from its start, which is the first of
// them, and at its end. At most limit points are given; false where there would be more or step is not above
// 0.
func (s String) Sample(step float64, limit int) ([]geom.Point, bool) {
	if len(s) == 0 || !(step > 0) || s.Length()/step > float64(limit-2) {
		return nil, false
	}
	out := []geom.Point{s[0]}
	next := step // from the start of the segment
	for i := 1; i < len(s); i++ {
		l := segmentLength(s[i-1], s[i])
		for ; next < l; next += step {
			out = append(out, between(s[i-1], s[i], next/l))
		}
		next -= l
	}
	return append(out, s[len(s)-1]), true
}

// Near says where a line comes nearest to a point.
type Near struct {
	Metres  float64    // the distance
	At      geom.Point // the grid point of the line
	Segment int        // it lies between the vertices Segment and Segment+1
	Share   float64    // and so far from the first to the second, 0 to 1
}

// Nearest is where the line comes nearest to p, the first place of several; false for a line without a
// vertex. Distances are within 1e-5 up to 100 km.
func (s String) Nearest(p geom.Point) (Near, bool) {
	if len(s) == 0 {
		return Near{}, false
	}
	l := crs.RulerAt(p)
	ax, ay := l.Offset(s[0])
	best := Near{Metres: math.Inf(1)}
	for i := range max(1, len(s)-1) {
		bx, by := l.Offset(s[min(i+1, len(s)-1)])
		t := foot(ax, ay, bx, by)
		if d := math.Hypot(ax+t*(bx-ax), ay+t*(by-ay)); d < best.Metres {
			best = Near{Metres: d, Segment: i, Share: t}
		}
		ax, ay = bx, by
	}
	best.At = between(s[best.Segment], s[min(best.Segment+1, len(s)-1)], best.Share)
	return best, true
}

// foot is where on the segment from a to b, 0 to 1, the origin is nearest.
func foot(ax, ay, bx, by float64) float64 {
	ux, uy := bx-ax, by-ay
	if l := ux*ux + uy*uy; l > 0 {
		return max(0, min(1, -(ax*ux+ay*uy)/l))
	}
	return 0
}
