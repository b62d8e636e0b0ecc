package register

import (
	"crypto/sha256"
	"fmt"
	"sync/atomic"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// index is what the register says of its KGs in an order of its own. It is made on its first use, so that a request about
// some KGs does not walk all of them.
type index struct {
	gemeinde map[austria.GemeindeCode][]austria.KGCode
	district map[austria.DistrictCode][]austria.KGCode
	state    map[austria.StateCode][]austria.KGCode
	built    []int
}

func indexOf(kgs []KG) *index {
	x := &index{gemeinde: map[austria.GemeindeCode][]austria.KGCode{}, district: map[austria.DistrictCode][]austria.KGCode{},
		state: map[austria.StateCode][]austria.KGCode{}}
	for i := range kgs {
		k := &kgs[i]
		x.gemeinde[k.GemeindeCode] = append(x.gemeinde[k.GemeindeCode], k.Code)
		x.district[k.DistrictCode] = append(x.district[k.DistrictCode], k.Code)
		x.state[k.State()] = append(x.state[k.State()], k.Code)
		if k.Snapshot.Key != "" {
			x.built = append(x.built, i)
		}
	}
	return x
}

// Built are the places among KGs of those with a snapshot, rising.
func (r *Register) Built() []int { return r.index().built }

// ByGemeinde are the KGs of a municipality, by rising code.
func (r *Register) ByGemeinde(c austria.GemeindeCode) []austria.KGCode { return r.index().gemeinde[c] }

// ByDistrict are the KGs of a district, by rising code.
func (r *Register) ByDistrict(c austria.DistrictCode) []austria.KGCode { return r.index().district[c] }

// ByState are the KGs of a state, by rising code.
func (r *Register) ByState(c austria.StateCode) []austria.KGCode { return r.index().state[c] }

// derived is what is computed of single KGs and kept.
type derived struct {
	digests []atomic.Pointer[[sha256.Size]byte]
	hulls   []atomic.Pointer[geom.MultiPolygon]
}

func derivedOf(n int) derived {
	return derived{make([]atomic.Pointer[[sha256.Size]byte], n), make([]atomic.Pointer[geom.MultiPolygon], n)}
}

// Digest changes with what the register says of the KG at a place of KGs, its outline included.
func (r *Register) Digest(i int) [sha256.Size]byte {
	if d := r.derived.digests[i].Load(); d != nil {
		return *d
	}
	d := sha256.Sum256(fmt.Appendf(nil, "%+v%v", r.contents.KGs[i], r.kgs.get(i)))
	r.derived.digests[i].Store(&d)
	return d
}

// GroundHull is the convex hull of a KG's Ground.
func (r *Register) GroundHull(code austria.KGCode) (g Ground, known bool) {
	if g, known = r.Ground(code); !known {
		return g, false
	}
	i, _ := r.Index(code)
	if h := r.derived.hulls[i].Load(); h != nil {
		g.Outline = *h
		return g, true
	}
	hull := geom.MultiPolygon{{g.Outline.ConvexHull()}}
	r.derived.hulls[i].Store(&hull)
	g.Outline = hull
	return g, true
}

// byCode says where KGs stand among KGs, by the number that a code is: an answer about all KGs asks for each of them several
// times. 0 is no KG, 1 the first.
type byCode []uint16

const codeDigits = 5

func byCodeOf(codes []austria.KGCode) byCode {
	if len(codes) >= 1<<16 {
		return nil // there are not so many; they are found by halves
	}
	p := make(byCode, 100_000)
	for i, c := range codes {
		if n, ok := numberOf(c); ok {
			p[n] = uint16(i + 1)
		}
	}
	return p
}

func (p byCode) of(code austria.KGCode) (int, bool) {
	n, ok := numberOf(code)
	if !ok || n >= len(p) {
		return 0, false
	}
	return int(p[n]) - 1, p[n] > 0
}

// numberOf is the number of a code; false for what is none.
func numberOf(code austria.KGCode) (n int, ok bool) {
	if len(code) != codeDigits {
		return 0, false
	}
	for i := range codeDigits {
		d := code[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = 10*n + int(d)
	}
	return n, true
}
