package kg

import "mappe/artefacts/kgfile"

// assemble puts every parcel together and joins the borders of neighbours. Pieces without a number come
// last, as one source with an empty number.
func (c *cadastre) assemble(rep *Report) {
	d := newDissolver(int32(c.region.grid.Extent))
	for _, p := range c.parcels {
		rings := d.run(p.views)
		if len(d.failed) > 0 {
			rep.OpenShapes++
			if len(d.missing) > 0 {
				p.repairs |= kgfile.RepairMissingTile
			} else {
				p.repairs |= kgfile.RepairSelfCrossing
			}
			rings = append(rings, d.unite(func(s square) bool { return d.missing[s] })...)
		}
		for _, r := range rings {
			p.drawn2 += area2(r)
		}
		var did kgfile.Repair
		p.polys, did, p.hopeless = shape(rings)
		p.repairs |= did
	}
	rep.Apart = d.apart
	c.claimLabels()
	c.applyLabels(rep)
	rep.Junctions = joinCorners(c.areas())
	c.joinParts()
}
