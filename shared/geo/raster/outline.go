package raster

import "slices"

// Outline traces the border of cells that are in, of a picture of rows of w: each part a polygon with its holes, corners
// only, in columns and rows from the north-western corner. Rings have the cells on their right hand, rows counted to the
// south. Where two cells touch at a corner alone they are two parts, and no ring meets a corner twice. The outermost rows and columns of
// the picture hold none.
func Outline(in []bool, w int) []Polygon {
	t := tracer{in: in, w: w, seen: make([]bool, len(in))}
	var outer []Polygon
	var holes [][]XY
	for i := range in {
		// The northern side of a cell is walked once, from west to east along an outer border, or along that of a hole to the west.
		if !in[i] || in[i-w] || t.seen[i] {
			continue
		}
		for _, ring := range parted(t.walk(i)) {
			if doubled(ring) > 0 {
				outer = append(outer, Polygon{ring})
			} else {
				holes = append(holes, ring)
			}
		}
	}
	for _, hole := range holes {
		// Of parts inside of one another the innermost begins last.
		for i := len(outer) - 1; i >= 0; i-- {
			if holds(outer[i][0], hole[0], hole[1]) {
				outer[i] = append(outer[i], hole)
				break
			}
		}
	}
	return outer
}

// parted are the loops of a ring that meets corners twice: each meets a corner once.
func parted(ring []XY) (out [][]XY) {
	at := map[XY]int{} // where a corner stands on the way
	var way []XY
	for _, v := range ring {
		if first, met := at[v]; met {
			out = append(out, slices.Clone(way[first:]))
			for _, passed := range way[first+1:] {
				delete(at, passed)
			}
			way = way[:first+1]
			continue
		}
		at[v] = len(way)
		way = append(way, v)
	}
	return append(out, way)
}

// doubled is twice the area of a ring, above 0 with the cells on its right hand. Corners are whole numbers: it is exact.
func doubled(ring []XY) (sum float64) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += float64(a.X*b.Y) - float64(b.X*a.Y)
	}
	return sum
}

// tracer walks along borders with the cells on its right hand.
type tracer struct {
	in   []bool
	w    int
	seen []bool // northern sides that were walked
}

// The directions: east, south, west, north, as corners.
var steps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// ahead are the cells on the right and on the left behind a corner, by direction, from the cell to its south-east.
var ahead = [4][2][2]int{{{0, 0}, {0, -1}}, {{-1, 0}, {0, 0}}, {{-1, -1}, {-1, 0}}, {{0, -1}, {-1, -1}}}

// walk follows the border from the north-western corner of a cell to the east.
func (t *tracer) walk(start int) (ring []XY) {
	x, y, dir := start%t.w, start/t.w, 0
	x0, y0 := x, y
	for {
		if dir == 0 { // the cell to the south-east has its northern side here
			t.seen[y*t.w+x] = true
		}
		x, y = x+steps[dir][0], y+steps[dir][1]
		next := t.turn(x, y, dir)
		if next != dir {
			ring = append(ring, XY{X: float64(x), Y: float64(y)})
		}
		if dir = next; x == x0 && y == y0 && dir == 0 {
			return ring
		}
	}
}

// turn is the direction after a corner: to the right where the cell ahead on the right is empty, so that cells that touch at a
// corner are parted.
func (t *tracer) turn(x, y, dir int) int {
	has := func(side int) bool {
		d := ahead[dir][side]
		return t.in[(y+d[1])*t.w+x+d[0]]
	}
	switch {
	case !has(0):
		return (dir + 1) % 4
	case has(1):
		return (dir + 3) % 4
	}
	return dir
}

// holds says whether the middle of a hole's first side, moved into it, lies in a ring.
func holds(ring []XY, a, b XY) bool {
	// Sides lie on whole numbers: a place a quarter beside the corner lies on none of them.
	x, y := a.X+float64((b.X-a.X)/2)+0.25, a.Y+float64((b.Y-a.Y)/2)+0.25
	in := false
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (p.Y > y) != (q.Y > y) && x < p.X {
			in = !in
		}
	}
	return in
}
