package geom

// Touch says how two closed segments meet.
type Touch uint8

// The ways in which segments meet.
const (
	Apart    Touch = iota
	AtEnds         // they share an end point and nothing else
	Tee            // an end of one lies inside the other
	Crossing       // they cross at an inner point of both
	Overlap        // they share a stretch of line
)

// Meet says how the segments a-b and c-d, whose boxes share a point, meet. Exact.
func Meet(a, b, c, d Point) Touch {
	var oc, od, oa, ob int
	if int64(max(a.X, b.X, c.X, d.X))-int64(min(a.X, b.X, c.X, d.X)) < 1<<31 { // nearly always, and inlined
		oc, od = nearOrient(a, b, c), nearOrient(a, b, d)
		if oc*od > 0 {
			return Apart
		}
		oa, ob = nearOrient(c, d, a), nearOrient(c, d, b)
	} else {
		oc, od, oa, ob = Orient(a, b, c), Orient(a, b, d), Orient(c, d, a), Orient(c, d, b)
	}
	if oc*od > 0 || oa*ob > 0 {
		return Apart
	}
	if oc == 0 && od == 0 {
		return meetOnLine(a, b, c, d)
	}
	if oa*ob < 0 && oc*od < 0 {
		return Crossing
	}
	if a == c || a == d || b == c || b == d {
		return AtEnds
	}
	return Tee
}

// meetOnLine is Meet for four points on one line whose boxes touch.
func meetOnLine(a, b, c, d Point) Touch {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	if d.Compare(c) < 0 {
		c, d = d, c
	}
	if a == b || c == d { // a point: an end, or inside the other
		if a == c || a == d || b == c || b == d {
			return AtEnds
		}
		return Tee
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
		return Overlap
	case 0:
		return AtEnds
	}
	return Apart
}

// onSegment says whether p lies on the closed segment a-b.
func onSegment(p, a, b Point) bool {
	return p.X >= min(a.X, b.X) && p.X <= max(a.X, b.X) && p.Y >= min(a.Y, b.Y) && p.Y <= max(a.Y, b.Y) && Orient(a, b, p) == 0
}

// CrossPoint is the grid point nearest to where two crossing segments cross (within one unit), the same
// whatever way and order they are given in.
func CrossPoint(a, b, c, d Point) Point {
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

// SegmentDistance2 is the squared distance of the origin from the segment in a plane.
func SegmentDistance2(ax, ay, bx, by float64) float64 {
	ux, uy := bx-ax, by-ay
	l := ux*ux + uy*uy
	if l > 0 {
		t := max(0, min(1, -(ax*ux+ay*uy)/l))
		ax, ay = ax+t*ux, ay+t*uy
	}
	return ax*ax + ay*ay
}
