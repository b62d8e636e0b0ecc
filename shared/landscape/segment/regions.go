package segment

import "slices"

// border is what two regions have in common: so many sides of cells, with the sum of the levels of the cells on both sides.
type border struct {
	a, b    int32
	sides   int32
	version int32 // rises when sides or sum change; -1: gone
	sum     int64
}

// weight is the mean gradient along it, in levels: a quotient of whole numbers.
func (b *border) weight() float64 { return float64(b.sum) / float64(2*int64(b.sides)) }

// regions is the graph of adjacent regions while they are merged.
type regions struct {
	parent  []int32 // of the region by label; roots are their own
	size    []int32
	part    []int32
	borders []border
	head    []int32 // first half of a border of a region: 2·border + side; -1: none
	tail    []int32
	degree  []int32
	next    []int32 // by half
	index   pairs   // borders by their regions
	heap    []candidate
}

// candidate is a border at the weight it had when it was put on the heap.
type candidate struct {
	weight  float64
	border  int32
	version int32
}

func (c candidate) before(o candidate) bool {
	return c.weight < o.weight || c.weight == o.weight && c.border < o.border
}

// pairs finds a border by the two regions it lies between.
type pairs struct {
	keys   []uint64 // 0: free
	values []int32
	used   int
}

func pairKey(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(uint32(a))<<32 | uint64(uint32(b))
}

// slot is where a key stands, or would.
func (p *pairs) slot(key uint64) int {
	mask := uint64(len(p.keys) - 1)
	i := (key * 0x9e3779b97f4a7c15) >> 20 & mask
	for p.keys[i] != 0 && p.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

func (p *pairs) put(key uint64, value int32) {
	if 2*(p.used+1) > len(p.keys) {
		old := *p
		*p = pairs{keys: make([]uint64, max(2*len(old.keys), 1024)), values: make([]int32, max(2*len(old.keys), 1024))}
		for i, k := range old.keys {
			if k != 0 {
				p.put(k, old.values[i])
			}
		}
	}
	i := p.slot(key)
	if p.keys[i] == 0 {
		p.used++
	}
	p.keys[i], p.values[i] = key, value
}

func (p *pairs) get(key uint64) (int32, bool) {
	if len(p.keys) == 0 {
		return 0, false
	}
	i := p.slot(key)
	return p.values[i], p.keys[i] != 0
}

// regionsOf is the graph of labelled cells; label 0 is no region.
func regionsOf(level []uint16, part, labels []int32, n, cols int) *regions {
	rows := len(labels) / cols
	g := &regions{parent: make([]int32, n+1), size: make([]int32, n+1), part: make([]int32, n+1), head: make([]int32, n+1),
		tail: make([]int32, n+1), degree: make([]int32, n+1)}
	for i := range g.parent {
		g.parent[i], g.head[i] = int32(i), -1
	}
	for i, l := range labels {
		g.size[l]++
		g.part[l] = part[i]
	}
	// Cells along a border follow each other: the last one found is most often the next.
	lastKey, last := uint64(0), int32(0)
	touch := func(i, j int) {
		key := pairKey(labels[i], labels[j])
		if key != lastKey {
			at, ok := g.index.get(key)
			if !ok {
				at = int32(len(g.borders))
				g.borders = append(g.borders, border{a: min(labels[i], labels[j]), b: max(labels[i], labels[j])})
				g.index.put(key, at)
			}
			lastKey, last = key, at
		}
		e := &g.borders[last]
		e.sides++
		e.sum += int64(level[i]) + int64(level[j])
	}
	for row := range rows {
		mid, south := labels[row*cols:][:cols], labels[min(row+1, rows-1)*cols:][:cols] // beside the last row it is itself
		for col, a := range mid {
			if a == 0 {
				continue
			}
			i := row*cols + col
			if col+1 < cols {
				if b := mid[col+1]; b != a && b != 0 {
					touch(i, i+1)
				}
			}
			if b := south[col]; b != a && b != 0 {
				touch(i, i+cols)
			}
		}
	}
	g.next = make([]int32, 2*len(g.borders))
	for e := range g.borders {
		g.hook(g.borders[e].a, int32(2*e))
		g.hook(g.borders[e].b, int32(2*e+1))
	}
	return g
}

// hook adds half a border to a region.
func (g *regions) hook(region, half int32) {
	g.next[half] = -1
	if g.head[region] < 0 {
		g.head[region] = half
	} else {
		g.next[g.tail[region]] = half
	}
	g.tail[region] = half
	g.degree[region]++
}

// other is the region on the other side of half a border.
func (g *regions) other(half int32) int32 {
	if e := &g.borders[half>>1]; half&1 == 0 {
		return e.b
	} else {
		return e.a
	}
}

// root is the region that a label has become.
func (g *regions) root(r int32) int32 {
	for g.parent[r] != r {
		g.parent[r] = g.parent[g.parent[r]]
		r = g.parent[r]
	}
	return r
}

// join merges two roots; changed is told the borders that have another weight.
func (g *regions) join(a, b int32, changed func(e int32)) int32 {
	if g.degree[a] < g.degree[b] || g.degree[a] == g.degree[b] && a > b {
		a, b = b, a
	}
	g.parent[b] = a
	if g.size[b] > g.size[a] {
		g.part[a] = g.part[b]
	}
	g.size[a] += g.size[b]
	for half := g.head[b]; half >= 0; {
		following := g.next[half]
		e := &g.borders[half>>1]
		k := g.other(half)
		switch at, ok := g.index.get(pairKey(a, k)); {
		case e.version < 0:
		case k == a:
			e.version = -1
		case ok:
			kept := &g.borders[at]
			kept.sides += e.sides
			kept.sum += e.sum
			kept.version++
			e.version = -1
			changed(at)
		default:
			if half&1 == 0 {
				e.a = a
			} else {
				e.b = a
			}
			g.index.put(pairKey(a, k), half>>1)
			g.hook(a, half)
		}
		half = following
	}
	g.head[b], g.degree[b] = -1, 0
	return a
}

// merge joins regions of one part while a border is weaker than a limit in levels, the weakest first.
func (g *regions) merge(limit float64) {
	offer := func(e int32) {
		if b := &g.borders[e]; g.part[b.a] == g.part[b.b] && b.weight() < limit {
			g.push(candidate{b.weight(), e, b.version})
		}
	}
	for e := range g.borders {
		offer(int32(e))
	}
	for len(g.heap) > 0 {
		c := g.pop()
		b := &g.borders[c.border]
		if b.version != c.version {
			continue
		}
		g.join(b.a, b.b, offer)
	}
}

// absorb joins each region that is smaller than the least size to the neighbour with the weakest border, the smallest first;
// one of the same part where there is one, never across the edge of a footprint.
func (g *regions) absorb(least int32) {
	var small []uint64 // size, label
	for r := int32(1); r < int32(len(g.parent)); r++ {
		if g.parent[r] == r && g.size[r] > 0 && g.size[r] < least {
			small = append(small, uint64(g.size[r])<<32|uint64(r))
		}
	}
	slices.Sort(small)
	for _, s := range small {
		r := g.root(int32(uint32(s)))
		for g.size[r] < least {
			best := g.weakest(r)
			if best < 0 {
				break
			}
			e := &g.borders[best]
			r = g.join(e.a, e.b, func(int32) {})
		}
	}
}

// weakest is the border that a small region is given up over; -1: none.
func (g *regions) weakest(r int32) int32 {
	best, least, same := int32(-1), 0.0, false
	for half := g.head[r]; half >= 0; half = g.next[half] {
		e := &g.borders[half>>1]
		k := g.other(half)
		if e.version < 0 || g.part[k]>>1 != g.part[r]>>1 {
			continue
		}
		alike, w := g.part[k] == g.part[r], e.weight()
		if best < 0 || alike && !same || alike == same && (w < least || w == least && half>>1 < best) {
			best, least, same = half>>1, w, alike
		}
	}
	return best
}

// number gives the cells of labels the numbers of their regions, from 1 in the order of their first cells.
func (g *regions) number(labels []int32) (n int) {
	names := make([]int32, len(g.parent))
	for i, l := range labels {
		if l == 0 {
			continue
		}
		r := g.root(l)
		if names[r] == 0 {
			n++
			names[r] = int32(n)
		}
		labels[i] = names[r]
	}
	return n
}

func (g *regions) push(c candidate) {
	g.heap = append(g.heap, c)
	for i := len(g.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !g.heap[i].before(g.heap[up]) {
			return
		}
		g.heap[i], g.heap[up] = g.heap[up], g.heap[i]
		i = up
	}
}

func (g *regions) pop() candidate {
	top := g.heap[0]
	last := len(g.heap) - 1
	g.heap[0] = g.heap[last]
	g.heap = g.heap[:last]
	for i := 0; ; {
		best := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if g.heap[c].before(g.heap[best]) {
				best = c
			}
		}
		if best == i {
			return top
		}
		g.heap[i], g.heap[best] = g.heap[best], g.heap[i]
		i = best
	}
}
