package geom

import "math"

// Projection turns a grid point into plane coordinates in metres. Areas use an equal-area projection
// (crs.EqualArea), lengths and shapes a plane that keeps lengths (crs.Plane.Project).
type Projection func(Point) (x, y float64)

// SignedArea is the ring's area in the plane: positive counter-clockwise.
func (r Ring) SignedArea(to Projection) float64 {
	if len(r) < 3 {
		return 0
	}
	// Relative to the first vertex the products keep the digits that projected coordinates of millions
	// of metres would lose.
	x0, y0 := to(r[0])
	var px, py, sum float64
	for _, p := range r[1:] {
		x, y := to(p)
		x, y = x-x0, y-y0
		sum += float64(px*y) - float64(x*py)
		px, py = x, y
	}
	return sum / 2
}

// Area is the polygon's area in the plane: its exterior less its holes, whatever way the rings turn.
func (p Polygon) Area(to Projection) float64 {
	a := 0.0
	for i, r := range p {
		if i == 0 {
			a = math.Abs(r.SignedArea(to))
		} else {
			a -= math.Abs(r.SignedArea(to))
		}
	}
	return a
}

// Area is the sum of the parts.
func (m MultiPolygon) Area(to Projection) float64 {
	a := 0.0
	for _, p := range m {
		a += p.Area(to)
	}
	return a
}

// Perimeter is the length of the closed ring.
func (r Ring) Perimeter(to Projection) float64 {
	if len(r) < 2 {
		return 0
	}
	px, py := to(r[len(r)-1])
	sum := 0.0
	for _, p := range r {
		x, y := to(p)
		sum += math.Hypot(x-px, y-py)
		px, py = x, y
	}
	return sum
}

// Perimeter is the length of all rings of the polygon, holes included.
func (p Polygon) Perimeter(to Projection) float64 {
	sum := 0.0
	for _, r := range p {
		sum += r.Perimeter(to)
	}
	return sum
}

// Perimeter is the length of all rings.
func (m MultiPolygon) Perimeter(to Projection) float64 {
	sum := 0.0
	for _, p := range m {
		sum += p.Perimeter(to)
	}
	return sum
}

// Largest is the part with the greatest area on the grid, nil if there are no parts. The first wins a tie.
func (m MultiPolygon) Largest() Polygon {
	var best Polygon
	top := -1.0
	for _, p := range m {
		a := 0.0
		for i, r := range p {
			if v := math.Abs(r.Area2().Float()); i == 0 {
				a = v
			} else {
				a -= v
			}
		}
		if a > top {
			best, top = p, a
		}
	}
	return best
}

// Centroid is the area centroid on the grid, rounded half up. It may lie outside the area (Inside does
// not). Taken on the grid and not in a metric plane it is off by d²/80,000 km for a shape of size d: a
// centimetre at 1 km. Without area it is the middle of the box; false without a vertex.
func (m MultiPolygon) Centroid() (Point, bool) {
	b := m.Bounds()
	if b.Empty() {
		return Point{}, false
	}
	x0, y0 := float64(b.MinX), float64(b.MinY)
	var area, mx, my float64
	for _, p := range m {
		for i, r := range p {
			a, x, y := r.moments(x0, y0)
			if (a < 0) != (i > 0) { // exteriors count up, holes down, whatever way they turn
				a, x, y = -a, -x, -y
			}
			area, mx, my = area+a, mx+x, my+y
		}
	}
	if area <= 0 {
		return b.Center(), true
	}
	c := Point{gridRound(x0 + mx/(3*area)), gridRound(y0 + my/(3*area))}
	// A malformed polygon (holes outside) can throw the quotient anywhere.
	c.X, c.Y = max(b.MinX, min(b.MaxX, c.X)), max(b.MinY, min(b.MaxY, c.Y))
	return c, true
}

// moments are twice the signed area and six times its first moments about x0, y0. The products are
// rounded one by one so that all processors give the same bits.
func (r Ring) moments(x0, y0 float64) (area, mx, my float64) {
	if len(r) < 3 {
		return 0, 0, 0
	}
	last := r[len(r)-1]
	px, py := float64(last.X)-x0, float64(last.Y)-y0
	for _, p := range r {
		x, y := float64(p.X)-x0, float64(p.Y)-y0
		c := float64(px*y) - float64(x*py)
		area += c
		mx += float64((px + x) * c)
		my += float64((py + y) * c)
		px, py = x, y
	}
	return area, mx, my
}

// Center is the middle of the box, rounded down.
func (b Box) Center() Point {
	return Point{int32((int64(b.MinX) + int64(b.MaxX)) >> 1), int32((int64(b.MinY) + int64(b.MaxY)) >> 1)}
}

// gridRound rounds half up into the int32 range.
func gridRound(v float64) int32 {
	v = math.Floor(v + 0.5)
	if !(v >= math.MinInt32) { // NaN too
		return math.MinInt32
	}
	if v > math.MaxInt32 {
		return math.MaxInt32
	}
	return int32(v)
}

// PointAt is the grid point nearest to a position in degrees, false when it is not finite or outside
// -180..180, -90..90.
func PointAt(lon, lat float64) (Point, bool) {
	if !(lon >= -180 && lon <= 180 && lat >= -90 && lat <= 90) {
		return Point{}, false
	}
	return Point{gridRound(lon * Scale), gridRound(lat * Scale)}, true
}
