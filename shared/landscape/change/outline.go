package change

import "mappe/shared/geo/raster"

// outline traces the border of a region without its skirt: along the borders of cells, each part a polygon with its holes,
// corners only. Where two cells touch at a corner alone they are two parts.
func (f *finder) outline(g *region) []raster.Polygon {
	if g.n == 0 {
		return nil
	}
	w, h := int(g.maxX-g.minX)+3, int(g.maxY-g.minY)+3
	in := make([]bool, w*h)
	f.each(g, func(x, y int32, r *record) {
		if r.flags&inSkirt == 0 {
			in[int(y-g.minY+1)*w+int(x-g.minX+1)] = true
		}
	})
	t := tracer{in: in, w: w, seen: make([]bool, w*h)}
	var outer []raster.Polygon
	var holes [][]raster.XY
	for i := range in {
		// The northern side of a cell is walked once, from west to east along an outer border, or along that of a hole to the west.
		if in[i] && !in[i-w] && !t.seen[i] {
			ring, area := t.walk(i)
			for k := range ring {
				ring[k] = raster.XY{X: float64(f.area.x0) + float64(g.minX) - 1 + ring[k].X, Y: float64(f.area.y1) - float64(g.minY) + 1 - ring[k].Y}
			}
			if area > 0 {
				outer = append(outer, raster.Polygon{ring})
			} else {
				holes = append(holes, ring)
			}
		}
	}
	for _, hole := range holes {
		// Of parts inside of one another the innermost begins last.
		for i := len(outer) - 1; i >= 0; i-- {
			if within(outer[i][0], hole[0], hole[1]) {
				outer[i] = append(outer[i], hole)
				break
			}
		}
	}
	return outer
}

// tracer walks along borders with the cells on its right hand.
type tracer struct {
	in   []bool
	w    int
	seen []bool // northern sides that were walked
}

// The directions: east, south, west, north, as corners.
var steps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// walk follows the border from the north-western corner of a cell to the east; its area is negative around a hole.
func (t *tracer) walk(start int) (ring []raster.XY, area int) {
	x, y, dir := start%t.w, start/t.w, 0
	x0, y0 := x, y
	for {
		// On the right of a step east from corner (x, y) lies cell (x, y), of a step south cell (x-1, y), and so on.
		if dir == 0 {
			t.seen[y*t.w+x] = true
		}
		nx, ny := x+steps[dir][0], y+steps[dir][1]
		area += x*ny - nx*y
		x, y = nx, ny
		next := t.turn(x, y, dir)
		if next != dir {
			ring = append(ring, raster.XY{X: float64(x), Y: float64(y)})
		}
		if dir = next; x == x0 && y == y0 && dir == 0 {
			return ring, area
		}
	}
}

// turn is the direction after a corner: to the right where the cell ahead on the right is none, so that cells that touch at a
// corner are parted.
func (t *tracer) turn(x, y, dir int) int {
	ahead := func(left bool) bool {
		// The cells around the corner (x, y) are (x-1|x, y-1|y).
		var cx, cy int
		switch dir {
		case 0:
			cx, cy = x, y
			if left {
				cy--
			}
		case 1:
			cx, cy = x-1, y
			if left {
				cx++
			}
		case 2:
			cx, cy = x-1, y-1
			if left {
				cy++
			}
		default:
			cx, cy = x, y-1
			if left {
				cx--
			}
		}
		return t.in[cy*t.w+cx]
	}
	switch {
	case !ahead(false):
		return (dir + 1) % 4
	case ahead(true):
		return (dir + 3) % 4
	}
	return dir
}

// within says whether the middle of a hole's first side, moved into it, lies in a ring.
func within(ring []raster.XY, a, b raster.XY) bool {
	// Sides lie on whole metres: a place a quarter beside the corner lies on none of them.
	x, y := a.X+(b.X-a.X)/2+0.25, a.Y+(b.Y-a.Y)/2+0.25
	in := false
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (p.Y > y) != (q.Y > y) && x < p.X {
			in = !in
		}
	}
	return in
}
