package geom

import (
	"cmp"
	"slices"
)

// Compare orders points by X, then Y.
func (p Point) Compare(q Point) int {
	if c := cmp.Compare(p.X, q.X); c != 0 {
		return c
	}
	return cmp.Compare(p.Y, q.Y)
}

// Clean returns the ring without repeated vertices (a closing one too) and without spikes, where the
// line runs back over itself. Straight vertices stay: a neighbour may meet there. A ring without area
// left comes back nil. The ring given is not changed.
func (r Ring) Clean() Ring {
	out := make(Ring, 0, len(r))
	for _, p := range r {
		out = pushClean(out, p)
	}
	// The seam between end and start may hide further duplicates and spikes.
	for len(out) >= 3 {
		n := len(out)
		switch {
		case out[n-1] == out[0] || spike(out[n-2], out[n-1], out[0]):
			out = out[:n-1]
		case spike(out[n-1], out[0], out[1]):
			out = out[1:]
		default:
			if out.Area2().Sign() == 0 && flat(out) {
				return nil
			}
			return out
		}
	}
	return nil
}

// pushClean appends p and takes back what became a duplicate or a spike.
func pushClean(out Ring, p Point) Ring {
	for n := len(out); n > 0; n = len(out) {
		if out[n-1] == p {
			return out
		}
		if n < 2 || !spike(out[n-2], out[n-1], p) {
			break
		}
		out = out[:n-1]
	}
	return append(out, p)
}

// spike says that the line a → b → c turns straight back at b.
func spike(a, b, c Point) bool {
	if Orient(a, b, c) != 0 {
		return false
	}
	ux, uy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	vx, vy := int64(c.X)-int64(b.X), int64(c.Y)-int64(b.Y)
	// The two are parallel, so the signs of the components decide.
	return (ux > 0 && vx < 0) || (ux < 0 && vx > 0) || (uy > 0 && vy < 0) || (uy < 0 && vy > 0)
}

// flat says that all vertices lie on one line.
func flat(r Ring) bool {
	for i := 2; i < len(r); i++ {
		if Orient(r[0], r[1], r[i]) != 0 {
			return false
		}
	}
	return true
}

// Rotate turns the ring in place so that it starts at its smallest vertex (by X, then Y). Where that
// vertex stands several times the smallest sequence of vertices decides, so that equal rings have
// equal bytes.
func (r Ring) Rotate() {
	n := len(r)
	if n == 0 {
		return
	}
	best := 0
	for i := 1; i < n; i++ {
		c := r[i].Compare(r[best])
		for k := 1; c == 0 && k < n; k++ {
			c = r[(i+k)%n].Compare(r[(best+k)%n])
		}
		if c < 0 {
			best = i
		}
	}
	if best == 0 {
		return
	}
	slices.Reverse(r[:best])
	slices.Reverse(r[best:])
	slices.Reverse(r)
}

// Orient turns the ring in place: counter-clockwise when ccw, else clockwise. It says whether it had to.
func (r Ring) Orient(ccw bool) bool {
	s := r.Area2().Sign()
	if s == 0 || (s > 0) == ccw {
		return false
	}
	slices.Reverse(r)
	return true
}

// Normalise is the canonical form: rings cleaned, turned and rotated, holes sorted, parts sorted, parts
// without area left out. Equal areas drawn with the same vertices get equal bytes. The geometry given
// is not changed.
func (m MultiPolygon) Normalise() MultiPolygon {
	out := make(MultiPolygon, 0, len(m))
	for _, p := range m {
		if q := p.Normalise(); q != nil {
			out = append(out, q)
		}
	}
	slices.SortFunc(out, comparePolygons)
	return out
}

// Normalise is the canonical form of one polygon, nil when no area is left.
func (p Polygon) Normalise() Polygon {
	var out Polygon
	for i, r := range p {
		c := r.Clean()
		if c == nil {
			if i == 0 {
				return nil
			}
			continue
		}
		c.Orient(i == 0)
		c.Rotate()
		out = append(out, c)
	}
	if len(out) > 1 {
		slices.SortFunc(out[1:], compareRings)
	}
	return out
}

func compareRings(a, b Ring) int { return slices.CompareFunc(a, b, Point.Compare) }

func comparePolygons(a, b Polygon) int { return slices.CompareFunc(a, b, compareRings) }

// Equal says whether both have the same rings with the same vertices in the same order.
func (m MultiPolygon) Equal(o MultiPolygon) bool {
	return slices.EqualFunc(m, o, func(a, b Polygon) bool {
		return slices.EqualFunc(a, b, func(x, y Ring) bool { return slices.Equal(x, y) })
	})
}
