package view

import (
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// pastReachM is how far in metres from its present outline the ground is looked for that a KG had at an earlier date: KGs
// are divided, joined and change their borders with their neighbours, they do not travel. The register knows no earlier
// outlines: the snapshots of the date themselves say what they hold.
const pastReachM = 2000

// Moved says whether the register's outline of a KG may not be that of the view's snapshot of it, so that only the snapshot
// tells where it lies.
func (v *View) Moved(code austria.KGCode) bool {
	return v.past != nil && v.Warm(code) && !v.Serves(code)
}

// KGsNear are the KGs that may have ground in a box at the date of the view, by rising code.
func (v *View) KGsNear(box geom.Box) []austria.KGCode {
	if v.past != nil {
		box = crs.Grow(box, pastReachM)
	}
	return v.Register().KGsNear(box)
}

// Candidates are the KGs that a point can lie in at the date of the view: those of the register, then those near it whose
// outline was another one.
func (v *View) Candidates(p geom.Point) []austria.KGCode {
	codes := v.Register().Candidates(p)
	if v.past == nil {
		return codes
	}
	have := make(map[austria.KGCode]bool, len(codes))
	for _, code := range codes {
		have[code] = true
	}
	for _, code := range v.KGsNear(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}) {
		if v.Moved(code) && !have[code] {
			codes = append(codes, code)
		}
	}
	return codes
}
