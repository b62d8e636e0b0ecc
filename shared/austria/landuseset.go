package austria

import (
	"math/bits"
	"strings"
)

// LandUseSet is a set of land-use codes. The zero value is empty.
type LandUseSet [4]uint64

// Add puts a code in.
func (s *LandUseSet) Add(l LandUse) { s[l>>6] |= 1 << (l & 63) }

// Has says whether the code is in the set.
func (s LandUseSet) Has(l LandUse) bool { return s[l>>6]>>(l&63)&1 == 1 }

// Empty says whether no code is in the set.
func (s LandUseSet) Empty() bool { return s == LandUseSet{} }

// Len counts the codes.
func (s LandUseSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Union is the set of codes in either.
func (s LandUseSet) Union(o LandUseSet) LandUseSet {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// Codes lists the codes, rising.
func (s LandUseSet) Codes() []LandUse {
	out := make([]LandUse, 0, s.Len())
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, LandUse(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// String is the comma list of codes; ParseLandUseSet reads it back.
func (s LandUseSet) String() string {
	var b strings.Builder
	for _, c := range s.Codes() {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(c.String())
	}
	return b.String()
}
