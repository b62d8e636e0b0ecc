package planar

import (
	"errors"
	"math"
	"slices"
)

// maxRounds bounds the rounds of noding; drawings need fewer than ten.
const maxRounds = 60

// errNoding says that cutting the lines at their crossings did not come to an end.
var errNoding = errors.New("planar: noding does not settle")

// edge is a drawn piece between two vertices of the pool, a < b.
type edge struct {
	a, b int32
	tag  uint16
}

// noder cuts lines at their crossings and at vertices that lie on them.
type noder struct {
	v     []Pt
	tol   int64
	cell  int32 // side of an index cell
	pool  map[Pt][]int32
	edges []edge
}

// Arrange nodes the lines and finds the faces. Vertices closer than tol are one vertex, and a vertex
// closer than tol/2 to a line lies on it; tol is at least 1.
func Arrange(segs []Seg, tol int) (*Graph, error) {
	n := &noder{tol: int64(max(tol, 1)), pool: make(map[Pt][]int32, len(segs))}
	var total float64
	for _, s := range segs {
		a, b := n.vertex(s.A), n.vertex(s.B)
		if a != b {
			n.edges = append(n.edges, edge{min(a, b), max(a, b), s.Tag})
			total += math.Hypot(float64(s.B.X-s.A.X), float64(s.B.Y-s.A.Y))
		}
	}
	n.cell = int32(max(32, 2*total/float64(max(len(n.edges), 1))))
	for round := 0; ; round++ {
		n.unite()
		if !n.cut() {
			break
		}
		if round == maxRounds {
			return nil, errNoding
		}
	}
	return build(n.v, n.edges), nil
}

// vertex is the pool's vertex for a point: an earlier one within the tolerance, else a new one.
func (n *noder) vertex(p Pt) int32 {
	size := int32(n.tol)
	c := Pt{X: floorDiv(p.X, size), Y: floorDiv(p.Y, size)}
	best, bestD := int32(-1), n.tol*n.tol
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			for _, i := range n.pool[Pt{X: c.X + dx, Y: c.Y + dy}] {
				q := n.v[i]
				ex, ey := int64(q.X-p.X), int64(q.Y-p.Y)
				if d := ex*ex + ey*ey; d < bestD {
					best, bestD = i, d
				}
			}
		}
	}
	if best >= 0 {
		return best
	}
	i := int32(len(n.v))
	n.v = append(n.v, p)
	n.pool[c] = append(n.pool[c], i)
	return i
}

// unite sorts the edges and makes one of those that join the same vertices.
func (n *noder) unite() {
	slices.SortFunc(n.edges, func(x, y edge) int {
		if x.a != y.a {
			return int(x.a) - int(y.a)
		}
		return int(x.b) - int(y.b)
	})
	w := 0
	for _, e := range n.edges {
		if w > 0 && n.edges[w-1].a == e.a && n.edges[w-1].b == e.b {
			n.edges[w-1].tag |= e.tag
			continue
		}
		n.edges[w] = e
		w++
	}
	n.edges = n.edges[:w]
}

// split is a vertex at which an edge is to be cut.
type split struct{ edge, vertex int32 }

// cut finds the crossings and the vertices on edges and cuts there; it says whether anything was cut.
func (n *noder) cut() bool {
	grid := newIndex(n)
	var splits []split
	for i := range n.edges {
		grid.vertices(n, int32(i), func(v int32) { splits = append(splits, split{int32(i), v}) })
	}
	grid.pairs(n, func(i, j int32) {
		if p, ok := n.crossing(n.edges[i], n.edges[j]); ok {
			v := n.vertex(p)
			splits = append(splits, split{i, v}, split{j, v})
		}
	})
	if len(splits) == 0 {
		return false
	}
	slices.SortFunc(splits, func(x, y split) int {
		if x.edge != y.edge {
			return int(x.edge) - int(y.edge)
		}
		return int(x.vertex) - int(y.vertex)
	})
	splits = slices.Compact(splits)
	changed := false
	for lo := 0; lo < len(splits); {
		hi := lo
		for hi < len(splits) && splits[hi].edge == splits[lo].edge {
			hi++
		}
		changed = n.replace(splits[lo].edge, splits[lo:hi]) || changed
		lo = hi
	}
	return changed
}

// replace puts a chain through the split vertices in the place of an edge.
func (n *noder) replace(i int32, at []split) bool {
	e := n.edges[i]
	a, b := n.v[e.a], n.v[e.b]
	along := func(v int32) int64 {
		return int64(n.v[v].X-a.X)*int64(b.X-a.X) + int64(n.v[v].Y-a.Y)*int64(b.Y-a.Y)
	}
	chain := make([]int32, 0, len(at)+2)
	for _, s := range at {
		if s.vertex != e.a && s.vertex != e.b {
			chain = append(chain, s.vertex)
		}
	}
	if len(chain) == 0 {
		return false
	}
	slices.SortFunc(chain, func(x, y int32) int {
		if d := along(x) - along(y); d != 0 {
			return sign(d)
		}
		return int(x) - int(y)
	})
	last := e.a
	first := true
	for _, v := range append(chain, e.b) {
		if v == last {
			continue
		}
		ne := edge{min(last, v), max(last, v), e.tag}
		if first {
			n.edges[i], first = ne, false
		} else {
			n.edges = append(n.edges, ne)
		}
		last = v
	}
	return true
}

// crossing is the rounded point where two edges without a common end cross properly.
func (n *noder) crossing(e, f edge) (Pt, bool) {
	if e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b {
		return Pt{}, false
	}
	a, b, c, d := n.v[e.a], n.v[e.b], n.v[f.a], n.v[f.b]
	o1, o2 := cross(a, b, c), cross(a, b, d)
	if o1 == 0 || o2 == 0 || (o1 > 0) == (o2 > 0) {
		return Pt{}, false
	}
	o3, o4 := cross(c, d, a), cross(c, d, b)
	if o3 == 0 || o4 == 0 || (o3 > 0) == (o4 > 0) {
		return Pt{}, false
	}
	t := float64(o3) / (float64(o3) - float64(o4))
	return Pt{
		X: a.X + int32(math.Round(t*float64(b.X-a.X))),
		Y: a.Y + int32(math.Round(t*float64(b.Y-a.Y))),
	}, true
}

// near says whether vertex v lies on the inside of the edge, within half the tolerance.
func (n *noder) near(e edge, v int32) bool {
	if v == e.a || v == e.b {
		return false
	}
	a, b, p := n.v[e.a], n.v[e.b], n.v[v]
	dx, dy := int64(b.X-a.X), int64(b.Y-a.Y)
	l := dx*dx + dy*dy
	t := int64(p.X-a.X)*dx + int64(p.Y-a.Y)*dy
	if t <= 0 || t >= l {
		return false
	}
	c := float64(cross(a, b, p))
	return 4*c*c <= float64(n.tol*n.tol)*float64(l)
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func sign(d int64) int {
	if d < 0 {
		return -1
	}
	return 1
}
