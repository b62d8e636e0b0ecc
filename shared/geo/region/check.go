package region

import (
	"math"

	"mappe/shared/geo/geom"
)

// Crossing says where two edges of foreign polygons cross or run along each other.
type Crossing struct{ Lon, Lat float64 }

// Tidy prepares foreign rings: repeated vertices, the closing vertex and spikes (out and back on one
// line) go, exteriors turn counter-clockwise and holes clockwise. It reports false when a ring has fewer
// than three vertices left. The input is not changed.
func Tidy(m geom.MultiPolygon) (geom.MultiPolygon, bool) {
	t := make(geom.MultiPolygon, 0, len(m))
	for _, p := range m {
		q := make(geom.Polygon, 0, len(p))
		for i, r := range p {
			s := despike(r)
			a := area2(s)
			if len(s) < 3 {
				return nil, false
			}
			if a != 0 && (a > 0) != (i == 0) {
				for x, y := 0, len(s)-1; x < y; x, y = x+1, y-1 {
					s[x], s[y] = s[y], s[x]
				}
			}
			q = append(q, s)
		}
		t = append(t, q)
	}
	return t, len(t) > 0
}

// despike copies a ring without repeated vertices and spikes; straight-on vertices stay.
func despike(r geom.Ring) geom.Ring {
	s := make(geom.Ring, 0, len(r))
	for _, p := range r {
		s = append(s, p)
		for {
			n := len(s)
			if n >= 2 && s[n-1] == s[n-2] {
				s = s[:n-1]
			} else if n >= 3 && spike(s[n-3], s[n-2], s[n-1]) {
				s[n-2] = s[n-1]
				s = s[:n-1]
			} else {
				break
			}
		}
	}
	for len(s) >= 3 {
		n := len(s)
		switch {
		case s[n-1] == s[0], spike(s[n-2], s[n-1], s[0]):
			s = s[:n-1]
		case spike(s[n-1], s[0], s[1]):
			s = s[1:]
		default:
			return s
		}
	}
	return s
}

// spike says whether the way a-b-c turns back at b along the same line.
func spike(a, b, c geom.Point) bool {
	if orient(a, b, c) != 0 {
		return false
	}
	dot := (float64(b.X)-float64(a.X))*(float64(c.X)-float64(b.X)) + (float64(b.Y)-float64(a.Y))*(float64(c.Y)-float64(b.Y))
	return dot < 0
}

// area2 is twice the signed area in square units; only its sign is used.
func area2(r geom.Ring) float64 {
	if len(r) < 3 {
		return 0
	}
	o := r[0]
	s := 0.0
	for i := 1; i+1 < len(r); i++ {
		s += (float64(r[i].X)-float64(o.X))*(float64(r[i+1].Y)-float64(o.Y)) - (float64(r[i+1].X)-float64(o.X))*(float64(r[i].Y)-float64(o.Y))
	}
	return s
}

// Check reports the first pair of edges, in edge order, that cross or share more than a point, and a
// hole that lies outside its exterior. Rings may touch, but not pass through each other at a vertex. The
// polygons must be tidy. It fails with ErrWork on rings that are too entangled to be checked within
// CheckWork.
func Check(m geom.MultiPolygon) (*Crossing, error) {
	a := Of(m)
	for i := range a.edges.seg {
		e := a.edges.seg[i]
		a.search(e.box())
		for _, j := range a.cand {
			s := a.edges.seg[j]
			if int(j) > i {
				if c := cross(e, s); c != nil {
					return c, nil
				}
			}
			if int(j) != i && a.passes(i, int(j)) {
				return &Crossing{e.b.Lon(), e.b.Lat()}, nil
			}
		}
		if a.work > CheckWork {
			return nil, ErrWork
		}
	}
	return strayHole(m)
}

// next is the edge that follows edge i along its ring.
func (t *tree) next(i int) segment {
	if i+1 < len(t.seg) && t.seg[i+1].ring == t.seg[i].ring {
		return t.seg[i+1]
	}
	for i > 0 && t.seg[i-1].ring == t.seg[i].ring {
		i-- // only from the last edge of a ring
	}
	return t.seg[i]
}

// passes says whether the boundary goes through another part of it at the end of edge i: over the inner
// part of edge j, or through a vertex that edge j ends at too.
func (a *Area) passes(i, j int) bool {
	e, s := a.edges.seg[i], a.edges.seg[j]
	v := e.b
	if v == s.b {
		if j < i {
			return false // judged from the other side
		}
		from, to := e.a, a.edges.next(i).b
		return inSector(v, from, to, s.a) != inSector(v, from, to, a.edges.next(j).b)
	}
	if orient(s.a, s.b, v) != 0 || !between(s, v) {
		return false
	}
	return orient(s.a, s.b, e.a)*orient(s.a, s.b, a.edges.next(i).b) < 0
}

// inSector says whether p lies, seen from v, in the sector swept counter-clockwise from the ray v-from
// to the ray v-to, rays included.
func inSector(v, from, to, p geom.Point) bool {
	a, b := orient(v, from, p) >= 0, orient(v, p, to) >= 0
	if orient(v, from, to) >= 0 {
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
				if outer.locate2(middle(v, h[(i+1)%len(h)])) == in {
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
func cross(e, s segment) *Crossing {
	o1, o2 := orient(s.a, s.b, e.a), orient(s.a, s.b, e.b)
	if o1*o2 > 0 {
		return nil
	}
	if o1 == 0 && o2 == 0 {
		b, c := e.box(), s.box()
		x0, x1 := max(b.MinX, c.MinX), min(b.MaxX, c.MaxX)
		y0, y1 := max(b.MinY, c.MinY), min(b.MaxY, c.MaxY)
		if x0 >= x1 && y0 >= y1 {
			return nil
		}
		// Of the two diagonals of the shared box the stretch is the one that leans as the edge does.
		p := geom.Point{X: x0, Y: y0}
		if (e.b.X > e.a.X) != (e.b.Y > e.a.Y) && y0 != y1 && x0 != x1 {
			p.Y = y1
		}
		return &Crossing{p.Lon(), p.Lat()}
	}
	if o1*o2 == 0 || orient(e.a, e.b, s.a)*orient(e.a, e.b, s.b) >= 0 {
		return nil
	}
	// Both lines as a + t*(b-a); floats are good enough for a message.
	ex, ey := float64(e.b.X)-float64(e.a.X), float64(e.b.Y)-float64(e.a.Y)
	sx, sy := float64(s.b.X)-float64(s.a.X), float64(s.b.Y)-float64(s.a.Y)
	t := ((float64(s.a.X)-float64(e.a.X))*sy - (float64(s.a.Y)-float64(e.a.Y))*sx) / (ex*sy - ey*sx)
	round := func(v float64) float64 { return math.Round(v) / geom.Scale }
	return &Crossing{round(float64(e.a.X) + t*ex), round(float64(e.a.Y) + t*ey)}
}
