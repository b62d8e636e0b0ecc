package planar

// Dissolve unites the faces of equal label into polygons. labels holds one label for each face, and
// labels below 0 give no polygon. The result has an entry for each label up to the highest: parts with
// disjoint interiors, rings simple; a region that touches itself in a vertex is split there.
func (g *Graph) Dissolve(labels []int32) [][]Poly {
	top := int32(-1)
	for _, l := range labels {
		top = max(top, l)
	}
	r := &Graph{V: g.V, H: append([]HalfEdge(nil), g.H...)}
	border := func(h int32) bool { return labels[g.H[h].Face] != labels[g.H[h^1].Face] }
	r.link(border)
	exteriors, holes := make([][][]Pt, top+1), make([][][]Pt, top+1)
	seen := make([]bool, len(r.H))
	for h := range r.H {
		if seen[h] || !border(int32(h)) {
			continue
		}
		var walk []int32
		r.Loop(int32(h), func(e int32) {
			seen[e] = true
			walk = append(walk, r.H[e].Org)
		})
		l := labels[g.H[h].Face]
		if l < 0 {
			continue
		}
		simple(g.V, walk, func(ring []Pt) {
			if a := Area2(ring); a > 0 {
				exteriors[l] = append(exteriors[l], ring)
			} else if a < 0 {
				holes[l] = append(holes[l], ring)
			}
		})
	}
	out := make([][]Poly, top+1)
	for l := range out {
		for _, e := range exteriors[l] {
			out[l] = append(out[l], Poly{e})
		}
		for _, hole := range holes[l] {
			if i := smallestAround(exteriors[l], hole); i >= 0 {
				out[l][i] = append(out[l][i], hole)
			}
		}
	}
	return out
}

// simple splits a closed walk at vertices it visits twice, so that every ring is simple.
func simple(v []Pt, walk []int32, emit func([]Pt)) {
	var stack []int32
	at := make(map[int32]int, len(walk))
	for _, w := range walk {
		if i, ok := at[w]; ok {
			ring := make([]Pt, 0, len(stack)-i)
			for _, s := range stack[i:] {
				ring = append(ring, v[s])
				delete(at, s)
			}
			emit(ring)
			stack = stack[:i]
		}
		at[w] = len(stack)
		stack = append(stack, w)
	}
	ring := make([]Pt, 0, len(stack))
	for _, s := range stack {
		ring = append(ring, v[s])
	}
	emit(ring)
}

// smallestAround is the exterior of least area that holds the hole, -1 none. The middle of an edge of
// the hole, moved a little to the outside of the hole, decides.
func smallestAround(exteriors [][]Pt, hole []Pt) int {
	if len(exteriors) == 1 {
		return 0
	}
	best, bestArea := -1, int64(0)
	a, b := hole[0], hole[1]
	// The hole is clockwise, so the region lies left of its edges.
	const eps = 1e-3
	x := (float64(a.X)+float64(b.X))/2 - eps*float64(sgn(b.Y-a.Y))
	y := (float64(a.Y)+float64(b.Y))/2 + eps*float64(sgn(b.X-a.X))
	for i, e := range exteriors {
		if area := Area2(e); (best < 0 || area < bestArea) && (Poly{e}).Contains(x, y) {
			best, bestArea = i, area
		}
	}
	return best
}

func sgn(d int32) int {
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// Inside is a point well inside the polygon in grid units: the middle of the widest stretch among
// some level lines, with the width of that stretch.
func (p Poly) Inside() (x, y, width float64) {
	lo, hi := p.Bounds()
	var xs []float64
	const lines = 9
	for k := 0; k < lines; k++ {
		// The odd fraction keeps the line off the vertices, which have whole coordinates.
		ly := float64(lo.Y) + float64(hi.Y-lo.Y)*(2*float64(k)+1)/(2*lines) + 0.000137
		xs = xs[:0]
		for _, r := range p {
			a := r[len(r)-1]
			for _, b := range r {
				if (float64(a.Y) > ly) != (float64(b.Y) > ly) {
					xs = append(xs, float64(a.X)+(ly-float64(a.Y))*float64(b.X-a.X)/float64(b.Y-a.Y))
				}
				a = b
			}
		}
		insertionSort(xs)
		for i := 0; i+1 < len(xs); i += 2 {
			if w := xs[i+1] - xs[i]; w > width {
				x, y, width = (xs[i]+xs[i+1])/2, ly, w
			}
		}
	}
	return x, y, width
}

func insertionSort(x []float64) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

// FacePolys are the faces as polygons; index 0, the outside, is empty.
func (g *Graph) FacePolys() []Poly {
	out := make([]Poly, len(g.Faces))
	for i, f := range g.Faces {
		if i == 0 {
			continue
		}
		for _, h := range f.Loops {
			var ring []Pt
			g.Loop(h, func(e int32) { ring = append(ring, g.V[g.H[e].Org]) })
			out[i] = append(out[i], ring)
		}
	}
	return out
}
