// Package geom is planar geometry on the WGS84 grid of 1e-7 degrees that everything in the project is
// stored in. Coordinates are int32 (X longitude, Y latitude; one unit is 1e-7 degree, about 1.1 cm of
// latitude), so containment, orientation and comparison are exact integer arithmetic.
//
// It owns ring order, areas, containment, clipping, repair and shape metrics. It knows no coordinate
// reference system (shared/geo/crs does): metric results take a projection as a function.
//
//	Ring          vertices without the repeated closing vertex, at least 3
//	Polygon       [0] exterior, counter-clockwise; [1:] holes, clockwise (RFC 7946)
//	MultiPolygon  parts with disjoint interiors
package geom

// Scale is the number of units in one degree.
const Scale = 1e7

// Point is one position: X longitude, Y latitude, in 1e-7 degrees.
type Point struct{ X, Y int32 }

// Lon is the longitude in degrees.
func (p Point) Lon() float64 { return float64(p.X) / Scale }

// Lat is the latitude in degrees.
func (p Point) Lat() float64 { return float64(p.Y) / Scale }

// Ring is a closed line without the repeated closing vertex.
type Ring []Point

// Polygon is an exterior ring and its holes.
type Polygon []Ring

// MultiPolygon is a set of polygons with disjoint interiors.
type MultiPolygon []Polygon

// Box is a closed bounding box. The zero Box is not empty; EmptyBox is.
type Box struct{ MinX, MinY, MaxX, MaxY int32 }

// EmptyBox contains nothing and is the start of an extension.
var EmptyBox = Box{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

// Empty says whether the box contains no point.
func (b Box) Empty() bool { return b.MinX > b.MaxX || b.MinY > b.MaxY }

// Contains says whether p lies in the closed box.
func (b Box) Contains(p Point) bool {
	return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY
}

// Holds says whether the other box, which is not empty, lies in the closed box.
func (b Box) Holds(o Box) bool {
	return b.MinX <= o.MinX && b.MinY <= o.MinY && b.MaxX >= o.MaxX && b.MaxY >= o.MaxY
}

// Intersects says whether the closed boxes share a point.
func (b Box) Intersects(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY
}

// Extend returns the smallest box that holds b and p.
func (b Box) Extend(p Point) Box {
	return Box{min(b.MinX, p.X), min(b.MinY, p.Y), max(b.MaxX, p.X), max(b.MaxY, p.Y)}
}

// Union returns the smallest box that holds both.
func (b Box) Union(o Box) Box {
	if o.Empty() {
		return b
	}
	return Box{min(b.MinX, o.MinX), min(b.MinY, o.MinY), max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)}
}

// Bounds is the bounding box of the ring.
func (r Ring) Bounds() Box {
	b := EmptyBox
	for _, p := range r {
		b = b.Extend(p)
	}
	return b
}

// Bounds is the bounding box of the exterior.
func (p Polygon) Bounds() Box {
	if len(p) == 0 {
		return EmptyBox
	}
	return p[0].Bounds()
}

// Bounds is the bounding box of all parts.
func (m MultiPolygon) Bounds() Box {
	b := EmptyBox
	for _, p := range m {
		b = b.Union(p.Bounds())
	}
	return b
}

// Vertices counts the vertices of all rings.
func (m MultiPolygon) Vertices() int {
	n := 0
	for _, p := range m {
		for _, r := range p {
			n += len(r)
		}
	}
	return n
}

// Contains is the exact half-open even-odd test: of the areas that share a border, exactly one
// contains a point on that border. Exact for all int32 coordinates.
func (r Ring) Contains(p Point) bool {
	in := false
	if len(r) == 0 {
		return false
	}
	a := r[len(r)-1]
	for _, b := range r {
		if (a.Y > p.Y) != (b.Y > p.Y) && leftOf(p, a, b) {
			in = !in
		}
		a = b
	}
	return in
}

// leftOf says whether p is left of the edge a-b at p's height, which the edge crosses: p.X is compared
// with the edge's X without dividing. Most points lie beside the edge's box; for the others all
// differences are unsigned and of 32 bits, so that the products fit uint64.
func leftOf(p, a, b Point) bool {
	if b.Y < a.Y {
		a, b = b, a
	}
	dy, h := uint64(int64(p.Y)-int64(a.Y)), uint64(int64(b.Y)-int64(a.Y))
	if a.X <= b.X {
		if p.X < a.X {
			return true
		}
		if p.X >= b.X {
			return false
		}
		return uint64(int64(p.X)-int64(a.X))*h < dy*uint64(int64(b.X)-int64(a.X))
	}
	if p.X < b.X {
		return true
	}
	if p.X >= a.X {
		return false
	}
	return uint64(int64(a.X)-int64(p.X))*h > dy*uint64(int64(a.X)-int64(b.X))
}

// Contains says whether the point lies in the polygon: even-odd over all rings.
func (p Polygon) Contains(q Point) bool {
	in := false
	for _, r := range p {
		if r.Contains(q) {
			in = !in
		}
	}
	return in
}

// Contains says whether the point lies in any part.
func (m MultiPolygon) Contains(q Point) bool {
	for _, p := range m {
		if p.Contains(q) {
			return true
		}
	}
	return false
}
