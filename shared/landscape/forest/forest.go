// Package forest is a random forest on quantile bins (Breiman 2001): fit, predict, out-of-bag votes, importance of features,
// the features that spoke for a class, and calibrated confidences. It knows nothing of segments: rows of numbers come in,
// classes come out. artefacts/classifier keeps forests as files, builders/landscape trains them.
//
// Every number is the same on every run, with any number of goroutines and on every processor: a tree has a seed of its own,
// weights, impurities and votes are whole numbers, and what is divided is rounded once.
//
// A value that is not known is NaN. Each split has learned to which side rows go whose value is missing there.
//
// Node layout: the left child of node i is node i+1, its right child stands in the node. A tree is the nodes from its root to
// the root of the next.
package forest

import (
	"fmt"
	"math"
)

// The limits of a forest.
const (
	MaxFeatures = 127 // of a row
	MaxClasses  = 64
	MaxTrees    = 2000
	MaxDepth    = 64
	MaxRows     = 1 << 22 // of a fit
	MaxEdges    = 254     // of a feature: 255 bins, and one for what is missing
	missing     = 255     // the bin of a value that is not known
	full        = 255     // the sum of a leaf's distribution
)

// Node is a split, or a leaf.
type Node struct {
	// Right is the right child; of a leaf, its number.
	Right int32
	// Feature is Leaf, or the feature of the split; with Left added to it rows without the value go left, else right.
	Feature uint8
	// Bin is the last one of the left side.
	Bin uint8
}

// What Node.Feature says beside the number of a feature.
const (
	Leaf = 127
	Left = 128
)

// Forest is a fitted forest. It is not to be changed, and safe for concurrent use.
type Forest struct {
	Classes int
	// Edges are the upper bounds of all bins of a feature but the last, rising: value v lies in the first bin whose edge is not
	// below it.
	Edges [][]float32
	Roots []int32 // first nodes of the trees, rising
	Nodes []Node
	// Shares has Classes numbers for each leaf, their sum is 255: the distribution of the classes.
	Shares []uint8
	// Weights are those of the rows in each leaf, of which an inner node's distribution is the mean.
	Weights []uint32
}

// Features is how many numbers a row has.
func (f *Forest) Features() int { return len(f.Edges) }

// Trees is how many trees there are.
func (f *Forest) Trees() int { return len(f.Roots) }

// Memory is about what the forest takes, in bytes.
func (f *Forest) Memory() int64 {
	n := int64(8*len(f.Nodes) + len(f.Shares) + 4*len(f.Weights) + 4*len(f.Roots))
	for _, e := range f.Edges {
		n += int64(4*len(e)) + 24
	}
	return n
}

// Check proves that every walk through the forest ends in a leaf. A forest that was read is checked before it is used.
func (f *Forest) Check() error {
	leaves := len(f.Weights)
	switch {
	case f.Classes < 2 || f.Classes > MaxClasses:
		return fmt.Errorf("forest: %d classes, expected 2 to %d", f.Classes, MaxClasses)
	case len(f.Edges) < 1 || len(f.Edges) > MaxFeatures:
		return fmt.Errorf("forest: %d features, expected 1 to %d", len(f.Edges), MaxFeatures)
	case len(f.Roots) < 1 || len(f.Roots) > MaxTrees || f.Roots[0] != 0:
		return fmt.Errorf("forest: %d trees, expected 1 to %d, the first at node 0", len(f.Roots), MaxTrees)
	case len(f.Shares) != leaves*f.Classes:
		return fmt.Errorf("forest: %d shares of %d leaves and %d classes", len(f.Shares), leaves, f.Classes)
	}
	if err := f.checkEdges(); err != nil {
		return err
	}
	for i := range leaves {
		sum := 0
		for _, s := range f.Shares[i*f.Classes : (i+1)*f.Classes] {
			sum += int(s)
		}
		if sum != full || f.Weights[i] == 0 {
			return fmt.Errorf("forest: the shares of leaf %d are %d together, expected %d; its weight is %d", i, sum, full, f.Weights[i])
		}
	}
	leaf := 0
	for t, root := range f.Roots {
		end := len(f.Nodes)
		if t+1 < len(f.Roots) {
			end = int(f.Roots[t+1])
		}
		if int(root) >= end || end > len(f.Nodes) {
			return fmt.Errorf("forest: tree %d has its nodes from %d to %d of %d", t, root, end, len(f.Nodes))
		}
		var err error
		if leaf, err = f.checkTree(t, int(root), end, leaf); err != nil {
			return err
		}
	}
	if leaf != leaves {
		return fmt.Errorf("forest: nodes name %d leaves of %d", leaf, leaves)
	}
	return nil
}

func (f *Forest) checkEdges() error {
	for i, edges := range f.Edges {
		if len(edges) > MaxEdges {
			return fmt.Errorf("forest: feature %d has %d edges, at most %d are allowed", i, len(edges), MaxEdges)
		}
		for k, e := range edges {
			if !(math.Abs(float64(e)) <= math.MaxFloat32) || k > 0 && edges[k-1] >= e {
				return fmt.Errorf("forest: edge %d of feature %d is %g", k, i, e)
			}
		}
	}
	return nil
}

// checkTree walks through a tree as it was written, left child first: each node is met once, leaves by rising number.
func (f *Forest) checkTree(t, root, end, leaf int) (next int, err error) {
	var open []int32 // right children that are still to come
	for i := root; i < end; i++ {
		n := f.Nodes[i]
		if n.Feature == Leaf {
			if int(n.Right) != leaf {
				return 0, fmt.Errorf("forest: node %d of tree %d is leaf %d, expected %d", i, t, n.Right, leaf)
			}
			leaf++
			if len(open) == 0 {
				if i+1 != end {
					return 0, fmt.Errorf("forest: tree %d ends at node %d, the next begins at %d", t, i, end)
				}
				return leaf, nil
			}
			if last := open[len(open)-1]; int(last) != i+1 {
				return 0, fmt.Errorf("forest: node %d of tree %d stands where %d is expected", i+1, t, last)
			}
			open = open[:len(open)-1]
			continue
		}
		feature := int(n.Feature &^ Left)
		if feature >= len(f.Edges) || n.Bin == missing {
			return 0, fmt.Errorf("forest: node %d of tree %d asks for bin %d of feature %d", i, t, n.Bin, feature)
		}
		if int(n.Right) <= i+1 || int(n.Right) >= end || len(open) >= MaxDepth {
			return 0, fmt.Errorf("forest: node %d of tree %d has the right child %d, %d deep", i, t, n.Right, len(open))
		}
		open = append(open, n.Right)
	}
	return 0, fmt.Errorf("forest: tree %d has no end", t)
}
