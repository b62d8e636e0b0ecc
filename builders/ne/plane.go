package ne

import (
	"math"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// pt is a position in the plane of EPSG:3035 in millimetres. Positions of features and cells are whole millimetres, so
// that sums and products of them are exact in float64 and the same on every processor; those that clipping makes are
// not, and every product of them is rounded before it is added (Go fuses the two on some processors otherwise).
type pt struct{ x, y float64 }

// planar is a grid point in the plane.
func planar(p geom.Point) pt {
	return millimetres(crs.EqualArea(p))
}

func planarOf(p hexgrid.LatLng) pt { return millimetres(crs.LAEA.Forward(p.Lng, p.Lat)) }

// millimetres is a position in m in whole mm. The product is rounded before it is added, as everywhere here.
func millimetres(x, y float64) pt {
	return pt{math.Floor(float64(x*1000) + 0.5), math.Floor(float64(y*1000) + 0.5)}
}

// rect is a closed rectangle in the plane.
type rect struct{ x0, y0, x1, y1 float64 }

var emptyRect = rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (r rect) extend(p pt) rect {
	return rect{min(r.x0, p.x), min(r.y0, p.y), max(r.x1, p.x), max(r.y1, p.y)}
}

func (r rect) union(o rect) rect {
	return rect{min(r.x0, o.x0), min(r.y0, o.y0), max(r.x1, o.x1), max(r.y1, o.y1)}
}

func (r rect) meets(o rect) bool {
	return r.x0 <= o.x1 && o.x0 <= r.x1 && r.y0 <= o.y1 && o.y0 <= r.y1
}

func (r rect) holds(o rect) bool {
	return r.x0 <= o.x0 && o.x1 <= r.x1 && r.y0 <= o.y0 && o.y1 <= r.y1
}

func (r rect) area() float64 { return (r.x1 - r.x0) * (r.y1 - r.y0) }

func (r rect) shifted(x, y float64) rect { return rect{r.x0 - x, r.y0 - y, r.x1 - x, r.y1 - y} }

func bounds(ring []pt) rect {
	r := emptyRect
	for _, p := range ring {
		r = r.extend(p)
	}
	return r
}

// area2 is twice the signed area of a ring: counter-clockwise rings have a positive one.
func area2(ring []pt) float64 {
	if len(ring) < 3 {
		return 0
	}
	o, sum := ring[0], 0.0
	for i := 1; i+1 < len(ring); i++ {
		a, b := ring[i], ring[i+1]
		sum += float64((a.x-o.x)*(b.y-o.y)) - float64((b.x-o.x)*(a.y-o.y))
	}
	return sum
}

// clipper cuts rings and segments. It keeps its scratch between calls.
type clipper struct {
	a, b   []pt
	levels [4][]pt // rings cut to the boxes of nodes, by how deep the node lies
}

// side is a half plane: what lies to the left of the line from p along d.
type side struct {
	p, d pt
}

// far is how far to the left of the line a point lies, times the length of d.
func (s *side) far(q pt) float64 {
	return float64(s.d.x*(q.y-s.p.y)) - float64(s.d.y*(q.x-s.p.x))
}

// cut appends the part of a ring in the half plane (Sutherland and Hodgman). Of a ring that is not convex the parts
// hang together along the line, which adds nothing to its signed area.
func (s *side) cut(out, ring []pt) []pt {
	if len(ring) == 0 {
		return out
	}
	u := ring[len(ring)-1]
	fu := s.far(u)
	for _, v := range ring {
		fv := s.far(v)
		if (fu < 0) != (fv < 0) && fu != 0 && fv != 0 {
			t := fu / (fu - fv)
			out = append(out, pt{u.x + float64((v.x-u.x)*t), u.y + float64((v.y-u.y)*t)})
		}
		if fv >= 0 {
			out = append(out, v)
		}
		u, fu = v, fv
	}
	return out
}

// to cuts a ring to half planes; the result stands until the next call.
func (c *clipper) to(sides []side, ring []pt) []pt {
	from := ring
	for i := range sides {
		c.a = sides[i].cut(c.a[:0], from)
		if len(c.a) == 0 {
			return nil
		}
		from = c.a
		c.a, c.b = c.b, c.a
	}
	return from
}

// within cuts a ring to the box of a node of a level; the result stands until the next call of that level, and is given to calls of
// other levels alone.
func (c *clipper) within(level int, r rect, ring []pt) []pt {
	c.levels[level] = c.box(c.levels[level][:0], r, ring)
	return c.levels[level]
}

// box cuts a ring to a rectangle and appends it to out; ring and out must not share memory.
func (c *clipper) box(out []pt, r rect, ring []pt) []pt {
	a := cutAxis(c.a[:0], ring, func(p pt) float64 { return p.x - r.x0 }, true, r.x0)
	b := cutAxis(c.b[:0], a, func(p pt) float64 { return r.x1 - p.x }, true, r.x1)
	c.a, c.b = a, b
	a = cutAxis(c.a[:0], b, func(p pt) float64 { return p.y - r.y0 }, false, r.y0)
	c.a = a
	return cutAxis(out, a, func(p pt) float64 { return r.y1 - p.y }, false, r.y1)
}

// cutAxis is cut for a line along an axis, at value: cut points lie exactly on it.
func cutAxis(out, ring []pt, far func(pt) float64, vertical bool, value float64) []pt {
	if len(ring) == 0 {
		return out
	}
	u := ring[len(ring)-1]
	fu := far(u)
	for _, v := range ring {
		fv := far(v)
		if (fu < 0) != (fv < 0) && fu != 0 && fv != 0 {
			t := fu / (fu - fv)
			if vertical {
				out = append(out, pt{value, u.y + float64((v.y-u.y)*t)})
			} else {
				out = append(out, pt{u.x + float64((v.x-u.x)*t), value})
			}
		}
		if fv >= 0 {
			out = append(out, v)
		}
		u, fu = v, fv
	}
	return out
}

// stretch is the part of the segment from u to v in convex half planes: from t0 to t1 of its length. It is empty
// where t0 is not below t1.
func stretch(sides []side, u, v pt) (t0, t1 float64) {
	t0, t1 = 0, 1
	for i := range sides {
		fu, fv := sides[i].far(u), sides[i].far(v)
		switch {
		case fu < 0 && fv < 0:
			return 1, 0
		case fu < 0:
			t0 = max(t0, fu/(fu-fv))
		case fv < 0:
			t1 = min(t1, fu/(fu-fv))
		}
	}
	return t0, t1
}
