package kg

import "mappe/artefacts/kgfile"

// joinParts takes the borders between the parts of one parcel away: features of one number that lie side
// by side, as a survey cut them or a register numbered them twice, are one area. Two parts may touch in a
// point, but not along a line.
func (c *cadastre) joinParts() {
	for _, p := range c.parcels {
		if p.gnr == "" || p.hopeless || len(p.polys) < 2 {
			continue
		}
		parts, edges := make([][]polygon, len(p.polys)), 0
		for i, poly := range p.polys {
			parts[i] = []polygon{append(polygon(nil), poly...)}
		}
		joinCorners(parts)
		for _, part := range parts {
			for _, r := range part[0] {
				edges += len(r)
			}
		}
		if len(free(parts)) == edges {
			continue
		}
		p.polys = outlineOf(parts)
		p.repairs |= kgfile.RepairDuplicate
	}
}
