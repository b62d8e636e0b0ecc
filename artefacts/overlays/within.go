package overlays

import "mappe/shared/geo/geom"

// The sides of a box that a point may lie beyond.
const (
	beyondWest uint8 = 1 << iota
	beyondEast
	beyondSouth
	beyondNorth
)

// beyond are the sides of the box that the point lies beyond; 0: in the box or on its border.
func beyond(b geom.Box, p geom.Point) (sides uint8) {
	if p.X < b.MinX {
		sides |= beyondWest
	} else if p.X > b.MaxX {
		sides |= beyondEast
	}
	if p.Y < b.MinY {
		sides |= beyondSouth
	} else if p.Y > b.MaxY {
		sides |= beyondNorth
	}
	return sides
}

// outlineIn is a shape as the points of a box see it: of each stretch of a border that runs beyond one side of the box only
// the ends are kept. The stretch and the line between its ends lie on the same side of every point of the box, so that
// Contains gives the same for those points; no vertex is moved and none is added, so it stays exact. Beyond the box
// rings may cross themselves: the result is for Contains alone. whole says that the shape holds every point of the box;
// no rings and not whole: it holds none.
func outlineIn(m geom.MultiPolygon, b geom.Box) (rings geom.MultiPolygon, whole bool) {
	for _, polygon := range m {
		var kept geom.Polygon
		for _, r := range polygon {
			if r = ringIn(r, b); len(r) > 2 {
				kept = append(kept, r)
			}
		}
		if len(kept) > 0 {
			rings = append(rings, kept)
		}
	}
	for _, r := range rings.Rings() {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			if (geom.Edge{A: p, B: q}).Box().Intersects(b) {
				return rings, false
			}
		}
	}
	// No border comes near: the whole box lies on one side.
	return nil, geom.NewIndex(rings).Contains(geom.Point{X: b.MinX, Y: b.MinY})
}

// ringIn leaves out the vertices of a ring within stretches beyond one side of the box.
func ringIn(r geom.Ring, b geom.Box) geom.Ring {
	start := 0 // a vertex that stretches do not run across, where there is one
	for i, p := range r {
		if beyond(b, p) == 0 {
			start = i
			break
		}
	}
	n := len(r)
	var out geom.Ring
	for i := 0; i < n; {
		p := r[(start+i)%n]
		out = append(out, p)
		sides, last := beyond(b, p), i
		for j := i + 1; j < n && sides != 0; j++ {
			if sides &= beyond(b, r[(start+j)%n]); sides != 0 {
				last = j
			}
		}
		if last == i {
			i++
			continue
		}
		i = last // the end of the stretch begins the next one
		if i == n-1 {
			out = append(out, r[(start+i)%n])
			break
		}
	}
	return out
}
