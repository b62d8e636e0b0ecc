package demo

import (
	"cmp"
	"math"
	"slices"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// defect is a fault of the source that a few parcels are written with.
type defect uint8

const (
	sound    defect = iota
	inverted        // the smallest ring as exterior, the real outer rings as its interiors
	doubled         // every third vertex stands twice
)

func (d defect) String() string { return [...]string{"", "inverted_rings", "duplicate_vertices"}[d] }

// How many parcels carry each defect, and how they are spread.
const (
	invertedParcels = 9
	invertedEvery   = 4
	doubledParcels  = 14
	doubledEvery    = 547
)

// chooseDefects picks the parcels to spoil. Inverted ones have several rings and lie within one tile and
// outside its neighbours' buffers, as a clipped ring would no longer be the real outer ring.
func chooseDefects(geometry []geom.MultiPolygon) []defect {
	out := make([]defect, len(geometry))
	candidates, n := 0, 0
	for i, g := range geometry {
		if n == invertedParcels || (len(g) == 1 && len(g[0]) == 1) || !inOneTile(g) {
			continue
		}
		if candidates++; candidates%invertedEvery == 0 {
			out[i] = inverted
			n++
		}
	}
	for i, n := 101, 0; i < len(geometry) && n < doubledParcels; i += doubledEvery {
		if out[i] == sound {
			out[i] = doubled
			n++
		}
	}
	return out
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
		var rings geom.Polygon
		for _, p := range m {
			rings = append(rings, p...)
		}
		slices.SortStableFunc(rings, func(a, b geom.Ring) int { return cmp.Compare(size(a), size(b)) })
		return geom.MultiPolygon{rings}
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

// size is the area of the ring in m².
func size(r geom.Ring) float64 { return math.Abs(r.SignedArea(crs.EqualArea)) }
