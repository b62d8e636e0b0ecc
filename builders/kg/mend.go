package kg

import (
	"cmp"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
)

// shape makes valid polygons of the rings of one pool and says what had to be mended; hopeless tells that
// some still cross themselves, too often to be mended.
func shape(rings [][]pt) (whole []polygon, did kgfile.Repair, hopeless bool) {
	out := make([][]pt, 0, len(rings))
	for _, r := range rings {
		n := len(r)
		r = tidy(r)
		if len(r) < n {
			did |= kgfile.RepairDuplicate
		}
		if len(r) < 3 || area2(r) == 0 {
			continue
		}
		if repeats(r) {
			did |= kgfile.RepairSelfCrossing
			out = splitAtRepeats(r, out)
		} else {
			out = append(out, r)
		}
	}
	polys, orphans := nest(out)
	if orphans > 0 {
		did |= kgfile.RepairRingOrder
	}
	for _, p := range polys {
		if !crosses(p) {
			whole = append(whole, p)
			continue
		}
		did |= kgfile.RepairSelfCrossing
		loops, ok := uncross(p)
		hopeless = hopeless || !ok
		mended, _ := nest(loops)
		whole = append(whole, mended...)
	}
	return whole, did, hopeless
}

// edge is a directed line of ring ring from its vertex i to the next.
type edge struct {
	a, b    pt
	ring, i int32
}

func (e *edge) minX() int32 { return min(e.a.X, e.b.X) }
func (e *edge) maxX() int32 { return max(e.a.X, e.b.X) }

// sweepEdges lists the edges of the rings by rising western end.
func sweepEdges(rings [][]pt) []edge {
	var out []edge
	for k, r := range rings {
		for i, a := range r {
			out = append(out, edge{a, r[(i+1)%len(r)], int32(k), int32(i)})
		}
	}
	slices.SortFunc(out, func(p, q edge) int {
		return cmp.Or(cmp.Compare(p.minX(), q.minX()), cmp.Compare(p.ring, q.ring), cmp.Compare(p.i, q.i))
	})
	return out
}

// maxPairs bounds the pairs of edges compared at a time, for polygons nobody has surveyed.
const maxPairs = 1 << 26

// meets calls found for every pair of edges that cross, or where a vertex stands on another edge of its
// own ring, until found says stop. Rings of one polygon may touch in a vertex.
func meets(rings [][]pt, found func(e, f *edge, at pt) bool) {
	edges := sweepEdges(rings)
	left := maxPairs
	for i := range edges {
		e := &edges[i]
		lo, hi, far := min(e.a.Y, e.b.Y), max(e.a.Y, e.b.Y), e.maxX()
		for j := i + 1; j < len(edges) && edges[j].minX() <= far; j++ {
			f := &edges[j]
			if left--; left < 0 {
				return
			}
			if max(f.a.Y, f.b.Y) < lo || min(f.a.Y, f.b.Y) > hi {
				continue
			}
			if at, ok := meet(e, f); ok && !found(e, f, at) {
				return
			}
		}
	}
}

// meet is where two edges cross, rounded to the grid, or where an end of one stands inside the other of
// the same ring. Edges that share an end do not meet there.
func meet(e, f *edge) (pt, bool) {
	if e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b {
		return pt{}, false
	}
	fa, fb := turn(e.a, e.b, f.a), turn(e.a, e.b, f.b)
	ea, eb := turn(f.a, f.b, e.a), turn(f.a, f.b, e.b)
	if (fa > 0) != (fb > 0) && (ea > 0) != (eb > 0) && fa != 0 && fb != 0 && ea != 0 && eb != 0 {
		t := float64(ea) / float64(ea-eb)
		return pt{
			X: e.a.X + int32(math.Round(t*float64(e.b.X-e.a.X))),
			Y: e.a.Y + int32(math.Round(t*float64(e.b.Y-e.a.Y))),
		}, true
	}
	if e.ring != f.ring {
		return pt{}, false
	}
	for _, c := range [...]struct {
		t    int64
		p    pt
		a, b pt
	}{{fa, f.a, e.a, e.b}, {fb, f.b, e.a, e.b}, {ea, e.a, f.a, f.b}, {eb, e.b, f.a, f.b}} {
		if c.t == 0 && dot(c.a, c.p, c.p, c.b) > 0 {
			return c.p, true
		}
	}
	return pt{}, false
}

func crosses(rings [][]pt) bool {
	found := false
	meets(rings, func(_, _ *edge, _ pt) bool { found = true; return false })
	return found
}

// maxUncross bounds the rounds of uncross: rounding a crossing to the grid can make a new one beside it.
const maxUncross = 8

// maxCuts bounds the crossings of one polygon, and maxLoops the loops nested anew. Beyond them a polygon
// stays as it is drawn, flagged: no survey draws such a thing.
const (
	maxCuts  = 20_000
	maxLoops = 4_000
)

// uncross sets a vertex where edges cross, splits the rings there into loops, and nests the loops by
// depth, so that an area counts when an odd number of loops lies around it. It says whether no crossing is
// left.
func uncross(rings [][]pt) (out [][]pt, ok bool) {
	for round := 0; ; round++ {
		type cut struct {
			i  int32
			at pt
		}
		cuts := make([][]cut, len(rings))
		n := 0
		meets(rings, func(e, f *edge, at pt) bool {
			n++
			for _, g := range [...]*edge{e, f} {
				if at != g.a && at != g.b {
					cuts[g.ring] = append(cuts[g.ring], cut{g.i, at})
				}
			}
			return n <= maxCuts
		})
		if n == 0 {
			break
		}
		if n > maxCuts || round == maxUncross || len(rings) > maxLoops {
			return rings, false
		}
		var next [][]pt
		for k, r := range rings {
			if len(cuts[k]) == 0 {
				next = append(next, r)
				continue
			}
			along := func(c cut) int64 { return abs64(int64(c.at.X-r[c.i].X)) + abs64(int64(c.at.Y-r[c.i].Y)) }
			slices.SortFunc(cuts[k], func(a, b cut) int {
				return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(along(a), along(b)))
			})
			var dense []pt
			c := cuts[k]
			for i, p := range r {
				dense = append(dense, p)
				for ; len(c) > 0 && int(c[0].i) == i; c = c[1:] {
					dense = append(dense, c[0].at)
				}
			}
			next = splitAtRepeats(tidy(dense), next)
		}
		rings = next
	}
	if len(rings) > maxLoops {
		return rings, false
	}
	turnByDepth(rings)
	return rings, true
}
