package planar

import "slices"

// build joins noded edges into half-edges and finds the faces.
func build(v []Pt, edges []edge) *Graph {
	g := &Graph{V: v, H: make([]HalfEdge, 2*len(edges))}
	for i, e := range edges {
		g.H[2*i] = HalfEdge{Org: e.a, Tag: e.tag, Face: -1}
		g.H[2*i+1] = HalfEdge{Org: e.b, Tag: e.tag, Face: -1}
	}
	g.link(nil)
	g.trace()
	return g
}

// link sets Next of every half-edge that keep admits (both sides or none): arriving at a vertex the
// walk leaves by the next edge clockwise, so that each loop runs around one face on its left.
func (g *Graph) link(keep func(int32) bool) {
	start := make([]int32, len(g.V)+1)
	for h := range g.H {
		if keep == nil || keep(int32(h)) {
			start[g.H[h].Org+1]++
		}
	}
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	out := make([]int32, start[len(g.V)])
	fill := slices.Clone(start[:len(g.V)])
	for h := range g.H {
		if keep == nil || keep(int32(h)) {
			o := g.H[h].Org
			out[fill[o]] = int32(h)
			fill[o]++
		}
	}
	for i := range g.V {
		star := out[start[i]:start[i+1]]
		slices.SortFunc(star, func(x, y int32) int { return g.turn(g.V[i], x, y) })
		for k, h := range star {
			// star is counter-clockwise: the edge before the one we came by is the next clockwise.
			g.H[h^1].Next = star[(k+len(star)-1)%len(star)]
		}
	}
}

// turn orders half-edges from one vertex counter-clockwise, starting at the east.
func (g *Graph) turn(o Pt, x, y int32) int {
	p, q := g.V[g.Dest(x)], g.V[g.Dest(y)]
	if a, b := half(o, p), half(o, q); a != b {
		return a - b
	}
	switch c := cross(o, p, q); {
	case c > 0:
		return -1
	case c < 0:
		return 1
	}
	return int(x) - int(y)
}

func half(o, p Pt) int {
	if p.Y > o.Y || (p.Y == o.Y && p.X > o.X) {
		return 0
	}
	return 1
}

// trace finds the loops and gives each to a face: a counter-clockwise loop bounds a face from outside,
// any other is a hole of the smallest face around it, or of the outside.
func (g *Graph) trace() {
	g.Faces = []Face{{}}
	type loop struct {
		h    int32
		area int64
		min  Pt
	}
	var holes []loop
	boxes := [][2]Pt{{}}
	seen := make([]bool, len(g.H))
	for h := range g.H {
		if seen[h] {
			continue
		}
		var area int64
		o := g.V[g.H[h].Org]
		lo, hi := o, o
		g.Loop(int32(h), func(e int32) {
			seen[e] = true
			p := g.V[g.H[e].Org]
			area += cross(o, p, g.V[g.Dest(e)])
			lo, hi = Pt{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, Pt{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		})
		if area <= 0 {
			holes = append(holes, loop{int32(h), area, o})
			continue
		}
		f := int32(len(g.Faces))
		g.Faces = append(g.Faces, Face{Loops: []int32{int32(h)}, Area2: area})
		boxes = append(boxes, [2]Pt{lo, hi})
		g.Loop(int32(h), func(e int32) { g.H[e].Face = f })
	}
	full := make([]int64, len(g.Faces))
	for i := range g.Faces {
		full[i] = g.Faces[i].Area2
	}
	part := g.components()
	for _, l := range holes {
		best := int32(0)
		p := g.V[g.H[l.h].Org]
		for f := int32(1); f < int32(len(g.Faces)); f++ {
			b := boxes[f]
			if p.X < b[0].X || p.X > b[1].X || p.Y < b[0].Y || p.Y > b[1].Y || (best > 0 && full[f] >= full[best]) {
				continue
			}
			if part[g.H[g.Faces[f].Loops[0]].Org] != part[g.H[l.h].Org] && g.around(g.Faces[f].Loops[0], p) {
				best = f
			}
		}
		g.Faces[best].Loops = append(g.Faces[best].Loops, l.h)
		g.Faces[best].Area2 += l.area
		g.Loop(l.h, func(e int32) { g.H[e].Face = best })
	}
}

// components numbers the connected parts of the drawing by vertex.
func (g *Graph) components() []int32 {
	root := make([]int32, len(g.V))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for h := 0; h < len(g.H); h += 2 {
		a, b := find(g.H[h].Org), find(g.H[h+1].Org)
		root[max(a, b)] = min(a, b)
	}
	for i := range root {
		root[i] = find(int32(i))
	}
	return root
}

// around says whether the loop runs around a point that is not one of its vertices and lies on none of its edges.
func (g *Graph) around(h int32, p Pt) bool {
	in := false
	g.Loop(h, func(e int32) {
		a, b := g.V[g.H[e].Org], g.V[g.Dest(e)]
		if (a.Y > p.Y) != (b.Y > p.Y) {
			if c := cross(a, b, p); (c > 0) == (b.Y > a.Y) && c != 0 {
				in = !in
			}
		}
	})
	return in
}
