package forest

import (
	"math"
	"slices"
)

// edgesOf are the bounds of the bins of a column: between all its values where they are few, else between quantiles.
// A bound is the middle of two values that follow each other.
func edgesOf(column []float32) []float32 {
	known := make([]float32, 0, len(column))
	for _, v := range column {
		if v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	distinct := slices.Compact(slices.Clone(known))
	var edges []float32
	if len(distinct) <= MaxEdges+1 {
		for i := 1; i < len(distinct); i++ {
			edges = append(edges, between(distinct[i-1], distinct[i]))
		}
		return edges
	}
	for k := 1; k <= MaxEdges; k++ {
		below := known[k*len(known)/(MaxEdges+1)]
		at, _ := slices.BinarySearch(distinct, below)
		if at+1 == len(distinct) {
			break
		}
		e := between(distinct[at], distinct[at+1])
		if n := len(edges); n == 0 || edges[n-1] < e {
			edges = append(edges, e)
		}
	}
	return edges
}

// between is a bound that a lies at or below of and b above of.
func between(a, b float32) float32 {
	m := float32(float64(float64(a)/2) + float64(float64(b)/2))
	if !(m >= a && m < b) {
		return a
	}
	return m
}

// bin is the bin of a value.
func bin(edges []float32, v float32) uint8 {
	if v != v {
		return missing
	}
	lo, n := 0, len(edges)
	for n > 0 {
		half := n >> 1
		if edges[lo+half] < v {
			lo += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return uint8(lo)
}

// ruler finds bins without a branch that hangs on the value: numbers whose order as whole numbers is that of the floats, padded
// to a power of two.
type ruler struct {
	keys [256]uint32 // edges, then the largest number
}

func newRuler(edges []float32) *ruler {
	r := &ruler{}
	for i := range r.keys {
		r.keys[i] = math.MaxUint32
		if i < len(edges) {
			r.keys[i] = rank(edges[i])
		}
	}
	return r
}

// rank is a whole number that is larger for a larger v; both zeros have the same.
func rank(v float32) uint32 {
	b := math.Float32bits(v + 0) // -0 + 0 is 0
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}

// bin is that of the edges the ruler was made of.
func (r *ruler) bin(v float32) uint8 {
	if !(v-v == 0) {
		return missing
	}
	k, lo := rank(v), uint32(0)
	for half := uint32(128); half > 0; half >>= 1 {
		lo += half & -(uint32((uint64(r.keys[(lo+half-1)&255]) - uint64(k)) >> 63))
	}
	return uint8(lo)
}

// finite is v where it is a number that a bin can hold, else NaN.
func finite(v float32) float32 {
	if math.Abs(float64(v)) <= math.MaxFloat32 {
		return v
	}
	return float32(math.NaN())
}
