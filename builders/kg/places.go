package kg

import (
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// places answers where things lie among the parcels: exact containment, and areas in common.
type places struct {
	parcels []kgfile.Parcel
	tree    *packtree.Tree // over the parts of all parcels: those of one may lie far from each other
	parts   []part
	index   []*geom.Index // of large parcels, made when first asked
	covers  []*geom.Cover // made when first asked
}

func newPlaces(parcels []kgfile.Parcel) *places {
	var boxes []geom.Box
	var parts []part
	for i := range parcels {
		if parcels[i].Repairs&kgfile.RepairDegenerate != 0 {
			continue // a pixel in place of an area: nothing lies in it
		}
		for _, poly := range parcels[i].Geometry {
			boxes = append(boxes, poly.Bounds())
			parts = append(parts, part{int32(i), poly})
		}
	}
	return &places{
		parcels: parcels, tree: packtree.Pack(boxes), parts: parts,
		index: make([]*geom.Index, len(parcels)), covers: make([]*geom.Cover, len(parcels)),
	}
}

// part is one polygon of a parcel.
type part struct {
	parcel int32
	area   geom.Polygon
}

// indexFrom is the number of vertices from which a parcel gets an index of its own.
const indexFrom = 64

// at is the parcel that contains the point, -1 when none does.
func (p *places) at(q geom.Point) int32 {
	found := int32(-1)
	p.tree.Search(geom.Box{MinX: q.X, MinY: q.Y, MaxX: q.X, MaxY: q.Y}, func(k int) bool {
		i := p.parts[k].parcel
		if p.parcels[i].VertexCount < indexFrom {
			if p.parts[k].area.Contains(q) {
				found = i
			}
		} else {
			if p.index[i] == nil {
				p.index[i] = geom.NewIndex(p.parcels[i].Geometry)
			}
			if p.index[i].Contains(q) {
				found = i
			}
		}
		return found < 0
	})
	return found
}

// share is the area a shape has in common with a parcel.
type share struct {
	parcel int32
	sqm    float64
}

// Where two layers draw one line, each rounds it to its own pixels, and slivers up to half a metre wide
// appear on the other side. A shared area counts as such a sliver when it is under sliverShare of both
// areas and no wider than sliverWidth along half the shape's border.
const (
	sliverShare = 0.02
	sliverWidth = 0.3 // m
)

// shares lists the parcels a shape lies on, rising by parcel, slivers left out.
func (p *places) shares(m geom.MultiPolygon, sqm, perimeter float64) []share {
	var cover *geom.Cover
	var out []share
	var near []int32
	p.tree.Search(m.Bounds(), func(k int) bool { near = append(near, p.parts[k].parcel); return true })
	slices.Sort(near)
	for _, i := range slices.Compact(near) {
		if cover == nil {
			cover = geom.NewCover(m, crs.EqualArea)
		}
		if p.covers[i] == nil {
			p.covers[i] = geom.NewCover(p.parcels[i].Geometry, crs.EqualArea)
		}
		a := p.covers[i].Common(cover)
		if a >= 0.01 && (a >= sliverShare*min(sqm, p.parcels[i].AreaSqm) || a >= sliverWidth*perimeter/2) {
			out = append(out, share{i, min(a, sqm, p.parcels[i].AreaSqm)})
		}
	}
	return out
}

// on says whether a shape lies on parcels by more than slivers along its border.
func (p *places) on(m geom.MultiPolygon) bool {
	plane := crs.Around(m.Bounds().Center())
	return len(p.shares(m, m.Area(crs.EqualArea), m.Perimeter(plane.Project))) > 0
}
