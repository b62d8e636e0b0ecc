package geom

import "math"

// touch says how two closed segments meet.
type touch uint8

const (
	apart    touch = iota
	atEnds         // they share an end point and nothing else
	tee            // an end of one lies inside the other
	crossing       // they cross at an inner point of both
	overlap        // they share a stretch of line
)

// meet says how the segments a-b and c-d meet. Exact.
func meet(a, b, c, d Point) touch {
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Y, b.Y) < min(c.Y, d.Y) || max(c.Y, d.Y) < min(a.Y, b.Y) {
		return apart
	}
	oc, od := Orient(a, b, c), Orient(a, b, d)
	if oc*od > 0 {
		return apart
	}
	oa, ob := Orient(c, d, a), Orient(c, d, b)
	if oa*ob > 0 {
		return apart
	}
	if oc == 0 && od == 0 {
		return meetOnLine(a, b, c, d)
	}
	if oa*ob < 0 && oc*od < 0 {
		return crossing
	}
	if a == c || a == d || b == c || b == d {
		return atEnds
	}
	return tee
}

// meetOnLine is meet for four points on one line whose boxes touch.
func meetOnLine(a, b, c, d Point) touch {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	if d.Compare(c) < 0 {
		c, d = d, c
	}
	if a == b || c == d { // a point: an end, or inside the other
		if a == c || a == d || b == c || b == d {
			return atEnds
		}
		return tee
	}
	lo, hi := a, b
	if c.Compare(lo) > 0 {
		lo = c
	}
	if d.Compare(hi) < 0 {
		hi = d
	}
	switch lo.Compare(hi) {
	case -1:
		return overlap
	case 0:
		return atEnds
	}
	return apart
}

// onSegment says whether p lies on the closed segment a-b.
func onSegment(p, a, b Point) bool {
	return p.X >= min(a.X, b.X) && p.X <= max(a.X, b.X) && p.Y >= min(a.Y, b.Y) && p.Y <= max(a.Y, b.Y) && Orient(a, b, p) == 0
}

// crossPoint is the grid point nearest to where two crossing segments cross (within one unit), the same
// whatever way and order they are given in.
func crossPoint(a, b, c, d Point) Point {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	if d.Compare(c) < 0 {
		c, d = d, c
	}
	if k := a.Compare(c); k > 0 || (k == 0 && b.Compare(d) > 0) {
		a, b, c, d = c, d, a, b
	}
	ux, uy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	vx, vy := float64(d.X)-float64(c.X), float64(d.Y)-float64(c.Y)
	wx, wy := float64(c.X)-float64(a.X), float64(c.Y)-float64(a.Y)
	den := float64(ux*vy) - float64(uy*vx)
	t := (float64(wx*vy) - float64(wy*vx)) / den
	if !(t >= 0 && t <= 1) { // NaN where the determinant drowns in rounding
		t = 0.5
	}
	p := Point{gridRound(float64(a.X) + float64(t*ux)), gridRound(float64(a.Y) + float64(t*uy))}
	p.X = min(max(p.X, min(a.X, b.X), min(c.X, d.X)), max(a.X, b.X), max(c.X, d.X))
	p.Y = min(max(p.Y, min(a.Y, b.Y), min(c.Y, d.Y)), max(a.Y, b.Y), max(c.Y, d.Y))
	return p
}

// segmentMeetsBox says whether the closed segment touches the closed box. Exact.
func segmentMeetsBox(a, b Point, box Box) bool {
	if box.Contains(a) || box.Contains(b) {
		return true
	}
	if max(a.X, b.X) < box.MinX || min(a.X, b.X) > box.MaxX || max(a.Y, b.Y) < box.MinY || min(a.Y, b.Y) > box.MaxY {
		return false
	}
	s := Orient(a, b, Point{box.MinX, box.MinY})
	return s == 0 || s != Orient(a, b, Point{box.MaxX, box.MinY}) ||
		s != Orient(a, b, Point{box.MaxX, box.MaxY}) || s != Orient(a, b, Point{box.MinX, box.MaxY})
}

// segmentDistance is the distance of the origin from the segment in a plane.
func segmentDistance(ax, ay, bx, by float64) float64 {
	ux, uy := bx-ax, by-ay
	l := ux*ux + uy*uy
	if l > 0 {
		t := max(0, min(1, -(ax*ux+ay*uy)/l))
		ax, ay = ax+t*ux, ay+t*uy
	}
	return math.Hypot(ax, ay)
}
