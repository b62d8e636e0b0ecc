package raster

// Partition is a picture of cells that are divided among regions by their labels, of which it gives the outlines. What two
// regions have in common is drawn the same in both, so that between them is neither a gap nor an overlap: lines lead from
// middle to middle of the sides of cells along a border, which makes stairs straight, and where more than two regions meet
// they end in the corner. A line is nowhere farther than half a cell from the border of the cells, and lines never cross.
// It is not safe for concurrent use.
type Partition struct {
	Labels     []int32 // rows from the north, each from the west
	Cols, Rows int
	seen       []uint64 // northern sides that were walked, by cell
	ring       []corner
}

// Show has it look at another picture. What it needs beside is kept: of many small pictures little is allocated.
func (p *Partition) Show(labels []int32, cols, rows int) {
	p.Labels, p.Cols, p.Rows = labels, cols, rows
	if words := (len(labels) + 63) / 64; len(p.seen) < words {
		p.seen = make([]uint64, words) // else all of it is unset: an outline leaves nothing behind
	}
}

// corner is a vertex in half cells from the north-western corner.
type corner struct {
	x, y int32
	node bool // more than two regions meet
}

// at is the label of a cell, 0 beside the picture.
func (p *Partition) at(x, y int) int32 {
	if x < 0 || y < 0 || x >= p.Cols || y >= p.Rows {
		return 0
	}
	return p.Labels[y*p.Cols+x]
}

// Outline gives the parts of a region with their holes, in columns and rows from the north-western corner. Rings have the
// region on their right hand, rows counted to the south. The region's cells lie between the columns and the rows, from one up
// to another one. Cells that touch at a corner alone are two parts.
func (p *Partition) Outline(label int32, col0, col1, row0, row1 int) []Polygon {
	if p.seen == nil {
		p.seen = make([]uint64, (len(p.Labels)+63)/64)
	}
	var outer, whole []Polygon
	var holes [][2][]XY // by cells, and drawn
	for pass := range 2 {
		for y := row0; y < row1; y++ {
			for x := col0; x < col1; x++ {
				i := y*p.Cols + x
				if p.Labels[i] != label || p.at(x, y-1) == label {
					continue
				}
				if pass == 1 { // so that the same region can be asked for again
					p.seen[i/64] &^= 1 << (i % 64)
					continue
				}
				if p.seen[i/64]>>(i%64)&1 == 1 {
					continue
				}
				cells, area := p.walk(label, x, y)
				if area > 0 {
					outer, whole = append(outer, Polygon{p.drawn()}), append(whole, Polygon{cells})
				} else {
					holes = append(holes, [2][]XY{cells, p.drawn()})
				}
			}
		}
	}
	for _, h := range holes {
		for i := len(whole) - 1; i >= 0; i-- { // of parts inside of one another the innermost begins last
			if holds(whole[i][0], h[0][0], h[0][1]) {
				outer[i] = append(outer[i], h[1])
				break
			}
		}
	}
	return outer
}

// walk follows a border from the north-western corner of a cell to the east; its area is negative around a hole. The vertices
// to be drawn are left in p.ring, cells are the corners of the cells.
func (p *Partition) walk(label int32, x0, y0 int) (cells []XY, area int) {
	p.ring = p.ring[:0]
	x, y, dir := x0, y0, 0
	for {
		if dir == 0 {
			i := y*p.Cols + x
			p.seen[i/64] |= 1 << (i % 64)
		}
		nx, ny := x+steps[dir][0], y+steps[dir][1]
		area += x*ny - nx*y
		mx, my := int32(x+nx), int32(y+ny) // middle of the side
		x, y = nx, ny
		next, node := p.turn(label, x, y, dir)
		if next != dir {
			cells = append(cells, XY{X: float64(x), Y: float64(y)})
		}
		if next != dir || node {
			p.ring = append(p.ring, corner{x: mx, y: my})
		}
		if node {
			p.ring = append(p.ring, corner{int32(2 * x), int32(2 * y), true})
		}
		if next != dir || node {
			p.ring = append(p.ring, corner{x: int32(2*x + steps[next][0]), y: int32(2*y + steps[next][1])})
		}
		if dir = next; x == x0 && y == y0 && dir == 0 {
			return cells, area
		}
	}
}

// turn is the direction after a corner, and whether it is one where lines end: of its four cells more than two have labels of
// their own, or equal ones lie across.
func (p *Partition) turn(label int32, x, y, dir int) (next int, node bool) {
	a, b, c, d := p.at(x-1, y-1), p.at(x, y-1), p.at(x-1, y), p.at(x, y)
	node = p.meet(a, b, c, d)
	right, left := ahead[dir][0], ahead[dir][1]
	switch {
	case p.at(x+right[0], y+right[1]) != label:
		return (dir + 1) % 4, node
	case p.at(x+left[0], y+left[1]) == label:
		return (dir + 3) % 4, node
	}
	return dir, node
}

// meet says whether the cells around a corner, row by row, are of more than two regions or lie across.
func (p *Partition) meet(a, b, c, d int32) bool {
	two := a
	for _, l := range [3]int32{b, c, d} {
		if l != a && two != a && l != two {
			return true
		}
		if l != a {
			two = l
		}
	}
	return a == d && b == c && a != b
}

// drawn are the vertices of the ring that are no part of a straight line, in cells.
func (p *Partition) drawn() []XY {
	// Middles of sides stand twice where two corners follow each other.
	list := p.ring[:0:len(p.ring)]
	for i, v := range p.ring {
		if i == 0 || v.node || v != p.ring[i-1] {
			list = append(list, v)
		}
	}
	for len(list) > 1 && list[0] == list[len(list)-1] && !list[0].node {
		list = list[:len(list)-1]
	}
	out := make([]XY, 0, len(list))
	for i, v := range list {
		before, after := list[(i+len(list)-1)%len(list)], list[(i+1)%len(list)]
		ax, ay, bx, by := int64(v.x-before.x), int64(v.y-before.y), int64(after.x-v.x), int64(after.y-v.y)
		if v.node || ax*by != ay*bx {
			out = append(out, XY{X: float64(v.x) / 2, Y: float64(v.y) / 2})
		}
	}
	return out
}
