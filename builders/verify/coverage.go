package verify

import (
	"cmp"
	"math"
	"slices"

	"mappe/shared/geo/geom"
)

// Coverage says how well a set of areas fills an outline. All areas in m² on the GRS80 ellipsoid.
type Coverage struct {
	OutlineSqm float64 // area of the outline
	CoveredSqm float64 // covered by at least one area
	OverlapSqm float64 // covered more than once, each surplus layer counted
	GapSqm     float64 // inside the outline, covered by none
	OutsideSqm float64 // covered, but outside the outline

	WorstGap, WorstOverlap geom.Point // in the largest strip of each; zero Point without a gap or an overlap
}

// Cover measures the coverage by one sweep over all edges at once. Between two neighbouring vertex
// latitudes every edge is a straight piece, so the pieces in order of their longitude cut the strip
// into trapezoids of constant depth; a trapezoid's area is its middle width times the height. The
// measure is exact but for edges that cross inside a strip, which only overlapping areas have, and
// there the error is second order in the strip's height. Cost: strips × edges in a strip.
func Cover(areas []geom.MultiPolygon, outline geom.MultiPolygon) Coverage {
	s := sweep{}
	for _, a := range areas {
		s.add(a, false)
	}
	s.add(outline, true)
	return s.run()
}

// edge is one non-horizontal ring edge. step is the change of depth when it is crossed eastwards:
// the interior lies left of the edge's direction, so edges that run south enter it.
type edge struct {
	lo, hi  int32 // latitudes
	x, dxdy float64
	step    int8
	outline bool
	at      float64 // longitude at the middle of the current strip
}

type sweep struct {
	edges []edge
	ys    []int32
}

func (s *sweep) add(m geom.MultiPolygon, outline bool) {
	for _, p := range m {
		for _, r := range p {
			for i, b := range r {
				a := r[(i+len(r)-1)%len(r)]
				s.addEdge(a, b, outline)
			}
		}
	}
}

func (s *sweep) addEdge(a, b geom.Point, outline bool) {
	if a.Y == b.Y {
		return
	}
	step := int8(-1)
	if b.Y < a.Y {
		a, b, step = b, a, 1
	}
	slope := (float64(b.X) - float64(a.X)) / (float64(b.Y) - float64(a.Y))
	s.edges = append(s.edges, edge{lo: a.Y, hi: b.Y, x: float64(a.X), dxdy: slope, step: step, outline: outline})
	s.ys = append(s.ys, a.Y, b.Y)
}

func (s *sweep) run() Coverage {
	slices.Sort(s.ys)
	s.ys = slices.Compact(s.ys)
	slices.SortFunc(s.edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.x, b.x), cmp.Compare(a.dxdy, b.dxdy), cmp.Compare(a.hi, b.hi),
			cmp.Compare(a.step, b.step))
	})
	var c Coverage
	var worst worstStrip
	var active []edge
	next := 0
	for i := 0; i+1 < len(s.ys); i++ {
		lo, hi := s.ys[i], s.ys[i+1]
		mid := (float64(lo) + float64(hi)) / 2
		kept := active[:0]
		for _, e := range active {
			if e.hi > lo {
				kept = append(kept, e)
			}
		}
		active = kept
		for ; next < len(s.edges) && s.edges[next].lo == lo; next++ {
			active = append(active, s.edges[next])
		}
		for j := range active {
			active[j].at = active[j].x + (mid-float64(active[j].lo))*active[j].dxdy
		}
		sortNearlySorted(active)
		c.strip(active, mid, float64(hi)-float64(lo), &worst)
	}
	return c
}

// sortNearlySorted is an insertion sort: from strip to strip the order hardly changes.
func sortNearlySorted(es []edge) {
	for i := 1; i < len(es); i++ {
		e, j := es[i], i
		for ; j > 0 && es[j-1].at > e.at; j-- {
			es[j] = es[j-1]
		}
		es[j] = e
	}
}

type worstStrip struct{ gap, overlap float64 }

func (c *Coverage) strip(active []edge, midY, height float64, worst *worstStrip) {
	unit := sqmPerUnit(midY/geom.Scale) * height
	depth, outlineDepth := 0, 0
	for j := 0; j+1 < len(active); j++ {
		if active[j].outline {
			outlineDepth += int(active[j].step)
		} else {
			depth += int(active[j].step)
		}
		width := active[j+1].at - active[j].at
		if width <= 0 {
			continue
		}
		area := width * unit
		at := geom.Point{X: int32(active[j].at + width/2), Y: int32(midY)}
		if outlineDepth > 0 {
			c.OutlineSqm += area
		}
		switch {
		case depth > 0:
			c.CoveredSqm += area
			c.OverlapSqm += area * float64(depth-1)
			if outlineDepth <= 0 {
				c.OutsideSqm += area
			}
			if depth > 1 && area > worst.overlap {
				worst.overlap, c.WorstOverlap = area, at
			}
		case outlineDepth > 0:
			c.GapSqm += area
			if area > worst.gap {
				worst.gap, c.WorstGap = area, at
			}
		}
	}
}

// sqmPerUnit is the area in m² of a square of one unit (1e-7 degree) at a latitude on GRS80:
// meridian radius × prime-vertical radius × cos φ. It is the element EPSG:3035 integrates.
func sqmPerUnit(lat float64) float64 {
	const a, e2 = 6378137.0, 0.00669438002290
	phi := lat * math.Pi / 180
	w := 1 - e2*math.Sin(phi)*math.Sin(phi)
	rad := math.Pi / 180 / geom.Scale
	return a * a * (1 - e2) / (w * w) * math.Cos(phi) * rad * rad
}
