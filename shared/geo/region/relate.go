package region

import (
	"slices"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// contact is a grid point where a boundary of one side touches the inner part of an edge of the other.
type contact struct {
	edge int32
	at   geom.Point
}

// Overlaps says whether the interiors share area; of the area's lines, whether they touch the feature. mb is the
// bounding box of m.
func (a *Area) Overlaps(m geom.MultiPolygon, mb geom.Box) bool {
	if !a.box.Intersects(mb) {
		return false
	}
	if a.lines != nil && a.lines.touch(m, mb) {
		return true
	}
	if a.rect && a.core.MinX < a.core.MaxX && a.core.MinY < a.core.MaxY {
		return a.rectOverlaps(m) || a.bufferM > 0 && a.nearFeature(m)
	}
	if a.core.Intersects(mb) && a.relate(m, mb).overlap {
		return true
	}
	return a.bufferM > 0 && a.nearFeature(m)
}

// rectOverlaps is Overlaps for a rectangle with an interior: it is shared where an edge of the feature enters
// it, and where none does, all of it lies on one side of the feature's boundary.
func (a *Area) rectOverlaps(m geom.MultiPolygon) bool {
	c := a.core
	corners := [4]geom.Point{{X: c.MinX, Y: c.MinY}, {X: c.MaxX, Y: c.MinY}, {X: c.MaxX, Y: c.MaxY}, {X: c.MinX, Y: c.MaxY}}
	for _, p := range m {
		for _, ring := range p {
			a.work += len(ring)
			if len(ring) == 0 {
				continue
			}
			u := ring[len(ring)-1]
			for _, v := range ring {
				if v.X > c.MinX && v.X < c.MaxX && v.Y > c.MinY && v.Y < c.MaxY {
					return true
				}
				if max(u.X, v.X) > c.MinX && min(u.X, v.X) < c.MaxX && max(u.Y, v.Y) > c.MinY && min(u.Y, v.Y) < c.MaxY &&
					divides(u, v, corners) {
					return true
				}
				u = v
			}
		}
	}
	return m.Place(geom.Middle(corners[0], corners[2])) == geom.Inside
}

// divides says whether points lie on both sides of the line through u and v.
func divides(u, v geom.Point, points [4]geom.Point) bool {
	left, right := false, false
	for _, p := range points {
		o := geom.Orient(u, v, p)
		left, right = left || o > 0, right || o < 0
	}
	return left && right
}

// Reaches says whether the interiors share area or come within a distance in metres of each other.
func (a *Area) Reaches(m geom.MultiPolygon, mb geom.Box, metres float64) bool {
	wider := *a
	wider.bufferM += metres
	wider.box = crs.Grow(a.box, metres)
	if a.lines != nil {
		l := *a.lines
		l.bufferM += metres
		l.box = crs.Grow(l.box, metres)
		wider.lines = &l
	}
	reaches := wider.Overlaps(m, mb)
	a.work, a.cand, a.touch = wider.work, wider.cand, wider.touch
	if a.lines != nil {
		a.lines.work, a.lines.cand = wider.lines.work, wider.lines.cand
	}
	return reaches
}

// Covers says whether nothing of the feature lies outside the area. It disregards the buffer.
func (a *Area) Covers(m geom.MultiPolygon, mb geom.Box) bool {
	c := a.core
	if mb.MinX < c.MinX || mb.MaxX > c.MaxX || mb.MinY < c.MinY || mb.MaxY > c.MaxY {
		return false
	}
	if a.rect {
		return true
	}
	r := a.relate(m, mb)
	return r.overlap && !r.outside
}

// relation is what relate found: a shared interior, and a part of the feature outside the area.
type relation struct{ overlap, outside bool }

// relate compares the boundaries. A proper crossing of two edges decides both answers. Without one,
// edges can only meet at vertices of either side, which are grid points; cut there, each piece of an
// edge lies wholly inside, outside or along the other boundary, which its middle tells exactly. Pieces
// along each other tell by their direction whether the interiors lie on the same side.
func (a *Area) relate(m geom.MultiPolygon, mb geom.Box) relation {
	var r relation
	touched := false
	a.touch = a.touch[:0]
	edge := int32(0)
	for _, p := range m {
		for _, ring := range p {
			for i, v := range ring {
				e := geom.Edge{A: ring[(i+len(ring)-1)%len(ring)], B: v}
				if t, crossed := a.meet(e, edge, &r); crossed {
					return relation{true, true}
				} else if t {
					touched = true
				}
				edge++
			}
		}
	}
	if touched {
		a.cutOwn(m, &r)
		a.cutArea(m, mb, &r)
		return r
	}
	a.nested(m, mb, &r)
	return r
}

// meet compares one edge of the feature with the area's edges.
func (a *Area) meet(e geom.Edge, edge int32, r *relation) (touched, crossed bool) {
	a.search(e.Box())
	for _, i := range a.cand {
		s := &a.edges[i]
		o1, o2 := geom.Orient(s.A, s.B, e.A), geom.Orient(s.A, s.B, e.B)
		if o1*o2 > 0 {
			continue
		}
		o3, o4 := geom.Orient(e.A, e.B, s.A), geom.Orient(e.A, e.B, s.B)
		if o3*o4 > 0 {
			continue
		}
		if o1*o2 < 0 && o3*o4 < 0 {
			return true, true
		}
		touched = true
		if o1 == 0 && o2 == 0 {
			along(e, *s, r)
		}
		if o3 == 0 && between(e, s.A) {
			a.touch = append(a.touch, contact{edge, s.A})
		}
		if o4 == 0 && between(e, s.B) {
			a.touch = append(a.touch, contact{edge, s.B})
		}
	}
	return touched, false
}

// between says whether c, known to lie on the line of s, lies strictly between its ends.
func between(s geom.Edge, c geom.Point) bool { return c != s.A && c != s.B && s.Box().Contains(c) }

// along judges two edges on one line: when they share more than a point, equal directions mean that
// both interiors lie on the same side.
func along(e, s geom.Edge, r *relation) {
	b, c := e.Box(), s.Box()
	if max(b.MinX, c.MinX) >= min(b.MaxX, c.MaxX) && max(b.MinY, c.MinY) >= min(b.MaxY, c.MaxY) {
		return
	}
	if (e.B.X > e.A.X) == (s.B.X > s.A.X) && (e.B.Y > e.A.Y) == (s.B.Y > s.A.Y) {
		r.overlap = true
	} else {
		r.outside = true
	}
}

// cutOwn judges the pieces of the feature's edges against the area.
func (a *Area) cutOwn(m geom.MultiPolygon, r *relation) {
	touch := a.touch
	edge, k := int32(0), 0
	for _, p := range m {
		for _, ring := range p {
			for i, v := range ring {
				from := k
				for k < len(touch) && touch[k].edge == edge {
					k++
				}
				edge++
				pieces(geom.Edge{A: ring[(i+len(ring)-1)%len(ring)], B: v}, touch[from:k], func(mid geom.Mid) {
					switch a.place(mid) {
					case geom.Inside:
						r.overlap = true
					case geom.Outside:
						r.outside = true
					}
				})
				if r.overlap && r.outside {
					return
				}
			}
		}
	}
}

// cutArea judges the pieces of the area's edges against the feature: a piece inside it has area of the
// feature on both sides, so it is shared and part of it lies outside.
func (a *Area) cutArea(m geom.MultiPolygon, mb geom.Box, r *relation) {
	if r.overlap && r.outside {
		return
	}
	a.search(mb)
	near := a.cand
	for _, i := range near {
		if a.work > MaxWork {
			return // Err says so
		}
		s := a.edges[i]
		a.touch = a.touch[:0]
		for _, p := range m {
			for _, ring := range p {
				a.work += len(ring)
				for _, v := range ring {
					if geom.Orient(s.A, s.B, v) == 0 && between(s, v) {
						a.touch = append(a.touch, contact{i, v})
					}
				}
			}
		}
		pieces(s, a.touch, func(mid geom.Mid) {
			if m.Place(mid) == geom.Inside {
				r.overlap, r.outside = true, true
			}
		})
		if r.overlap && r.outside {
			return
		}
	}
}

// pieces calls f with the middle of each piece of an edge between its contacts.
func pieces(e geom.Edge, c []contact, f func(geom.Mid)) {
	if len(c) > 1 {
		slices.SortFunc(c, func(p, q contact) int { return ahead(e, p.at, q.at) })
	}
	last := e.A
	for _, t := range c {
		if t.at != last {
			f(geom.Middle(last, t.at))
			last = t.at
		}
	}
	if last != e.B {
		f(geom.Middle(last, e.B))
	}
}

// ahead orders two points of an edge along its direction.
func ahead(e geom.Edge, p, q geom.Point) int {
	if p.X != q.X {
		if (p.X < q.X) == (e.A.X < e.B.X) {
			return -1
		}
		return 1
	}
	if p.Y != q.Y {
		if (p.Y < q.Y) == (e.A.Y < e.B.Y) {
			return -1
		}
		return 1
	}
	return 0
}

// nested judges boundaries that share no point: each ring lies wholly on one side of the other.
func (a *Area) nested(m geom.MultiPolygon, mb geom.Box, r *relation) {
	for _, p := range m {
		for _, ring := range p {
			if len(ring) == 0 {
				continue
			}
			if a.holds(ring[0]) {
				r.overlap = true
			} else {
				r.outside = true
			}
		}
	}
	a.search(mb)
	ring := int32(-1)
	for _, i := range a.cand {
		s := &a.edges[i]
		if s.Ring == ring {
			continue
		}
		ring = s.Ring
		if m.Place(geom.Middle(s.A, s.A)) == geom.Inside {
			r.overlap, r.outside = true, true
			return
		}
	}
}
