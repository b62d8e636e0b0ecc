// Package border measures how far two areas share their border: the length along which an edge of one runs on an edge of
// the other. Areas that were drawn apart, on either side of the border of two Katastralgemeinden, meet only within a few
// centimetres; edges count that lie within a tolerance and run nearly alike.
package border

import (
	"cmp"
	"math"
	"slices"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// most is the cosine below which two edges do not run alike: 1 degree for edges of any length. Short edges within the
// tolerance would else count where borders only cross.
const most = 0.99985

// Area is an area whose border is measured against others.
type Area struct {
	ruler     crs.Ruler
	tolerance float64
	edges     []edge // by their least x
	reach     float64
	box       geom.Box
}

// edge is one of the border, in metres from the ruler's position; its direction has length 1.
type edge struct {
	x, y, dx, dy, length float64
	lo, hi               float64 // least and greatest x
}

// Of takes an area up. tolerance in metres is how far the border of another may lie from this one's and be the same.
func Of(m geom.MultiPolygon, tolerance float64) *Area {
	a := &Area{tolerance: tolerance, box: m.Bounds()}
	if len(m) == 0 {
		return a
	}
	a.ruler = crs.RulerAt(m[0][0][0])
	a.edges = edgesOf(m, &a.ruler)
	slices.SortFunc(a.edges, func(e, f edge) int { return cmp.Compare(e.lo, f.lo) })
	for i := range a.edges {
		a.reach = max(a.reach, a.edges[i].hi-a.edges[i].lo)
	}
	return a
}

// Box is the box of the area, grown by the tolerance: what shares its border reaches into it.
func (a *Area) Box() geom.Box { return crs.Grow(a.box, a.tolerance) }

// Length is that of the whole border in metres, inner rings included.
func (a *Area) Length() (sum float64) {
	for i := range a.edges {
		sum += a.edges[i].length
	}
	return sum
}

func edgesOf(m geom.MultiPolygon, r *crs.Ruler) (edges []edge) {
	for _, p := range m {
		for _, ring := range p {
			for i, v := range ring {
				x0, y0 := r.Offset(v)
				x1, y1 := r.Offset(ring[(i+1)%len(ring)])
				dx, dy := x1-x0, y1-y0
				if l := math.Hypot(dx, dy); l > 0 {
					edges = append(edges, edge{x0, y0, dx / l, dy / l, l, min(x0, x1), max(x0, x1)})
				}
			}
		}
	}
	return edges
}

// interval is a part of an edge of this area, in metres from its start.
type interval struct {
	edge     int
	from, to float64
}

// Shared is the length in metres of this area's border that runs on the border of another.
func (a *Area) Shared(other geom.MultiPolygon) float64 {
	if len(a.edges) == 0 {
		return 0
	}
	var parts []interval
	for _, f := range edgesOf(other, &a.ruler) {
		from, _ := slices.BinarySearchFunc(a.edges, f.lo-a.tolerance-a.reach, func(e edge, x float64) int { return cmp.Compare(e.lo, x) })
		for i := from; i < len(a.edges) && a.edges[i].lo <= f.hi+a.tolerance; i++ {
			if lo, hi, ok := a.edges[i].along(&f, a.tolerance); ok {
				parts = append(parts, interval{i, lo, hi})
			}
		}
	}
	// What several edges of the other run on counts once.
	slices.SortFunc(parts, func(p, q interval) int { return cmp.Or(cmp.Compare(p.edge, q.edge), cmp.Compare(p.from, q.from)) })
	sum, at, end := 0.0, -1, 0.0
	for _, p := range parts {
		if p.edge != at {
			at, end = p.edge, 0
		}
		if p.to > end {
			sum += p.to - max(p.from, end)
			end = p.to
		}
	}
	return sum
}

// along is the part of an edge within the tolerance of which another runs; none where they do not run alike.
func (e *edge) along(f *edge, tolerance float64) (lo, hi float64, ok bool) {
	if math.Abs(e.dx*f.dx+e.dy*f.dy) < most {
		return 0, 0, false
	}
	// The other's ends along this edge and across it.
	sx, sy := f.x-e.x, f.y-e.y
	s0, c0 := sx*e.dx+sy*e.dy, sy*e.dx-sx*e.dy
	tx, ty := sx+f.length*f.dx, sy+f.length*f.dy
	s1, c1 := tx*e.dx+ty*e.dy, ty*e.dx-tx*e.dy
	if s0 > s1 {
		s0, s1, c0, c1 = s1, s0, c1, c0
	}
	lo, hi = max(s0, 0), min(s1, e.length)
	if lo >= hi {
		return 0, 0, false
	}
	// Across, the other is a straight line over the part both have.
	slope := (c1 - c0) / (s1 - s0)
	if math.Abs(c0+(lo-s0)*slope) > tolerance || math.Abs(c0+(hi-s0)*slope) > tolerance {
		return 0, 0, false
	}
	return lo, hi, true
}
