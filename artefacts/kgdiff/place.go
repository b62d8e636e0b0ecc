package kgdiff

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Successors are the parcels of a snapshot on the ground of a parcel of another one, the largest common area first:
// those that Of would link it to.
func Successors(p *kgfile.Parcel, after *kgfile.File) ([]Link, error) {
	parcels, err := after.Parcels()
	if err != nil || len(p.Geometry) == 0 {
		return nil, err
	}
	// a parcel against its neighbours: the parts of a comparison that it needs
	this := &side{parcels: []kgfile.Parcel{*p}, covers: []*geom.Cover{geom.NewCover(p.Geometry, crs.EqualArea)}, links: make([][]link, 1)}
	this.areas = []float64{this.covers[0].Area()}
	other := &side{parcels: parcels, areas: make([]float64, len(parcels))}
	after.InBox(p.Geometry.Bounds(), func(j int) bool {
		c := geom.NewCover(parcels[j].Geometry, crs.EqualArea)
		other.areas[j] = c.Area()
		least := LinkShare * min(this.areas[0], other.areas[j])
		if common := this.covers[0].Common(c); least > 0 && common >= least {
			this.links[0] = append(this.links[0], link{int32(j), common})
		}
		return true
	})
	return list(this, other, 0), nil
}
