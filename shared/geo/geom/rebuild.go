package geom

import (
	"cmp"
	"slices"
)

// rebuildRounds bounds the rounds of cutting edges where they meet. Rounding a cut to the grid moves an
// edge by at most a unit and can make it meet another; two or three rounds settle real data.
const rebuildRounds = 32

// maxCuts bounds the places where edges are cut in one round: 10,000 edges drawn at random cross 25
// million times, which is no drawing of anything and would fill the memory.
const maxCuts = 1 << 20

// maxRebuilt bounds the rings of the result: each is compared with all others.
const maxRebuilt = 1 << 14

// Rebuild makes a valid multipolygon of any rings by the even-odd rule: a point is inside when an odd
// number of rings is around it. Self-crossing rings come apart, inverted rings (a small exterior with
// the real outer rings as its interiors) become parts, stretches that stand twice fall away, whatever
// the order and direction of the rings. New vertices (crossings) lie within about a grid unit of the
// lines that cross. The result is in canonical form; edges of valid input are not moved.
// It fails with ErrTooComplex only.
func Rebuild(rings []Ring) (MultiPolygon, error) {
	var edges []edge
	for _, r := range rings {
		if len(r) < 3 {
			continue
		}
		a := r[len(r)-1]
		for _, b := range r {
			if a != b {
				edges = append(edges, edge{a, b})
			}
			a = b
		}
	}
	for round := 0; ; round++ {
		edges = oddEdges(edges)
		cut, err := cutEdges(edges)
		if err != nil {
			return nil, err
		}
		if cut == nil {
			break
		}
		if round == rebuildRounds {
			return nil, ErrTooComplex
		}
		edges = cut
	}
	return polygonsOf(edges)
}

// Rings lists the rings of all parts.
func (m MultiPolygon) Rings() []Ring {
	var out []Ring
	for _, p := range m {
		out = append(out, p...)
	}
	return out
}

// oddEdges turns the edges upwards (a before b), sorts them and keeps those that stand an odd number of
// times.
func oddEdges(edges []edge) []edge {
	for i, e := range edges {
		if e.b.Compare(e.a) < 0 {
			edges[i] = edge{e.b, e.a}
		}
	}
	slices.SortFunc(edges, compareEdges)
	out := edges[:0]
	for i := 0; i < len(edges); {
		j := i
		for j < len(edges) && edges[j] == edges[i] {
			j++
		}
		if (j-i)%2 == 1 {
			out = append(out, edges[i])
		}
		i = j
	}
	return out
}

func compareEdges(a, b edge) int {
	if c := a.a.Compare(b.a); c != 0 {
		return c
	}
	return a.b.Compare(b.b)
}

type cut struct {
	edge int32
	at   Point
}

// cutEdges cuts every edge where another one crosses it, ends on it or runs along it; nil when nothing
// had to be cut.
func cutEdges(edges []edge) ([]edge, error) {
	cuts, err := findCuts(edges)
	if err != nil || len(cuts) == 0 {
		return nil, err
	}
	out := make([]edge, 0, len(edges)+len(cuts))
	splitEdges(edges, cuts, func(_ int32, e edge) { out = append(out, e) })
	return out, nil
}

// findCuts finds where edges are to be cut because another one crosses them, ends on them or runs along
// them.
func findCuts(edges []edge) ([]cut, error) {
	var cuts []cut
	add := func(i int32, p Point) {
		if e := edges[i]; p != e.a && p != e.b {
			cuts = append(cuts, cut{i, p})
		}
	}
	err := edgePairs(edges, 0, func(i, j int32) bool {
		e, f := edges[i], edges[j]
		switch Meet(e.a, e.b, f.a, f.b) {
		case Crossing:
			p := CrossPoint(e.a, e.b, f.a, f.b)
			add(i, p)
			add(j, p)
		case Tee, Overlap:
			for _, p := range [...]Point{f.a, f.b} {
				if onSegment(p, e.a, e.b) {
					add(i, p)
				}
			}
			for _, p := range [...]Point{e.a, e.b} {
				if onSegment(p, f.a, f.b) {
					add(j, p)
				}
			}
		}
		return len(cuts) <= maxCuts
	})
	if len(cuts) > maxCuts {
		return nil, ErrTooComplex
	}
	return cuts, err
}

// splitEdges sorts the cuts and yields the stretches of the edges between them, in order, with the number
// of their edge.
func splitEdges(edges []edge, cuts []cut, yield func(int32, edge)) {
	slices.SortFunc(cuts, func(a, b cut) int {
		if c := cmp.Compare(a.edge, b.edge); c != 0 {
			return c
		}
		e := edges[a.edge]
		if c := cmp.Compare(along(e, a.at), along(e, b.at)); c != 0 {
			return c
		}
		return a.at.Compare(b.at)
	})
	cuts = slices.Compact(cuts)
	k := 0
	for i, e := range edges {
		from := e.a
		for ; k < len(cuts) && cuts[k].edge == int32(i); k++ {
			if to := cuts[k].at; to != from {
				yield(int32(i), edge{from, to})
				from = to
			}
		}
		if from != e.b {
			yield(int32(i), edge{from, e.b})
		}
	}
}

// along is the position of p along the edge, from its first end, by the longer axis.
func along(e edge, p Point) int64 {
	dx, dy := int64(e.b.X)-int64(e.a.X), int64(e.b.Y)-int64(e.a.Y)
	if abs64(dx) >= abs64(dy) {
		if dx < 0 {
			return int64(e.a.X) - int64(p.X)
		}
		return int64(p.X) - int64(e.a.X)
	}
	if dy < 0 {
		return int64(e.a.Y) - int64(p.Y)
	}
	return int64(p.Y) - int64(e.a.Y)
}

// polygonsOf joins edges that meet only at their ends, an even number at each, to polygons. Rings are
// first joined anyhow to learn on which side of each edge the area lies; where more than two edges meet
// they are joined again so that each ring keeps to the area on its left.
func polygonsOf(edges []edge) (MultiPolygon, error) {
	halves := make([]halfEdge, 0, 2*len(edges))
	for i, e := range edges {
		halves = append(halves, halfEdge{e.a, e.b, int32(i)}, halfEdge{e.b, e.a, int32(i)})
	}
	sortStar(halves)
	anyhow := joinRings(halves, len(edges), false)
	rings := simpleRings(anyhow)
	if len(rings) > maxRebuilt {
		return nil, ErrTooComplex
	}
	m := nest(rings)
	if forks(halves) {
		var left []halfEdge
		id := int32(0)
		for _, r := range m.Rings() {
			for i, p := range r {
				left = append(left, halfEdge{p, r[(i+1)%len(r)], id})
				id++
			}
		}
		sortStar(left)
		m = nest(simpleRings(joinRings(left, int(id), true)))
	}
	return m.Normalise(), nil
}

func simpleRings(rings []Ring) []Ring {
	var out []Ring
	for _, r := range rings {
		for _, s := range splitPinches(r) {
			if s = s.Clean(); s != nil {
				out = append(out, s)
			}
		}
	}
	return out
}

// halfEdge leaves from towards to.
type halfEdge struct {
	from, to Point
	id       int32
}

// sortStar sorts by start, then counter-clockwise from east.
func sortStar(h []halfEdge) {
	slices.SortFunc(h, func(a, b halfEdge) int {
		if c := a.from.Compare(b.from); c != 0 {
			return c
		}
		if c := cmp.Compare(upper(a.from, a.to), upper(b.from, b.to)); c != 0 {
			return c
		}
		if c := -Orient(a.from, a.to, b.to); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	})
}

// upper is 0 for directions from east up to before west, 1 for the others.
func upper(o, p Point) int {
	if p.Y > o.Y || (p.Y == o.Y && p.X > o.X) {
		return 0
	}
	return 1
}

func forks(h []halfEdge) bool {
	for i := 2; i < len(h); i++ {
		if h[i].from == h[i-2].from {
			return true
		}
	}
	return false
}

// star are the half-edges that leave p.
func star(h []halfEdge, p Point) (int, int) {
	lo, _ := slices.BinarySearchFunc(h, p, func(a halfEdge, p Point) int { return a.from.Compare(p) })
	hi := lo
	for hi < len(h) && h[hi].from == p {
		hi++
	}
	return lo, hi
}

// joinRings follows half-edges to closed rings. Directed half-edges (each edge once, area on its left)
// turn at a fork into the first one clockwise from where they came; undirected ones (each edge in both
// directions) into their neighbour in the star, paired even with odd, which never crosses.
func joinRings(h []halfEdge, n int, directed bool) []Ring {
	used := make([]bool, n)
	var out []Ring
	for _, start := range h {
		if used[start.id] {
			continue
		}
		var r Ring
		for e := start; !used[e.id]; {
			used[e.id] = true
			r = append(r, e.from)
			lo, hi := star(h, e.to)
			if lo == hi {
				break
			}
			if directed {
				e = h[clockwise(h, lo, hi, e)]
				continue
			}
			for i := lo; i < hi; i++ {
				if h[i].id == e.id {
					if mate := lo + ((i - lo) ^ 1); mate < hi {
						e = h[mate]
					}
					break
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// clockwise is the half-edge of the star that comes first clockwise from the direction back along e.
func clockwise(h []halfEdge, lo, hi int, e halfEdge) int {
	back := halfEdge{e.to, e.from, -1}
	best := hi - 1 // wrapping round: the last one counter-clockwise
	for i := lo; i < hi; i++ {
		u, v := upper(h[i].from, h[i].to), upper(back.from, back.to)
		if u > v || (u == v && Orient(back.from, h[i].to, back.to) <= 0) {
			break // at or past the direction back
		}
		best = i
	}
	return best
}
