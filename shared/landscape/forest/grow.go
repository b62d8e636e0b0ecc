package forest

import (
	"math/bits"
	"math/rand/v2"
)

// tree is one that is grown, its nodes and leaves counted from 0.
type tree struct {
	nodes   []Node
	shares  []uint8
	weights []uint32
	gain    []float64 // by feature
}

// item is a row in the bag of a tree.
type item struct {
	row    uint32
	weight uint32
	class  uint32
}

// grower grows one tree after the other.
type grower struct {
	*ground
	tree
	search
	from     *rand.PCG
	times    []uint16
	items    []item
	aside    []item
	features []uint8
	total    uint64 // weight of the bag
}

func newGrower(g *ground) *grower {
	n := len(g.labels)
	b := &grower{ground: g, times: make([]uint16, n), items: make([]item, n), aside: make([]item, n), features: make([]uint8, len(g.edges))}
	b.search = newSearch(g.classes, n)
	return b
}

// grow grows the tree of a number.
func (b *grower) grow(number int) *tree {
	b.from = rand.NewPCG(b.Seed, uint64(number))
	b.bag(b.times, b.from)
	b.items = b.items[:0]
	b.total = 0
	for r, k := range b.times {
		if k > 0 {
			y := b.labels[r]
			w := b.weight[y] * uint64(k)
			b.items = append(b.items, item{row: uint32(r), weight: uint32(w), class: uint32(y)})
			b.total += w
		}
	}
	// The square of the whole weight has to fit into 63 bits; only a class of a handful of rows comes near.
	for b.total>>31 != 0 {
		b.total = b.halve()
	}
	for i := range b.features {
		b.features[i] = uint8(i)
	}
	b.tree = tree{gain: make([]float64, len(b.edges))}
	b.node(0, len(b.items), 0)
	t := b.tree
	return &t
}

// halve halves the weights of the bag and gives their sum.
func (b *grower) halve() (sum uint64) {
	for i := range b.items {
		b.items[i].weight = max(1, b.items[i].weight/2)
		sum += uint64(b.items[i].weight)
	}
	return sum
}

// node grows the node of the items from lo to hi and all that is below it.
func (b *grower) node(lo, hi, depth int) {
	items := b.items[lo:hi]
	b.sum(items)
	at := len(b.nodes)
	if depth >= b.Depth || len(items) < 2*b.Leaf || b.pure() {
		b.leaf()
		return
	}
	s, ok := b.split(items)
	if !ok {
		b.leaf()
		return
	}
	b.gain[s.feature] += (s.value - float64(b.squares)/float64(b.weightSum)) / float64(b.total)
	middle := lo + b.part(items, s)
	f := s.feature
	if s.left {
		f |= Left
	}
	b.nodes = append(b.nodes, Node{Feature: f, Bin: s.bin})
	b.node(lo, middle, depth+1)
	b.nodes[at].Right = int32(len(b.nodes))
	b.node(middle, hi, depth+1)
}

// split is the best one of some features that are drawn; not ok where no feature has two sides.
func (b *grower) split(items []item) (best split, ok bool) {
	best.value = -1
	n, varied := len(b.features), false
	for seen := 0; seen < n && (seen < b.Features || !varied); seen++ {
		k := seen + below(b.from, n-seen)
		b.features[seen], b.features[k] = b.features[k], b.features[seen]
		f := b.features[seen]
		if b.try(items, b.bins[f], f, b.Leaf, &best) {
			varied = true
		}
	}
	return best, best.value >= 0
}

// part puts the items of the left side before those of the right, in their order, and says how many these are.
func (b *grower) part(items []item, s split) int {
	column := b.bins[s.feature]
	left, right := 0, 0
	for _, it := range items {
		k := column[it.row]
		if k <= s.bin || k == missing && s.left {
			items[left] = it
			left++
		} else {
			b.aside[right] = it
			right++
		}
	}
	copy(items[left:], b.aside[:right])
	return left
}

// leaf ends a branch: the shares of its classes, rounded so that they are 255 together by the largest remainders.
func (b *grower) leaf() {
	b.nodes = append(b.nodes, Node{Feature: Leaf, Right: int32(len(b.weights))})
	b.weights = append(b.weights, uint32(b.weightSum))
	at := len(b.shares)
	rest := full
	var remainder [MaxClasses]uint64
	for y, w := range b.sums[:b.search.classes] {
		q, r := bits.Div64(0, w*full, b.weightSum)
		b.shares = append(b.shares, uint8(q))
		remainder[y] = r
		rest -= int(q)
	}
	for ; rest > 0; rest-- {
		most := 0
		for y := range b.search.classes {
			if remainder[y] > remainder[most] {
				most = y
			}
		}
		b.shares[at+most]++
		remainder[most] = 0
	}
}

// vote adds the leaves of the rows that are not in the bag of the tree that was grown last.
func (b *grower) vote(t *tree, votes []uint32) {
	n, classes := len(b.edges), b.search.classes
	for r, k := range b.times {
		if k > 0 {
			continue
		}
		row := b.rows[r*n : (r+1)*n]
		i := int32(0)
		for {
			node := t.nodes[i]
			if node.Feature == Leaf {
				i = node.Right
				break
			}
			v := row[node.Feature&^Left]
			if v <= node.Bin || v == missing && node.Feature >= Left {
				i++
			} else {
				i = node.Right
			}
		}
		for y, s := range t.shares[int(i)*classes:][:classes] {
			votes[r*classes+y] += uint32(s)
		}
	}
}
