package geom

import (
	"cmp"
	"slices"
)

// Dissolve is the union of many polygons: one outline for areas that adjoin, with the holes that are left.
// Borders that two polygons share with the same vertices cancel; where they do not, edges are cut where
// they meet, also where polygons lie over each other. Two vertices within snap grid units of each other
// become one, and an edge takes up vertices within snap units of it, so that gaps and overlaps of rounded
// T-junctions close; 0 leaves them as they are. Rings may run in either direction; each polygon must be
// valid. The result is valid and in canonical form. It fails with ErrTooComplex only.
func Dissolve(parts []MultiPolygon, snap int32) (MultiPolygon, error) {
	edges := netEdges(chainOf(parts))
	if snap > 0 {
		joinVertices(edges, snap)
		edges = netEdges(edges)
	}
	for round := 0; ; round++ {
		reach := int32(0)
		if round == 0 {
			reach = snap
		}
		cuts, err := chainCuts(edges, reach)
		if err != nil {
			return nil, err
		}
		if len(cuts) == 0 {
			break
		}
		if round == rebuildRounds {
			return nil, ErrTooComplex
		}
		edges = netEdges(applyCuts(edges, cuts))
	}
	return polygonsOf(outline(edges))
}

// netEdge is an edge, a before b, and what all rings along it add up to: the number of areas on its left
// (above it, or west of it where it is vertical) less that on its right.
type netEdge struct {
	edge
	net int32
}

// chainOf lists the edges of all rings, turned upwards.
func chainOf(parts []MultiPolygon) []netEdge {
	var out []netEdge
	for _, m := range parts {
		for _, p := range m {
			for k, r := range p {
				net := int32(r.Area2().Sign())
				if k > 0 {
					net = -net
				}
				for i, a := range r {
					out = append(out, upwards(edge{a, r[(i+1)%len(r)]}, net))
				}
			}
		}
	}
	return out
}

func upwards(e edge, net int32) netEdge {
	if e.b.Compare(e.a) < 0 {
		return netEdge{edge{e.b, e.a}, -net}
	}
	return netEdge{e, net}
}

// netEdges sorts the edges, adds up those that stand several times and drops what cancels.
func netEdges(edges []netEdge) []netEdge {
	slices.SortFunc(edges, func(a, b netEdge) int { return compareEdges(a.edge, b.edge) })
	out := edges[:0]
	for i := 0; i < len(edges); {
		e := edges[i]
		for i++; i < len(edges) && edges[i].edge == e.edge; i++ {
			e.net += edges[i].net
		}
		if e.net != 0 && e.a != e.b {
			out = append(out, e)
		}
	}
	return out
}

// joinVertices moves vertices to the first one, in the order of points, that lies within reach units in
// both directions and has not been moved itself.
func joinVertices(edges []netEdge, reach int32) {
	points := make([]Point, 0, 2*len(edges))
	for _, e := range edges {
		points = append(points, e.a, e.b)
	}
	slices.SortFunc(points, Point.Compare)
	points = slices.Compact(points)
	to := make(map[Point]Point, len(points))
	square := func(p Point) [2]int64 {
		return [2]int64{floorDiv(int64(p.X), int64(reach)), floorDiv(int64(p.Y), int64(reach))}
	}
	kept := make(map[[2]int64][]Point, len(points))
	for _, p := range points {
		q, s := p, square(p)
		for x := s[0] - 1; x <= s[0]+1; x++ {
			for y := s[1] - 1; y <= s[1]+1; y++ {
				for _, k := range kept[[2]int64{x, y}] {
					if apart(k, p) <= int64(reach) && (q == p || k.Compare(q) < 0) {
						q = k
					}
				}
			}
		}
		if to[p] = q; q == p {
			kept[s] = append(kept[s], p)
		}
	}
	for i, e := range edges {
		edges[i] = upwards(edge{to[e.a], to[e.b]}, e.net)
	}
}

// apart is the larger of the differences in X and Y.
func apart(p, q Point) int64 {
	return int64(max(abs64(int64(p.X)-int64(q.X)), abs64(int64(p.Y)-int64(q.Y))))
}

// chainCuts are the places where edges cross, touch or run along each other; with a reach also where an
// end of one comes within reach units of another.
func chainCuts(net []netEdge, reach int32) ([]cut, error) {
	edges := make([]edge, len(net))
	for i, e := range net {
		edges[i] = e.edge
	}
	cuts, err := findCuts(edges)
	if err != nil || reach == 0 {
		return cuts, err
	}
	err = edgePairs(edges, reach, func(i, j int32) bool {
		cuts = appendNear(cuts, edges, i, j, reach)
		cuts = appendNear(cuts, edges, j, i, reach)
		return len(cuts) <= maxCuts
	})
	if len(cuts) > maxCuts {
		err = ErrTooComplex
	}
	return cuts, err
}

// appendNear cuts edge i at the ends of edge j that come within reach of its inside.
func appendNear(cuts []cut, edges []edge, i, j, reach int32) []cut {
	e := edges[i]
	for _, p := range [2]Point{edges[j].a, edges[j].b} {
		if p == e.a || p == e.b || p.Compare(e.a) < 0 || p.Compare(e.b) > 0 {
			continue
		}
		ax, ay := float64(e.a.X)-float64(p.X), float64(e.a.Y)-float64(p.Y)
		bx, by := float64(e.b.X)-float64(p.X), float64(e.b.Y)-float64(p.Y)
		if SegmentDistance2(ax, ay, bx, by) <= float64(reach)*float64(reach) {
			cuts = append(cuts, cut{i, p})
		}
	}
	return cuts
}

// applyCuts replaces edges by the stretches between their cuts.
func applyCuts(net []netEdge, cuts []cut) []netEdge {
	edges := make([]edge, len(net))
	for i, e := range net {
		edges[i] = e.edge
	}
	out := make([]netEdge, 0, len(net)+len(cuts))
	splitEdges(edges, cuts, func(i int32, e edge) { out = append(out, upwards(e, net[i].net)) })
	return out
}

// outline keeps the edges with an area on one side only. A line sweeps over the edges, which meet at their
// ends only, from west to east; the edges it cuts stand in order from below, each with the number of areas
// above it.
func outline(edges []netEdge) []edge {
	var out []edge
	var open []openEdge
	ends := make([]Point, 0, 2*len(edges))
	for _, e := range edges {
		ends = append(ends, e.a, e.b)
	}
	slices.SortFunc(ends, Point.Compare)
	var started []openEdge
	for _, p := range slices.Compact(ends) {
		from, _ := slices.BinarySearchFunc(open, p, func(e openEdge, p Point) int { return -cmp.Compare(Orient(e.a, e.b, p), 0) })
		to := from
		for to < len(open) && open[to].b == p {
			to++
		}
		below := int32(0)
		if from > 0 {
			below = open[from-1].above
		}
		started = started[:0]
		for ; len(edges) > 0 && edges[0].a == p; edges = edges[1:] {
			started = append(started, openEdge{edges[0], 0})
		}
		slices.SortFunc(started, func(a, b openEdge) int { return -Orient(p, a.b, b.b) })
		for i := range started {
			e := &started[i]
			e.above = below + e.net
			if (below > 0) != (e.above > 0) {
				out = append(out, e.edge)
			}
			below = e.above
		}
		open = slices.Replace(open, from, to, started...)
	}
	return out
}

type openEdge struct {
	netEdge
	above int32
}
