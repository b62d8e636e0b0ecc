package kgfile

import (
	"sync"

	"mappe/artefacts/internal/column"
	"mappe/shared/geo/geom"
)

// shapeColumns are the columns a set of shapes is unfolded from: working space that is kept from one call of
// readShapes to the next.
type shapeColumns struct{ op, back, index, lits []uint32 }

// maxColumn bounds a column that is kept for the next reader.
const maxColumn = 1 << 20

var shapeScratch = sync.Pool{New: func() any { return new(shapeColumns) }}

// readInto reads n numbers into space that is used again.
func readInto(r *column.Reader, space *[]uint32, n int) []uint32 {
	if r.Err != nil {
		return nil
	}
	if cap(*space) < n {
		*space = make([]uint32, n)
	}
	out := (*space)[:n]
	column.IntsInto(r, out)
	if n > maxColumn {
		*space = nil
	}
	return out
}

// readShapes reads n shapes. base holds the rings of an earlier section that may be referred to, or is
// nil.
func readShapes(r *column.Reader, n int, base *shapeSet) *shapeSet {
	many := func() int { return min(r.Many(freeVertices, verticesPerByte), maxVertices) }
	polys, rings, verts := many(), many(), many()
	ops, copies, literals := r.Count(verts), r.Count(verts), r.Count(verts)
	s := &shapeSet{}
	s.shape = column.Ends(r, column.Ints[uint32](r, n), polys)
	s.polyEnd = column.Ends(r, column.Ints[uint32](r, polys), rings)
	s.ringEnd = column.Ends(r, column.Ints[uint32](r, rings), verts)
	c := shapeScratch.Get().(*shapeColumns)
	defer shapeScratch.Put(c)
	op := readInto(r, &c.op, ops)
	back, index := readInto(r, &c.back, copies), readInto(r, &c.index, copies)
	lits := readInto(r, &c.lits, 2*literals)
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

// unfold runs the operations and fills coords. It is one function with its columns as parameters because opening a
// KG took 1.2 times as long with the columns in a struct and references in a function of their own (BenchmarkOpen).
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
			if !copyFours(coords, from, pos, q, n, a, b, kind) {
				for k := range coords[pos : pos+n] {
					coords[pos+k] = from[q]
					q = step(q, kind, a, b)
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

// copyFours copies a run that does not go around its ring, four vertices at a time: runs are short, and
// a loop that ends after three or five would be mispredicted at nearly every one. What it writes
// beyond the run is written again by the runs that follow. It says false where four at a time do not fit. Its
// parameters stand apart for the reason of unfold's.
func copyFours(to, from []geom.Point, pos, q, n, a, b, kind int) bool {
	m := (n + 3) &^ 3
	if pos+m > len(to) {
		return false
	}
	to = to[pos : pos+m]
	if kind == opBack {
		if q-n+1 < a || q-m+1 < 0 {
			return false
		}
		for src := from[q-m+1 : q+1]; len(to) >= 4 && len(src) >= 4; {
			s := src[len(src)-4:]
			to[0], to[1], to[2], to[3] = s[3], s[2], s[1], s[0]
			to, src = to[4:], src[:len(src)-4]
		}
		return true
	}
	if q+n > b || q+m > len(from) {
		return false
	}
	copy(to, from[q:q+m])
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
