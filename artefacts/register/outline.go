package register

import (
	"encoding/binary"
	"math"

	"mappe/artefacts/internal/column"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// maxOutlines bounds the bytes of all outlines of one section.
const maxOutlines = 64 << 20

func putOutlines(w *column.Writer, n int, at func(int) geom.MultiPolygon) {
	var lens, boxes []uint64
	var packed []byte
	for i := range n {
		m := at(i)
		start := len(packed)
		box := m.Bounds()
		packed = pack(packed, m, box)
		lens = append(lens, uint64(len(packed)-start))
		for _, v := range [4]int32{box.MinX, box.MinY, box.MaxX, box.MaxY} {
			boxes = append(boxes, uint64(uint32(v)))
		}
	}
	w.Count(len(packed))
	w.Ints(lens)
	w.Ints(boxes)
	w.Plain(packed)
}

func pack(b []byte, m geom.MultiPolygon, box geom.Box) []byte {
	b = binary.AppendUvarint(b, uint64(len(m)))
	prev := geom.Point{X: box.MinX, Y: box.MinY}
	for _, p := range m {
		b = binary.AppendUvarint(b, uint64(len(p)))
		for _, r := range p {
			b = binary.AppendUvarint(b, uint64(len(r)))
			for _, v := range r {
				b = binary.AppendUvarint(b, column.Zig(int64(v.X)-int64(prev.X)))
				b = binary.AppendUvarint(b, column.Zig(int64(v.Y)-int64(prev.Y)))
				prev = v
			}
		}
	}
	return b
}

// unpack is the inverse of pack; b comes from a checked file, but what does not decode is nil. Every
// number asks for at least one byte, so nothing is allocated beyond what b can hold.
func unpack(b []byte, box geom.Box) geom.MultiPolygon {
	ok := true
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			ok = false
			return 0
		}
		b = b[n:]
		return v
	}
	count := func() int {
		v := next()
		if v > uint64(len(b)) {
			ok = false
			return 0
		}
		return int(v)
	}
	prev := geom.Point{X: box.MinX, Y: box.MinY}
	m := make(geom.MultiPolygon, count())
	for i := range m {
		m[i] = make(geom.Polygon, count())
		for j := range m[i] {
			r := make(geom.Ring, count())
			for k := range r {
				prev.X += int32(column.Unzig(next()))
				prev.Y += int32(column.Unzig(next()))
				r[k] = prev
			}
			m[i][j] = r
		}
		if !ok {
			return nil
		}
	}
	if !ok || len(m) == 0 {
		return nil
	}
	return m
}

// Simplify removes vertices of each ring so that the new outline lies within tolerance metres of the
// old one (Douglas-Peucker, starting from the two vertices that are farthest apart along each ring). Rings that
// would vanish keep their shape.
func Simplify(m geom.MultiPolygon, tolerance float64) geom.MultiPolygon {
	if len(m) == 0 {
		return nil
	}
	b := m.Bounds()
	metric := metricAt(geom.Point{X: b.MinX/2 + b.MaxX/2, Y: b.MinY/2 + b.MaxY/2})
	out := make(geom.MultiPolygon, len(m))
	for i, p := range m {
		out[i] = make(geom.Polygon, len(p))
		for j, r := range p {
			out[i][j] = simplifyRing(r, metric, tolerance)
		}
	}
	return out
}

func simplifyRing(r geom.Ring, m packtree.Metric, tolerance float64) geom.Ring {
	if len(r) < 5 {
		return append(geom.Ring(nil), r...)
	}
	far, best := 0, -1.0
	for i, p := range r {
		if d := distance2(p, r[0], r[0], m); d > best {
			far, best = i, d
		}
	}
	keep := make([]bool, len(r)+1)
	keep[0], keep[far], keep[len(r)] = true, true, true
	at := func(i int) geom.Point { return r[i%len(r)] }
	type span struct{ a, b int }
	open := []span{{0, far}, {far, len(r)}}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		k, worst := 0, tolerance*tolerance
		for i := s.a + 1; i < s.b; i++ {
			if d := distance2(at(i), at(s.a), at(s.b), m); d > worst {
				k, worst = i, d
			}
		}
		if k != 0 {
			keep[k] = true
			open = append(open, span{s.a, k}, span{k, s.b})
		}
	}
	var out geom.Ring
	for i, p := range r {
		if keep[i] {
			out = append(out, p)
		}
	}
	if len(out) < 3 {
		return append(geom.Ring(nil), r...)
	}
	return out
}

// distance2 is the squared distance in m² from p to the edge a-b.
func distance2(p, a, b geom.Point, m packtree.Metric) float64 {
	px, py := m.X*float64(int64(p.X)-int64(a.X)), m.Y*float64(int64(p.Y)-int64(a.Y))
	ex, ey := m.X*float64(int64(b.X)-int64(a.X)), m.Y*float64(int64(b.Y)-int64(a.Y))
	if l := ex*ex + ey*ey; l > 0 {
		t := math.Min(math.Max((px*ex+py*ey)/l, 0), 1)
		px, py = px-t*ex, py-t*ey
	}
	return px*px + py*py
}

// within says whether p lies nearer than d metres to an edge of m.
func within(p geom.Point, m geom.MultiPolygon, metric packtree.Metric, d float64) bool {
	for _, poly := range m {
		for _, r := range poly {
			for i := range r {
				if distance2(p, r[i], r[(i+1)%len(r)], metric) <= d*d {
					return true
				}
			}
		}
	}
	return false
}
