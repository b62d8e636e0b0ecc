// Package planar turns drawn lines into a true partition of the plane: every line is cut at every
// crossing, points are held on an integer grid, and the faces between the lines are found, so that two
// neighbours share exactly the same vertices and nothing lies between them.
//
// It owns noding (snap rounding with a tolerance), the half-edge graph, its faces and the dissolving of
// faces into polygons by label. It knows nothing of parcels; localdev/demo/world draws with it.
//
// Coordinates are int32 grid units, X to the east and Y to the north; differences stay below 2^20, so
// products of differences are exact in int64.
package planar

import "mappe/shared/geo/geom"

// Pt is a grid point.
type Pt = geom.Point

// Seg is one straight line to be drawn, with tags that its pieces keep; pieces of lines that run
// along each other carry the tags of all.
type Seg struct {
	A, B Pt
	Tag  uint16
}

// Poly is an exterior ring (counter-clockwise) and its holes (clockwise), without closing vertices.
type Poly [][]Pt

// HalfEdge is one side of a drawn piece. The other side is its index with the last bit turned.
type HalfEdge struct {
	Org  int32 // vertex it starts from
	Next int32 // next half-edge around the face on its left
	Face int32 // face on its left
	Tag  uint16
}

// Face is one region without lines in it. Face 0 is the outside.
type Face struct {
	Loops []int32 // one half-edge of each boundary loop; the exterior first (none for face 0)
	Area2 int64   // twice the area of the exterior less the holes
}

// Graph is the noded drawing.
type Graph struct {
	V     []Pt
	H     []HalfEdge
	Faces []Face
}

// Dest is the vertex at which a half-edge ends.
func (g *Graph) Dest(h int32) int32 { return g.H[h^1].Org }

// Loop calls f with each half-edge of the loop that h lies on.
func (g *Graph) Loop(h int32, f func(int32)) {
	for e := h; ; {
		f(e)
		if e = g.H[e].Next; e == h {
			return
		}
	}
}

// Area2 is twice the signed area of a ring, counter-clockwise positive.
func Area2(r []Pt) int64 {
	if len(r) < 3 {
		return 0
	}
	var s int64
	o := r[0]
	for i := 1; i+1 < len(r); i++ {
		s += cross(o, r[i], r[i+1])
	}
	return s
}

// Area2 is twice the area of the polygon, holes taken off.
func (p Poly) Area2() int64 {
	var s int64
	for _, r := range p {
		s += Area2(r)
	}
	return s
}

// Contains is the half-open even-odd test for a point given in grid units, over all rings.
func (p Poly) Contains(x, y float64) bool {
	in := false
	for _, r := range p {
		a := r[len(r)-1]
		for _, b := range r {
			if (float64(a.Y) > y) != (float64(b.Y) > y) {
				if x < float64(a.X)+(y-float64(a.Y))*float64(b.X-a.X)/float64(b.Y-a.Y) {
					in = !in
				}
			}
			a = b
		}
	}
	return in
}

// Bounds is the bounding box of the exterior.
func (p Poly) Bounds() (lo, hi Pt) {
	lo, hi = p[0][0], p[0][0]
	for _, q := range p[0] {
		lo = Pt{X: min(lo.X, q.X), Y: min(lo.Y, q.Y)}
		hi = Pt{X: max(hi.X, q.X), Y: max(hi.Y, q.Y)}
	}
	return lo, hi
}

// cross is the doubled area of the triangle a, b, c: positive when c lies left of a-b.
func cross(a, b, c Pt) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}
