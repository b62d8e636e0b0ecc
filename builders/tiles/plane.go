package tiles

import (
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The tile grid: 4096 pixels a tile, 64 of them shown of the neighbours so that lines drawn at an edge
// meet. At zoom 8 the country is a dozen tiles; at zoom 16 in Austria a pixel is about 0.1 m.
const (
	Extent  = mvt.DefaultExtent
	Buffer  = 64
	MinZoom = 8
	MaxZoom = 16

	extentBits = 12
)

var top = mvt.Grid{Z: MaxZoom, Extent: Extent}

// feature is one drawn thing: its attributes as pairs of indexes into its sheet's keys and values, and
// its rings (its line, its point) on the grid of MaxZoom.
type feature struct {
	tags     []uint32
	typ      mvt.GeomType
	polygons []polygon // of a line: its lines as the rings of one
	box      pixelBox
	from, to uint8 // the zooms that show it; 0: its layer's
}

// polygon is exterior and holes.
type polygon [][]mvt.Point

// pixelBox is a closed box of pixels.
type pixelBox struct{ minX, minY, maxX, maxY int32 }

var emptyBox = pixelBox{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

func (b *pixelBox) extend(p mvt.Point) {
	b.minX, b.minY = min(b.minX, p.X), min(b.minY, p.Y)
	b.maxX, b.maxY = max(b.maxX, p.X), max(b.maxY, p.Y)
}

// snap is the pixel of a position at MaxZoom.
func snap(p geom.Point) mvt.Point {
	x, y := top.Snap(p) // below 2^28
	return mvt.Point{X: int32(x), Y: int32(y)}
}

// shift is the pixel at a lower zoom, rounded to the nearest.
func shift(p mvt.Point, by uint8) mvt.Point {
	if by == 0 {
		return p
	}
	half := int32(1) << (by - 1)
	return mvt.Point{X: (p.X + half) >> by, Y: (p.Y + half) >> by}
}

func (b pixelBox) shift(by uint8) pixelBox {
	lo, hi := shift(mvt.Point{X: b.minX, Y: b.minY}, by), shift(mvt.Point{X: b.maxX, Y: b.maxY}, by)
	return pixelBox{lo.X, lo.Y, hi.X, hi.Y}
}

// areaFeature projects polygons; ok is false if there are no polygons.
func areaFeature(m geom.MultiPolygon) (feature, bool) {
	f := feature{typ: mvt.Polygons, box: emptyBox, polygons: make([]polygon, 0, len(m))}
	vertices := make([]mvt.Point, 0, m.Vertices())
	for _, part := range m {
		rings := make(polygon, 0, len(part))
		for _, ring := range part {
			at := len(vertices)
			for _, p := range ring {
				q := snap(p)
				f.box.extend(q)
				vertices = append(vertices, q)
			}
			rings = append(rings, vertices[at:len(vertices):len(vertices)])
		}
		if len(rings) > 0 {
			f.polygons = append(f.polygons, rings)
		}
	}
	return f, len(vertices) > 0
}

func pointFeature(p geom.Point) feature {
	q := snap(p)
	return feature{typ: mvt.Points, polygons: []polygon{{{q}}}, box: pixelBox{q.X, q.Y, q.X, q.Y}}
}

// lineFeature projects a line; ok is false for one without length.
func lineFeature(line []geom.Point) (feature, bool) {
	f := feature{typ: mvt.Lines, box: emptyBox}
	var vertices []mvt.Point
	for _, p := range line {
		q := snap(p)
		f.box.extend(q)
		vertices = appendNew(vertices, q)
	}
	f.polygons = []polygon{{vertices}}
	return f, len(vertices) > 1
}
