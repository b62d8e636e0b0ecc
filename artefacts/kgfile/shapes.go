package kgfile

import (
	"fmt"

	"mappe/artefacts/internal/column"
	"mappe/shared/geo/geom"
)

// The operations a ring is made of. An operation is length<<2 | kind; length 0 means the rest of the ring.
const (
	opLiteral = 0 // new vertices, as differences
	opBack    = 1 // vertices of an earlier ring, walked against its direction (a shared border)
	opAlong   = 2 // vertices of an earlier ring, walked in its direction (an outline)
)

// shapeSet holds the multipolygons of one section in flat arrays. The slices of rings and polygons
// point into coords, so a geometry is handed out without a copy.
type shapeSet struct {
	coords  []geom.Point
	ringEnd []uint32 // per ring, end in coords
	rings   []geom.Ring
	polyEnd []uint32 // per polygon, end in rings
	polys   []geom.Polygon
	shape   []uint32 // per shape, end in polys
	boxes   []geom.Box
}

// geometry is shape i; callers must not change it.
func (s *shapeSet) geometry(i int) geom.MultiPolygon {
	a, b := span(s.shape, i)
	if a == b {
		return nil
	}
	return geom.MultiPolygon(s.polys[a:b:b])
}

func span(end []uint32, i int) (int, int) {
	if i == 0 {
		return 0, int(end[0])
	}
	return int(end[i-1]), int(end[i])
}

// pool remembers where vertices stand in the rings written so far, so that shared borders are stored once.
type pool struct {
	coords  []geom.Point
	ringOf  []uint32
	ringEnd []uint32
	at      map[geom.Point][]uint32 // newest last
}

func newPool() *pool { return &pool{at: map[geom.Point][]uint32{}} }

func (p *pool) add(r geom.Ring) {
	k := uint32(len(p.ringEnd))
	for _, v := range r {
		p.at[v] = append(p.at[v], uint32(len(p.coords)))
		p.coords = append(p.coords, v)
		p.ringOf = append(p.ringOf, k)
	}
	p.ringEnd = append(p.ringEnd, uint32(len(p.coords)))
}

// match is a run of an earlier ring that continues the ring being written.
type match struct{ kind, n, ring, index int }

// maxTries bounds the earlier places looked at for one vertex; a border vertex has two or three.
const maxTries = 8

// longest finds the longest run of earlier vertices equal to rest, in either direction.
func (p *pool) longest(rest geom.Ring) match {
	best := match{}
	places := p.at[rest[0]]
	for t := len(places) - 1; t >= 0 && t >= len(places)-maxTries; t-- {
		pos := int(places[t])
		ring := int(p.ringOf[pos])
		a, b := span(p.ringEnd, ring)
		for _, kind := range [2]int{opBack, opAlong} {
			n, q := 0, pos
			for n < len(rest) && n < b-a && p.coords[q] == rest[n] {
				n++
				q = step(q, kind, a, b)
			}
			if n > best.n {
				best = match{kind, n, ring, pos - a}
			}
		}
	}
	return best
}

// step walks one vertex within the ring that fills [a, b).
func step(q, kind, a, b int) int {
	if kind == opBack {
		if q == a {
			return b - 1
		}
		return q - 1
	}
	if q++; q == b {
		return a
	}
	return q
}

// shapeWriter gathers the columns of a set of shapes.
type shapeWriter struct {
	pool                      *pool
	polysPerShape, ringsPer   []uint64
	vertsPerRing, ops         []uint64
	ringBack, index, literals []uint64
	last                      geom.Point // first vertex of the ring before
	verts                     int
}

func (w *shapeWriter) add(m geom.MultiPolygon) error {
	w.polysPerShape = append(w.polysPerShape, uint64(len(m)))
	for i, p := range m {
		if len(p) == 0 {
			return fmt.Errorf("polygon %d has no ring", i)
		}
		w.ringsPer = append(w.ringsPer, uint64(len(p)))
		for j, r := range p {
			if len(r) == 0 || len(r) > maxRing {
				return fmt.Errorf("polygon %d ring %d has %d vertices: expected 1 to %d", i, j, len(r), maxRing)
			}
			for _, v := range r {
				if !onEarth(v) {
					return fmt.Errorf("polygon %d ring %d: vertex %v is not a longitude and latitude", i, j, v)
				}
			}
			w.ring(r)
		}
	}
	return nil
}

func onEarth(p geom.Point) bool {
	return p.X >= -180*geom.Scale && p.X <= 180*geom.Scale && p.Y >= -90*geom.Scale && p.Y <= 90*geom.Scale
}

func (w *shapeWriter) ring(r geom.Ring) {
	w.vertsPerRing = append(w.vertsPerRing, uint64(len(r)))
	w.verts += len(r)
	prev := w.last
	for k := 0; k < len(r); {
		m := w.pool.longest(r[k:])
		if m.n > 1 || (m.n == 1 && len(r) > 1) {
			w.op(m.kind, m.n, len(r)-k)
			w.ringBack = append(w.ringBack, uint64(len(w.pool.ringEnd)-m.ring-1))
			w.index = append(w.index, uint64(m.index))
			k += m.n
			prev = r[k-1]
			continue
		}
		start := k
		for k < len(r) && (k == start || w.pool.longest(r[k:]).n == 0) {
			w.literals = append(w.literals, diff32(r[k].X, prev.X), diff32(r[k].Y, prev.Y))
			prev = r[k]
			k++
		}
		w.op(opLiteral, k-start, len(r)-start)
	}
	w.last = r[0]
	w.pool.add(r)
}

// diff32 is the zigzag difference in 32 bits; it wraps around, and back again when it is added.
func diff32(a, b int32) uint64 {
	d := a - b
	return uint64(uint32(d<<1) ^ uint32(d>>31))
}

func (w *shapeWriter) op(kind, n, rest int) {
	if n == rest {
		n = 0
	}
	w.ops = append(w.ops, uint64(n<<2|kind))
}

// putShapes writes n shapes. pool holds the rings that may be referred to and grows by the new ones.
func putShapes(w *column.Writer, p *pool, n int, at func(int) geom.MultiPolygon) {
	s := shapeWriter{pool: p}
	for i := range n {
		if err := s.add(at(i)); err != nil {
			w.Fail("row %d: %w", i, err)
			return
		}
	}
	if s.verts > maxVertices {
		w.Fail("%d vertices: at most %d are allowed", s.verts, maxVertices)
		return
	}
	w.Quick = true
	for _, n := range [3]int{len(s.ringsPer), len(s.vertsPerRing), s.verts} {
		w.Many(n, freeVertices, verticesPerByte)
	}
	w.Count(len(s.ops))
	w.Count(len(s.ringBack))
	w.Count(len(s.literals) / 2)
	w.Ints(s.polysPerShape)
	w.Ints(s.ringsPer)
	w.Ints(s.vertsPerRing)
	w.Ints(s.ops)
	w.Ints(s.ringBack)
	w.Ints(s.index)
	w.Ints(s.literals)
	w.Quick = false
}
