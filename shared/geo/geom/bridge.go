package geom

// Bridger clips rings to boxes one half-plane after another (Sutherland and Hodgman). A ring stays one ring:
// where it leaves the box in several places its pieces stay joined by bridges along the box. That is what
// pictures and tiles want, whose border nobody sees; Clip gives pieces without bridges. Its buffers serve
// ring after ring. The zero value is ready to use, by one goroutine.
type Bridger struct{ a, b Ring }

// Clip is the part of the ring in the closed box, empty if the ring lies outside. Cuts are rounded half up along
// the box's side, the same from both directions of an edge, so that neighbours are cut at the same place.
// The result has no vertex twice in a row and is good until the next call.
func (g *Bridger) Clip(r Ring, b Box) Ring {
	for _, h := range [...]half{{false, int64(b.MinX), -1}, {false, int64(b.MaxX), 1}, {true, int64(b.MinY), -1},
		{true, int64(b.MaxY), 1}} {
		if len(r) == 0 {
			return r
		}
		r = trimSeam(h.bridge(g.a[:0], r))
		g.a, g.b = g.b, r[:0]
	}
	return r
}

// bridge appends the part of the ring in the closed half-plane.
func (h half) bridge(out, r Ring) Ring {
	last := r[len(r)-1]
	lastIn := h.holds(last)
	for _, p := range r {
		in := h.holds(p)
		if in != lastIn {
			out = appendNew(out, h.cut(last, p))
		}
		if in {
			out = appendNew(out, p)
		}
		last, lastIn = p, in
	}
	return out
}

// holds is inside or on the line.
func (h half) holds(p Point) bool {
	if h.swap {
		return h.sense*(int64(p.Y)-h.limit) <= 0
	}
	return h.sense*(int64(p.X)-h.limit) <= 0
}

func appendNew(r Ring, p Point) Ring {
	if n := len(r); n > 0 && r[n-1] == p {
		return r
	}
	return append(r, p)
}

// trimSeam drops vertices at the end that repeat the first one.
func trimSeam(r Ring) Ring {
	for len(r) > 1 && r[0] == r[len(r)-1] {
		r = r[:len(r)-1]
	}
	return r
}
