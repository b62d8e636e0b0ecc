package register

import (
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// Candidates are the KGs a point can lie in: first those whose stored outline contains it, then those
// whose outline is no farther than its tolerance, each by rising code. Where one outline contains the
// point and is farther from it than its tolerance, that KG stands alone. Otherwise those KGs of the
// municipality follow that have no outline at all, when there are at most maxBlind. The true KG is always
// among them, and nearly every point has exactly one.
func (r *Register) Candidates(p geom.Point) []austria.KGCode {
	found := near(r.kgTree, r.kgs, p, r.contents.ToleranceM, r.tolerance)
	if k, ok := found.sure(r.kgs, p, r.tolerance, len(r.blind) > 0); ok {
		return []austria.KGCode{r.contents.KGs[k].Code}
	}
	list := append(found.in, found.near...)
	if len(r.blind) > 0 {
		list = append(list, r.blindAt(p)...)
	}
	out := make([]austria.KGCode, len(list))
	for k, i := range list {
		out[k] = r.contents.KGs[i].Code
	}
	return out
}

// maxBlind is how many KGs of a municipality are named for a point of which only the municipality is
// known; of a city with more, one point says too little.
const maxBlind = 64

// CoarseM is how far in metres the outlines of a municipality or of a KG without a snapshot may lie from
// the survey's: 1 mm on the map of 1:50,000 they are drawn from.
const CoarseM = 50

// blindAt are the KGs without outline of the municipalities the point may lie in, by rising code.
func (r *Register) blindAt(p geom.Point) []int {
	var out []int
	found := near(r.gemTree(), r.gem, p, CoarseM+r.contents.ToleranceM, func(int) float64 { return CoarseM + r.contents.ToleranceM })
	for _, i := range append(found.in, found.near...) {
		out = append(out, r.blind[r.contents.Municipalities[i].Code]...)
	}
	if len(out) > maxBlind {
		return nil
	}
	slices.Sort(out)
	return out
}

// MunicipalityAt is the municipality whose stored outline contains the point, else one within the
// tolerance, else nil. Within the tolerance of a border it may be the neighbour: a point whose KG is
// known takes the KG's municipality instead.
func (r *Register) MunicipalityAt(p geom.Point) *Municipality {
	found := near(r.gemTree(), r.gem, p, r.contents.ToleranceM, func(int) float64 { return r.contents.ToleranceM })
	for _, i := range append(found.in, found.near...) {
		return &r.contents.Municipalities[i]
	}
	return nil
}

// places are the areas that contain a point and those that only may, each by rising number.
type places struct{ in, near []int }

// near looks for the areas around p. The boxes of t reach as far as the tolerance of their area beyond
// least.
func near(t *packtree.Tree, o *outlines, p geom.Point, least float64, tolerance func(int) float64) places {
	var out places
	ruler := crs.RulerAt(p)
	t.Search(crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, least), func(i int) bool {
		m := o.get(i)
		if m.Contains(p) {
			out.in = append(out.in, i)
		} else if ruler.NearBorder(m, tolerance(i)) {
			out.near = append(out.near, i)
		}
		return true
	})
	slices.Sort(out.in)
	slices.Sort(out.near)
	return out
}

// sure is the only area that can hold the point: the one whose border is farther than its tolerance. A
// single area around the point is looked at only when strict: some areas are not drawn.
func (f places) sure(o *outlines, p geom.Point, tolerance func(int) float64, strict bool) (int, bool) {
	if len(f.in) == 1 && len(f.near) == 0 && !strict {
		return f.in[0], true
	}
	found, n := 0, 0
	ruler := crs.RulerAt(p)
	for _, i := range f.in {
		if !ruler.NearBorder(o.get(i), tolerance(i)) {
			found = i
			n++
		}
	}
	return found, n == 1
}
