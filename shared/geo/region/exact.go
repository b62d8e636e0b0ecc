package region

import (
	"math/bits"

	"mappe/shared/geo/geom"
)

// orient is the side of c seen along a to b: +1 left, -1 right, 0 on the line. Longitudes span at most
// 3.6e9 units and latitudes 1.8e9, so both products fit in int64; they are compared, not subtracted.
func orient(a, b, c geom.Point) int {
	l := (int64(b.X) - int64(a.X)) * (int64(c.Y) - int64(a.Y))
	r := (int64(b.Y) - int64(a.Y)) * (int64(c.X) - int64(a.X))
	switch {
	case l > r:
		return 1
	case l < r:
		return -1
	}
	return 0
}

// between says whether c, known to lie on the line of s, lies strictly between its ends.
func between(s segment, c geom.Point) bool {
	if c == s.a || c == s.b {
		return false
	}
	return s.box().Contains(c)
}

// point2 is a position in half units, so that the middle of two grid points is exact.
type point2 struct{ x, y int64 }

func middle(a, b geom.Point) point2 {
	return point2{int64(a.X) + int64(b.X), int64(a.Y) + int64(b.Y)}
}

// place is where a point lies against a boundary.
type place uint8

const (
	out place = iota
	in
	on
)

// orient2 is orient for a third point in half units, in 128 bits.
func orient2(a, b geom.Point, c point2) int {
	return cmpProducts(int64(b.X)-int64(a.X), c.y-2*int64(a.Y), int64(b.Y)-int64(a.Y), c.x-2*int64(a.X))
}

// cmpProducts compares a*b with c*d exactly.
func cmpProducts(a, b, c, d int64) int {
	h1, l1, n1 := mul(a, b)
	h2, l2, n2 := mul(c, d)
	switch {
	case n1 && !n2:
		return -1
	case n2 && !n1:
		return 1
	}
	s := 1
	if n1 {
		s = -1
	}
	switch {
	case h1 > h2 || h1 == h2 && l1 > l2:
		return s
	case h1 < h2 || l1 < l2:
		return -s
	}
	return 0
}

// mul gives the size of a product and whether it is below zero.
func mul(a, b int64) (hi, lo uint64, neg bool) {
	neg = (a < 0) != (b < 0) && a != 0 && b != 0
	hi, lo = bits.Mul64(abs(a), abs(b))
	return hi, lo, neg
}

func abs(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// step2 folds one edge into an even-odd test of a half-unit point: it turns the parity when the edge is
// to the right, and reports a point on the edge.
func step2(p point2, a, b geom.Point, odd *bool) (onEdge bool) {
	ay, by := 2*int64(a.Y), 2*int64(b.Y)
	ax, bx := 2*int64(a.X), 2*int64(b.X)
	if p.y < min(ay, by) || p.y > max(ay, by) || p.x > max(ax, bx) {
		return false
	}
	o := orient2(a, b, p)
	if o == 0 && p.x >= min(ax, bx) {
		return true
	}
	if (ay > p.y) == (by > p.y) {
		return false
	}
	if (o > 0) == (by > ay) {
		*odd = !*odd
	}
	return false
}

// locate2 places a half-unit point against a feature.
func locate2(p point2, m geom.MultiPolygon) place {
	odd := false
	for _, poly := range m {
		for _, r := range poly {
			for i, b := range r {
				if step2(p, r[(i+len(r)-1)%len(r)], b, &odd) {
					return on
				}
			}
		}
	}
	if odd {
		return in
	}
	return out
}

// locate2 places a half-unit point against the area's own edges.
func (a *Area) locate2(p point2) place {
	x, y := int32(p.x>>1), int32(p.y>>1)
	a.search(geom.Box{MinX: x, MinY: y, MaxX: 1<<31 - 1, MaxY: int32((p.y + 1) >> 1)})
	odd := false
	for _, i := range a.cand {
		if s := &a.edges.seg[i]; step2(p, s.a, s.b, &odd) {
			return on
		}
	}
	if odd {
		return in
	}
	return out
}
