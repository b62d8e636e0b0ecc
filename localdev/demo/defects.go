package demo

import (
	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// defect is a fault of the source that a few parcels are written with.
type defect uint8

const (
	sound    defect = iota
	inverted        // a tiny exterior, and the real outer rings as its interiors
	doubled         // every third vertex stands twice
)

func (d defect) String() string { return [...]string{"", "inverted_rings", "duplicate_vertices"}[d] }

// How many parcels carry each defect, and how they are spread.
const (
	invertedParcels = 9
	doubledParcels  = 14
)

// chooseDefects picks the parcels to spoil. Inverted ones lie within one tile and outside its
// neighbours' buffers, as a clipped ring would no longer be the real outer ring.
func chooseDefects(w *world.World, geometry []geom.MultiPolygon) []defect {
	out := make([]defect, len(geometry))
	n := 0
	for i := 17; i < len(geometry) && n < invertedParcels; i += 1 {
		g := geometry[i]
		if i%829 < 40 && len(g[0]) == 1 && w.Parcels[i].Area > 300 && inOneTile(g) && out[i-1] == sound && out[max(0, i-40)] == sound {
			if !nearInverted(out, i) {
				out[i] = inverted
				n++
			}
		}
	}
	for i, n := 101, 0; i < len(geometry) && n < doubledParcels; i += 547 {
		if out[i] == sound {
			out[i] = doubled
			n++
		}
	}
	return out
}

// nearInverted says whether one of the 200 parcels before is inverted already.
func nearInverted(d []defect, i int) bool {
	for j := max(0, i-200); j < i; j++ {
		if d[j] == inverted {
			return true
		}
	}
	return false
}

// inOneTile says whether the geometry keeps off the buffers of all other tiles.
func inOneTile(m geom.MultiPolygon) bool {
	g := mvt.Grid{Z: parcelZoom, Extent: extent}
	b := m.Bounds()
	x0, y0 := g.Snap(geom.Point{X: b.MinX, Y: b.MaxY})
	x1, y1 := g.Snap(geom.Point{X: b.MaxX, Y: b.MinY})
	const margin = buffer + 2
	return g.Tile(x0-margin, y0-margin) == g.Tile(x1+margin, y1+margin)
}

// spoil is the geometry as the source writes it.
func spoil(m geom.MultiPolygon, d defect) geom.MultiPolygon {
	switch d {
	case inverted:
		tiny, ok := m.Inside()
		if !ok {
			return m
		}
		const r = 60 // E7: about two pixels
		p := geom.Polygon{{{X: tiny.X - r, Y: tiny.Y - r}, {X: tiny.X + r, Y: tiny.Y - r}, {X: tiny.X, Y: tiny.Y + r}}}
		for _, q := range m {
			hole := make(geom.Ring, len(q[0]))
			for i, v := range q[0] {
				hole[len(hole)-1-i] = v
			}
			p = append(p, hole)
		}
		return geom.MultiPolygon{p}
	case doubled:
		out := make(geom.MultiPolygon, len(m))
		for i, p := range m {
			for _, r := range p {
				var ring geom.Ring
				for k, v := range r {
					if ring = append(ring, v); k%3 == 0 {
						ring = append(ring, v)
					}
				}
				out[i] = append(out[i], ring)
			}
		}
		return out
	}
	return m
}
