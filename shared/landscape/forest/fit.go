package forest

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
)

// Params are those of a fit; Default has the published ones.
type Params struct {
	Trees    int
	Depth    int // of splits from the root to a leaf, at most
	Leaf     int // rows in a leaf at least, each counted once however often it was drawn
	Features int // looked at for a split; 0: the square root of all, rounded down
	Balanced bool
	Seed     uint64
	// Blocks of the rows: rows of a block are drawn together, so that what is out of the bag comes from blocks that the tree
	// has seen nothing of. nil: each row is drawn by itself.
	Blocks  []int32
	Workers int             // goroutines; 0: one for each processor. They do not change the result
	Done    func(trees int) // is told how many trees are grown, by one goroutine at a time; nil: nobody is
}

// Default are the usual parameters.
func Default() Params { return Params{Trees: 200, Depth: 20, Leaf: 5, Balanced: true, Seed: 1} }

// Fitted is a forest and what is known of it from its own rows.
type Fitted struct {
	*Forest
	// Votes has Classes numbers a row: the shares of the leaves of those trees that did not see the row, added up. All are 0 for
	// a row that every tree has seen.
	Votes []uint32
	// Importance of the features: by how much their splits lowered the Gini impurity, 1 together (0 where nothing was split).
	Importance []float64
}

// Fit grows a forest of columns, all of the same length, NaN where a value is not known, and the class of each row.
func Fit(ctx context.Context, columns [][]float32, labels []uint8, classes int, p Params) (*Fitted, error) {
	if err := p.check(columns, labels, classes); err != nil {
		return nil, err
	}
	g := newGround(columns, labels, classes, p)
	workers := p.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, p.Trees)
	grown := make([]*tree, p.Trees)
	votes := make([][]uint32, workers)
	var wait sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for w := range workers {
		wait.Go(func() {
			votes[w] = make([]uint32, len(labels)*classes)
			b := newGrower(g)
			for {
				mu.Lock()
				t := next
				next++
				mu.Unlock()
				if t >= p.Trees || ctx.Err() != nil {
					return
				}
				grown[t] = b.grow(t)
				b.vote(grown[t], votes[w])
				mu.Lock()
				if done++; p.Done != nil {
					p.Done(done)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, v := range votes[1:] {
		for i, n := range v {
			votes[0][i] += n
		}
	}
	return &Fitted{Forest: g.joined(grown), Votes: votes[0], Importance: importance(grown, len(columns))}, nil
}

func (p *Params) check(columns [][]float32, labels []uint8, classes int) error {
	n := len(labels)
	switch {
	case len(columns) < 1 || len(columns) > MaxFeatures:
		return fmt.Errorf("forest: %d features, expected 1 to %d", len(columns), MaxFeatures)
	case classes < 2 || classes > MaxClasses:
		return fmt.Errorf("forest: %d classes, expected 2 to %d", classes, MaxClasses)
	case n < 2 || n > MaxRows:
		return fmt.Errorf("forest: %d rows, expected 2 to %d", n, MaxRows)
	case p.Trees < 1 || p.Trees > MaxTrees || p.Depth < 1 || p.Depth > MaxDepth || p.Leaf < 1:
		return fmt.Errorf("forest: %d trees of depth %d with %d rows in a leaf: expected 1 to %d, 1 to %d, and 1 at least",
			p.Trees, p.Depth, p.Leaf, MaxTrees, MaxDepth)
	case p.Features < 0 || p.Features > len(columns):
		return fmt.Errorf("forest: %d features for a split, expected at most %d", p.Features, len(columns))
	case p.Blocks != nil && len(p.Blocks) != n:
		return fmt.Errorf("forest: blocks of %d rows, expected %d", len(p.Blocks), n)
	}
	for i, c := range columns {
		if len(c) != n {
			return fmt.Errorf("forest: feature %d has %d rows, expected %d", i, len(c), n)
		}
	}
	for i, y := range labels {
		if int(y) >= classes {
			return fmt.Errorf("forest: row %d is of class %d, expected 0 to %d", i, y, classes-1)
		}
	}
	return nil
}

// ground is what all trees of a forest grow on.
type ground struct {
	Params
	classes int
	labels  []uint8
	edges   [][]float32
	bins    [][]uint8  // by feature, then row
	rows    []uint8    // the same by row
	weight  []uint64   // of a row by its class
	blocks  [][]uint32 // rows of each block; nil: each row is one
}

// unit is the weight of a row of a class that is as frequent as the mean, in forests of up to heavy/unit rows.
const (
	unit  = 1 << 10
	heavy = 1 << 28
)

func newGround(columns [][]float32, labels []uint8, classes int, p Params) *ground {
	n := len(labels)
	g := &ground{Params: p, classes: classes, labels: labels, edges: make([][]float32, len(columns)), bins: make([][]uint8, len(columns)),
		rows: make([]uint8, n*len(columns)), weight: make([]uint64, classes)}
	if g.Features == 0 {
		for (g.Features+1)*(g.Features+1) <= len(columns) {
			g.Features++
		}
	}
	var wait sync.WaitGroup
	for i := range columns {
		wait.Go(func() {
			column := make([]float32, n)
			for r, v := range columns[i] {
				column[r] = finite(v)
			}
			g.edges[i] = edgesOf(column)
			g.bins[i] = make([]uint8, n)
			for r, v := range column {
				g.bins[i][r] = bin(g.edges[i], v)
			}
		})
	}
	wait.Wait()
	for i, column := range g.bins {
		for r, b := range column {
			g.rows[r*len(columns)+i] = b
		}
	}
	one := min(uint64(unit), max(heavy/uint64(n), 1))
	count := make([]uint64, classes)
	for _, y := range labels {
		count[y]++
	}
	for y, k := range count {
		g.weight[y] = one
		if p.Balanced && k > 0 {
			g.weight[y] = max(1, (2*one*uint64(n)/(uint64(classes)*k)+1)/2)
		}
	}
	g.blocksOf()
	return g
}

// blocksOf gathers the rows of each block, blocks in the order in which they are met.
func (g *ground) blocksOf() {
	if g.Blocks == nil {
		return
	}
	number := map[int32]int{}
	for r, b := range g.Blocks {
		k, ok := number[b]
		if !ok {
			k = len(number)
			number[b] = k
			g.blocks = append(g.blocks, nil)
		}
		g.blocks[k] = append(g.blocks[k], uint32(r))
	}
}

// bag draws the rows of a tree: how often each is in it.
func (g *ground) bag(times []uint16, from *rand.PCG) {
	clear(times)
	if g.blocks == nil {
		for range times {
			times[below(from, len(times))]++
		}
		return
	}
	for range g.blocks {
		for _, r := range g.blocks[below(from, len(g.blocks))] {
			times[r]++
		}
	}
}

// below is a number from 0 to n-1. The bias is at most n in 2^64.
func below(from *rand.PCG, n int) int {
	high, _ := bits.Mul64(from.Uint64(), uint64(n))
	return int(high)
}

// joined is the forest of grown trees.
func (g *ground) joined(grown []*tree) *Forest {
	f := &Forest{Classes: g.classes, Edges: g.edges, Roots: make([]int32, len(grown))}
	nodes, leaves := 0, 0
	for _, t := range grown {
		nodes, leaves = nodes+len(t.nodes), leaves+len(t.weights)
	}
	f.Nodes, f.Shares, f.Weights = make([]Node, 0, nodes), make([]uint8, 0, leaves*g.classes), make([]uint32, 0, leaves)
	for i, t := range grown {
		root, leaf := int32(len(f.Nodes)), int32(len(f.Weights))
		f.Roots[i] = root
		for _, n := range t.nodes {
			if n.Feature == Leaf {
				n.Right += leaf
			} else {
				n.Right += root
			}
			f.Nodes = append(f.Nodes, n)
		}
		f.Shares, f.Weights = append(f.Shares, t.shares...), append(f.Weights, t.weights...)
	}
	return f
}

// importance adds up the gains of the trees in their order.
func importance(grown []*tree, features int) []float64 {
	out := make([]float64, features)
	sum := 0.0
	for _, t := range grown {
		for i, v := range t.gain {
			out[i] += v
			sum += v
		}
	}
	if sum > 0 {
		for i := range out {
			out[i] /= sum
		}
	}
	return out
}
