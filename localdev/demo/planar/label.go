package planar

import (
	"cmp"
	"math"
	"slices"
)

// Flood numbers the regions of faces that are joined across half-edges for which open is true; the
// numbers follow the faces. It returns the number of each face and how many there are.
func (g *Graph) Flood(open func(h int32) bool) ([]int32, int) {
	root := make([]int32, len(g.Faces))
	for i := range root {
		root[i] = int32(i)
	}
	for h := int32(0); h < int32(len(g.H)); h += 2 {
		if open(h) {
			a, b := find(root, g.H[h].Face), find(root, g.H[h^1].Face)
			root[max(a, b)] = min(a, b)
		}
	}
	n := 0
	out := make([]int32, len(root))
	for i := range root {
		if r := find(root, int32(i)); r == int32(i) {
			out[i] = int32(n)
			n++
		} else {
			out[i] = out[r]
		}
	}
	return out, n
}

func find(root []int32, i int32) int32 {
	for root[i] != i {
		root[i] = root[root[i]]
		i = root[i]
	}
	return i
}

// Length is the length of a half-edge in grid units.
func (g *Graph) Length(h int32) float64 {
	a, b := g.V[g.H[h].Org], g.V[g.Dest(h)]
	return math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
}

// Between calls f for the half-edges with label c on their left and another label on their right.
func (g *Graph) Between(label []int32, c int32, f func(h int32)) {
	for h := range g.H {
		if l := label[g.H[h].Face]; l == c && label[g.H[h^1].Face] != c {
			f(int32(h))
		}
	}
}

// MergeSmall joins labels whose area is below least to the neighbour with the longest common border,
// weighted by weight (0 forbids). It returns for each label the label it now belongs to.
func (g *Graph) MergeSmall(label []int32, n int, least func(c int32) float64, weight func(c, other int32) float64) []int32 {
	area := make([]float64, n)
	for f := range g.Faces {
		area[label[f]] += float64(g.Faces[f].Area2) / 2
	}
	var small []int32
	for c := int32(0); c < int32(n); c++ {
		if c != label[0] && area[c] < least(c) {
			small = append(small, c)
		}
	}
	slices.SortStableFunc(small, func(a, b int32) int { return cmp.Compare(area[a], area[b]) })
	edges := g.edgesOf(label, n, small)
	root := make([]int32, n)
	for i := range root {
		root[i] = int32(i)
	}
	for _, c := range small {
		if find(root, c) != c || area[c] >= least(c) {
			continue
		}
		best, bestShare := int32(-1), 0.0
		share := map[int32]float64{}
		for _, h := range edges[c] {
			o := find(root, label[g.H[h^1].Face])
			if o == c {
				continue
			}
			share[o] += g.Length(h) * weight(c, o)
			// Later maxima win only when larger, so the order of the edges decides, not the map's.
			if s := share[o]; s > bestShare {
				best, bestShare = o, s
			}
		}
		if best >= 0 {
			root[c] = best
			area[best] += area[c]
			if edges[best] != nil { // a small one too
				edges[best] = append(edges[best], edges[c]...)
			}
		}
	}
	for i := range root {
		root[i] = find(root, int32(i))
	}
	return root
}

// edgesOf gives the half-edges of some labels; nil for the others.
func (g *Graph) edgesOf(label []int32, n int, some []int32) [][]int32 {
	edges := make([][]int32, n)
	for _, c := range some {
		edges[c] = []int32{}
	}
	for h := range g.H {
		if c := label[g.H[h].Face]; edges[c] != nil {
			edges[c] = append(edges[c], int32(h))
		}
	}
	return edges
}
