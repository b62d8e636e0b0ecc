package kg

import (
	"math"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Whether a geometry is valid is judged where it is published: on the grid of 1e-7 degrees. Pixels are some
// 20 of its units wide, so that a line valid in pixels may cross itself there: of a spike thinner than a
// unit the sides change places, and a corner set into a border (joinCorners) may lie beyond the next one.
// The repair on that grid moves no line by more than a unit or two, a centimetre or two.

// exactSqm is how far in m² the area of a parcel may differ from what its rings enclose as they are drawn
// before the parcel is named in the report. Repairs of spikes and touching rings stay far below it.
const exactSqm = 0.5

// Inexact is a parcel whose drawing could not be kept: its rings cross each other, and what the repair
// makes of them encloses another area.
type Inexact struct {
	GNR      austria.GNR
	DrawnSqm float64 // enclosed by the rings as drawn, by their direction
	Sqm      float64 // published
}

// sound makes a geometry valid and says whether more than vertices had to be set for it; nil where it
// cannot be done within bounds. Parts that lie over each other are united, rings that cross are read by the
// even-odd rule.
func sound(m geom.MultiPolygon) (valid geom.MultiPolygon, mended bool) {
	fault := m.Validate()
	if fault == nil {
		return m, false
	}
	rings := m.Rings()
	if len(m) > 1 {
		if whole, err := unitePolygons(m); err == nil {
			rings = whole
		}
	}
	out, err := geom.Rebuild(rings)
	if err != nil || out.Validate() != nil {
		return nil, true
	}
	return out, fault.Kind != geom.FaultUnnoded
}

// unitePolygons is the union of the parts, each by the even-odd rule, rounded to the grid.
func unitePolygons(m geom.MultiPolygon) ([]geom.Ring, error) {
	parts := make([]sf.Geometry, 0, len(m))
	for _, p := range m {
		one, err := geom.Rebuild(p)
		if err != nil {
			return nil, err
		}
		for _, q := range one {
			parts = append(parts, overlayPolygon(q))
		}
	}
	whole, err := sf.UnionMany(parts)
	if err != nil {
		return nil, err
	}
	return overlayRings(whole), nil
}

// overlayPolygon is a polygon as the overlay takes it; nothing is validated.
func overlayPolygon(p geom.Polygon) sf.Geometry {
	rings := make([]sf.LineString, 0, len(p))
	for _, r := range p {
		xy := make([]float64, 0, 2*len(r)+2)
		for i := range len(r) + 1 {
			v := r[i%len(r)]
			xy = append(xy, float64(v.X), float64(v.Y))
		}
		rings = append(rings, sf.NewLineString(sf.NewSequence(xy, sf.DimXY)))
	}
	return sf.NewPolygon(rings).AsGeometry()
}

// overlayRings rounds the rings of a polygonal geometry to the grid: exteriors counter-clockwise, holes
// clockwise, those without area left out.
func overlayRings(g sf.Geometry) []geom.Ring {
	var out []geom.Ring
	add := func(s sf.LineString, exterior bool) {
		q := s.Coordinates()
		r := make(geom.Ring, 0, q.Length())
		for i := range q.Length() {
			c := q.GetXY(i)
			r = append(r, geom.Point{X: int32(math.Round(c.X)), Y: int32(math.Round(c.Y))})
		}
		if r = r.Clean(); r != nil && r.Area2().Sign() != 0 {
			r.Orient(exterior)
			out = append(out, r)
		}
	}
	for _, part := range g.Dump() {
		if !part.IsPolygon() {
			continue
		}
		p := part.MustAsPolygon()
		add(p.ExteriorRing(), true)
		for i := range p.NumInteriorRings() {
			add(p.InteriorRingN(i), false)
		}
	}
	return out
}

// soundParcel gives the published geometry of a parcel. One that has no area on the grid, or whose rings
// cross too often to be repaired, keeps a ring of one pixel around its position, so that it is found where
// its number stands.
func (c *cadastre) soundParcel(p *source, rep *Report) (geom.MultiPolygon, kgfile.Repair) {
	drawn := c.region.geometry(p.polys)
	m, mended := sound(drawn)
	var did kgfile.Repair
	if mended {
		did |= kgfile.RepairSelfCrossing
	}
	if len(m) == 0 {
		m = geom.MultiPolygon{{c.region.pixelAround(p.first)}}
		did |= kgfile.RepairDegenerate
	}
	if p.repairs&kgfile.RepairSelfCrossing == 0 && !mended {
		return m, did
	}
	px := c.region.pixelSqm(p.first)
	was, is := float64(p.drawn2)/2*px, m.Area(crs.EqualArea)
	if p.hopeless || len(drawn) > 0 && did&kgfile.RepairDegenerate != 0 || math.Abs(was-is) > exactSqm+pixelShare*is {
		rep.Inexact = append(rep.Inexact, Inexact{p.gnr, was, is})
	}
	return m, did
}

// pixelShare is the error of pixelSqm, which is one figure for a whole parcel: the scale of the tiles' projection
// changes by 0.02 % over a kilometre.
const pixelShare = 0.002

// pixelSqm is the area of a pixel near p in m².
func (r *region) pixelSqm(p pt) float64 {
	e := int32(r.grid.Extent)
	nw, se := r.point(pt{X: p.X - e/2, Y: p.Y - e/2}), r.point(pt{X: p.X + e/2, Y: p.Y + e/2})
	square := geom.Ring{{X: nw.X, Y: se.Y}, se, {X: se.X, Y: nw.Y}, nw}
	return geom.Polygon{square}.Area(crs.EqualArea) / float64(e/2*2) / float64(e/2*2)
}

// pixelAround is the pixel whose middle is p, counter-clockwise from its smallest vertex.
func (r *region) pixelAround(p pt) geom.Ring {
	at := r.point(p)
	e, s := r.point(pt{X: p.X + 1, Y: p.Y}), r.point(pt{X: p.X, Y: p.Y + 1})
	w, h := max(1, (e.X-at.X)/2), max(1, (at.Y-s.Y)/2)
	return geom.Ring{{X: at.X - w, Y: at.Y - h}, {X: at.X + w, Y: at.Y - h}, {X: at.X + w, Y: at.Y + h}, {X: at.X - w, Y: at.Y + h}}
}
