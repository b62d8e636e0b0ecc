package kg

import (
	"cmp"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
)

// applyLabels gives unnumbered areas the number of a label inside them, fills in a missing status, puts
// areas that vanished on the grid where their label stands, and keeps numbers that only a label knows.
func (c *cadastre) applyLabels(rep *Report) {
	known := make(map[austria.GNR]*source, len(c.parcels))
	for _, p := range c.parcels {
		known[p.gnr] = p
	}
	c.nameAreas(known, rep)
	seen := map[austria.GNR]bool{}
	for _, l := range c.labels {
		p := known[l.gnr]
		if p == nil {
			p = &source{gnr: l.gnr, first: l.at, repairs: kgfile.RepairNoLabel | kgfile.RepairDegenerate}
			known[l.gnr] = p
			c.parcels = append(c.parcels, p)
		}
		if len(p.polys) == 0 && !seen[l.gnr] {
			p.first = l.at
		}
		seen[l.gnr] = true
		if p.status == austria.StatusUnknown && l.status != austria.StatusUnknown {
			p.status = l.status
			p.repairs |= kgfile.RepairNoLabel
		}
	}
	for _, p := range c.parcels {
		if p.status == austria.StatusUnknown {
			p.repairs |= kgfile.RepairNoLabel
		}
	}
}

// nameAreas deals the polygons of the source without a number to the labels that lie in them and whose
// number no polygon has. What is left keeps the empty number.
func (c *cadastre) nameAreas(known map[austria.GNR]*source, rep *Report) {
	bare := known[""]
	if bare == nil {
		return
	}
	delete(known, "")
	numbered := make(map[austria.GNR]bool, len(known))
	for g := range known {
		numbered[g] = true
	}
	rest := bare.polys[:0:0]
	for _, poly := range bare.polys {
		l := c.labelIn(poly, numbered)
		if l == nil {
			rest = append(rest, poly)
			continue
		}
		p := known[l.gnr]
		if p == nil {
			// The folio stays unknown: many pieces without a number share one source.
			p = &source{gnr: l.gnr, status: l.status, first: l.at, repairs: bare.repairs | kgfile.RepairNoLabel}
			known[l.gnr] = p
			c.parcels = append(c.parcels, p)
		}
		p.polys = append(p.polys, poly)
	}
	bare.polys = rest
	rep.Unnumbered = len(rest)
}

func (c *cadastre) labelIn(poly polygon, numbered map[austria.GNR]bool) *label {
	b := boxOf(poly[0])
	for i := range c.labels {
		l := &c.labels[i]
		if numbered[l.gnr] || !b.holds(box{l.at.x, l.at.y, l.at.x, l.at.y}) {
			continue
		}
		in := false
		for _, r := range poly {
			if locate2(2*int64(l.at.x), 2*int64(l.at.y), r) == inside {
				in = !in
			}
		}
		if in {
			return l
		}
	}
	return nil
}

// labelRows are the labels in their final order, repeats left out.
func (c *cadastre) labelRows() []kgfile.Label {
	out := make([]kgfile.Label, 0, len(c.labels))
	for _, l := range c.labels {
		out = append(out, kgfile.Label{GNR: l.gnr, Status: l.status, Rotation: wrapDegrees(l.rotation), At: c.region.point(l.at)})
	}
	slices.SortFunc(out, func(a, b kgfile.Label) int {
		return cmp.Or(cmp.Compare(a.GNR, b.GNR), a.At.Compare(b.At), cmp.Compare(a.Rotation, b.Rotation), cmp.Compare(a.Status, b.Status))
	})
	return slices.Compact(out)
}

// wrapDegrees holds a rotation within -360 to 360; what is no number is no rotation.
func wrapDegrees(v float64) float64 {
	if v >= -360 && v <= 360 {
		return v
	}
	return 0
}

// counts are the distinct numbers among the polygons and among the labels.
func (c *cadastre) counts() (parcels, labels int) {
	for _, p := range c.parcels {
		if p.gnr != "" && len(p.views) > 0 {
			parcels++
		}
	}
	seen := map[austria.GNR]bool{}
	for _, l := range c.labels {
		seen[l.gnr] = true
	}
	return parcels, len(seen)
}
