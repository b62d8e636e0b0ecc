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

// nearFeature says whether an edge of the feature comes within the buffer of an edge of the area.
func (a *Area) nearFeature(m geom.MultiPolygon) bool {
	for _, p := range m {
		for _, r := range p {
			for i, v := range r {
				e := geom.Edge{A: r[(i+len(r)-1)%len(r)], B: v}
				a.search(crs.Grow(e.Box(), a.bufferM))
				if len(a.cand) == 0 {
					continue
				}
				near := nearer(e, a.bufferM)
				for _, c := range a.cand {
					if near(a.edges[c]) {
						return true
					}
				}
			}
		}
	}
	return false
}
