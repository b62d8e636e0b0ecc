package raster

// Outline traces the border of cells that are in, of a picture of rows of w: each part a polygon with its holes, corners
// only, in columns and rows from the north-western corner. Rings have the cells on their right hand, rows counted to the
// south. Where two cells touch at a corner alone they are two parts. The outermost rows and columns of the picture hold none.
func Outline(in []bool, w int) []Polygon {
	t := tracer{in: in, w: w, seen: make([]bool, len(in))}
	var outer []Polygon
	var holes [][]XY
	for i := range in {
		// The northern side of a cell is walked once, from west to east along an outer border, or along that of a hole to the west.
		if in[i] && !in[i-w] && !t.seen[i] {
			if ring, area := t.walk(i); area > 0 {
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

// walk follows the border from the north-western corner of a cell to the east; its area is negative around a hole.
func (t *tracer) walk(start int) (ring []XY, area int) {
	x, y, dir := start%t.w, start/t.w, 0
	x0, y0 := x, y
	for {
		if dir == 0 { // the cell to the south-east has its northern side here
			t.seen[y*t.w+x] = true
		}
		nx, ny := x+steps[dir][0], y+steps[dir][1]
		area += x*ny - nx*y
		x, y = nx, ny
		next := t.turn(x, y, dir)
		if next != dir {
			ring = append(ring, XY{X: float64(x), Y: float64(y)})
		}
		if dir = next; x == x0 && y == y0 && dir == 0 {
			return ring, area
		}
	}
}

// turn is the direction after a corner: to the right where the cell ahead on the right is none, so that cells that touch at a
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
