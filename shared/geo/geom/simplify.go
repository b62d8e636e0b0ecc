package geom

import "math"

// Simplify leaves out vertices so that no left-out vertex lies farther than the tolerance, in the
// plane's unit, from the line that remains (Douglas-Peucker). Meant for outlines shown or searched at
// small scale: lines may cross afterwards, and neighbours simplified alone no longer share borders.
// Holes smaller than tolerance² and rings that would fall below a triangle are left out; an exterior
// keeps at least a triangle of its own vertices.
func (m MultiPolygon) Simplify(tolerance float64, to Projection) MultiPolygon {
	out := make(MultiPolygon, 0, len(m))
	for _, p := range m {
		q := make(Polygon, 0, len(p))
		for i, r := range p {
			s := r.Simplify(tolerance, to)
			if i > 0 && (len(s) < 3 || math.Abs(r.SignedArea(to)) < tolerance*tolerance) {
				continue
			}
			q = append(q, s)
		}
		out = append(out, q)
	}
	return out
}

// Simplify is MultiPolygon.Simplify of one ring. It starts from the ring's smallest vertex and the one
// farthest from it, so that the start of the ring does not matter.
func (r Ring) Simplify(tolerance float64, to Projection) Ring {
	n := len(r)
	if n <= 3 {
		return r
	}
	first := 0
	for i := range r {
		if r[i].Compare(r[first]) < 0 {
			first = i
		}
	}
	w := planeRing{make([]float64, n+1), make([]float64, n+1)}
	for k := range n + 1 {
		w.xs[k], w.ys[k] = to(r[(first+k)%n])
	}
	keep, kept := w.keep(tolerance * tolerance)
	out := make(Ring, 0, kept+1)
	for k := range n {
		if keep[k] {
			out = append(out, r[(first+k)%n])
		}
	}
	return out
}

// planeRing is a ring in the plane, its first vertex again at the end.
type planeRing struct{ xs, ys []float64 }

// keep says which vertices remain when none that is left out may lie farther, squared, than limit from the line,
// and how many they are; a ring keeps at least a triangle.
func (w planeRing) keep(limit float64) (keep []bool, kept int) {
	n := len(w.xs) - 1
	far := w.opposite()
	keep = make([]bool, n+1)
	keep[0], keep[far], keep[n] = true, true, true
	kept = 2
	stack := [][2]int{{0, far}, {far, n}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at, d := w.worst(s[0], s[1]); d > limit {
			keep[at] = true
			kept++
			stack = append(stack, [2]int{s[0], at}, [2]int{at, s[1]})
		}
	}
	if kept < 3 { // the vertex farthest from the chord makes it a triangle
		a, da := w.worst(0, far)
		b, db := w.worst(far, n)
		second := a
		if db > da {
			second = b
		}
		keep[second] = true
	}
	return keep, kept
}

// opposite is the vertex farthest from the first.
func (w planeRing) opposite() int {
	far, top := 0, -1.0
	for k := 1; k < len(w.xs)-1; k++ {
		if d := math.Hypot(w.xs[k]-w.xs[0], w.ys[k]-w.ys[0]); d > top {
			top, far = d, k
		}
	}
	return far
}

// worst is the vertex between two others that is farthest from the line through them, and its squared distance.
func (w planeRing) worst(i, j int) (int, float64) {
	xs, ys := w.xs, w.ys
	at, d := i, -1.0
	for k := i + 1; k < j; k++ {
		if v := SegmentDistance2(xs[i]-xs[k], ys[i]-ys[k], xs[j]-xs[k], ys[j]-ys[k]); v > d {
			at, d = k, v
		}
	}
	return at, d
}
