package geom

import (
	"math"
	"slices"
)

// Compactness is 4πA/P² of the polygon, its holes taken off the area and added to the length: 1.0 for a
// circle, 0.785 for a square, 0 without area.
func (p Polygon) Compactness(to Projection) float64 {
	l := p.Perimeter(to)
	a := p.Area(to)
	if !(l > 0) || !(a > 0) {
		return 0
	}
	return min(1, 4*math.Pi*a/(l*l))
}

// ConvexHull is the hull on the grid, counter-clockwise, without straight vertices; fewer than three
// vertices where all lie on a line. Exact.
func (m MultiPolygon) ConvexHull() Ring {
	var ps []Point
	for _, p := range m {
		if len(p) > 0 {
			ps = append(ps, p[0]...)
		}
	}
	slices.SortFunc(ps, Point.Compare)
	ps = slices.Compact(ps)
	if len(ps) < 3 {
		return ps
	}
	hull := make(Ring, 0, 16)
	for pass := range 2 {
		base := len(hull)
		for i := range ps {
			p := ps[i]
			if pass == 1 {
				p = ps[len(ps)-1-i]
			}
			for len(hull)-base >= 2 && Orient(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, p)
		}
		hull = hull[:len(hull)-1]
	}
	return hull
}

// RotatedBox is a rotated rectangle in a plane: its sides in metres, and the direction of the longer one in
// degrees counter-clockwise from east, 0 to below 180.
type RotatedBox struct{ Long, Short, Angle float64 }

// Elongation is the longer side by the shorter one, at least 1; +Inf for a line, 1 for a point.
func (b RotatedBox) Elongation() float64 {
	if b.Long <= 0 {
		return 1
	}
	return b.Long / b.Short
}

// SmallestBox is the rotated rectangle of least area around the multipolygon in the plane: one of its
// sides lies on an edge of the convex hull. Rotating calipers walk around once.
func (m MultiPolygon) SmallestBox(to Projection) RotatedBox {
	hull := m.ConvexHull()
	n := len(hull)
	if n == 0 {
		return RotatedBox{}
	}
	type xy struct{ x, y float64 }
	ps := make([]xy, n)
	x0, y0 := to(hull[0])
	for i, v := range hull {
		x, y := to(v)
		ps[i] = xy{x - x0, y - y0}
	}
	if n < 3 {
		last := ps[n-1]
		return RotatedBox{Long: math.Hypot(last.x, last.y), Angle: direction(last.x, last.y)}
	}
	best := RotatedBox{Long: math.Inf(1)}
	least := math.Inf(1)
	right, top, left := 1, 1, 1
	for i := range n {
		a, b := ps[i], ps[(i+1)%n]
		l := math.Hypot(b.x-a.x, b.y-a.y)
		if l == 0 {
			continue
		}
		ux, uy := (b.x-a.x)/l, (b.y-a.y)/l
		on := func(k int) float64 { p := ps[k%n]; return float64(p.x*ux) + float64(p.y*uy) }
		off := func(k int) float64 { p := ps[k%n]; return float64(p.y*ux) - float64(p.x*uy) }
		right = max(right, i+1)
		for k := 0; k < n && on(right+1) >= on(right); k++ {
			right++
		}
		top = max(top, right)
		for k := 0; k < n && off(top+1) >= off(top); k++ {
			top++
		}
		left = max(left, top)
		for k := 0; k < n && on(left+1) <= on(left); k++ {
			left++
		}
		w, h := on(right)-on(left), off(top)-off(i)
		if area := w * h; area < least {
			least = area
			best = RotatedBox{Long: w, Short: h, Angle: direction(ux, uy)}
			if h > w {
				best = RotatedBox{Long: h, Short: w, Angle: direction(-uy, ux)}
			}
		}
	}
	return best
}

// direction is the angle of a vector without its sense, 0 to below 180 degrees.
func direction(x, y float64) float64 {
	d := math.Atan2(y, x) * 180 / math.Pi
	if d < 0 {
		d += 180
	}
	if d >= 180 {
		d -= 180
	}
	return d
}
