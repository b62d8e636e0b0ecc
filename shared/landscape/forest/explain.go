package forest

import (
	"cmp"
	"slices"
	"sync"
)

// Explainer tells which features spoke for a class. It holds two bytes for each node and class, and is safe for concurrent use.
//
// On the way of a row from the root of a tree to its leaf each split changes the share of the class among the rows of the node;
// the change is put down to the feature of the split (Saabas 2014). Over all splits and trees the changes add up to the share of
// the class less that at the roots.
type Explainer struct {
	f     *Forest
	inner []uint16 // shares of all nodes, 65,535 together
}

// one is the whole share of an inner node: full times 257.
const one = 65535

// Explain makes the explainer of a forest.
func Explain(f *Forest) *Explainer {
	e := &Explainer{f: f, inner: make([]uint16, len(f.Nodes)*f.Classes)}
	sums := make([]uint64, f.Classes)
	weights := make([]uint64, len(f.Nodes))
	// Children stand behind their parents.
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		n := f.Nodes[i]
		at := e.inner[i*f.Classes : (i+1)*f.Classes]
		if n.Feature == Leaf {
			weights[i] = uint64(f.Weights[n.Right])
			for y, s := range f.Shares[int(n.Right)*f.Classes:][:f.Classes] {
				at[y] = uint16(s) * (one / full)
			}
			continue
		}
		left, right := i+1, int(n.Right)
		weights[i] = weights[left] + weights[right]
		for y := range sums {
			sums[y] = weights[left]*uint64(e.inner[left*f.Classes+y]) + weights[right]*uint64(e.inner[right*f.Classes+y])
			at[y] = uint16((sums[y] + weights[i]/2) / weights[i])
		}
	}
	return e
}

// Reason is a feature and by how much it raised the share of a class, -1 to 1.
type Reason struct {
	Feature int
	Gain    float64
}

// Why lists the features that spoke for a class of a row, at most so many, the strongest first; features that spoke against it
// or said nothing are left out. A row has a value of each feature, NaN where it is not known.
func (e *Explainer) Why(row []float32, class, most int) []Reason {
	var bins [256]uint8
	for i, edges := range e.f.Edges {
		k := bin(edges, finite(row[i]))
		bins[i] = k
		if k == missing {
			k = 0
		}
		bins[i|Left] = k
	}
	var gain [MaxFeatures + 1]int64
	for _, i := range e.f.Roots {
		for {
			n := e.f.Nodes[i]
			if n.Feature == Leaf {
				break
			}
			before := int64(e.inner[int(i)*e.f.Classes+class])
			i++
			if bins[n.Feature] > n.Bin {
				i = n.Right
			}
			gain[n.Feature&^Left] += int64(e.inner[int(i)*e.f.Classes+class]) - before
		}
	}
	var out []Reason
	for i := range e.f.Edges {
		if gain[i] > 0 {
			out = append(out, Reason{i, float64(gain[i]) / float64(one*len(e.f.Roots))})
		}
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.Gain, a.Gain) })
	return out[:min(most, len(out))]
}

// Explained is an explainer that is made when it is first asked for.
func Explained(f *Forest) func() *Explainer {
	return sync.OnceValue(func() *Explainer { return Explain(f) })
}
