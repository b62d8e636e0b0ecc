package kgfile

import (
	"mappe/artefacts/internal/column"
	"mappe/shared/geo/geom"
)

// readShapes reads n shapes. base holds the rings of an earlier section that may be referred to, or is
// nil; budget bounds the vertices, because copies let a small section ask for many.
func readShapes(r *column.Reader, n int, base *shapeSet, budget int) *shapeSet {
	polys, rings := r.Count(min(maxRows, budget)), r.Count(min(maxRows, budget))
	verts := r.Count(min(maxVertices, budget))
	ops, copies, literals := r.Count(verts), r.Count(verts), r.Count(verts)
	s := &shapeSet{}
	s.shape = column.Ends(r, column.Ints[uint32](r, n), polys)
	s.polyEnd = column.Ends(r, column.Ints[uint32](r, polys), rings)
	s.ringEnd = column.Ends(r, column.Ints[uint32](r, rings), verts)
	op := column.Ints[uint32](r, ops)
	back, index := column.Ints[uint32](r, copies), column.Ints[uint32](r, copies)
	lits := column.Ints[uint32](r, 2*literals)
	for i := range s.polyEnd {
		if a, b := span(s.polyEnd, i); a == b {
			r.Fail("polygon %d has no ring", i)
			break
		}
	}
	if r.Err != nil {
		return nil
	}
	s.coords = make([]geom.Point, verts)
	if !s.unfold(r, base, op, back, index, lits) {
		return nil
	}
	s.link()
	return s
}

// unfold runs the operations and fills coords.
func (s *shapeSet) unfold(r *column.Reader, base *shapeSet, op, back, index, lits []uint32) bool {
	baseRings := 0
	if base != nil {
		baseRings = len(base.ringEnd)
	}
	coords := s.coords
	pos := 0
	var last geom.Point
	for ring, e := range s.ringEnd {
		start, end := pos, int(e)
		if start == end {
			r.Fail("ring %d has no vertex", ring)
			return false
		}
		prev := last
		for pos < end {
			if len(op) == 0 {
				r.Fail("ring %d: operations %w", ring, column.ErrShort)
				return false
			}
			kind, n := int(op[0]&3), int(op[0]>>2)
			op = op[1:]
			if n == 0 {
				n = end - pos
			}
			if n > end-pos || kind > opAlong {
				r.Fail("ring %d: operation %d over %d vertices, %d are open", ring, kind, n, end-pos)
				return false
			}
			if kind == opLiteral {
				if 2*n > len(lits) {
					r.Fail("ring %d: vertices %w", ring, column.ErrShort)
					return false
				}
				d, to := lits[:2*n], coords[pos:pos+n]
				for k := range to {
					x, y := d[2*k], d[2*k+1]
					prev.X += int32(x>>1) ^ -int32(x&1)
					prev.Y += int32(y>>1) ^ -int32(y&1)
					to[k] = prev
				}
				lits = lits[2*n:]
				pos += n
				continue
			}
			if len(back) == 0 {
				r.Fail("ring %d: references %w", ring, column.ErrShort)
				return false
			}
			// Rings count through the base first, then through this set.
			src, ringEnd := baseRings+ring-1-int(back[0]), s.ringEnd
			from := coords
			switch {
			case src < 0:
				r.Fail("ring %d refers to a ring before the first", ring)
				return false
			case src < baseRings:
				ringEnd, from = base.ringEnd, base.coords
			default:
				src -= baseRings
			}
			a, b := span(ringEnd, src)
			q := a + int(index[0])
			back, index = back[1:], index[1:]
			if q >= b || n > b-a {
				r.Fail("ring %d refers to %d vertices from %d in a ring of %d", ring, n, q-a, b-a)
				return false
			}
			if to := coords[pos : pos+n]; kind == opBack {
				for k := range to {
					to[k] = from[q]
					if q--; q < a {
						q = b - 1
					}
				}
			} else {
				for k := range to {
					to[k] = from[q]
					if q++; q == b {
						q = a
					}
				}
			}
			pos += n
			prev = coords[pos-1]
		}
		last = coords[start]
	}
	if len(op)+len(back)+len(lits) != 0 {
		r.Fail("columns go on after the last ring")
		return false
	}
	return true
}

// link builds the slices of rings and polygons and the boxes.
func (s *shapeSet) link() {
	s.rings = make([]geom.Ring, len(s.ringEnd))
	a := uint32(0)
	for i, e := range s.ringEnd {
		s.rings[i] = geom.Ring(s.coords[a:e:e])
		a = e
	}
	s.polys = make([]geom.Polygon, len(s.polyEnd))
	a = 0
	for i, e := range s.polyEnd {
		s.polys[i] = geom.Polygon(s.rings[a:e:e])
		a = e
	}
	s.boxes = make([]geom.Box, len(s.shape))
	vertex, ring, poly := 0, 0, 0
	for i, e := range s.shape {
		from := vertex
		if poly != int(e) {
			poly = int(e)
			ring = int(s.polyEnd[poly-1])
			vertex = int(s.ringEnd[ring-1])
		}
		s.boxes[i] = ringBox(s.coords[from:vertex])
	}
}

func ringBox(r geom.Ring) geom.Box {
	b := geom.EmptyBox
	for _, p := range r {
		b.MinX, b.MaxX = min(b.MinX, p.X), max(b.MaxX, p.X)
		b.MinY, b.MaxY = min(b.MinY, p.Y), max(b.MaxY, p.Y)
	}
	return b
}

// onEarth says whether every box is empty or within longitude and latitude.
func (s *shapeSet) onEarth() bool {
	for _, b := range s.boxes {
		if !b.Empty() && !(onEarth(geom.Point{X: b.MinX, Y: b.MinY}) && onEarth(geom.Point{X: b.MaxX, Y: b.MaxY})) {
			return false
		}
	}
	return true
}

// bytes is the memory the arrays take.
func (s *shapeSet) bytes() int64 {
	return int64(8*len(s.coords) + 4*(len(s.ringEnd)+len(s.polyEnd)+len(s.shape)) + 24*(len(s.rings)+len(s.polys)) + 16*len(s.boxes))
}
