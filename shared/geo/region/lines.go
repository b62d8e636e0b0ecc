package region

import (
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// lines are the parts of an area that have no interior: lines and points, optionally grown by a buffer. Without a
// buffer a feature that they touch overlaps them, its border included.
type lines struct {
	index   *geom.Index
	box     geom.Box // with the buffer
	bufferM float64
	work    int
	cand    []int32 // scratch of searches
}

// WithLines prepares polygons, which may be none, together with lines and points: a path of one position is a
// point. All are grown by the same distance in metres. Nothing lies within (Covers) a line.
func WithLines(m geom.MultiPolygon, paths [][]geom.Point, metres float64) *Area {
	a := Buffered(m, metres)
	n := 0
	for _, p := range paths {
		n += len(p)
	}
	if n == 0 {
		return a
	}
	edges := make([]geom.Edge, 0, n)
	box := geom.EmptyBox
	for i, p := range paths {
		if len(p) == 1 {
			edges = append(edges, geom.Edge{A: p[0], B: p[0], Ring: int32(i)})
		}
		for k := range p {
			box = box.Extend(p[k])
			if k > 0 {
				edges = append(edges, geom.Edge{A: p[k-1], B: p[k], Ring: int32(i)})
			}
		}
	}
	a.lines = &lines{index: geom.IndexOf(edges), box: crs.Grow(box, metres), bufferM: metres}
	a.box = a.box.Union(a.lines.box)
	return a
}

// search leaves in cand the edges whose boxes share a point with b.
func (l *lines) search(b geom.Box) {
	l.cand = l.cand[:0]
	if l.work > MaxWork {
		return
	}
	var n int
	l.cand, n = l.index.Search(l.cand, b)
	l.work += n + 1
}

// at says whether a point lies on a line, or within the buffer of one.
func (l *lines) at(p geom.Point) bool {
	if !l.box.Contains(p) {
		return false
	}
	at := geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}
	l.search(crs.Grow(at, l.bufferM))
	ruler := crs.RulerAt(p)
	for _, i := range l.cand {
		e := l.index.Edges()[i]
		if l.bufferM > 0 && ruler.ToEdge2(e.A, e.B) <= l.bufferM*l.bufferM || e.Box().Contains(p) && geom.Orient(e.A, e.B, p) == 0 {
			return true
		}
	}
	return false
}

// touch says whether a feature meets the lines or their buffer. Where no edge of the feature does, every line
// that comes into its box lies as a whole on one side of its border.
func (l *lines) touch(m geom.MultiPolygon, mb geom.Box) bool {
	if !l.box.Intersects(mb) {
		return false
	}
	for _, p := range m {
		for _, r := range p {
			for i, v := range r {
				if l.meets(geom.Edge{A: r[(i+len(r)-1)%len(r)], B: v}) {
					return true
				}
			}
		}
	}
	l.search(mb)
	path := int32(-1)
	for _, i := range l.cand {
		e := l.index.Edges()[i]
		if e.Ring == path {
			continue
		}
		path = e.Ring
		l.work += m.Vertices()
		if l.work <= MaxWork && mb.Contains(e.A) && m.Place(geom.Middle(e.A, e.A)) != geom.Outside {
			return true
		}
	}
	return false
}

// meets says whether an edge meets a line, or comes within the buffer of one.
func (l *lines) meets(e geom.Edge) bool {
	l.search(crs.Grow(e.Box(), l.bufferM))
	if len(l.cand) == 0 {
		return false
	}
	near := nearer(e, l.bufferM)
	for _, i := range l.cand {
		s := l.index.Edges()[i]
		if s.Box().Intersects(e.Box()) && geom.Meet(s.A, s.B, e.A, e.B) != geom.Apart || l.bufferM > 0 && near(s) {
			return true
		}
	}
	return false
}

// nearer gives a function that says whether an edge comes within a distance in metres of e. The shortest way
// between two edges that do not cross starts at an end of one of them.
func nearer(e geom.Edge, metres float64) func(s geom.Edge) bool {
	limit := metres * metres
	l := crs.RulerAt(e.A)
	vx, vy := l.Offset(e.B)
	return func(s geom.Edge) bool {
		px, py := l.Offset(s.A)
		qx, qy := l.Offset(s.B)
		return geom.SegmentDistance2(px, py, qx, qy) <= limit || // A to s
			geom.SegmentDistance2(px-vx, py-vy, qx-vx, qy-vy) <= limit || // B to s
			geom.SegmentDistance2(-px, -py, vx-px, vy-py) <= limit || // ends of s to e
			geom.SegmentDistance2(-qx, -qy, vx-qx, vy-qy) <= limit
	}
}
