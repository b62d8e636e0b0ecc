package geom

// Edge is a directed edge of a ring: where rings run as they should, the interior lies to its left.
type Edge struct {
	A, B Point
	Ring int32 // counts all rings of the multipolygon
}

// Box is the bounding box of the edge.
func (e Edge) Box() Box {
	return Box{min(e.A.X, e.B.X), min(e.A.Y, e.B.Y), max(e.A.X, e.B.X), max(e.A.Y, e.B.Y)}
}

// Index is the border of a multipolygon prepared for many questions: a hierarchy of boxes over the edges
// in ring order. Neighbours along a ring are neighbours in space, so nothing needs sorting. Safe for
// concurrent use.
type Index struct {
	edges  []Edge
	boxes  []Box   // level 0 has one box for each indexFan edges, the last level one for all
	levels []int32 // start of each level in boxes, leaves first; one more for the end
}

// indexFan is the number of children of a node; 2^31 edges make at most eleven levels.
const (
	indexFan    = 8
	indexLevels = 12
)

// NewIndex prepares the rings of m, edges without length left out.
func NewIndex(m MultiPolygon) *Index {
	edges := make([]Edge, 0, m.Vertices())
	ring := int32(0)
	for _, p := range m {
		for _, r := range p {
			if len(r) > 0 {
				a := r[len(r)-1]
				for _, b := range r {
					if a != b {
						edges = append(edges, Edge{a, b, ring})
					}
					a = b
				}
			}
			ring++
		}
	}
	return IndexOf(edges)
}

// IndexOf prepares edges that need not close to rings, for Search; those without length are points. What asks
// for the inside of rings has no meaning then.
func IndexOf(edges []Edge) *Index {
	x := &Index{edges: edges}
	if len(x.edges) == 0 {
		return x
	}
	x.boxes = make([]Box, 0, len(x.edges)/(indexFan-1)+indexLevels)
	x.levels = append(make([]int32, 0, indexLevels), 0)
	for i := 0; i < len(x.edges); i += indexFan {
		b := EmptyBox
		for _, e := range x.edges[i:min(i+indexFan, len(x.edges))] {
			b = b.Union(e.Box())
		}
		x.boxes = append(x.boxes, b)
	}
	for from := 0; ; {
		to := len(x.boxes)
		x.levels = append(x.levels, int32(to))
		if to-from <= 1 {
			return x
		}
		for i := from; i < to; i += indexFan {
			b := EmptyBox
			for _, c := range x.boxes[i:min(i+indexFan, to)] {
				b = b.Union(c)
			}
			x.boxes = append(x.boxes, b)
		}
		from = to
	}
}

// Edges are all edges in ring order; they are not to be changed.
func (x *Index) Edges() []Edge { return x.edges }

// walk is the open way through the hierarchy: at most one node of a level is open.
type walk struct{ next, end [indexLevels]int32 }

// open starts with the node at the top and gives its level.
func (w *walk) open(x *Index) int {
	top := len(x.levels) - 2
	w.next[top], w.end[top] = x.levels[top], x.levels[top+1]
	return top
}

// down opens the children of node n of a level above the leaves.
func (w *walk) down(x *Index, n int32, level int) {
	first := x.levels[level-1] + (n-x.levels[level])*indexFan
	w.next[level-1], w.end[level-1] = first, min(first+indexFan, x.levels[level])
}

// under are the edges of a node: from and to.
func (x *Index) under(n int32, level int) (int, int) {
	span := 1 << (3 * (level + 1)) // indexFan to the power of level+1
	first := int(n-x.levels[level]) * span
	return first, min(first+span, len(x.edges))
}

// Search appends to found the numbers of the edges whose boxes share a point with b, in edge order, and
// says how many boxes it looked at.
func (x *Index) Search(found []int32, b Box) (hits []int32, looked int) {
	if len(x.boxes) == 0 {
		return found, 0
	}
	var w walk
	top := w.open(x)
	for level := top; level <= top; {
		if w.next[level] == w.end[level] {
			level++
			continue
		}
		n := w.next[level]
		w.next[level]++
		looked++
		if !x.boxes[n].Intersects(b) {
			continue
		}
		if level > 0 {
			w.down(x, n, level)
			level--
			continue
		}
		first, last := x.under(n, 0)
		looked += last - first
		for i := first; i < last; i++ {
			if x.edges[i].Box().Intersects(b) {
				found = append(found, int32(i))
			}
		}
	}
	return found, looked
}

// Contains is the half-open even-odd test over all edges: MultiPolygon.Contains, since the parts of a
// valid multipolygon do not overlap.
func (x *Index) Contains(p Point) bool {
	in, _ := x.Holds(p)
	return in
}

// Holds is Contains, and says how many boxes it looked at. Of the edges to the right of the point it
// looks only at the ends of the stretches of a ring that lie there as a whole: an even number of
// crossings lies between two ends on one side of the point's latitude, an odd number otherwise.
func (x *Index) Holds(p Point) (in bool, looked int) {
	if len(x.boxes) == 0 {
		return false, 0
	}
	var w walk
	top := w.open(x)
	for level := top; level <= top; {
		if w.next[level] == w.end[level] {
			level++
			continue
		}
		n := w.next[level]
		w.next[level]++
		looked++
		b := &x.boxes[n]
		if b.MaxX <= p.X || b.MaxY <= p.Y || b.MinY > p.Y { // an edge counts only with one end above and one not
			continue
		}
		first, last := x.under(n, level)
		if from, to := &x.edges[first], &x.edges[last-1]; b.MinX > p.X && from.Ring == to.Ring {
			if (from.A.Y > p.Y) != (to.B.Y > p.Y) {
				in = !in
			}
			continue
		}
		if level > 0 {
			w.down(x, n, level)
			level--
			continue
		}
		looked += last - first
		for i := first; i < last; i++ {
			if e := &x.edges[i]; (e.A.Y > p.Y) != (e.B.Y > p.Y) && leftOf(p, e.A, e.B) {
				in = !in
			}
		}
	}
	return in, looked
}
