package region

import (
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// nearPoint says whether a point lies within the buffer of an edge.
func (a *Area) nearPoint(p geom.Point) bool {
	l := crs.RulerAt(p)
	limit := a.bufferM * a.bufferM
	a.search(crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, a.bufferM))
	for _, i := range a.cand {
		if s := &a.edges[i]; l.ToEdge2(s.A, s.B) <= limit {
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
				a.search(crs.Grow(geom.Edge{A: u, B: v}.Box(), a.bufferM))
				if len(a.cand) == 0 {
					continue
				}
				l := crs.RulerAt(u)
				vx, vy := l.Offset(v)
				for _, c := range a.cand {
					s := &a.edges[c]
					px, py := l.Offset(s.A)
					qx, qy := l.Offset(s.B)
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
