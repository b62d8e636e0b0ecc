package register

import (
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Ground is where a KG lies, as far as the register knows: its outline, or that of its municipality where it has none.
type Ground struct {
	Outline    geom.MultiPolygon
	ToleranceM float64 // how far in metres the true border may lie from Outline, on the outside
}

// Box is what the ground lies in, tolerance included.
func (g Ground) Box() geom.Box { return crs.Grow(g.Outline.Bounds(), g.ToleranceM) }

// Ground is the ground of a KG; known is false where neither its outline nor that of its municipality is known.
func (r *Register) Ground(code austria.KGCode) (g Ground, known bool) {
	i, ok := r.Index(code)
	if !ok {
		return g, false
	}
	if m := r.kgs.get(i); len(m) > 0 {
		return Ground{m, r.tolerance(i)}, true
	}
	if m := r.MunicipalityOutline(r.contents.KGs[i].GemeindeCode); len(m) > 0 {
		return Ground{m, CoarseM + r.contents.ToleranceM}, true
	}
	return g, false
}

// KGsNear are the KGs that may have ground in a box, by rising code: those of KGsInBox, and the KGs without an outline of
// the municipalities that come near the box. A KG of which no outline at all is known lies nowhere.
func (r *Register) KGsNear(q geom.Box) []austria.KGCode {
	codes := r.KGsInBox(q)
	if len(r.blind) == 0 {
		return codes
	}
	r.gemTree().Search(crs.Grow(q, CoarseM+r.contents.ToleranceM), func(i int) bool {
		for _, k := range r.blind[r.contents.Municipalities[i].Code] {
			codes = append(codes, r.contents.KGs[k].Code)
		}
		return true
	})
	slices.Sort(codes)
	return slices.Compact(codes)
}
