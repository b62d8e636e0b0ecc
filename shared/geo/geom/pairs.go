package geom

import (
	"cmp"
	"errors"
	"slices"
)

// ErrTooComplex is returned where the edges of a geometry overlap so much that comparing them would take
// more than about a second: more than maxEdgePairs pairs in each direction.
var ErrTooComplex = errors.New("geometry is too complex: too many edges run beside each other")

// maxEdgePairs bounds the pairs of edges that Check and Rebuild compare.
const maxEdgePairs = 1 << 26

// edge is an edge without a ring around it.
type edge struct{ a, b Point }

// edgePairs calls f for each pair of edges whose boxes, widened by a reach (0 or more) together, touch,
// until f says false. It sweeps along the axis on which the edges overlap less.
func edgePairs(edges []edge, reach int32, f func(i, j int32) bool) error {
	type span struct {
		lo, hi, olo, ohi int32
		id               int32
	}
	lay := func(swap bool) ([]span, int) {
		s := make([]span, len(edges))
		los := make([]int32, len(edges))
		for i, e := range edges {
			s[i] = span{min(e.a.X, e.b.X), widen(max(e.a.X, e.b.X), reach), min(e.a.Y, e.b.Y), widen(max(e.a.Y, e.b.Y), reach), int32(i)}
			if swap {
				s[i].lo, s[i].hi, s[i].olo, s[i].ohi = s[i].olo, s[i].ohi, s[i].lo, s[i].hi
			}
			los[i] = s[i].lo
		}
		slices.SortFunc(s, func(a, b span) int {
			if c := cmp.Compare(a.lo, b.lo); c != 0 {
				return c
			}
			return cmp.Compare(a.id, b.id)
		})
		slices.Sort(los)
		work := 0
		for i := range s {
			n, _ := slices.BinarySearch(los, s[i].hi+1)
			if s[i].hi == 1<<31-1 {
				n = len(los)
			}
			work += n - i
		}
		return s, work
	}
	s, work := lay(false)
	if work > 64*len(edges) {
		if t, w := lay(true); w < work {
			s, work = t, w
		}
	}
	if work > maxEdgePairs {
		return ErrTooComplex
	}
	for i := range s {
		a := &s[i]
		for j := i + 1; j < len(s) && s[j].lo <= a.hi; j++ {
			if b := &s[j]; b.olo <= a.ohi && a.olo <= b.ohi && !f(a.id, b.id) {
				return nil
			}
		}
	}
	return nil
}

// widen is v+reach, held at the end of the range.
func widen(v, reach int32) int32 {
	if v > 1<<31-1-reach {
		return 1<<31 - 1
	}
	return v + reach
}
