package region

import "mappe/shared/geo/geom"

// Crossing says where two edges of foreign polygons cross or run along each other.
type Crossing struct{ Lon, Lat float64 }

// Tidy prepares foreign rings: repeated vertices, the closing vertex and spikes (out and back on one
// line) go, exteriors turn counter-clockwise and holes clockwise. It reports false when nothing of a ring
// is left. The input is not changed.
func Tidy(m geom.MultiPolygon) (geom.MultiPolygon, bool) {
	t := make(geom.MultiPolygon, 0, len(m))
	for _, p := range m {
		q := make(geom.Polygon, 0, len(p))
		for i, r := range p {
			s := r.Clean()
			if s == nil {
				return nil, false
			}
			s.Orient(i == 0)
			q = append(q, s)
		}
		t = append(t, q)
	}
	return t, len(t) > 0
}

// Check reports the first pair of edges, in edge order, that cross or share more than a point, and a
// hole that lies outside its exterior. Rings may touch, but not pass through each other at a vertex. The
// polygons must be tidy. It fails with ErrWork on rings that are too entangled to be checked within
// CheckWork.
func Check(m geom.MultiPolygon) (*Crossing, error) {
	a := Of(m)
	for i := range a.edges {
		e := &a.edges[i]
		a.search(e.Box())
		for _, j := range a.cand {
			if int(j) > i {
				if c := cross(e, &a.edges[j]); c != nil {
					return c, nil
				}
			}
			if int(j) != i && a.passes(i, int(j)) {
				return &Crossing{e.B.Lon(), e.B.Lat()}, nil
			}
		}
		if a.work > CheckWork {
			return nil, ErrWork
		}
	}
	return strayHole(m)
}

// next is the edge that follows edge i along its ring.
func (a *Area) next(i int) geom.Edge {
	e := a.edges
	if i+1 < len(e) && e[i+1].Ring == e[i].Ring {
		return e[i+1]
	}
	for i > 0 && e[i-1].Ring == e[i].Ring {
		i-- // only from the last edge of a ring
	}
	return e[i]
}

// passes says whether the boundary goes through another part of it at the end of edge i: over the inner
// part of edge j, or through a vertex that edge j ends at too.
func (a *Area) passes(i, j int) bool {
	e, s := &a.edges[i], &a.edges[j]
	v := e.B
	if v == s.B {
		if j < i {
			return false // judged from the other side
		}
		from, to := e.A, a.next(i).B
		return inSector(v, from, to, s.A) != inSector(v, from, to, a.next(j).B)
	}
	if !between(*s, v) || geom.Orient(s.A, s.B, v) != 0 {
		return false
	}
	return geom.Orient(s.A, s.B, e.A)*geom.Orient(s.A, s.B, a.next(i).B) < 0
}

// inSector says whether p lies, seen from v, in the sector swept counter-clockwise from the ray v-from
// to the ray v-to, rays included.
func inSector(v, from, to, p geom.Point) bool {
	a, b := geom.Orient(v, from, p) >= 0, geom.Orient(v, p, to) >= 0
	if geom.Orient(v, from, to) >= 0 {
		return a && b
	}
	return a || b
}

// strayHole finds a hole outside its exterior: since the rings do not cross, one that has the middle of
// no edge inside it. It gives the hole's first vertex.
func strayHole(m geom.MultiPolygon) (*Crossing, error) {
	for _, p := range m {
		if len(p) < 2 {
			continue
		}
		outer := Of(geom.MultiPolygon{{p[0]}})
		for _, h := range p[1:] {
			inside := false
			for i, v := range h {
				if outer.place(geom.Middle(v, h[(i+1)%len(h)])) == geom.Inside {
					inside = true
					break
				}
				if outer.work > CheckWork {
					return nil, ErrWork
				}
			}
			if !inside {
				return &Crossing{h[0].Lon(), h[0].Lat()}, nil
			}
		}
	}
	return nil, nil
}

// cross gives the position of a proper crossing or of the first shared stretch of two edges.
func cross(e, s *geom.Edge) *Crossing {
	var p geom.Point
	switch geom.Meet(e.A, e.B, s.A, s.B) {
	case geom.Crossing:
		p = geom.CrossPoint(e.A, e.B, s.A, s.B)
	case geom.Overlap: // from the greater of the two smaller ends
		p = lower(e)
		if q := lower(s); q.Compare(p) > 0 {
			p = q
		}
	default:
		return nil
	}
	return &Crossing{p.Lon(), p.Lat()}
}

func lower(e *geom.Edge) geom.Point {
	if e.B.Compare(e.A) < 0 {
		return e.B
	}
	return e.A
}
