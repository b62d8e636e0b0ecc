package kg

import (
	"cmp"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
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
	rest, index := bare.polys[:0:0], newLabelIndex(c.labels)
	for _, poly := range bare.polys {
		l := index.in(poly, numbered)
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

// A labelIndex finds the labels in a box: they stand by rising x.
type labelIndex []orderedLabel

type orderedLabel struct {
	*label
	order int // in that of the tiles
}

func newLabelIndex(labels []label) labelIndex {
	x := make(labelIndex, len(labels))
	for i := range labels {
		x[i] = orderedLabel{&labels[i], i}
	}
	slices.SortStableFunc(x, func(a, b orderedLabel) int { return cmp.Compare(a.at.X, b.at.X) })
	return x
}

// in is the first label, in the order of the tiles, that lies in the polygon and bears a number not taken.
func (x labelIndex) in(poly polygon, taken map[austria.GNR]bool) *label {
	b := geom.Ring(poly[0]).Bounds()
	from, _ := slices.BinarySearchFunc(x, b.MinX, func(l orderedLabel, v int32) int { return cmp.Compare(l.at.X, v) })
	var first orderedLabel
	for _, l := range x[from:] {
		if l.at.X > b.MaxX {
			break
		}
		if taken[l.gnr] || l.at.Y < b.MinY || l.at.Y > b.MaxY || !poly.holds(l.at) {
			continue
		}
		if first.label == nil || l.order < first.order {
			first = l
		}
	}
	return first.label
}

// holds says whether a position lies in the polygon; one on its border does not.
func (p polygon) holds(at pt) bool {
	in := false
	for _, r := range p {
		if locate2(2*int64(at.X), 2*int64(at.Y), r) == inside {
			in = !in
		}
	}
	return in
}

// claimLabels takes those of the labels without a KG that lie in the KG's parcels. A number that no parcel
// of the KG has, in a parcel of another number, is taken too, for a parcel too small to be drawn, unless a
// parcel of a neighbour bears it: small parcels are labelled beside their area.
func (c *cadastre) claimLabels() {
	if len(c.loose) == 0 {
		return
	}
	type area struct {
		poly polygon
		gnr  austria.GNR
	}
	var areas []area
	var boxes []geom.Box
	known := map[austria.GNR]bool{}
	for _, p := range c.parcels {
		known[p.gnr] = true
		for _, poly := range p.polys {
			b := geom.Ring(poly[0]).Bounds()
			boxes = append(boxes, b)
			areas = append(areas, area{poly, p.gnr})
		}
	}
	tree := packtree.Pack(boxes)
	var foreign map[austria.GNR]bool // read when first asked
	for _, l := range c.loose {
		in := -1
		tree.Search(geom.Box{MinX: l.at.X, MinY: l.at.Y, MaxX: l.at.X, MaxY: l.at.Y}, func(i int) bool {
			if areas[i].poly.holds(l.at) {
				in = i
			}
			return in < 0
		})
		if in < 0 {
			continue
		}
		if areas[in].gnr != "" && !known[l.gnr] {
			if foreign == nil {
				foreign = c.foreignNumbers()
			}
			if foreign[l.gnr] {
				continue
			}
		}
		c.labels = append(c.labels, l)
	}
	c.loose = nil
}

// foreignNumbers are the numbers of the parcels of other KGs in the tiles read.
func (c *cadastre) foreignNumbers() map[austria.GNR]bool {
	out := map[austria.GNR]bool{}
	for _, s := range c.region.order {
		l := c.region.tiles[s].Layer(layerParcels)
		if l == nil {
			continue
		}
		kgKey, gnrKey := l.Key("kg"), l.Key("gnr")
		if kgKey < 0 || gnrKey < 0 {
			continue
		}
		mine := ours(l, c.code)
		for i := range l.Features {
			f := &l.Features[i]
			if belongs(f, kgKey, mine) {
				continue
			}
			if v, ok := l.Value(f, gnrKey); ok {
				if g, err := austria.ParseGNR(strings.TrimSpace(v.Text())); err == nil {
					out[g] = true
				}
			}
		}
	}
	return out
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
